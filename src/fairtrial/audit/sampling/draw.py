"""Draw a sample from a frame, and let it grow: the first rows of each stratum, then more of the same order.

A stratum of N rollouts of which n are drawn gives each of them probability n / N, whatever was drawn when: rows that
were reviewed stay, and the larger sample is the one that would have been drawn at once. How many more are drawn must
not hang on what the reviews say of single rollouts. Who reads a row is decided in the same way, and stays too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import orjson

from fairtrial.audit.sampling.allocation import allocate
from fairtrial.audit.sampling.frame import Frame, FrameStratum, Unit, frame_of
from fairtrial.audit.sampling.order import chance, takes
from fairtrial.records import Draw, InputError, Sample, Stratum, digest

PEOPLE = 1.0
"""Share of the sample that a person reads: all of it, since only people settle what a verdict should have been."""
OVERLAP = 0.2
"""Share that two people read: of 60 rows 12, which shows a kappa of .8 to about a quarter, at a fifth more work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """How a sample is to be drawn."""

    n: int
    seed: int = 0
    by: tuple[str, ...] = ("verdict", "model", "suite")
    people: float = PEOPLE
    overlap: float = OVERLAP
    population: Mapping[str, Any] = field(default_factory=dict)
    """Which rollouts it is about, as `reading.Population` says it; kept for a sample that grows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A sample with the frame it was drawn from."""

    sample: Sample
    frame: Frame
    joined: int = 0
    """Rollouts that came to the population since the parent was drawn."""


def draw(units: Sequence[Unit], design: Design) -> Drawn:
    """Return a sample of `design.n` of `units`.

    Raise InputError where there are not so many, or too few draws for the strata.
    """
    _check_shares(design)
    if not units:
        raise InputError("there is no rollout to sample", hint="Only graded rollouts of a policy are sampled.")
    frame = frame_of(units, design.by, design.n, design.seed)
    counts = allocate(design.n, [stratum.part() for stratum in frame.strata])
    rows = [row for stratum in frame.strata for row in _rows(stratum, counts[stratum.name], design)]
    return Drawn(sample=_sample(frame, counts, _shuffled(rows, design.seed), design, ""), frame=frame)


def grow(parent: Sample, frame: Frame, units: Sequence[Unit], n: int) -> Drawn:
    """Return a sample of `n` rows that holds all rows of `parent`, which was drawn from `frame`.

    Rollouts among `units` that the frame does not hold form strata of their own. Raise InputError where `n` is no more
    than the parent has.
    """
    had = {stratum.name: stratum.sampled for stratum in parent.strata}
    if n <= len(parent.rows):
        raise InputError(f"the sample has {len(parent.rows)} rows already, and {n} are asked for", field="--n",
                         hint="--n counts all rows, old and new.")  # fmt: skip
    design = replace(design_of(parent), n=n)
    known = {rollout for stratum in frame.strata for rollout in stratum.rollouts}
    new = [unit for unit in units if unit.rollout not in known]
    if new:
        generation = 1 + max(int(one.cell.get("joined", "1")) for one in frame.strata)
        later = frame_of(new, design.by, n - len(parent.rows), parent.seed, suffix=f", joined={generation}")
        marked = tuple(FrameStratum(name=one.name, cell={**one.cell, "joined": str(generation)}, rollouts=one.rollouts)
                       for one in later.strata)  # fmt: skip
        frame = Frame(strata=frame.strata + marked, merged=frame.merged + later.merged)
    counts = allocate(n, [stratum.part(had.get(stratum.name, 0)) for stratum in frame.strata])
    rows = {row.rollout: row for one in frame.strata for row in _rows(one, counts[one.name], design)}
    old = [rows[row.rollout] for row in parent.rows]
    there = {row.rollout for row in old}
    more = _shuffled([row for row in rows.values() if row.rollout not in there], parent.seed)
    return Drawn(sample=_sample(frame, counts, [*old, *more], design, parent.id), frame=frame, joined=len(new))


def design_of(sample: Sample) -> Design:
    """Return the design that `sample` was drawn by. Raise InputError where it does not say."""
    try:
        told = orjson.loads(sample.settings)
        return Design(n=len(sample.rows), seed=sample.seed, by=sample.by, people=told["people"],
                      overlap=told["overlap"], population=told["population"])  # fmt: skip
    except (orjson.JSONDecodeError, KeyError, TypeError) as error:
        raise InputError(f"the sample {sample.id} does not say how it was drawn, so it cannot grow") from error


def frame_address(sample: Sample) -> str:
    """Return the content address of the frame it was drawn from; empty where it does not say."""
    try:
        return str(orjson.loads(sample.settings)["frame"])
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return ""


def _check_shares(design: Design) -> None:
    if not 0 <= design.overlap <= design.people <= 1:
        raise InputError(f"{design.overlap:g} of the rows cannot be read by two people where {design.people:g} are "
                         "read by one", field="--overlap",
                         hint="0 <= overlap <= people <= 1.")  # fmt: skip


def _rows(stratum: FrameStratum, count: int, design: Design) -> list[Draw]:
    """Return the first `count` rows of the stratum, and who reads them.

    The k-th is read by a person where the share `people` takes the place k, from a start of its own; of those that are
    read, overlap / people by two. Neither hangs on how many are drawn.
    """
    probability = count / len(stratum.rollouts)
    start = [chance(design.seed, stratum.name, what) for what in ("people", "overlap")]
    rows, read = [], 0
    for place, rollout in enumerate(stratum.rollouts[:count], 1):
        readers = 0
        if takes(place, design.people, start[0]):
            read += 1
            readers = 2 if takes(read, design.overlap / design.people, start[1]) else 1
        rows.append(Draw(rollout=rollout, stratum=stratum.name, probability=probability, readers=readers,
                         reader_probability=design.people))  # fmt: skip
    return rows


def _shuffled(rows: Sequence[Draw], seed: int) -> list[Draw]:
    """Return the rows in an order that tells nothing of their strata."""
    return sorted(rows, key=lambda row: (chance(seed, "reading", row.rollout), row.rollout))


def _sample(frame: Frame, counts: Mapping[str, int], rows: Sequence[Draw], design: Design, parent: str) -> Sample:
    settings = {"frame": digest(frame.encoded()), "people": design.people, "overlap": design.overlap,
                "population": dict(design.population)}  # fmt: skip
    strata = tuple(Stratum(name=one.name, population=len(one.rollouts), sampled=counts[one.name])
                   for one in frame.strata)  # fmt: skip
    return Sample(seed=design.seed, by=design.by, strata=strata, rows=tuple(rows), parent=parent,
                  settings=orjson.dumps(settings, option=orjson.OPT_SORT_KEYS).decode())  # fmt: skip

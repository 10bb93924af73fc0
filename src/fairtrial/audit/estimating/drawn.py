"""The rows of an audit: every rollout that was drawn, what it stands for, and what its reviews come to.

Without a sample every graded rollout is a row, its verdict its stratum: what was reviewed counts as a census where that
is all, else as a simple random sample within verdicts. Rows without an answer leave theirs to the others of their
stratum: weights are those of the draw, scaled within a stratum so that the answered stand for all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from fairtrial.audit.sampling import Unit
from fairtrial.audit.standing import Standing, counting, standings
from fairtrial.records import Review, Sample


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One drawn rollout."""

    unit: Unit
    stratum: str
    weight: float
    """1 / the probability of its draw."""
    chance: float
    """With which people were to read it."""
    standing: Standing | None
    """None where no blind review counts."""
    reviews: tuple[Review, ...]
    """All that count, both stages."""

    @property
    def passed(self) -> bool:
        """Return whether the verdict is a pass."""
        return self.unit.outcome == "passed"

    @property
    def by_people(self) -> bool | None:
        """Return whether the verdict is wrong, by people; None where they did not read it, or cannot tell."""
        return None if self.standing is None else self._wrong(self.standing.person)

    @property
    def by_judge(self) -> bool | None:
        """Return whether the verdict is wrong, by judges; None where they did not read it, or cannot tell."""
        return None if self.standing is None else self._wrong(self.standing.judge)

    @property
    def answer(self) -> bool | None:
        """Return whether the verdict is wrong, by people where they read it, else by judges."""
        return None if self.standing is None else self._wrong(self.standing.satisfied)

    @property
    def told_by_people(self) -> bool:
        """Return whether a person read it, whatever came of it."""
        return self.standing is not None and bool(self.standing.people or self.standing.adjudicated)

    def _wrong(self, satisfied: bool | None) -> bool | None:
        return None if satisfied is None else satisfied != self.passed


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """All rows, and what fell outside."""

    rows: tuple[Row, ...]
    sample: Sample | None
    outside: int
    """Reviewed rollouts that were not drawn, or that people were not to read."""
    void: int
    duplicates: int


def rows_of(units: Sequence[Unit], reviews: Sequence[Review], sample: Sample | None) -> Drawn:
    """Return the rows of `units` (graded ones) that `sample` drew; of all of them without one."""
    counted = counting(reviews)
    by_rollout: dict[str, list[Review]] = {}
    for review in counted:
        by_rollout.setdefault(review.rollout, []).append(review)
    graded = {unit.rollout: unit for unit in units if unit.outcome in ("passed", "failed")}
    void = sum(bool(review.void) for review in reviews)
    rows, outside = [], set(by_rollout) & set(graded)
    planned = sample is not None and any(draw.readers or draw.reader_probability for draw in sample.rows)
    draws = ([(draw.rollout, draw.stratum, 1 / draw.probability, draw.reader_probability if planned else 1.0,
               not planned or draw.readers > 0) for draw in sample.rows] if sample is not None
             else [(rollout, unit.outcome, 1.0, 1.0, True) for rollout, unit in sorted(graded.items())])  # fmt: skip
    for rollout, stratum, weight, chance, is_for_people in draws:
        if rollout not in graded:
            continue
        told = tuple(r for r in by_rollout.get(rollout, ()) if is_for_people or r.kind == "judge")
        if len(told) == len(by_rollout.get(rollout, ())):
            outside.discard(rollout)
        rows.append(Row(unit=graded[rollout], stratum=stratum, weight=weight, chance=chance or 1.0,
                        standing=standings(told).get(rollout), reviews=told))  # fmt: skip
    return Drawn(rows=tuple(rows), sample=sample, outside=len(outside), void=void,
                 duplicates=len(reviews) - void - len(counted))  # fmt: skip


def scaled(
    rows: Iterable[Row], answered: Callable[[Row], bool], *, read: bool = False
) -> tuple[Mapping[str, float], float]:
    """Return the weight of each answered row by rollout, and the share of the population whose strata have none.

    Within a stratum the answered rows stand for all of it. `read`: weights are by what people were to read.
    """
    held: dict[str, float] = {}
    told: dict[str, list[tuple[str, float]]] = {}
    for row in rows:
        held[row.stratum] = held.get(row.stratum, 0.0) + row.weight
        if answered(row):
            weight = row.weight / row.chance if read else row.weight
            told.setdefault(row.stratum, []).append((row.unit.rollout, weight))
    weights: dict[str, float] = {}
    for stratum, members in told.items():
        factor = held[stratum] / sum(weight for _, weight in members)
        weights |= {rollout: weight * factor for rollout, weight in members}
    total = sum(held.values())
    bare = sum(weight for stratum, weight in held.items() if stratum not in told)
    return weights, bare / total if total else 0.0

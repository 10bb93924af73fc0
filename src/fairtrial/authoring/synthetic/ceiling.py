"""Ceiling: the pass rate of the model that wrote the suite, beside the others', and what is left for it to learn.

A suite that its generator always passes teaches it nothing: no group of its attempts would hold a pass and a failure.
Where the generator is ahead of the others, the suite may ask in its own tongue. Families are told apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from fairtrial.authoring.near_copies import groups_of
from fairtrial.authoring.synthetic.attempts import Attempts, Tally
from fairtrial.authoring.synthetic.material import Item, Material
from fairtrial.authoring.synthetic.options import Options
from fairtrial.authoring.synthetic.result import Answered, Ceiling, FamilyRates, Taker
from fairtrial.measure.intervals import Weighted, clustered_mean, difference
from fairtrial.records import Estimate

Codes = Mapping[str, int]
Floats = NDArray[np.float64]


def ceiling_of(suite: Material, attempts: Attempts | None, solvable: Estimate | None, options: Options) -> Ceiling:
    """Return who passes how much."""
    written = sorted({item.generator for item in suite.items if item.generator})
    generator = options.generator or (written[0] if len(written) == 1 else "")
    if attempts is None:
        return Ceiling(answer=Answered(status="not_measured", why="no ledger was given"), generator=generator)
    codes = dict(zip((item.name for item in suite.items),
                     groups_of([item.text for item in suite.items], [item.cluster for item in suite.items]).tolist(),
                     strict=True))  # fmt: skip
    mine = {label for label, model in attempts.models.items() if generator and generator in (label, model)}
    takers = tuple(_taker(label, by_task, label in mine, attempts, codes, mine)
                   for label, by_task in sorted(attempts.by_model.items()))  # fmt: skip
    takers = tuple(sorted(takers, key=lambda one: (not one.is_generator, -(one.rate.value or 0.0), one.model)))
    return Ceiling(answer=_answer(generator, written, takers, options), generator=generator, takers=takers,
                   families=_families(suite.items, attempts, mine, codes), ceiling=solvable)  # fmt: skip


def _answer(generator: str, written: Sequence[str], takers: Sequence[Taker], options: Options) -> Answered:
    if not generator:
        why = (f"the tasks name {len(written)} generators; --generator says which is asked about" if written
               else "nobody says which model wrote the suite (--generator, or `generator` in [metadata])")  # fmt: skip
        return Answered(status="not_measured", why=why)
    own = next((one for one in takers if one.is_generator and one.rate.value is not None), None)
    if own is None:
        return Answered(status="not_measured", why=f"the ledger holds no graded attempt by {generator}")
    lacking = []
    if own.attempts - own.ungraded <= own.tasks:
        lacking.append("whether it passes a task always: one attempt a task shows a rate of 0 or 1 alone")
    if len(takers) == sum(one.is_generator for one in takers):
        lacking.append("others' pass rates: no other model has attempted the tasks")
    taught, line = own.taught, f"{options.least_taught:.0%}"
    assert taught.low is not None
    assert taught.high is not None
    said = f"{own.model} failed {taught.value:.0%} [{taught.low:.0%}, {taught.high:.0%}] of tasks at least once"
    if taught.high < options.least_taught:
        return Answered(status="against", why=f"{said}, fewer than {line}: it teaches it next to nothing",
                        not_measured=tuple(lacking))  # fmt: skip
    status = "holds" if taught.low >= options.least_taught else "open"
    why = f"{said}; the line is {line}"
    return Answered(status=status, why=why, not_measured=tuple(lacking))  # type: ignore[arg-type]


def _taker(
    label: str, by_task: Mapping[str, Tally], is_generator: bool, attempts: Attempts, codes: Codes, mine: set[str]
) -> Taker:
    ungraded = sum(tally.ungraded for tally in by_task.values())
    graded = {task: tally for task, tally in by_task.items() if tally.graded}
    ahead = None
    if mine and not is_generator:
        ahead = _ahead(_together(attempts, mine), by_task, codes)
    return Taker(
        model=label, is_generator=is_generator, tasks=len(graded), ungraded=ungraded,
        attempts=sum(tally.graded for tally in graded.values()) + ungraded,
        rate=_mean(graded, codes, lambda tally: tally.passed / tally.graded, ungraded, "mean of the tasks' pass rates"),
        taught=_mean(graded, codes, lambda tally: float(tally.failed > 0), ungraded, "tasks with a failure"),
        mixed=_mean({task: tally for task, tally in graded.items() if tally.graded > 1}, codes,
                    lambda tally: float(tally.passed > 0 and tally.failed > 0), ungraded,
                    "tasks with a pass and a failure, of those with two graded attempts"),
        ahead=ahead,
    )  # fmt: skip


def _mean(
    graded: Mapping[str, Tally], codes: Codes, value: Callable[[Tally], float], ungraded: int, what: str
) -> Estimate:
    if not graded:
        return Estimate(
            value=None, low=None, high=None, n=0, ungraded=ungraded, method="not measured: too few attempts"
        )
    values = np.array([value(tally) for tally in graded.values()])
    found = clustered_mean(values, np.array([codes[task] for task in graded], dtype=np.int64))
    return Estimate(value=found.value, low=found.low, high=found.high, n=len(values), ungraded=ungraded,
                    method=f"{what}; {found.method}")  # fmt: skip


def _together(attempts: Attempts, labels: set[str]) -> dict[str, Tally]:
    found: dict[str, Tally] = {}
    for label in labels:
        for task, tally in attempts.by_model[label].items():
            kept = found.setdefault(task, Tally())
            kept.passed, kept.failed, kept.ungraded = (
                kept.passed + tally.passed, kept.failed + tally.failed, kept.ungraded + tally.ungraded)  # fmt: skip
    return found


def _ahead(own: Mapping[str, Tally], other: Mapping[str, Tally], codes: Codes) -> Estimate | None:
    """Return the generator's rate less the other's, task by task of those that both attempted."""
    shared = sorted(task for task in own if task in other and own[task].graded and other[task].graded)
    if not shared:
        return None
    gap = difference(_rows(own, shared, codes), _rows(other, shared, codes))
    return Estimate(value=gap.value, low=gap.low, high=gap.high, n=len(shared),
                    method="difference of mean pass rates on shared tasks (MOVER)")  # fmt: skip


def _rows(tallies: Mapping[str, Tally], tasks: Sequence[str], codes: Codes) -> Weighted:
    """Return attempts, each task with the same weight."""
    hit, weight, cluster = [], [], []
    for task in tasks:
        tally = tallies[task]
        hit += [1.0] * tally.passed + [0.0] * tally.failed
        weight += [1 / tally.graded] * tally.graded
        cluster += [codes[task]] * tally.graded
    return Weighted(hit=np.array(hit), weight=np.array(weight), cluster=np.array(cluster, dtype=np.int64),
                    stratum=np.zeros(len(hit), dtype=np.int64))  # fmt: skip


def _families(items: Sequence[Item], attempts: Attempts, mine: set[str], codes: Codes) -> tuple[FamilyRates, ...]:
    own = _together(attempts, mine)
    rest = _together(attempts, set(attempts.by_model) - mine)
    found = []
    for family in sorted({item.family for item in items if item.family}):
        names = [item.name for item in items if item.family == family]
        sides = [{task: side[task] for task in names if task in side and side[task].graded} for side in (own, rest)]
        rates = [_mean(side, codes, lambda tally: tally.passed / tally.graded,
                       sum(tally.ungraded for tally in side.values()), "mean of the tasks' pass rates")
                 for side in sides]  # fmt: skip
        found.append(FamilyRates(family=family, tasks=len(names), generator=rates[0], others=rates[1]))
    return tuple(found)

"""Which tasks taught, where no arm was trained without them: credit dealt in training beside the change held out.

An association, not a cause. From the log: the share of all credit (the sum of |advantage|) that went to groups of a
family; a family without credit taught nothing by it, whatever its held-out tasks gained. From the held-out tasks: the
gain on the family's own, weighted by their share of all, so that families add up to the whole gain. Where held-out
tasks are of families that got no credit, their gain is what came from elsewhere, and it is taken off every other's.
What it cannot see: what a family taught others, and what others taught it more than they taught families without
credit; so it says `gained`, never `taught`. Without families that got no credit two in three families that taught
nothing looked, in simulated runs of known truth, as if they had: then nothing is read from it. An arm trained without
the family tells (`left_out`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from fairtrial.measure.intervals.clustered import interval_of_mean
from fairtrial.records import Estimate
from fairtrial.train.lift.arms import Pair
from fairtrial.train.log.lines import GroupLine
from fairtrial.train.price.paired import Contrast, contrast, mean_over
from fairtrial.train.price.readings import q_values, reading_of, seeds_words
from fairtrial.train.price.result import Taught, TaughtReading

Floats = NDArray[np.float64]
NO_CREDIT = 1e-12
_BY_CREDIT: Mapping[TaughtReading, TaughtReading] = MappingProxyType({"taught": "gained", "harmed": "lost"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Credit:
    """Credit that one family was dealt."""

    family: str
    share: Estimate
    tasks: int
    groups: int
    informative: int


def credit_by_family(groups: Sequence[GroupLine]) -> tuple[Credit, ...]:
    """Return the share of all credit by family, with its interval over tasks; () where no credit was dealt.

    Linearised variance of a ratio over tasks, C / (C - 1) sum_t (1[t in f] - r)^2 x_t^2 / (sum x)^2.
    """
    dealt = np.array([_credit(group) for group in groups])
    if not groups or dealt.sum() <= NO_CREDIT:
        return ()
    names, task = np.unique(np.array([f"{group.family}\x00{group.task}" for group in groups]), return_inverse=True)
    of_task: Floats = np.bincount(task, weights=dealt).astype(np.float64)
    family = np.array([name.split("\x00")[0] for name in names])
    return tuple(_share(str(each), family == each, of_task, groups) for each in np.unique(family))


def _share(family: str, mine: NDArray[np.bool_], of_task: Floats, groups: Sequence[GroupLine]) -> Credit:
    total, tasks = float(of_task.sum()), len(of_task)
    ratio = float(of_task[mine].sum()) / total
    residuals = (mine - ratio) * of_task
    variance = float((residuals**2).sum()) / total**2 * tasks / max(tasks - 1, 1)
    low, high = interval_of_mean(ratio, variance, total**2 / float((of_task**2).sum()))
    own = [group for group in groups if group.family == family]
    ungraded = sum(outcome == "ungraded" for group in own for outcome in group.outcomes)
    share = Estimate(value=ratio, low=low, high=high, n=tasks, ungraded=ungraded, unit="tasks",
                     method="share of the sum of |advantage|; ratio over tasks, Wilson on n_eff, t")  # fmt: skip
    return Credit(family=family, share=share, tasks=int(mine.sum()), groups=len(own),
                  informative=sum(_credit(group) > NO_CREDIT for group in own))  # fmt: skip


def _credit(group: GroupLine) -> float:
    return float(np.abs(np.array(group.advantages, dtype=np.float64)).sum())


def taught_by_credit(pair: Pair, credits: Sequence[Credit], trained: str = "") -> tuple[Taught, ...]:
    """Return what is associated with each family that was trained on, largest effect first.

    `pair` is base and trained on the held-out tasks. () where no held-out task is of a family in the log. A task that
    names no family is of none; where credit went to such, any family may have been trained on, so none is without.
    """
    dealt = {credit.family for credit in credits if credit.informative}
    control = np.array([family not in {"", *dealt} and "" not in dealt for family in pair.family], dtype=bool)
    held_out = [credit for credit in credits if credit.family and credit.family in set(pair.family)]
    effects = [_effect(pair, credit, control) if credit.informative else None for credit in held_out]
    q = q_values([None if effect is None else effect.p_value for effect in effects])
    taught = [
        _taught(pair, credit, effect, each, controlled=bool(control.any()))
        for credit, effect, each in zip(held_out, effects, q, strict=True)
    ]
    return tuple(sorted((replace(one, trained=trained) for one in taught),
                        key=lambda one: (-(one.effect.value or 0.0), one.family)))  # fmt: skip


def _of_family(pair: Pair, family: str) -> NDArray[np.bool_]:
    return np.array([each == family for each in pair.family], dtype=bool)


def _effect(pair: Pair, credit: Credit, control: NDArray[np.bool_]) -> Contrast:
    """Return the part of the whole gain: (own gain - gain of families without credit) x share of held-out tasks."""
    mine = _of_family(pair, credit.family)
    weight = mean_over(mine)
    if control.any():
        weight = weight - mean_over(control)
    return contrast(pair.differences, pair.cluster, weight * float(mine.mean()))


def _taught(pair: Pair, credit: Credit, effect: Contrast | None, q: float | None, *, controlled: bool) -> Taught:
    mine = _of_family(pair, credit.family)
    alone = contrast(pair.differences, pair.cluster, mean_over(mine))
    own = _estimate(pair, alone, int(mine.sum()), "gain on the family's own held-out tasks")
    if effect is None:
        told = Estimate(value=None, low=None, high=None, n=int(mine.sum()), ungraded=sum(pair.ungraded),
                        method="none of its groups carried credit, so no update came from it")  # fmt: skip
    else:
        what = "part of the whole gain that the family's own held-out tasks make up"
        what += ", beyond families that got no credit" if controlled else ""
        told = _estimate(pair, effect, len(pair.tasks), what)
    return Taught(family=credit.family, method="group_credit", effect=told, tasks=credit.tasks, own=own, q=q,
                  reading=_reading(told.value, q, controlled), credit=credit.share, groups=credit.groups,
                  informative=credit.informative, detail=_detail(effect is None, controlled))  # fmt: skip


def _estimate(pair: Pair, found: Contrast, tasks: int, what: str) -> Estimate:
    how = "variance over both, t" if found.p_value is not None else "nothing varies: exact bound of none seen"
    method = f"{what}; paired by task and {seeds_words(len(pair.seeds))}; {how}"
    return Estimate(value=found.value, low=found.low, high=found.high, n=tasks, ungraded=sum(pair.ungraded),
                    method=method)  # fmt: skip


def _reading(value: float | None, q: float | None, controlled: bool) -> TaughtReading:
    if value is None:
        return "no_credit"
    if not controlled:
        return "not_told"
    return _BY_CREDIT.get(reading := reading_of(value, q), reading)


def _detail(without_credit: bool, controlled: bool) -> str:
    if without_credit:
        return "No group of it carried credit: what its held-out tasks gained came from other families."
    if controlled:
        return (
            "Beyond what families without credit gained. It may have learned that from families like it, or have begun "
            "where the same lesson shows more. An arm trained without it tells."
        )
    return (
        "Every held-out family got credit, so what it learned from others cannot be told from what it taught. "
        "An arm trained without it would tell, or a held-out family that is not trained on."
    )

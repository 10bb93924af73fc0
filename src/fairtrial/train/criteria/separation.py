"""Does a criterion tell better rollouts from worse ones of the same tasks? Pure.

The difference of the shares of yes is taken within tasks: each task has the same weight on both sides, b w / (b + w) of
its b better and w worse rollouts (Mantel and Haenszel 1959), so that tasks in which yes is common do not pass for
better work. Its interval is that of `measure.intervals.difference`, clustered by task, near copies together. The
p-value is exact and asks for no more than that rollouts of one task could be exchanged: given how many yeses each task
has, their number among the better is hypergeometric, task by task, and the sum is compared (the exact test of Mantel
and Haenszel).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairtrial.measure.intervals import Weighted, difference
from fairtrial.records import Estimate

METHOD = "Mantel-Haenszel difference within tasks, MOVER on clustered Wilson intervals"
TOO_FEW = "fewer than two tasks, near copies counted once, hold out a better and a worse rollout"
FEWEST_TASKS = 2
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What one held-out rollout was told."""

    task: str
    better: bool
    yes: bool
    share: float
    """Of the votes, how many say yes."""
    cluster: str = ""
    """Near copies of a task share one; empty: the task is its own."""

    @property
    def near(self) -> str:
        """Return what names it and its near copies."""
        return self.cluster or self.task


@dataclass(frozen=True, slots=True, kw_only=True)
class Separation:
    """How far a criterion separates."""

    difference: Estimate
    yes_better: float | None = None
    yes_worse: float | None = None
    auc: float | None = None
    p_value: float | None = None


def separation(rows: Sequence[Row], ungraded: int = 0) -> Separation:
    """Return how far `rows` are separated; without an estimate where fewer than two tasks have both sides.

    Near copies count as one task.

    >>> rows = [Row(task=t, better=b, yes=b, share=float(b)) for t in "abcd" for b in (True, False) for _ in range(3)]
    >>> found = separation(rows)
    >>> found.difference.value, found.difference.low > 0, found.auc, round(found.p_value, 8)
    (1.0, True, 1.0, 6.25e-06)
    """
    by_task: dict[str, list[Row]] = {}
    for row in rows:
        by_task.setdefault(row.task, []).append(row)
    both = {task: ones for task, ones in sorted(by_task.items()) if len({one.better for one in ones}) == 2}
    used = [row for ones in both.values() for row in ones]
    if len({ones[0].near for ones in both.values()}) < FEWEST_TASKS:
        return Separation(difference=Estimate(value=None, low=None, high=None, n=len(used), ungraded=ungraded,
                                              method=TOO_FEW, unit="rollouts"))  # fmt: skip
    better, worse = (_side(both, is_better) for is_better in (True, False))
    found = difference(better, worse)
    return Separation(
        difference=Estimate(value=found.value, low=found.low, high=found.high, n=len(used), ungraded=ungraded,
                            method=METHOD, unit="rollouts"),
        yes_better=_mean(better), yes_worse=_mean(worse), auc=_auc(list(both.values())),
        p_value=_p_value(list(both.values())),
    )  # fmt: skip


def _side(both: dict[str, list[Row]], better: bool) -> Weighted:
    hits: list[float] = []
    weights: list[float] = []
    clusters: list[int] = []
    codes: dict[str, int] = {}
    for ones in both.values():
        code = codes.setdefault(ones[0].near, len(codes))
        side = [one for one in ones if one.better == better]
        weight = (len(ones) - len(side)) / len(ones)  # b w / (b + w), shared by the rollouts of this side
        hits += [float(one.yes) for one in side]
        weights += [weight] * len(side)
        clusters += [code] * len(side)
    return Weighted(hit=np.array(hits), weight=np.array(weights), cluster=np.array(clusters, dtype=np.int64),
                    stratum=np.zeros(len(hits), dtype=np.int64))  # fmt: skip


def _mean(side: Weighted) -> float:
    return min(1.0, float(side.weight @ side.hit / side.weight.sum()))


def _auc(tasks: Sequence[list[Row]]) -> float:
    won = pairs = 0.0
    for ones in tasks:
        better = [one.share for one in ones if one.better]
        worse = [one.share for one in ones if not one.better]
        pairs += len(better) * len(worse)
        won += sum((b > w) + 0.5 * (b == w) for b in better for w in worse)
    return won / pairs


def _p_value(tasks: Sequence[list[Row]]) -> float:
    """Return P(as many yeses among the better, or more | yeses of each task)."""
    chances: Floats = np.ones(1)
    seen = lowest = 0
    for ones in tasks:
        better, yes = sum(one.better for one in ones), sum(one.yes for one in ones)
        seen += sum(one.better and one.yes for one in ones)
        least = max(0, yes - (len(ones) - better))
        lowest += least
        chances = np.convolve(chances, _hypergeometric(len(ones), yes, better, least))
    return min(1.0, float(chances[seen - lowest :].sum()))


def _hypergeometric(n: int, yes: int, better: int, least: int) -> list[float]:
    """Return P(k of the `better` are among the `yes` of `n`) for k from `least` to the most there can be.

    scipy.stats has it too, and takes a second to load.
    """
    ways = math.comb(n, better)
    most = min(better, yes)
    return [math.comb(yes, k) * math.comb(n - yes, better - k) / ways for k in range(least, most + 1)]

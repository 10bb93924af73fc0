"""Outage watch: runs of attempts that all fail across unrelated tasks, told apart from hard tasks.

A hard task fails everywhere; in an outage tasks fail that pass elsewhere. Each run of attempts without a pass is
weighed by the chance that its tasks would fail so often at the rates they have outside the run.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fairtrial.ledger.observed import PASSED, Order
from fairtrial.measure.result import Outage

Integers = NDArray[np.int64]

_SHORTEST = 4
_FEWEST_TASKS = 3
_MOST_WEIGHED = 200
_RARE = 0.01


def outages_of(order: Order | None, subject: int, prior: tuple[float, float]) -> tuple[Outage, ...]:
    """Return the runs of one subject that are too unlikely to be chance, most unlikely first.

    `prior` is the Beta prior of the suite's rates. A task with no attempt outside the run says nothing. The chance is
    multiplied by the number of places where a run could start. Ungraded attempts count as not passed.
    """
    if order is None:
        return ()
    mine = order.subject == subject
    task, passed = order.task[mine], order.outcome[mine] == PASSED
    starts, lengths = _runs_without_pass(passed)
    if len(starts) == 0:
        return ()
    n = np.bincount(task)
    c = np.bincount(task, weights=passed, minlength=len(n))
    surprise = np.concatenate([[0.0], np.cumsum(np.log((n - c + prior[1]) / (n + prior[0] + prior[1]))[task])])
    rarest = np.argsort(surprise[starts + lengths] - surprise[starts])[:_MOST_WEIGHED]
    found = []
    for start, length in zip(starts[rarest].tolist(), lengths[rarest].tolist(), strict=True):
        inside, repeats = np.unique(task[start : start + length], return_counts=True)
        chance = _chance(n[inside] - repeats, c[inside], repeats, prior) + math.log(len(task))
        if len(inside) >= _FEWEST_TASKS and chance < math.log(_RARE):
            found.append(Outage(first=start, length=length, tasks=len(inside), probability=math.exp(chance)))
    return tuple(sorted(found, key=lambda outage: (outage.probability, outage.first)))


def _runs_without_pass(passed: NDArray[np.bool_]) -> tuple[Integers, Integers]:
    """Return starts and lengths of the maximal runs without a pass that are long enough to weigh."""
    edges = np.flatnonzero(np.diff(np.concatenate([[True], passed, [True]]).astype(np.int8)))
    starts, ends = edges[0::2], edges[1::2]
    long = ends - starts >= _SHORTEST
    return starts[long], (ends - starts)[long]


def _chance(n: Integers, c: NDArray[np.float64], repeats: Integers, prior: tuple[float, float]) -> float:
    """Return the log chance that each task fails `repeats` times in a row, given n attempts and c passes elsewhere."""
    from scipy.special import betaln

    known = n > 0
    a, b = prior[0] + c[known], prior[1] + (n - c)[known]
    return float((betaln(a, b + repeats[known]) - betaln(a, b)).sum())

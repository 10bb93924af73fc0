"""The difference of two weighted shares whose clusters may be the same: paired by task where tasks are shared.

MOVER (Zou and Donner 2008): each end is built from the two shares' own ends, so that it degenerates no more than they
do, with the correlation of the shares over the clusters that they have in common.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fairtrial.measure.intervals.weighted import Weighted, weighted_share


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A difference of shares, in [-1, 1]."""

    value: float
    low: float
    high: float
    correlation: float
    shared: int
    """Clusters in which both have rows."""


def difference(first: Weighted, second: Weighted, confidence: float = 0.95) -> Difference:
    """Return the share of `first` minus that of `second`; codes of clusters mean the same in both.

    >>> rows = Weighted(hit=np.array([1.0, 0, 0, 1]), weight=np.ones(4), cluster=np.arange(4),
    ...                 stratum=np.zeros(4, dtype=np.int64))
    >>> same = difference(rows, rows)
    >>> same.value, round(same.correlation, 6), same.shared
    (0.0, 1.0, 4)
    """
    a, b = weighted_share(first, confidence), weighted_share(second, confidence)
    size = int(max(first.cluster.max(), second.cluster.max())) + 1
    scores = [
        np.bincount(rows.cluster, weights=rows.weight * (rows.hit - share.value) / rows.weight.sum(), minlength=size)
        for rows, share in ((first, a), (second, b))
    ]
    scale = math.sqrt(float((scores[0] ** 2).sum()) * float((scores[1] ** 2).sum()))
    correlation = max(-1.0, min(1.0, float(scores[0] @ scores[1]) / scale)) if scale > 0 else 0.0
    value = a.value - b.value
    low = value - _reach(a.value - a.low, b.high - b.value, correlation)
    high = value + _reach(a.high - a.value, b.value - b.low, correlation)
    return Difference(value=value, low=max(-1.0, low), high=min(1.0, high), correlation=correlation,
                      shared=len(np.intersect1d(first.cluster, second.cluster)))  # fmt: skip


def _reach(one: float, other: float, correlation: float) -> float:
    return math.sqrt(max(0.0, one * one - 2 * correlation * one * other + other * other))

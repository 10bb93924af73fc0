"""A weighted sum over tasks of the differences of a pair, with its interval and p: seeds and tasks are both draws.

`train.lift` gives the mean over tasks; this is for a difference of two means, such as one family's gain beyond
another's. The variance is `measure.crossed`'s. Not covered: which of many such sums are beyond noise (`readings`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairtrial.measure.crossed import Spread, spread_of
from fairtrial.measure.intervals.zero import zero_bound

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_NO_VARIANCE = 1e-15


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """A weighted sum of differences and its interval, in [-1, 1]."""

    value: float
    low: float
    high: float
    p_value: float | None
    """Two-sided; None where nothing varies or there is one cluster: no test is possible."""


def contrast(values: Floats, cluster: Integers, weight: Floats, confidence: float = 0.95) -> Contrast:
    """Return the sum over tasks of weight times the mean over seeds of `values`, (seeds, tasks) in [-1, 1].

    Residuals are taken within the tasks of one weight, so that the contrast of two groups is their difference. Where
    nothing varies, the exact bound of a share of which none was seen stands in on each side.

    >>> found = contrast(np.array([[0.5, 0.1, 0.3]]), np.arange(3), np.full(3, 1 / 3))
    >>> round(found.value, 6), round(found.low, 4), round(found.high, 4), round(found.p_value, 3)
    (0.3, -0.1968, 0.7968, 0.122)
    """
    used = weight != 0
    weight, values, cluster = weight[used], values[:, used], cluster[used]
    value = float((values.mean(axis=0) * weight).sum())
    residuals = np.zeros_like(values)
    for same in np.unique(weight):
        group = weight == same
        residuals[:, group] = values[:, group] - values[:, group].mean()
    spread, clusters = spread_of(residuals * weight * len(weight), cluster), len(np.unique(cluster))
    if spread.variance <= _NO_VARIANCE:
        reach = float(np.abs(weight).sum()) * zero_bound(clusters, 0.5 + confidence / 2)
        return Contrast(value=value, low=max(-1.0, value - reach), high=min(1.0, value + reach), p_value=None)
    half = spread.reach(confidence)
    return Contrast(value=value, low=max(-1.0, value - half), high=min(1.0, value + half),
                    p_value=p_value_of(value, spread))  # fmt: skip


def p_value_of(value: float, spread: Spread) -> float | None:
    """Return the two-sided p that goes with the interval of `Spread.reach`; None where nothing varies.

    It is above 5% where, and only where, the 95% interval holds zero.
    """
    if spread.variance <= _NO_VARIANCE:
        return None
    p = two_sided(value, spread.variance**0.5, spread.degrees)
    return max(p, two_sided(value, spread.of_seeds**0.5, spread.seeds - 1.0)) if spread.of_seeds > 0 else p


def two_sided(value: float, standard_error: float, degrees: float) -> float:
    """Return the two-sided p of Student's t for value / standard error.

    >>> round(two_sided(2.0, 1.0, 2.0), 4)
    0.1835
    """
    from scipy.special import stdtr

    return float(2 * stdtr(degrees, -abs(value / standard_error)))


def mean_over(chosen: NDArray[np.bool_]) -> Floats:
    """Return the weights of the mean over the `chosen` tasks; 0 elsewhere.

    >>> mean_over(np.array([True, False, True, False])).tolist()
    [0.5, 0.0, 0.5, 0.0]
    """
    return chosen.astype(np.float64) / max(int(chosen.sum()), 1)

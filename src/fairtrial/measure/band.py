"""Tasks by observed pass rate, against the training band."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fairtrial.measure.intervals import clustered_mean
from fairtrial.measure.options import Options
from fairtrial.measure.result import Band
from fairtrial.measure.tables import Floats, TaskCounts
from fairtrial.records import Estimate

Mask = NDArray[np.bool_]
_EDGE = 1e-9
_MOST_BARS = 41


def band_of(counts: TaskCounts, ungraded: int, options: Options) -> Band:
    """Return how many tasks never, below, inside, above and always pass, and the share inside with its interval.

    With one graded attempt a task no rate inside can be seen, so the share is not measured then.
    """
    rates = counts.rates()
    inside = (rates > 0) & (rates < 1) & (rates >= options.band_low - _EDGE) & (rates <= options.band_high + _EDGE)
    below = (rates > 0) & (rates < options.band_low - _EDGE)
    above = (rates < 1) & (rates > options.band_high + _EDGE)
    if int(counts.graded.max()) == 1 and options.band_low > 0 and options.band_high < 1:
        share = Estimate(value=None, low=None, high=None, n=len(rates), ungraded=ungraded,
                         method="not measured: one graded attempt shows a rate of 0 or 1 alone")  # fmt: skip
        return _band(rates, inside, below, above, share, options)
    found = clustered_mean(inside.astype(np.float64), counts.tally().cluster, confidence=options.confidence)
    share = Estimate(value=found.value, low=found.low, high=found.high, n=len(rates), ungraded=ungraded,
                     method=f"share of tasks by observed rate; {found.method}")  # fmt: skip
    return _band(rates, inside, below, above, share, options)


def _band(rates: Floats, inside: Mask, below: Mask, above: Mask, share: Estimate, options: Options) -> Band:
    return Band(low=options.band_low, high=options.band_high, never=int((rates == 0).sum()), below=int(below.sum()),
                inside=int(inside.sum()), above=int(above.sum()), always=int((rates == 1).sum()), share=share,
                histogram=histogram(rates))  # fmt: skip


def histogram(rates: Floats) -> tuple[tuple[float, int], ...]:
    """Return (rate, tasks): every distinct rate where few, else never, twenty bins by their centre, always.

    >>> histogram(np.array([0.0, 0.5, 0.5]))
    ((0.0, 1), (0.5, 2))
    """
    distinct, tasks = np.unique(np.round(rates, 9), return_counts=True)
    if len(distinct) <= _MOST_BARS:
        return tuple((float(rate), int(count)) for rate, count in zip(distinct, tasks, strict=True))
    ends = ((0.0, int((rates == 0).sum())), (1.0, int((rates == 1).sum())))
    between = rates[(rates > 0) & (rates < 1)]
    count, edges = np.histogram(between, bins=20, range=(0.0, 1.0))
    bars = tuple((float(round((left + right) / 2, 6)), int(tall))
                 for left, right, tall in zip(edges[:-1], edges[1:], count, strict=True))  # fmt: skip
    return (ends[0], *bars, ends[1])

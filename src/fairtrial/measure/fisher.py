"""One-sided Fisher test of two rates, and the Benjamini-Hochberg correction over many."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def fisher_greater(passes: Integers, n: Integers, other_passes: Integers, other_n: Integers) -> Floats:
    """Return, cell by cell, P(first has this many passes or more | margins), under equal rates.

    >>> float(fisher_greater(*(np.array([x]) for x in (3, 3, 0, 3)))[0])
    0.05
    """
    from scipy.special import gammaln

    def log_choose(top: Integers, bottom: Integers) -> Floats:
        result: Floats = gammaln(top + 1.0) - gammaln(bottom + 1.0) - gammaln(top - bottom + 1.0)
        return result

    total = passes + other_passes
    most = np.minimum(total, n)
    tail = np.zeros(len(n))
    for step in range(int((most - passes).max(initial=-1)) + 1):
        count = passes + step
        valid = (count <= most) & (total - count <= other_n)
        kept = np.where(valid, count, passes)
        log_p = log_choose(n, kept) + log_choose(other_n, total - kept) - log_choose(n + other_n, total)
        tail += np.where(valid, np.exp(log_p), 0.0)
    bounded: Floats = np.minimum(tail, 1.0).round(15).astype(np.float64)
    return bounded


def benjamini_hochberg(p_values: Floats) -> Floats:
    """Return the q-value of each p: the smallest false discovery rate at which it is called.

    >>> benjamini_hochberg(np.array([0.01, 0.04, 0.03])).round(3).tolist()
    [0.03, 0.04, 0.04]
    """
    m = len(p_values)
    order = np.argsort(p_values)
    scaled = p_values[order] * m / np.arange(1, m + 1)
    monotone = np.minimum.accumulate(scaled[::-1])[::-1]
    q_values = np.empty(m)
    q_values[order] = np.minimum(monotone, 1.0)
    return q_values

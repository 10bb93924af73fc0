"""One-sided Fisher test of two rates, and the Benjamini-Hochberg correction over many."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def fisher_greater(passes: Integers, n: Integers, other_passes: Integers, other_n: Integers) -> Floats:
    """Return, cell by cell, P(first has this many passes or more | margins), under equal rates.

    Cells where the first rate is not above the other get 1 (their p is at least about a half, and nothing is called
    on it); equal cells are computed once.

    >>> float(fisher_greater(*(np.array([x]) for x in (3, 3, 0, 3)))[0])
    0.05
    """
    p_values = np.ones(len(n))
    above = passes * other_n > other_passes * n
    cells = np.column_stack([passes[above], n[above], other_passes[above], other_n[above]])
    if len(cells) == 0:
        return p_values
    distinct, index = np.unique(cells, axis=0, return_inverse=True)
    p_values[above] = _tail(distinct)[index.ravel()]
    return p_values


def _tail(cells: Integers) -> Floats:
    """Return the upper hypergeometric tail of each row (passes, n, other passes, other n)."""
    from scipy.special import gammaln

    def log_choose(top: Integers, bottom: Integers) -> Floats:
        result: Floats = gammaln(top + 1.0) - gammaln(bottom + 1.0) - gammaln(top - bottom + 1.0)
        return result

    passes, n, _, other_n = cells.T
    total = passes + cells[:, 2]
    most = np.minimum(total, n)
    tail = np.zeros(len(n))
    for step in range(int((most - passes).max()) + 1):
        valid = (passes + step <= most) & (total - passes - step <= other_n)
        kept = np.where(valid, passes + step, passes)
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

"""pass@k and pass^k of one task, from n graded attempts and c passes; unbiased, refused where n < k.

pass@k = 1 - C(n-c, k) / C(n, k) (Chen et al. 2021); pass^k = C(c, k) / C(n, k) (tau-bench, Yao et al. 2024).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]


def pass_at_k(n: int, c: int, k: int) -> float:
    """Return the chance that at least one of k attempts drawn from n, of which c passed, is a pass.

    Raise ValueError for n < k: it is undefined, and never extrapolated.

    >>> round(pass_at_k(5, 2, 2), 12), round(pass_at_k(200, 3, 10), 6)
    (0.7, 0.143307)
    """
    _refuse(n, c, k)
    return 1.0 - _all_from(n - c, n, k)


def pass_hat_k(n: int, c: int, k: int) -> float:
    """Return the chance that all of k attempts drawn from n, of which c passed, are passes.

    Raise ValueError for n < k.

    >>> round(pass_hat_k(5, 2, 2), 12), pass_hat_k(4, 2, 3)
    (0.1, 0.0)
    """
    _refuse(n, c, k)
    return _all_from(c, n, k)


def _refuse(n: int, c: int, k: int) -> None:
    if not 0 <= c <= n:
        raise ValueError(f"{c} passes in {n} attempts is no count")
    if not 1 <= k <= n:
        raise ValueError(f"k = {k} is undefined with {n} graded attempts")


def _all_from(c: int, n: int, k: int) -> float:
    """Return C(c, k) / C(n, k) as a product, which neither overflows nor cancels."""
    share = 1.0
    for i in range(k):
        share *= max(c - i, 0) / (n - i)
    return share


def curve_ks(most: int) -> tuple[int, ...]:
    """Return the k of a curve: every one up to 64, then about 64 more, evenly spaced in ratio, the last included.

    >>> curve_ks(5), len(curve_ks(100_000)) < 140
    ((1, 2, 3, 4, 5), True)
    """
    if most <= 64:
        return tuple(range(1, most + 1))
    sparse = np.unique(np.rint(np.geomspace(64, most, 65)).astype(np.int64))
    return (*range(1, 64), *(int(k) for k in sparse))


def all_pass_table(n: Counts, c: Counts, ks: tuple[int, ...]) -> NDArray[np.float64]:
    """Return C(c, k) / C(n, k) for each distinct cell and k, shape (cells, ks); NaN where n < k marks undefined.

    A running product over k, so that each column costs one multiplication a cell.
    """
    table = np.full((len(n), len(ks)), np.nan)
    share = np.ones(len(n))
    column = {k: i for i, k in enumerate(ks)}
    for k in range(1, max(ks, default=0) + 1):
        below = k <= n
        share = np.where(below, share * np.maximum(c - k + 1, 0) / np.maximum(n - k + 1, 1), 0.0)
        if k in column:
            table[below, column[k]] = share[below]
    return table

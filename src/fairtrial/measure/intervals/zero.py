"""One-sided upper bounds: nothing (or little) seen in n, alone or in strata.

The 3/n rule is such a bound. Wilson's upper end is not: it is one end of a two-sided interval, and exceeds 3/n from
n = 14.
"""

from __future__ import annotations

import math
from collections.abc import Sequence


def zero_bound(n: int, confidence: float = 0.95) -> float:
    """Return the exact one-sided upper bound of a share of which none was seen in `n`: 1 - (1 - confidence)^(1/n).

    >>> round(zero_bound(50), 5), round(zero_bound(300), 5)
    (0.05816, 0.00994)
    """
    if n < 0:
        raise ValueError("n is a count")
    return 1.0 if n == 0 else -math.expm1(math.log1p(-confidence) / n)


def upper_bound(seen: int, n: int, confidence: float = 0.95) -> float:
    """Return the exact one-sided upper bound (Clopper and Pearson 1934) of a share of which `seen` were found in `n`.

    >>> round(upper_bound(0, 50), 5), upper_bound(3, 3)
    (0.05816, 1.0)
    """
    from scipy.special import betaincinv

    if not 0 <= seen <= n:
        raise ValueError(f"{seen} in {n} is no count")
    if seen == n:
        return 1.0
    return zero_bound(n, confidence) if seen == 0 else float(betaincinv(seen + 1, n - seen, confidence))


def stratified_zero_bound(weights: Sequence[float], n: Sequence[float], confidence: float = 0.95) -> float:
    """Return the one-sided upper bound of sum W_h p_h where none was seen in any stratum: the worst case.

    Maximise sum W_h p_h subject to prod (1 - p_h)^n_h >= 1 - confidence. With x_h = -log(1 - p_h) the problem is
    concave; at the optimum W_h exp(-x_h) = lambda n_h wherever x_h > 0, and lambda is found by bisection. n need not be
    whole: an effective number of draws.

    >>> round(stratified_zero_bound([0.6, 0.3, 0.1], [40, 40, 40]), 4)
    0.0433
    """
    if len(weights) != len(n) or not weights:
        raise ValueError("one weight and one n a stratum")
    total = math.fsum(weights)
    unseen = math.fsum(w for w, size in zip(weights, n, strict=True) if size == 0) / total
    seen = [(w / total, size) for w, size in zip(weights, n, strict=True) if size > 0 and w > 0]
    if not seen:
        return 1.0
    budget = -math.log1p(-confidence)
    low, high = 0.0, max(w / size for w, size in seen)
    for _ in range(200):
        price = (low + high) / 2
        spent = math.fsum(size * max(0.0, math.log(w / (size * price))) for w, size in seen) if price > 0 else math.inf
        low, high = (price, high) if spent > budget else (low, price)
    return min(1.0, unseen + math.fsum(w * max(0.0, 1 - size * high / w) for w, size in seen))

"""The score interval of Wilson (1927), for counts and for a share that rests on an effective number of draws."""

from __future__ import annotations

import math

Z_95 = 1.959963984540054


def effective_wilson(share: float, n_effective: float, critical: float = Z_95) -> tuple[float, float]:
    """Return the Wilson interval of a share in [0, 1] that is worth `n_effective` independent draws.

    `critical` is a normal or t quantile, two-sided. Raise ValueError for n_effective <= 0.
    """
    if not n_effective > 0:
        raise ValueError("an interval needs at least one draw")
    share, n_effective = float(share), float(n_effective)
    square = critical * critical
    middle = (share + square / (2 * n_effective)) / (1 + square / n_effective)
    spread = share * (1 - share) / n_effective + square / (4 * n_effective * n_effective)
    half = critical / (1 + square / n_effective) * math.sqrt(max(spread, 0.0))
    low = 0.0 if share <= 0 else max(0.0, middle - half)
    high = 1.0 if share >= 1 else min(1.0, middle + half)
    return low, high


def wilson(passes: int, n: int, critical: float = Z_95) -> tuple[float, float]:
    """Return the Wilson interval of `passes` in `n`.

    >>> [round(x, 4) for x in wilson(15, 20)]
    [0.5313, 0.8881]
    """
    if not 0 <= passes <= n or n == 0:
        raise ValueError(f"{passes} passes in {n} is no count")
    return effective_wilson(passes / n, n, critical)

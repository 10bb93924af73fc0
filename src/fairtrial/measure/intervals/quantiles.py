"""Two-sided quantiles of the normal and of Student's t."""

from __future__ import annotations

from functools import lru_cache

from fairtrial.measure.intervals.wilson import Z_95


@lru_cache(maxsize=1024)
def normal_quantile(confidence: float = 0.95) -> float:
    """Return z with P(|Z| <= z) = confidence.

    >>> round(normal_quantile(0.95), 6)
    1.959964
    """
    if confidence == 0.95:
        return Z_95
    from scipy.special import ndtri

    return float(ndtri(0.5 + confidence / 2))


@lru_cache(maxsize=1024)
def t_quantile(confidence: float, degrees: float) -> float:
    """Return t with P(|T| <= t) = confidence at `degrees` degrees of freedom, which need not be whole.

    >>> round(t_quantile(0.95, 9), 4)
    2.2622
    """
    from scipy.special import stdtrit

    return float(stdtrit(degrees, 0.5 + confidence / 2))

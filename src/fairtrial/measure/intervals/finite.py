"""The share of a finite population that a simple random sample without replacement tells, exactly.

Tails of the hypergeometric distribution are inverted, as Clopper and Pearson (1934) do for the binomial: coverage is at
least as named at every share, and a sample of everything is certain. Not covered: strata; units that come in clusters.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray


def finite_interval(seen: int, drawn: int, population: int, confidence: float = 0.95) -> tuple[int, int]:
    """Return the fewest and the most units of `population` that may have it, where `seen` of `drawn` have it.

    Raise ValueError where the counts do not fit each other.

    >>> finite_interval(0, 20, 100), finite_interval(5, 20, 20)
    ((0, 15), (5, 5))
    """
    if not 0 <= seen <= drawn <= population or population == 0:
        raise ValueError(f"{seen} of {drawn} drawn of {population} are no counts")
    if drawn == 0:
        return 0, population
    tail = (1 - confidence) / 2
    least, most = seen, population - (drawn - seen)
    low = _first(least, most, lambda has: _at_least(seen, drawn, has, population) > tail)
    high = most + least - _first(least, most, lambda has: _at_most(seen, drawn, most + least - has, population) > tail)
    return low, high


def _first(least: int, most: int, holds: Callable[[int], bool]) -> int:
    """Return the least number for which `holds`, which stays true once it is; `most` where it never was before."""
    while least < most:
        middle = (least + most) // 2
        least, most = (least, middle) if holds(middle) else (middle + 1, most)
    return least


def _at_most(seen: int, drawn: int, has: int, population: int) -> float:
    return _chance(max(0, drawn - population + has), min(seen, has, drawn), drawn, has, population)


def _at_least(seen: int, drawn: int, has: int, population: int) -> float:
    return _chance(max(seen, drawn - population + has), min(drawn, has), drawn, has, population)


def _chance(least: int, most: int, drawn: int, has: int, population: int) -> float:
    """Return the chance that from `least` to `most` of `drawn` have it, where `has` of `population` do."""
    if least > most:
        return 0.0
    from scipy.special import gammaln

    x = np.arange(least, most + 1, dtype=np.float64)

    def log_ways(n: float, k: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1))

    total = log_ways(population, np.array([drawn]))[0]
    return float(np.exp(log_ways(has, x) + log_ways(population - has, drawn - x) - total).sum())

"""The share of a finite population that a simple random sample without replacement tells, exactly.

Tails of the hypergeometric distribution are inverted, as Clopper and Pearson (1934) do for the binomial: coverage is at
least as named at every share, and a sample of everything is certain. Not covered: strata, and units that come in clusters.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache


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
    return math.fsum(_chance(x, drawn, has, population) for x in range(max(0, drawn - population + has), seen + 1))


def _at_least(seen: int, drawn: int, has: int, population: int) -> float:
    return math.fsum(_chance(x, drawn, has, population) for x in range(seen, min(drawn, has) + 1))


def _chance(x: int, drawn: int, has: int, population: int) -> float:
    if x > has or drawn - x > population - has:
        return 0.0
    ways = _log_ways(has, x) + _log_ways(population - has, drawn - x) - _log_ways(population, drawn)
    return math.exp(ways)


@lru_cache(maxsize=65536)
def _log_ways(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)

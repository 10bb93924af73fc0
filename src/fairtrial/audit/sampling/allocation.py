"""How many draws each stratum gets: equal shares for verdicts, shares by size within a verdict, some in each.

Both error rates are wanted, so passes and failures get the same number of draws however rare one of them is. What was
drawn before stays (floors), and no stratum gives more than it has (caps).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from fairtrial.records import InputError

LEAST = 2
"""Draws in each stratum, where it has so many: one draw alone shows no variance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A stratum that asks for draws."""

    name: str
    kind: str
    """Parts of different kinds (verdicts) get equal shares, parts of one kind by weight."""
    weight: float
    population: int
    kept: int = 0
    """Draws that it has already."""

    @property
    def floor(self) -> int:
        """Return the fewest draws that it can get."""
        return max(self.kept, min(LEAST, self.population))


def least(parts: Sequence[Part]) -> int:
    """Return the fewest draws that `parts` can be sampled with."""
    return sum(part.floor for part in parts)


def allocate(n: int, parts: Sequence[Part]) -> dict[str, int]:
    """Return the number of draws of each part, `n` in all. Raise InputError where `n` is too few, or more than all.

    >>> def part(name: str, size: int) -> Part:
    ...     return Part(name=name, kind=name[0], weight=size, population=size)
    >>> allocate(60, [part("p/a", 80), part("p/b", 4), part("f/a", 116)])
    {'p/a': 28, 'p/b': 2, 'f/a': 30}
    """
    held, fewest = sum(part.population for part in parts), least(parts)
    if n > held:
        raise InputError(f"{n:,} draws are asked for, and there are {held:,} rollouts", field="--n",
                         hint=f"--n {held} reads all of them: a census.")  # fmt: skip
    if n < fewest:
        fewer = "" if any(part.kept for part in parts) else ", or name fewer properties in --by"
        raise InputError(f"{n:,} draws are too few: these strata need {fewest:,}", field="--n",
                         hint=f"Ask for more{fewer}.")  # fmt: skip
    kinds = sorted({part.kind for part in parts})
    of_kind = [[part for part in parts if part.kind == kind] for kind in kinds]
    totals = _shared_out(n, [1.0] * len(kinds), [least(some) for some in of_kind],
                         [sum(part.population for part in some) for some in of_kind])  # fmt: skip
    found: dict[str, int] = {}
    for total, some in zip(totals, of_kind, strict=True):
        counts = _shared_out(total, [part.weight for part in some], [part.floor for part in some],
                             [part.population for part in some])  # fmt: skip
        found |= {part.name: count for part, count in zip(some, counts, strict=True)}
    return {part.name: found[part.name] for part in parts}


def _shared_out(n: int, weights: Sequence[float], floors: Sequence[int], caps: Sequence[int]) -> list[int]:
    """Return whole numbers that sum to `n`, as nearly by weight as floors and caps allow; sum floors <= n <= sum caps.

    The level L with sum clip(L w, floor, cap) = n is found by bisection; what rounding down leaves goes to the largest
    remainders, the first of equals.
    """

    def at(level: float) -> list[float]:
        return [min(max(level * weight, low), high) for weight, low, high in zip(weights, floors, caps, strict=True)]

    below, above = 0.0, max(cap / weight for cap, weight in zip(caps, weights, strict=True))
    for _ in range(100):
        level = (below + above) / 2
        below, above = (level, above) if math.fsum(at(level)) < n else (below, level)
    wanted = at(above)
    counts = [math.floor(value + 1e-9) for value in wanted]
    by_rest = sorted(range(len(counts)), key=lambda i: (-round(wanted[i] - counts[i], 9), i))
    while sum(counts) < n:
        for i in by_rest:
            if sum(counts) < n and counts[i] < caps[i]:
                counts[i] += 1
    return counts

"""The order in which a stratum is drawn from: every beginning of it is a sample, spread over tasks, of known chance.

The rows lie in a random sequence in which those of one task are neighbours. It is halved again and again, at the bounds
of tasks while it holds several, and the orders of the two halves are interleaved: the k-th place goes to the first half
where floor(k a / N + u) exceeds floor((k - 1) a / N + u), u uniform on [0, 1) and drawn anew for each halving (a of N
rows are in the first half). So each row stands at each place with chance 1 / N, the first n are a sample in which each
has probability n / N exactly, and at most one draw too many or too few falls into a half. A larger n keeps the smaller
sample. The idea is systematic sampling (Madow and Madow 1944) made nested, as in generalised random tessellation
stratified designs (Stevens and Olsen 2004).

All that is random is a hash of the seed and a name, so that it is the same in every version of every library.
"""

from __future__ import annotations

import hashlib
import math
from bisect import bisect_left
from collections.abc import Callable, Hashable, Sequence

Uniform = Callable[[str], float]
"""From the name of a decision to its number in [0, 1)."""

_STEPS = 1 << 53


def chance(*words: object) -> float:
    """Return a number in [0, 1) that `words` decide, uniform over words.

    >>> 0 <= chance(7, "a") < 1, chance(7, "a") == chance(7, "b")
    (True, False)
    """
    told = [str(word).encode("utf-8", "backslashreplace") for word in words]
    text = b"".join(b"%d:%s," % (len(word), word) for word in told)
    return (int.from_bytes(hashlib.sha256(text).digest()[:8], "big") >> 11) / _STEPS


def takes(place: int, share: float, start: float) -> bool:
    """Say whether the place (counted from 1) is one of those that a share of all places takes, evenly spread.

    Over a uniform `start` each place is taken with chance `share`, and the first k hold share * k of them up to one.

    >>> [place for place in range(1, 11) if takes(place, 0.3, 0.5)]
    [2, 5, 9]
    """
    return math.floor(place * share + start) > math.floor((place - 1) * share + start)


def spread(groups: Sequence[Hashable], uniform: Uniform) -> list[int]:
    """Return the order of rows 0 to N - 1, whose groups (neighbours are alike) are `groups`.

    >>> spread(["a", "a", "b", "b"], lambda name: 0.6)
    [0, 2, 1, 3]
    """
    bounds = [i for i in range(1, len(groups)) if groups[i] != groups[i - 1]]
    finished: dict[str, list[int]] = {}
    waiting = [("", 0, len(groups), False)]
    while waiting:
        name, low, high, halved = waiting.pop()
        if high - low <= 1:
            finished[name] = list(range(low, high))
            continue
        if not halved:
            middle = _middle(bounds, low, high)
            waiting += [(name, low, high, True), (name + "0", low, middle, False), (name + "1", middle, high, False)]
            continue
        finished[name] = _interleaved(finished.pop(name + "0"), finished.pop(name + "1"), uniform(name))
    return finished[""]


def _middle(bounds: Sequence[int], low: int, high: int) -> int:
    """Return where to halve: at the bound nearest the middle, at the middle itself within one group."""
    middle = (low + high) // 2
    at = bisect_left(bounds, middle)
    near = [bound for bound in bounds[max(0, at - 1) : at + 1] if low < bound < high]
    return min(near, key=lambda bound: (abs(2 * bound - low - high), bound), default=middle)


def _interleaved(first: Sequence[int], second: Sequence[int], start: float) -> list[int]:
    """Return both in one order. Whole numbers decide, so that rounding can neither lose a row nor add one."""
    total, mine = len(first) + len(second), len(first)
    offset = min(int(start * total), total - 1)  # only the cell of a grid of 1 / N matters: the breaks lie on it
    one, two = iter(first), iter(second)
    return [
        next(one) if ((place * mine + offset) // total) > (((place - 1) * mine + offset) // total) else next(two)
        for place in range(1, total + 1)
    ]

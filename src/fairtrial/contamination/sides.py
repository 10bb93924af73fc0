"""Put whole groups on one side, so that the share held out is met as nearly as the groups allow, family by family.

A pure function of what the groups hold, their families, the share and the seed: the order in which rows come changes
nothing. Groups are taken in the order of a seeded hash as long as they fit; where that misses the share, the nearest
reachable sum of group sizes is looked for exactly.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

TRAIN, HELD_OUT = "train", "held_out"


@dataclass(frozen=True, slots=True)
class Group:
    """A group to be put on one side."""

    key: str
    """Hash of what it holds."""
    size: int
    family: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stratum:
    """One family: what was wanted and what came of it."""

    family: str
    rows: int
    wanted: int
    held_out: int
    largest: int
    """Rows of its largest group, which is what most often stands in the way."""


def key_of(texts: Sequence[str]) -> str:
    """Return the hash of a group's texts, whatever their order.

    >>> key_of(["a", "b"]) == key_of(["b", "a"])
    True
    """
    digests = sorted(hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest() for text in texts)
    return hashlib.sha256("".join(digests).encode()).hexdigest()


def family_of(families: Sequence[str]) -> str:
    """Return the family of most members; of a tie the first by name.

    >>> family_of(["b", "a", "b", "a"])
    'a'
    """
    counts = Counter(families)
    return min(counts, key=lambda family: (-counts[family], family))


def wanted_of(rows: Mapping[str, int], share: float, seed: int = 0) -> dict[str, int]:
    """Return how many rows of each family are to be held out: largest remainders, so that the total is right.

    Of equal remainders the seed draws: by name, the families that come first would always be the ones held out.

    >>> wanted_of({"a": 5, "b": 4}, 0.3)
    {'a': 2, 'b': 1}
    """
    total = round(share * sum(rows.values()))
    exact = {family: share * count for family, count in sorted(rows.items())}
    found = {family: int(value) for family, value in exact.items()}
    for family in _by_remainder(exact, seed)[: max(0, total - sum(found.values()))]:
        found[family] += 1
    return found


def _by_remainder(exact: Mapping[str, float], seed: int) -> list[str]:
    """Return families by what rounding down leaves of their share, most first."""
    return sorted(exact, key=lambda name: (-round(exact[name] - int(exact[name]), 9), _drawn(seed, name), name))


def fitted(wanted: Mapping[str, int], sizes: Mapping[str, Sequence[int]], share: float, seed: int) -> dict[str, int]:
    """Return `wanted` with rows that were rounded up moved from families whose groups do not reach them to others.

    A family keeps its share to less than a row, and the total stays.

    >>> fitted({"a": 1, "b": 0}, {"a": [3], "b": [1]}, 0.3, 0)
    {'a': 0, 'b': 1}
    """

    def missed(family: str, rows: int) -> int:
        return abs(sum(sizes[family][place] for place in chosen(sizes[family], rows)) - rows)

    found = dict(wanted)
    exact = {family: share * sum(sizes[family]) for family in wanted}
    order = _by_remainder(exact, seed)
    takers = [name for name in order if found[name] < exact[name] and missed(name, found[name] + 1) == 0]
    for family in reversed(order):
        rounded_up = found[family] > exact[family]
        if takers and rounded_up and missed(family, found[family]) > missed(family, found[family] - 1):
            found[family] -= 1
            found[takers.pop(0)] += 1
    return found


def sides_of(groups: Sequence[Group], share: float, seed: int) -> tuple[list[str], list[Stratum]]:
    """Return the side of each group, and what each family came to."""
    families: dict[str, list[int]] = defaultdict(list)
    for number, group in enumerate(groups):
        families[group.family].append(number)
    in_order = {name: sorted(numbers, key=lambda n: (_drawn(seed, groups[n].key), groups[n].key))
                for name, numbers in sorted(families.items())}  # fmt: skip
    sizes_of = {name: [groups[number].size for number in numbers] for name, numbers in in_order.items()}
    rounded = wanted_of({name: sum(sizes) for name, sizes in sizes_of.items()}, share, seed)
    wanted = fitted(rounded, sizes_of, share, seed)
    sides = [TRAIN] * len(groups)
    strata = []
    for family, numbers in in_order.items():
        sizes = sizes_of[family]
        held_out = 0
        for place in chosen(sizes, wanted[family]):
            sides[numbers[place]] = HELD_OUT
            held_out += sizes[place]
        strata.append(Stratum(family=family, rows=sum(sizes), wanted=wanted[family], held_out=held_out,
                              largest=max(sizes)))  # fmt: skip
    return sides, strata


def chosen(sizes: Sequence[int], wanted: int) -> list[int]:
    """Return places in `sizes` whose sum is as near to `wanted` as any: the first that fit, if they meet it.

    >>> chosen([2, 3, 5], 5)
    [0, 1]
    >>> chosen([4, 4, 3, 3], 6)
    [2, 3]
    """
    taken, total = [], 0
    for place, size in enumerate(sizes):
        if total + size <= wanted:
            taken.append(place)
            total += size
    if total == wanted:
        return taken
    best = _nearest_sum(sizes, wanted)
    return taken if wanted - total <= abs(sum(sizes[place] for place in best) - wanted) else best


def _nearest_sum(sizes: Sequence[int], wanted: int) -> list[int]:
    """Return places whose sum is nearest to `wanted`, the smaller of two equally near; sums by binary splitting."""
    places: dict[int, list[int]] = defaultdict(list)
    for place, size in enumerate(sizes):
        places[size].append(place)
    most = min(sum(sizes), 2 * wanted + 1)
    reached = np.zeros(most + 1, bool)
    reached[0] = True
    via = np.full(most + 1, -1, np.int64)
    parts: list[tuple[int, int]] = []
    for size in sorted(places):
        left, count = len(places[size]), 1
        while left and size <= most:
            take = min(count, left)
            weight = take * size
            if weight <= most:
                new = reached[: most + 1 - weight] & ~reached[weight:]
                via[weight:][new] = len(parts)
                reached[weight:] |= new
                parts.append((size, take))
            left -= take
            count *= 2
    sums = np.flatnonzero(reached)
    at = int(sums[np.lexsort((sums, np.abs(sums - wanted)))[0]])
    counts: Counter[int] = Counter()
    while at:
        size, take = parts[via[at]]
        counts[size] += take
        at -= size * take
    return sorted(place for size, count in counts.items() for place in places[size][:count])


def _drawn(seed: int, key: str) -> str:
    return hashlib.sha256(f"{seed}\0{key}".encode()).hexdigest()

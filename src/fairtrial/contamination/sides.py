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


def wanted_of(rows: Mapping[str, int], share: float) -> dict[str, int]:
    """Return how many rows of each family are to be held out: largest remainders, so that the total is right.

    >>> wanted_of({"a": 5, "b": 5}, 0.3)
    {'a': 2, 'b': 1}
    """
    total = round(share * sum(rows.values()))
    exact = {family: share * count for family, count in sorted(rows.items())}
    found = {family: int(value) for family, value in exact.items()}
    by_remainder = sorted(exact, key=lambda family: (-(exact[family] - found[family]), family))
    for family in by_remainder[: max(0, total - sum(found.values()))]:
        found[family] += 1
    return found


def sides_of(groups: Sequence[Group], share: float, seed: int) -> tuple[list[str], list[Stratum]]:
    """Return the side of each group, and what each family came to."""
    families: dict[str, list[int]] = defaultdict(list)
    for number, group in enumerate(groups):
        families[group.family].append(number)
    wanted = wanted_of({name: sum(groups[n].size for n in numbers) for name, numbers in families.items()}, share)
    sides = [TRAIN] * len(groups)
    strata = []
    for family in sorted(families):
        numbers = sorted(families[family], key=lambda n: (_drawn(seed, groups[n].key), groups[n].key))
        sizes = [groups[number].size for number in numbers]
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

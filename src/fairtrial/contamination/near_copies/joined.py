"""Verified pairs joined to groups, and groups that chain: whose ends have nothing in common but what lies between.

A chain of near copies must stay whole, for two near copies on two sides are a leak; so it is said. One that holds more
than a tenth of all rows would make a split worthless: it is cut at its weakest links, and what was cut is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairtrial.contamination.near_copies.likeness import Likeness, Pairs

CHAINED = 0.6
"""A member less like the centre than this share of the threshold is held by a chain alone."""
LARGE = 0.1
"""Share of all rows above which a chain is cut."""
STEP = 0.025
LOOKED_AT = 400
"""Members of a group that are compared with each other, evenly spread, where it has more."""


@dataclass(frozen=True, slots=True)
class Links:
    """Hold pairs and how alike each is."""

    pairs: Pairs
    likeness: NDArray[np.float64]

    def above(self, threshold: float) -> Pairs:
        """Return the pairs that are at least so alike."""
        return self.pairs[self.likeness >= threshold]

    def within(self, members: NDArray[np.int64]) -> Links:
        """Return the links between `members`."""
        inside = np.isin(self.pairs, members).all(axis=1)
        return Links(self.pairs[inside], self.likeness[inside])


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """A group whose ends are not alike."""

    members: tuple[int, ...]
    centre: int
    weakest: float
    """Likeness of the member that is least like the centre."""
    distinct: int
    """Members that only a chain holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A chain that was too large to stay whole."""

    members: tuple[int, ...]
    parts: int
    threshold: float
    """Likeness that now joins the members of a part."""
    links: int
    """Pairs of near copies that now lie in two groups."""


def joined(count: int, pairs: Pairs) -> NDArray[np.int64]:
    """Return for each of `count` texts the smallest number in its group (union-find).

    >>> joined(5, np.array([[1, 2], [2, 4]])).tolist()
    [0, 1, 1, 3, 1]
    """
    parent = list(range(count))

    def root(one: int) -> int:
        while parent[one] != one:
            parent[one] = parent[parent[one]]
            one = parent[one]
        return one

    for left, right in pairs.tolist():
        a, b = root(left), root(right)
        if a != b:
            parent[max(a, b)] = min(a, b)
    return np.array([root(one) for one in range(count)], dtype=np.int64)


def members_of(group: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Return the members of each group, groups by their smallest member."""
    order = np.argsort(group, kind="stable")
    bounds = np.flatnonzero(np.diff(group[order])) + 1
    return [part.astype(np.int64) for part in np.split(order, bounds)] if len(group) else []


def chain_of(members: NDArray[np.int64], likeness: Likeness, threshold: float) -> Chain | None:
    """Return the chain that a group is, or None where every member is like the one in the middle."""
    if len(members) < 3:
        return None
    some = members
    if len(members) > LOOKED_AT:
        some = members[np.unique(np.linspace(0, len(members) - 1, LOOKED_AT).astype(np.int64))]
    left, right = np.triu_indices(len(some), 1)
    alike = likeness.of(np.stack([some[left], some[right]], axis=1))
    sums = np.bincount(left, alike, len(some)) + np.bincount(right, alike, len(some))
    centre = int(some[int(np.argmax(np.round(sums, 9)))])
    others = members[members != centre]
    to_centre = likeness.of(np.stack([np.full(len(others), centre), others], axis=1))
    distinct = int((to_centre < CHAINED * threshold).sum())
    if not distinct:
        return None
    return Chain(members=tuple(members.tolist()), centre=centre, weakest=float(to_centre.min()), distinct=distinct)


def cut_chain(chain: Chain, links: Links, sizes: NDArray[np.int64], threshold: float) -> tuple[list[list[int]], Cut]:
    """Return the parts of a chain that is too large, joined only by links strong enough to keep them small.

    `sizes` are the rows that each text stands for. A part that is one text stays as large as it is.
    """
    members = np.array(chain.members, dtype=np.int64)
    inside = links.within(members)
    place = {member: i for i, member in enumerate(chain.members)}
    local = np.array([[place[a], place[b]] for a, b in inside.pairs.tolist()], dtype=np.int64).reshape(-1, 2)
    most = LARGE * sizes.sum()
    at = threshold
    while True:
        at += STEP
        group = joined(len(members), local[inside.likeness >= at])
        rows = np.bincount(group, sizes[members], len(members))
        if rows.max() <= most or at > 1:
            break
    parts = [members[part].tolist() for part in members_of(group)]
    lost = int((group[local[:, 0]] != group[local[:, 1]])[inside.likeness >= threshold].sum()) if len(local) else 0
    return parts, Cut(members=chain.members, parts=len(parts), threshold=at, links=lost)


def largest_first(groups: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return groups by size, then by their smallest member."""
    return sorted((sorted(group) for group in groups), key=lambda group: (-len(group), group[0]))

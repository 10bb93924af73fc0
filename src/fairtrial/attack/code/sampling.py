"""Draw some of many mutants so that every kind of change is there: by turns over the kinds, in seeded order."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

T = TypeVar("T")


def stratified(items: Sequence[T], kind: Callable[[T], Hashable], most: int, seed: int) -> list[T]:
    """Return at most `most` of `items`, one of each kind by turns, in the order in which they stood.

    >>> stratified(["a1", "a2", "a3", "b1"], lambda item: item[0], 2, seed=0)
    ['a2', 'b1']
    """
    chance = random.Random(seed)
    kinds: dict[Hashable, list[int]] = defaultdict(list)
    for place, item in enumerate(items):
        kinds[kind(item)].append(place)
    for places in kinds.values():
        chance.shuffle(places)
    drawn: list[int] = []
    while len(drawn) < most and any(kinds.values()):
        for places in kinds.values():
            if places and len(drawn) < most:
                drawn.append(places.pop())
    return [items[place] for place in sorted(drawn)]

"""Sort the arrays of JSON values, so that two that hold the same items in another order become the same array.

Equal values get one number from a shared table, so sorting compares numbers and costs no more than reading. By rank,
items are sorted by what their first leaves hold instead: numbers that differ a little still meet. That is no matching:
two items that are alike in all but two numbers can be paired the wrong way round, and are then called different.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

_LEAVES = 64
_ARRAY, _OBJECT = 4, 5


_Item = tuple[tuple[Any, ...], int, Any]
"""Rank, number, and the value with its arrays sorted."""


class Sorter:
    """Sorts the arrays of several values alike."""

    def __init__(self, *, by_rank: bool = False) -> None:
        self.by_rank = by_rank
        self._numbers: dict[Any, int] = {}

    def sorted(self, value: Any) -> Any:
        """Return a copy of `value` with every array sorted.

        >>> sorter = Sorter()
        >>> sorter.sorted([2, [3, 1]]) == sorter.sorted([[1, 3], 2])
        True
        """
        containers = [value] if isinstance(value, list | dict) else []
        for node in containers:
            containers += [one for one in _below(node) if isinstance(one, list | dict)]
        done: dict[int, _Item] = {}
        for node in reversed(containers):
            below = [done[id(one)] if isinstance(one, list | dict) else self._leaf(one) for one in _below(node)]
            done[id(node)] = self._container(node, below)
        return done[id(value)][2] if containers else value

    def _leaf(self, value: Any) -> _Item:
        key = (_kind(value), value)
        return (key,) if self.by_rank else (), self._numbers.setdefault(key, len(self._numbers)), value

    def _container(self, node: Any, below: list[_Item]) -> _Item:
        key: tuple[Any, ...]
        if isinstance(node, list):
            below.sort(key=_by_rank if self.by_rank else _by_number)
            made: Any = [item[2] for item in below]
            key = (_ARRAY, *(item[1] for item in below))
        else:
            made = {name: item[2] for name, item in zip(node, below, strict=True)}
            members = sorted(zip(node, below, strict=True), key=_by_name)
            below = [item for _, item in members]
            key = (_OBJECT, *((name, item[1]) for name, item in members))
        leaves: list[Any] = [(key[0], len(below))]
        for item in below if self.by_rank else ():
            if len(leaves) >= _LEAVES:
                break
            leaves += item[0][: _LEAVES - len(leaves)]
        return tuple(leaves), self._numbers.setdefault(key, len(self._numbers)), made


def _by_name(member: tuple[str, _Item]) -> str:
    return member[0]


def _by_rank(item: _Item) -> tuple[Any, ...]:
    return item[0], item[1]


def _by_number(item: _Item) -> int:
    return item[1]


def _below(container: Any) -> Collection[Any]:
    return container if isinstance(container, list) else container.values()


def _kind(leaf: Any) -> int:
    """Return a number for the type, so that leaves of two types are never compared."""
    if isinstance(leaf, str):
        return 3
    return 0 if leaf is None else 1 if leaf is True or leaf is False else 2

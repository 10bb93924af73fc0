"""Compare JSON values: keys in any order, arrays in theirs, numbers by value and exactly, everything else as it is.

true is not 1, null is not a missing key, and strings are compared character by character. `stated.ordered = False`
compares arrays as bags. How a value is found in a text, and what is refused, stands in json_in_text. Not covered:
schemas, keys that are optional, values that are themselves JSON in a string.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from fairtrial.compare.bags import Sorter
from fairtrial.compare.json_in_text import UnreadableError, find, read
from fairtrial.compare.numerals import agree, plain
from fairtrial.compare.stated import STRICT, Stated
from fairtrial.compare.verdict import Equivalence

Path = tuple[Any, ...]
"""Nested: the path above and one more step; () at the root."""
_SHOWN, _STEPS = 40, 12
MOST_IN_BAGS = 300_000
"""Characters of a value whose arrays are sorted by rank; a megabyte takes two seconds, where one is the limit."""


def compare(reference: str, answer: str, stated: Stated = STRICT) -> Equivalence:
    """Say whether `answer` gives the JSON value of `reference`.

    >>> compare('{"a": 1, "b": 2}', '{"b": 2.0, "a": 1}').equivalent
    True
    >>> compare('{"base": 10}', '{"base": 999}').reason
    '$.base is 999, expected 10'
    """
    if reference.strip() == answer.strip():
        return Equivalence(True, "the same text")
    is_bag = stated.ordered is False and bool(stated.absolute or stated.relative)
    if is_bag and (longest := max(len(reference), len(answer))) > MOST_IN_BAGS:
        why = f"{longest} characters are more than the {MOST_IN_BAGS} compared in any order within a tolerance"
        return Equivalence(False, why)
    try:
        expected = read(reference)
    except UnreadableError as error:
        return Equivalence(False, f"the reference is no JSON value: {error}")
    wanted = type(expected) if isinstance(expected, dict | list) else None
    try:
        found = find(answer, lambda one, other: not difference(one, other, stated), wanted)
    except UnreadableError as error:
        return Equivalence(False, f"the answer gives no JSON value: {error}")
    why = difference(expected, found, stated)
    return Equivalence(not why, why or "the same value")


def difference(expected: Any, found: Any, stated: Stated = STRICT) -> str:
    """Say where two values differ first; empty where they do not.

    >>> difference({"a": [1, 2]}, {"a": [2, 1]}), difference([1, 2], [2, 1], Stated(ordered=False))
    ('$.a[0] is 2, expected 1', '')
    """
    if stated.ordered is False:
        sorter = Sorter(by_rank=bool(stated.absolute or stated.relative))
        expected, found = sorter.sorted(expected), sorter.sorted(found)
    waiting: list[tuple[Path, Any, Any]] = [((), expected, found)]
    while waiting:
        path, one, other = waiting.pop()
        if isinstance(one, dict) and isinstance(other, dict):
            if why := _keys_differ(path, one, other):
                return why
            waiting += [((path, key), one[key], other[key]) for key in reversed(one)]
        elif isinstance(one, list) and isinstance(other, list):
            if len(one) != len(other):
                return f"{_worded(path)} has {_counted(len(other))}, expected {len(one)}"
            waiting += [((path, n), one[n], other[n]) for n in range(len(one) - 1, -1, -1)]
        elif not _same_leaf(one, other, stated):
            return f"{_worded(path)} is {_short(other)}, expected {_short(one)}"
    return ""


def _keys_differ(path: Path, one: dict[str, Any], other: dict[str, Any]) -> str:
    if one.keys() == other.keys():
        return ""
    missing = next((key for key in one if key not in other), None)
    if missing is not None:
        return f"{_worded((path, missing))} is missing"
    extra = next(key for key in other if key not in one)
    return f"{_worded((path, extra))} should not be there"


def _same_leaf(one: Any, other: Any, stated: Stated) -> bool:
    if not _is_number(one) or not _is_number(other):
        return type(one) is type(other) and bool(one == other)
    if one == other:
        return True
    if not stated.absolute and not stated.relative:
        return False
    reference, answer = plain(str(one)), plain(str(other))
    return reference is not None and answer is not None and agree(reference, answer, stated)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | Decimal) and not isinstance(value, bool)


def _worded(path: Path) -> str:
    """Return a path as `$.a[0]`, its last steps alone where it is long."""
    steps: list[str] = []
    while path and len(steps) <= _STEPS:
        path, step = path
        steps.append(f"[{step}]" if isinstance(step, int) else f".{_cut(step)}")
    return ("$…" if path else "$") + "".join(reversed(steps))


def _short(value: Any) -> str:
    if isinstance(value, dict | list):
        return f"an {'object' if isinstance(value, dict) else 'array'} of {_counted(len(value))}"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return f'"{_cut(value)}"' if isinstance(value, str) else _cut(str(value))


def _cut(text: str) -> str:
    shown = text[:_SHOWN].encode("ascii", "backslashreplace").decode() if not text[:_SHOWN].isprintable() else text
    return shown if len(text) <= _SHOWN else f"{shown[:_SHOWN]}…"


def _counted(number: int) -> str:
    return f"{number} item" + ("" if number == 1 else "s")

"""Is a value that was found the one that was stated? Types count: "1" is no 1, true is no 1, and 1 is 1.0.

Stated values come from TOML, which has no null and no bytes; in rows `{ null = true }`, `{ blob = "00ff" }` and
`{ any = true }` stand for them. Pure.
"""

from __future__ import annotations

import datetime
import decimal
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from fairtrial.checks.protocol import CheckError, Result
from fairtrial.checks.reading import said

ANY = object()
"""A cell that may hold anything."""


def same(found: Any, stated: Any, tolerance: float = 0.0) -> bool:
    """Say whether `found` is `stated`: numbers by value (within `tolerance`), objects without order, lists in order.

    >>> same(1.0, 1), same("1", 1), same(True, 1), same({"a": [1]}, {"a": [2]}), same(0.30000000000000004, 0.3, 1e-9)
    (True, False, False, False, True)
    """
    if stated is ANY:
        return True
    if _is_number(found) and _is_number(stated):
        return _same_number(found, stated, tolerance)
    if isinstance(stated, Mapping) and isinstance(found, Mapping):
        return stated.keys() == found.keys() and all(same(found[key], stated[key], tolerance) for key in stated)
    if _is_list(stated) and _is_list(found):
        return len(stated) == len(found) and all(
            same(one, other, tolerance) for one, other in zip(found, stated, strict=True)
        )
    if isinstance(stated, datetime.date | datetime.time) and isinstance(found, str):
        return found == stated.isoformat()
    return type(found) is type(stated) and bool(found == stated)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | decimal.Decimal) and not isinstance(value, bool)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _same_number(found: Any, stated: Any, tolerance: float) -> bool:
    if found == stated or not tolerance:
        return bool(found == stated)
    try:
        return math.isclose(float(found), float(stated), rel_tol=0.0, abs_tol=tolerance)
    except OverflowError:
        return False


def cell(stated: Any) -> Any:
    """Return what a stated cell means. Raise CheckError for a table that means nothing.

    >>> cell({"null": True}) is None, cell({"blob": "00ff"}), cell(5)
    (True, b'\\x00\\xff', 5)
    """
    if not isinstance(stated, Mapping):
        return stated
    if stated == {"null": True}:
        return None
    if stated == {"any": True}:
        return ANY
    if len(stated) == 1 and isinstance(stated.get("blob"), str):
        try:
            return bytes.fromhex(stated["blob"])
        except ValueError:
            pass
    raise CheckError(f"a cell is a value, {{null = true}}, {{any = true}} or {{blob = hex}}, not {said(stated)}")


def wanted(equals: Any, equals_json: str) -> Any:
    """Return the value that a check states, in TOML or as JSON text. Raise CheckError where it states none or both."""
    if (equals is None) == (not equals_json):
        raise CheckError("state either `equals` or `equals_json`")
    if equals is not None:
        return equals
    try:
        return json.loads(equals_json)
    except (ValueError, RecursionError) as error:
        raise CheckError(f"`equals_json` is not JSON: {error}") from None


def difference(found: Any, stated: Any, tolerance: float = 0.0, at: str = "$") -> str:
    """Return where `found` first differs from `stated` and how, "" where it does not.

    >>> difference({"a": [1, 2]}, {"a": [1, 3]})
    '$.a[1] is 2, not 3'
    """
    if same(found, stated, tolerance):
        return ""
    if isinstance(stated, Mapping) and isinstance(found, Mapping):
        for key in stated:
            if key not in found:
                return f"{at} lacks the key {said(key)}"
        for key in found:
            if key not in stated:
                return f"{at} has the key {said(key)}, which is not expected"
        inner = ((found[key], stated[key], f"{at}.{key}") for key in stated)
    elif _is_list(stated) and _is_list(found) and len(stated) == len(found):
        inner = ((one, other, f"{at}[{i}]") for i, (one, other) in enumerate(zip(found, stated, strict=True)))
    elif _is_list(stated) and _is_list(found):
        return f"{at} has {len(found)} elements, not {len(stated)}"
    else:
        return f"{at} is {said(found)}, not {said(stated)}"
    return next(told for one, other, place in inner if (told := difference(one, other, tolerance, place)))


def in_range(found: Any, least: float | None, most: float | None, what: str) -> Result:
    """Return whether a number lies between two limits, each of which may be left out.

    >>> in_range(7, 1, 5, "the total").why
    'the total is 7, and should be at least 1 and at most 5'
    """
    if not _is_number(found):
        return Result(False, f"{what} is {said(found)}, no number")
    if least is not None and least == most:
        return Result(bool(found == least), f"{what} is {found}" + ("" if found == least else f", not {least:g}"))
    limits = [f"at least {least:g}"] if least is not None else []
    limits += [f"at most {most:g}"] if most is not None else []
    passed = (least is None or found >= least) and (most is None or found <= most)
    return Result(bool(passed), f"{what} is {found}, and should be {' and '.join(limits)}")

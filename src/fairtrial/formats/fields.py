"""The fields of a `table` file, their types, and the conversion of a whole column at once.

A column is an Arrow array (from Parquet) or a list of Python values (from JSON or CSV). Where every value has the
type that is wanted it is converted in one go; otherwise value by value, and each one that is wrong is reported with
the reason. Covers types only; what the fields mean together is `table`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Literal, TypeAlias

import orjson
import pyarrow as pa
import pyarrow.compute as pc

from fairtrial.formats.times import utc

Kind = Literal["name", "text", "integer", "number", "boolean", "time", "checks"]
Values: TypeAlias = "pa.Array | list[Any]"

FIELDS: dict[str, Kind] = {
    "task": "name", "model": "name", "passed": "boolean", "attempt": "integer",
    "score": "number", "ungraded_reason": "name", "checks": "checks", "answer": "text", "key": "text",
    "suite": "name", "agent": "name", "effort": "name", "settings": "name", "environment": "name", "group": "name",
    "split": "name", "domain": "name", "family": "name", "cluster": "name", "stop": "name", "label": "name",
    "task_hash": "name", "grader": "name", "recorded_at": "time", "seed": "integer", "step": "integer",
    "steps": "integer", "input_tokens": "integer", "output_tokens": "integer", "cost_usd": "number",
    "seconds": "number",
}  # fmt: skip
"""`name`: text that is never null, empty where not given. `text`: may be null. `time`: a name that is a time."""

REQUIRED = ("task", "model", "passed")

TYPES: dict[Kind, pa.DataType] = {
    "name": pa.string(), "text": pa.string(), "integer": pa.int64(), "number": pa.float64(), "boolean": pa.bool_(),
    "time": pa.string(),
}  # fmt: skip

_AT_HOME: dict[Kind, set[type]] = {
    "name": {str, type(None)}, "text": {str, type(None)}, "integer": {int, type(None)},
    "number": {float, int, type(None)}, "boolean": {bool, type(None)}, "time": {type(None)},
}  # fmt: skip
_WANTED: dict[Kind, str] = {
    "name": "text", "text": "text", "integer": "a whole number", "number": "a number", "boolean": "true, false or null",
    "time": "an ISO 8601 time",
}  # fmt: skip
AMOUNTS = frozenset({"steps", "input_tokens", "output_tokens", "cost_usd", "seconds"})
"""Never below 0, and finite: one infinite cost would make every mean that it enters infinite."""
_MOST_OF_AN_AMOUNT = 10**15
_TRUE, _FALSE = {"true", "1", "yes", "t", "y", "1.0"}, {"false", "0", "no", "f", "n", "0.0"}
_MOST_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Column:
    """A converted column: `values` is null where a value was missing or wrong; `wrong` maps its position to why."""

    values: pa.Array
    wrong: dict[int, str]


def convert(field: str, values: Values) -> Column:
    """Convert the values of `field` (not `checks`, which is no scalar) to its Arrow type."""
    column = _converted(field, values)
    return _within_bounds(field, column) if field in AMOUNTS else column


def _within_bounds(field: str, column: Column) -> Column:
    """Report amounts that cannot be; NaN is how pandas writes a missing one."""
    values = column.values
    if pa.types.is_floating(values.type):
        values = pc.if_else(pc.is_nan(values), None, values)
    strange = pc.fill_null(pc.or_(pc.less(values, 0), pc.greater(values, _MOST_OF_AN_AMOUNT)), False)
    positions = pc.indices_nonzero(strange).to_pylist()
    if not positions:
        return Column(values, column.wrong)
    found = {at: f"`{field}` is {shown(values[at].as_py())}, not an amount from 0 to 1e15" for at in positions}
    return Column(pc.if_else(strange, None, values), column.wrong | found)


def _converted(field: str, values: Values) -> Column:
    kind = FIELDS[field]
    if isinstance(values, pa.Array):
        if _is_at_home(kind, values.type):
            return Column(pc.cast(values, TYPES[kind]), {})
        values = values.to_pylist()
    if set(map(type, values)) <= _AT_HOME[kind]:
        try:
            return Column(pa.array(values, TYPES[kind]), {})
        except (OverflowError, UnicodeEncodeError, pa.ArrowInvalid):
            pass  # one value is out of range or not UTF-8: find out which
    return _one_by_one(field, kind, values)


def _is_at_home(kind: Kind, found: pa.DataType) -> bool:
    """Say whether the cast from `found` cannot fail on any value."""
    if pa.types.is_dictionary(found):
        found = found.value_type
    if kind in ("name", "text"):
        return bool(pa.types.is_string(found) or pa.types.is_large_string(found) or found == pa.string_view())
    if kind == "time":
        return bool(pa.types.is_null(found))
    if kind == "integer":
        return bool(pa.types.is_integer(found) and found != pa.uint64()) or bool(pa.types.is_null(found))
    if kind == "number":
        return bool(pa.types.is_floating(found) or pa.types.is_null(found)) or found in (
            pa.int8(),
            pa.int16(),
            pa.int32(),
        )
    return bool(pa.types.is_boolean(found) or pa.types.is_null(found))


def _one_by_one(field: str, kind: Kind, values: Sequence[Any]) -> Column:
    parse = _PARSERS[kind]
    wrong: dict[int, str] = {}
    parsed: list[Any] = []
    for position, value in enumerate(values):
        try:
            parsed.append(None if value is None else parse(value))
        except (ValueError, TypeError, OverflowError):
            wrong[position] = f"`{field}` is {shown(value)}, not {_WANTED[kind]}"
            parsed.append(None)
    return Column(pa.array(parsed, TYPES[kind]), wrong)


def shown(value: Any) -> str:
    """Return a value as it is shown in a reason, cut short.

    >>> shown([1, 2])
    '[1, 2]'
    """
    text = repr(value)
    return text if len(text) <= _MOST_SHOWN else text[:_MOST_SHOWN] + "…"


def _name(value: Any) -> str | None:
    """Take text, and numbers as their decimal text (task 7 is "7"); NaN is how pandas writes a missing text."""
    if isinstance(value, str):
        value.encode()  # a lone surrogate (bytes that were not UTF-8) raises UnicodeEncodeError, a ValueError
        return value
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return orjson.dumps(value).decode()
    raise TypeError


def _text(value: Any) -> str | None:
    """Take what `_name` takes, and truth values as JSON writes them: an answer may be any scalar."""
    return orjson.dumps(value).decode() if isinstance(value, bool) else _name(value)


def _integer(value: Any) -> int | None:
    if isinstance(value, float | Decimal):
        if math.isnan(value):
            return None  # a missing number in a float column, as pandas writes it
        if value != value // 1:
            raise ValueError
        value = int(value)
    if type(value) is not int or not -(2**63) <= value < 2**63:
        raise ValueError
    return value


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise TypeError
    return float(value)


def _boolean(value: Any) -> bool | None:
    """Take true, false, and the numbers 1 and 0; NaN is a missing value."""
    if isinstance(value, bool):
        return value
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, int | float) and value in (0, 1):
        return bool(value)
    raise ValueError


def _time(value: Any) -> str:
    """Take an ISO 8601 text, or a Parquet timestamp; without an offset it is UTC."""
    if isinstance(value, float) and math.isnan(value):
        return ""
    if not isinstance(value, str | datetime):
        raise TypeError
    return utc(value)


_PARSERS: dict[Kind, Callable[[Any], Any]] = {
    "name": _name, "text": _text, "integer": _integer, "number": _number, "boolean": _boolean, "time": _time,
}  # fmt: skip


def from_text(field: str, values: list[str]) -> list[Any]:
    """Read a CSV column: an empty cell is null; what cannot be read stays text, for `convert` to report.

    >>> from_text("passed", ["yes", "0", "", "maybe"])
    [True, False, None, 'maybe']
    >>> from_text("attempt", ["3", "3.5"])
    [3, 3.5]
    """
    kind = FIELDS[field]
    if kind in ("name", "text", "time"):
        return [value or None for value in values]
    read = {value: _cell(kind, value.strip()) for value in set(values)}
    return [read[value] for value in values]


def _cell(kind: Kind, text: str) -> Any:
    """Read one cell of a CSV file."""
    if text == "" or (kind == "boolean" and text.lower() in ("null", "none", "na", "nan")):
        return None
    if kind == "boolean":
        return True if text.lower() in _TRUE else False if text.lower() in _FALSE else text
    if kind == "checks":
        return text
    try:
        return int(text)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            return text

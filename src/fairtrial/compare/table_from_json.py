"""Read a table that is written as JSON: an array of objects or of arrays, an object of columns, {"columns", "data"}.

A key that a row lacks, and null, are empty cells. Not covered: values that are themselves arrays or objects beyond
comparing how they are written.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from fairtrial.compare.json_in_text import UnreadableError, read

_HEADERS, _ROWS = ("columns", "header", "headers", "fields"), ("data", "rows", "values", "records", "index")


def rows_in_json(text: str) -> Iterator[list[list[str]]]:
    """Yield the table in the JSON `text`, its header first; nothing where it is none.

    >>> list(rows_in_json('[{"name": "bolt", "qty": 3}]'))
    [[['name', 'qty'], ['bolt', '3']]]
    """
    try:
        value = read(text)
    except UnreadableError:
        return
    rows = _rows(value)
    if rows:
        yield [[_cell(cell) for cell in row] for row in rows]


def _rows(value: Any) -> list[list[Any]]:
    if isinstance(value, dict):
        header = next((value[name] for name in _HEADERS if isinstance(value.get(name), list)), None)
        rows = next((value[name] for name in _ROWS if isinstance(value.get(name), list)), None)
        if header is not None and rows is not None and all(isinstance(row, list) for row in rows):
            return [header, *rows]
        if len(value) == 1 and _is_table(next(iter(value.values()))):
            return _rows(next(iter(value.values())))
        if value and all(isinstance(column, list) for column in value.values()):
            return _from_columns(value)
        return []
    if _is_table(value):
        if isinstance(value[0], list):
            return list(value)
        names = list(dict.fromkeys(name for row in value for name in row))
        return [names, *([row.get(name) for name in names] for row in value)]
    return []


def _is_table(value: Any) -> bool:
    if not isinstance(value, list) or not value:
        return False
    return all(isinstance(row, dict) for row in value) or all(isinstance(row, list) for row in value)


def _from_columns(value: dict[str, list[Any]]) -> list[list[Any]]:
    longest = max(len(column) for column in value.values())
    if any(len(column) != longest for column in value.values()):
        return []
    return [list(value), *map(list, zip(*value.values(), strict=True))]


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value, sort_keys=True, default=str) if isinstance(value, dict | list) else str(value)

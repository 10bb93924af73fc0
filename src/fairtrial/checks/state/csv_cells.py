"""Checks of tables in CSV: one cell, or all rows. A stated number is compared as a number, a stated text as text."""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections import Counter
from decimal import Decimal
from typing import Any

from fairtrial.checks.protocol import CheckError, Inside, Result
from fairtrial.checks.reading import WorkError, many, named, of_the_work, plain_text, said
from fairtrial.checks.state.values import same

MOST_ROWS = 1_000_000
_NUMBER = re.compile(r"\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?\s*", re.ASCII)


@of_the_work
def csv_cell(
    path: Inside,
    column: str | int,
    equals: str | float | bool,
    row: int = 0,
    where: dict[str, str] | None = None,
    header: bool = True,
    delimiter: str = ",",
    tolerance: float = 0.0,
) -> Result:
    """Check one cell of a CSV file: its `column` by name or number from 0; its `row` from 0, or the one `where` names.

    Rows are counted below the header; with `header = false` from the first line on, and columns have numbers alone.
    """
    names, rows = _table(path, delimiter, header)
    if where:
        rows = [one for one in rows if all(_at(one, names, key, path) == value for key, value in where.items())]
        if len(rows) != 1:
            raise WorkError(f"{named(path)} has {many(len(rows), 'row')} where {said(where)}, not one")
    if not -len(rows) <= row < len(rows):
        raise WorkError(f"{named(path)} has {many(len(rows), 'row')}, and none at {row}")
    found = _at(rows[row], names, column, path)
    passed = is_cell(found, equals, tolerance)
    place = f"column {said(column)}, row {row if not where else said(where)}, of {named(path)}"
    return Result(passed, f"{place} is {said(found)}" + ("" if passed else f", not {said(equals)}"))


@of_the_work
def csv_rows(
    path: Inside,
    equals: list[list[Any]],
    columns: list[str] | None = None,
    ordered: bool = False,
    delimiter: str = ",",
    tolerance: float = 0.0,
) -> Result:
    """Check all rows of a CSV file below its header: the named `columns` of them, in any order unless `ordered`."""
    names, rows = _table(path, delimiter, header=True)
    found = [[_at(one, names, column, path) for column in columns] for one in rows] if columns else rows
    if len(found) != len(equals):
        raise WorkError(f"{named(path)} has {many(len(found), 'row')}, not {len(equals)}")
    left = list(found)
    for number, expected in enumerate(equals):
        fits = next((one for one in (left[:1] if ordered else left) if _is_row(one, expected, tolerance)), None)
        if fits is None:
            seen = f"; it is {said(left[0])}" if ordered else ""
            raise WorkError(f"{named(path)} has no row {said(expected)}{f' at {number}' if ordered else ''}{seen}")
        left.remove(fits)
    return Result(True, f"{named(path)} has the {many(len(found), 'row')} that it should")


def _is_row(found: list[str], expected: list[Any], tolerance: float) -> bool:
    return len(found) == len(expected) and all(
        is_cell(one, stated, tolerance) for one, stated in zip(found, expected, strict=True)
    )


def is_cell(found: str, stated: Any, tolerance: float = 0.0) -> bool:
    """Say whether the text of a cell is the `stated` value.

    >>> is_cell("12.50", 12.5), is_cell("12.50", "12.5"), is_cell("TRUE", True)
    (True, False, True)
    """
    if isinstance(stated, bool):
        return found.strip().lower() == ("true" if stated else "false")
    if isinstance(stated, int | float):
        number = Decimal(found.strip()) if _NUMBER.fullmatch(found) else None
        return number is not None and same(number, Decimal(str(stated)), tolerance)
    return found == str(stated.isoformat() if hasattr(stated, "isoformat") else stated)


def _table(path: str, delimiter: str, header: bool) -> tuple[list[str], list[list[str]]]:
    if len(delimiter) != 1:
        raise CheckError(f"`delimiter` should be one character, not {said(delimiter)}")
    text = plain_text(path)
    try:
        lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        rows = list(itertools.islice((row for row in lines if row or not header), MOST_ROWS + 1))
    except csv.Error as error:
        raise WorkError(f"{named(path)} is no CSV: {error}") from None
    if len(rows) > MOST_ROWS:
        raise WorkError(f"{named(path)} has more than {MOST_ROWS} rows")
    if not header:
        return [], rows
    if not rows:
        raise WorkError(f"{named(path)} has no header")
    names = [name.strip() for name in rows[0]]
    if double := [name for name, count in Counter(names).items() if count > 1]:
        raise WorkError(f"{named(path)} has two columns {said(double[0])}")
    return names, rows[1:]


def _at(row: list[str], names: list[str], column: str | int, path: str) -> str:
    if isinstance(column, str):
        if column not in names:
            raise WorkError(f"{named(path)} has no column {said(column)}: it has {said(names)}")
        column = names.index(column)
    if not 0 <= column < len(row):
        raise WorkError(f"{named(path)} has a row without the column {column}: {said(row)}")
    return row[column]

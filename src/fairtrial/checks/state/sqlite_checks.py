"""Checks of what a SQLite database says: the rows of a query, one cell, a count, the schema.

The database is read as a copy, its write-ahead log included, and cannot be changed by a query.
"""

from __future__ import annotations

from typing import Any

from fairtrial.checks.limits import within_limits
from fairtrial.checks.protocol import CheckError, Inside, Result
from fairtrial.checks.reading import WorkError, many, named, of_the_work, rows_of, said, sqlite_copy
from fairtrial.checks.state.rows import rows_differ
from fairtrial.checks.state.sqlite_state import columns, quoted, reference, schema
from fairtrial.checks.state.stated_changes import schema_differs
from fairtrial.checks.state.values import cell, in_range, same


@of_the_work
@within_limits
def sqlite_rows(
    database: Inside,
    query: str,
    equals: list[list[Any]],
    ordered: bool = False,
    tolerance: float = 0.0,
) -> Result:
    """Check the rows of a query, in any order unless `ordered`. Types count, but 1 is 1.0.

    A cell may be `{ null = true }`, `{ blob = "00ff" }` or `{ any = true }`.
    """
    with sqlite_copy(database) as connection:
        found = rows_of(connection, query)
    return rows_differ(found, equals, ordered, tolerance, said(query))


@of_the_work
@within_limits
def sqlite_cell(database: Inside, query: str, equals: Any, tolerance: float = 0.0, first: bool = False) -> Result:
    """Check the one value of a query of one row and column; `first` takes the first of more."""
    with sqlite_copy(database) as connection:
        found = rows_of(connection, query)
    if not found or (not first and (len(found) != 1 or len(found[0]) != 1)):
        raise WorkError(f"the query {said(query)} has {many(len(found), 'row')}, not one value")
    passed = same(found[0][0], cell(equals), tolerance)
    return Result(passed, f"{said(query)} is {said(found[0][0])}" + ("" if passed else f", not {said(equals)}"))


@of_the_work
@within_limits
def sqlite_count(
    database: Inside, table: str, where: str = "", equals: int | None = None, least: int | None = None,
    most: int | None = None,
) -> Result:  # fmt: skip
    """Check how many rows a table has, of those `where` holds."""
    if equals is None and least is None and most is None:
        raise CheckError("state `equals`, `least` or `most`")
    query = f"SELECT count(*) FROM {quoted(table)}" + (f" WHERE {where}" if where else "")
    with sqlite_copy(database) as connection:
        count = rows_of(connection, query)[0][0]
    if equals is not None:
        least = most = equals
    return in_range(count, least, most, f"the number of rows of {table}" + (f" where {where}" if where else ""))


@of_the_work
@within_limits
def sqlite_schema(
    database: Inside, tables: dict[str, list[str]] | None = None, same_as: Inside = "", exactly: bool = False
) -> Result:
    """Check that `tables` are there with these columns (`exactly`: and no others), or the schema is that of `same_as`.

    `same_as` is a database or a .sql file; tables, columns, indexes, views and triggers count, white space does not.
    """
    if (tables is None) == (not same_as):
        raise CheckError("state either `tables` or `same_as`")
    with sqlite_copy(database) as connection:
        found = schema(connection)
        if same_as:
            with reference(same_as) as made:
                wrong = schema_differs(found, schema(made))
            return Result(not wrong, wrong or f"the schema of {named(database)} is as it should be")
        for name, wanted in (tables or {}).items():
            if found.get(name, ("",))[0] != "table":
                raise WorkError(f"there is no table {name}")
            names = [column[1] for column in columns(connection, name)]
            if lacking := [column for column in wanted if column not in names]:
                raise WorkError(f"the table {name} has no column {lacking[0]}: it has {said(names)}")
            if exactly and (surplus := [column for column in names if column not in wanted]):
                raise WorkError(f"the table {name} has the column {said(surplus[0])}, which is not expected")
        strange = sorted(name for name, made in found.items() if made[0] == "table" and name not in (tables or {}))
        if exactly and strange:
            raise WorkError(f"there is a table {said(strange[0])}, which is not expected")
    return Result(True, f"{named(database)} has the tables that it should")

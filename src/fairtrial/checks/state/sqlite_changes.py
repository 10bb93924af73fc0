"""Check that a SQLite database changed as stated and in nothing else: row by row, and its schema."""

from __future__ import annotations

from typing import Any

from fairtrial.checks.limits import within_limits
from fairtrial.checks.protocol import Inside, Result
from fairtrial.checks.reading import WorkError, named, of_the_work, said, sqlite_copy
from fairtrial.checks.state.row_changes import Rows, Table
from fairtrial.checks.state.sqlite_state import apply, columns, reference, rows, schema, table_of
from fairtrial.checks.state.stated_changes import Stated, changes_differ


@of_the_work
@within_limits
def sqlite_changes(
    database: Inside,
    before: Inside,
    inserted: dict[str, Rows] | None = None,
    updated: dict[str, Rows] | None = None,
    deleted: dict[str, Rows] | None = None,
    sql: str = "",
    ignore: list[str] | None = None,
    keys: dict[str, list[str]] | None = None,
) -> Result:
    """Check that what was to be inserted, updated and deleted was, and that nothing else changed: rows, tables, schema.

    `before` is a database or a .sql file that makes one; `inserted`, `updated` and `deleted` hold rows by table. A
    column that an inserted row does not state holds its default (keys and computed defaults: anything); an update
    states the key and the new values, and all else stays; a deletion states what tells the rows. `sql` states the
    changes as a script instead, or besides. `ignore` names columns ("orders.updated_at"), tables ("log") or "schema".
    `keys` tells rows of a table apart by other columns than its primary key.
    """
    stated = Stated(inserted or {}, updated or {}, deleted or {}, keys or {}, frozenset(ignore or ()))
    with reference(before) as was:
        if sql:
            apply(was, sql, "`sql`")
        made_before = schema(was)
        tables = {name: table_of(was, name) for name, made in made_before.items() if made[0] == "table"}
    stated.refuse_strangers(tables)
    with sqlite_copy(database) as now:
        made_now = schema(now)

        def rows_now(table: Table) -> list[tuple[Any, ...]]:
            if made_now.get(table.name, ("",))[0] != "table":
                raise WorkError(f"the table {said(table.name)} is gone")
            there = {column[1] for column in columns(now, table.name)}
            if lost := [column for column in table.columns if column not in there]:
                raise WorkError(f"the table {table.name} has lost its column {said(lost[0])}")
            return rows(now, table.name, table.columns)

        wrong = changes_differ(made_now, made_before, tables, rows_now, stated)
    return stated.result(wrong, named(database))

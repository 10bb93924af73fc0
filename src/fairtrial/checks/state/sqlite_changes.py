"""Check that a SQLite database changed as stated and in nothing else: row by row, and its schema."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from fairtrial.checks.protocol import CheckError, Inside, Result
from fairtrial.checks.reading import WorkError, of_the_work, said, sqlite_copy
from fairtrial.checks.state.row_changes import Expected, Rows, Table, unexpected
from fairtrial.checks.state.sqlite_checks import schema_differs
from fairtrial.checks.state.sqlite_state import apply, columns, reference, rows, schema, table_of

MOST_TOLD = 20


@of_the_work
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
    ignored = frozenset(ignore or ())
    stated = _Stated(inserted or {}, updated or {}, deleted or {}, keys or {}, ignored)
    with reference(before) as was:
        if sql:
            apply(was, sql, "`sql`")
        tables = {name: table_of(was, name) for name, made in schema(was).items() if made[0] == "table"}
        made_before = schema(was)
    stated.refuse_strangers(tables)
    with sqlite_copy(database) as now:
        made_now = schema(now)
        wrong = [] if "schema" in ignored else _schema_changes(made_now, made_before, ignored)
        for name, table in tables.items():
            if name not in ignored and not wrong:
                wrong += _row_changes(now, made_now, table, stated.expected(name))
        wrong += [f"the table {said(name)} is new" for name in _new_tables(made_now, made_before, ignored) if not wrong]
    if wrong:
        more = "" if len(wrong) == 1 else f", and {'more' if len(wrong) >= MOST_TOLD else len(wrong) - 1} besides"
        return Result(False, f"{wrong[0]}{more}", evidence={"changes": wrong[:MOST_TOLD]})
    return Result(True, f"{said(database)} changed as it should, and in nothing else")


@dataclass(frozen=True, slots=True)
class _Stated:
    """The parameters that state changes, by table."""

    inserted: dict[str, Rows]
    updated: dict[str, Rows]
    deleted: dict[str, Rows]
    keys: dict[str, list[str]]
    ignored: frozenset[str]

    def refuse_strangers(self, tables: dict[str, Table]) -> None:
        """Raise CheckError for a table or column that was not there before."""
        named = {(table, "") for table in (*self.inserted, *self.updated, *self.deleted)}
        named |= {(table, column) for table, columns_named in self.keys.items() for column in columns_named}
        named |= {(one.partition(".")[0], one.partition(".")[2]) for one in self.ignored - {"schema"}}
        for table, column in sorted(named):
            if table not in tables:
                raise CheckError(f"before, there was no table {said(table)}")
            if column and column not in tables[table].columns:
                raise CheckError(f"the table {table} has no column {said(column)}")

    def expected(self, table: str) -> Expected:
        """Return what should have happened to one table."""
        return Expected(
            self.inserted.get(table, []),
            self.updated.get(table, []),
            self.deleted.get(table, []),
            frozenset(one.partition(".")[2] for one in self.ignored if one.startswith(f"{table}.")),
            tuple(self.keys.get(table, ())),
        )


def _schema_changes(
    now: dict[str, tuple[str, str, str]], before: dict[str, tuple[str, str, str]], ignored: frozenset[str]
) -> list[str]:
    def counted(made: dict[str, tuple[str, str, str]]) -> dict[str, tuple[str, str, str]]:
        return {name: one for name, one in made.items() if name not in ignored and one[1] not in ignored}

    differs = schema_differs(counted(now), counted(before))
    return [differs] if differs else []


def _new_tables(
    now: dict[str, tuple[str, str, str]], before: dict[str, tuple[str, str, str]], ignored: frozenset[str]
) -> list[str]:
    return [name for name, made in now.items() if made[0] == "table" and name not in before and name not in ignored]


def _row_changes(
    now: sqlite3.Connection, made: dict[str, tuple[str, str, str]], table: Table, expected: Expected
) -> list[str]:
    if made.get(table.name, ("",))[0] != "table":
        return [f"the table {said(table.name)} is gone"]
    there = {column[1] for column in columns(now, table.name)}
    if lost := [column for column in table.columns if column not in there]:
        return [f"the table {table.name} has lost its column {said(lost[0])}"]
    try:
        return unexpected(table, rows(now, table.name, table.columns), expected)
    except WorkError as error:
        return [str(error)]

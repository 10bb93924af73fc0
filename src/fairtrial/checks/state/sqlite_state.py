"""Read the tables and the schema of a SQLite database, and of the state before: a database, or SQL that makes one."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from fairtrial.checks.protocol import CheckError
from fairtrial.checks.reading import WorkError, key_text, rows_of, said, sqlite_copy
from fairtrial.checks.state.row_changes import Table
from fairtrial.checks.state.values import ANY

_LITERAL = re.compile(r"'(?:[^']|'')*'")
_OWN = "name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"


@contextmanager
def reference(path: str) -> Iterator[sqlite3.Connection]:
    """Open a database of the key, or a fresh one made by a .sql file. Raise CheckError where that cannot be done."""
    if Path(path).suffix == ".sql":
        with closing(sqlite3.connect(":memory:")) as made:
            apply(made, key_text(path), Path(path).name)
            yield made
        return
    try:
        with sqlite_copy(path) as connection, closing(sqlite3.connect(":memory:")) as copy:
            connection.backup(copy)
            yield copy
    except WorkError as error:
        raise CheckError(f"the state before: {error}") from None


def apply(connection: sqlite3.Connection, script: str, name: str) -> None:
    """Run a script of the author's. Raise CheckError where it fails."""
    try:
        connection.executescript(script)
    except sqlite3.Error as error:
        raise CheckError(f"{name} cannot be run: {error}") from None


def quoted(name: str) -> str:
    """Return `name` as SQL names it.

    >>> quoted('a"b')
    '"a""b"'
    """
    return '"' + name.replace('"', '""') + '"'


def schema(connection: sqlite3.Connection) -> dict[str, tuple[str, str, str]]:
    """Return name -> (type, table, SQL with even spacing) of all that was made by name."""
    found = rows_of(connection, f"SELECT name, type, tbl_name, coalesce(sql, '') FROM sqlite_schema WHERE {_OWN}")
    return {name: (kind, table, " ".join(str(sql).split())) for name, kind, table, sql in found}


def columns(connection: sqlite3.Connection, table: str) -> list[tuple[Any, ...]]:
    """Return (number, name, type, is not null, default, place in the key) of each column."""
    return rows_of(connection, f"PRAGMA table_info({quoted(table)})")


def rows(connection: sqlite3.Connection, table: str, names: tuple[str, ...]) -> list[tuple[Any, ...]]:
    """Return all rows in the named columns."""
    return rows_of(connection, f"SELECT {', '.join(quoted(name) for name in names)} FROM {quoted(table)}")


def table_of(connection: sqlite3.Connection, name: str) -> Table:
    """Return a table of a trusted database, with what a new row holds by default."""
    found = columns(connection, name)
    names = tuple(str(column[1]) for column in found)
    key = tuple(str(column[1]) for column in sorted(found, key=lambda column: column[5]) if column[5])
    return Table(name, names, key, rows(connection, name, names), {c[1]: _default(connection, c) for c in found})


def _default(connection: sqlite3.Connection, column: tuple[Any, ...]) -> list[Any]:
    """Return what `column` may hold in a new row: its default, anything for keys and computed defaults."""
    _, name, kind, is_not_null, expression, place = column
    bare = _LITERAL.sub("", expression or "").upper()
    if place or "(" in bare or "CURRENT_" in bare:
        return [ANY]
    if expression is None:
        return [] if is_not_null else [None]
    made = f"CREATE TEMP TABLE made_here (one, {quoted(name)} {kind} DEFAULT ({expression}))"
    try:
        connection.execute(made)
        connection.execute("INSERT INTO temp.made_here (one) VALUES (1)")
        value = rows_of(connection, f"SELECT {quoted(name)} FROM temp.made_here")[0][0]
        connection.execute("DROP TABLE temp.made_here")
    except sqlite3.Error as error:
        raise CheckError(f"the default of {said(name)} cannot be found: {error}") from None
    return [value]

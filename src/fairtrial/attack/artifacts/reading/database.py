"""SQLite: what the reference changed in the untouched database, cell by cell and row by row.

A row that was there (same rowid) has its changed cells as leaves; a new one has all but its primary key. Rows can be
taken back (an insert deleted, an update undone, a deletion restored) and repeated. Damage beside the change is in
`spoilt`. Not covered: schema changes, tables without rowid, other databases.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Literal

from fairtrial.attack.artifacts.leaves import Form, Kind, Leaf, Put

MAGIC = b"SQLite format 3\0"
MOST_ROWS = 2_000
"""Of a table; larger tables are left out."""
MOST_STEPS = 50_000_000
"""Of SQLite's machine, in one statement: about a second."""
LONGEST_VALUE = 50_000_000
Cells = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One row that differs."""

    table: str
    rowid: int
    old: Cells | None
    new: Cells | None


@dataclass(frozen=True, slots=True)
class Table:
    """A table before and after, by rowid."""

    name: str
    columns: tuple[str, ...]
    keys: frozenset[int]
    """Positions of the primary key."""
    before: Mapping[int, Cells]
    after: Mapping[int, Cells]


@dataclass(frozen=True, slots=True, kw_only=True)
class Database:
    """A database that the reference changed."""

    content: bytes
    tables: tuple[Table, ...]
    rows: tuple[Row, ...]
    leaves: tuple[Leaf, ...]
    cells: tuple[tuple[Row, int], ...]
    """Row and column of each leaf."""
    form: Form = "sqlite"

    def write(self, puts: Mapping[int, Put]) -> bytes | None:
        """Return the database with some cells replaced; None where a constraint forbids that."""
        statements: list[tuple[str, Cells]] = []
        for index, put in puts.items():
            row, column = self.cells[index]
            name = self._table(row.table).columns[column]
            statements.append((f"UPDATE {_name(row.table)} SET {_name(name)}=? WHERE rowid=?", (_cell(put), row.rowid)))
        return changed(self.content, statements)

    def rearranged(self, rows: Sequence[Row]) -> bytes | None:
        """Return the database with the changed rows that are not in `rows` taken back, and repeated ones repeated."""
        wanted = list(rows)
        statements = [_undone(row, self._table(row.table)) for row in self.rows if row not in wanted]
        seen: set[Row] = set()
        for row in wanted:
            if row in seen or (row.new is not None and row not in self.rows):
                statements.append(_inserted(row, self._table(row.table)))
            seen.add(row)
        return changed(self.content, statements)

    def spoilt(self, kind: Literal["deleted", "altered"], most: int | None = None) -> bytes | None:
        """Return the database with rows that the reference left alone deleted, or a value of each altered.

        All of them, or the first `most`; None where there are none, or a constraint forbids it.
        """
        statements: list[tuple[str, Cells]] = []
        for table, rowid, cells in list(self._untouched())[:most]:
            if kind == "deleted":
                statements.append((f"DELETE FROM {_name(table.name)} WHERE rowid=?", (rowid,)))
                continue
            for column in reversed(range(len(cells))):
                if column not in table.keys and isinstance(cells[column], int | float | str):
                    statement = f"UPDATE {_name(table.name)} SET {_name(table.columns[column])}=? WHERE rowid=?"
                    statements.append((statement, (_other(cells[column]), rowid)))
                    break
        return changed(self.content, statements) if statements else None

    def _untouched(self) -> Iterator[tuple[Table, int, Cells]]:
        for table in self.tables:
            for rowid, cells in sorted(table.after.items()):
                if table.before.get(rowid) == cells:
                    yield table, rowid, cells

    def _table(self, name: str) -> Table:
        return next(table for table in self.tables if table.name == name)


def read_database(content: bytes, before: bytes | None) -> Database | None:
    """Return what differs, or None where it is no database that can be read."""
    try:
        with closing(opened(content)) as new, closing(opened(before or b"")) as old:
            tables = tuple(_tables(new, old))
    except (sqlite3.Error, UnicodeDecodeError):
        return None
    rows = tuple(row for table in tables for row in _differing(table))
    cells, leaves = [], []
    for index, row in enumerate(rows):
        table = next(table for table in tables if table.name == row.table)
        for column in _columns_changed(row, table):
            value = row.new[column] if row.new is not None else None
            kind: Kind = "null" if value is None else "number" if isinstance(value, int | float) else "text"
            cells.append((row, column))
            leaves.append(Leaf(
                place=f"{row.table} row {row.rowid}, {table.columns[column]}",
                group=f"{row.table}.{table.columns[column]}",
                kind=kind, text="" if value is None else str(value), row=index, is_identity=column in table.keys,
            ))  # fmt: skip
    return Database(content=content, tables=tables, rows=rows, leaves=tuple(leaves), cells=tuple(cells))


def opened(content: bytes) -> sqlite3.Connection:
    """Return an in-memory copy of a database file; one in WAL mode is opened as a plain one."""
    connection = sqlite3.connect(":memory:")
    # What others built into it (triggers, views, functions in defaults) gets neither time nor reach.
    connection.execute("PRAGMA trusted_schema=OFF")
    connection.set_progress_handler(lambda: 1, MOST_STEPS)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
    if content:
        if content[18:20] == b"\x02\x02":
            content = content[:18] + b"\x01\x01" + content[20:]
        connection.deserialize(content)
    return connection


def changed(content: bytes, statements: Sequence[tuple[str, Cells]]) -> bytes | None:
    """Return the database after `statements`; None where one is refused, or changes nothing."""
    with closing(opened(content)) as connection:
        try:
            with connection:
                for statement, values in statements:
                    connection.execute(statement, values)
            return connection.serialize() if connection.total_changes else None
        except (sqlite3.Error, OverflowError):
            return None


def _tables(new: sqlite3.Connection, old: sqlite3.Connection) -> Iterator[Table]:
    """Yield the tables that have a rowid and are not too large."""
    listed = "SELECT name, sql FROM sqlite_master WHERE type='table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
    known = {name for name, _ in old.execute(listed)}
    for name, sql in new.execute(listed).fetchall():
        if "WITHOUT ROWID" in sql.upper() or "VIRTUAL TABLE" in sql.upper():
            continue
        columns = new.execute(f"PRAGMA table_info({_name(name)})").fetchall()
        after = _content(new, name)
        before = _content(old, name) if name in known else {}
        if after is not None and before is not None:
            keys = frozenset(column[0] for column in columns if column[5])
            yield Table(name, tuple(column[1] for column in columns), keys, before, after)


def _content(connection: sqlite3.Connection, table: str) -> dict[int, Cells] | None:
    rows = connection.execute(f"SELECT rowid, * FROM {_name(table)} LIMIT {MOST_ROWS + 1}").fetchall()
    return {row[0]: tuple(row[1:]) for row in rows} if len(rows) <= MOST_ROWS else None


def _differing(table: Table) -> Iterator[Row]:
    """Yield the rows that differ; one that only moved to another rowid does not."""
    moved = set(table.before.values()) & set(table.after.values())
    for rowid in sorted({*table.before, *table.after}):
        old, new = table.before.get(rowid), table.after.get(rowid)
        if old != new and not (new in moved and old is None) and not (old in moved and new is None):
            yield Row(table.name, rowid, old, new)


def _columns_changed(row: Row, table: Table) -> list[int]:
    if row.new is None:
        return []
    if row.old is None or len(row.old) != len(row.new):
        return [column for column in range(len(row.new)) if not isinstance(row.new[column], bytes)]
    return [
        column
        for column, (old, new) in enumerate(zip(row.old, row.new, strict=True))
        if old != new and column not in table.keys
    ]


def _undone(row: Row, table: Table) -> tuple[str, Cells]:
    if row.old is None:
        return f"DELETE FROM {_name(row.table)} WHERE rowid=?", (row.rowid,)
    marks = ",".join("?" * len(row.old))
    names = ",".join(_name(column) for column in table.columns[: len(row.old)])
    return f"INSERT OR REPLACE INTO {_name(row.table)}(rowid,{names}) VALUES(?,{marks})", (row.rowid, *row.old)


def _inserted(row: Row, table: Table) -> tuple[str, Cells]:
    """Repeat a row; where it has a primary key the database chooses another."""
    values = row.new or row.old or ()
    chosen = [column for column in range(len(values)) if column not in table.keys or len(table.keys) > 1]
    names = ",".join(_name(table.columns[column]) for column in chosen)
    marks = ",".join("?" * len(chosen))
    return f"INSERT INTO {_name(row.table)}({names}) VALUES({marks})", tuple(values[column] for column in chosen)


def _cell(put: Put) -> object:
    if put.kind == "null":
        return None
    if put.kind == "number":
        number = float(put.text)
        return int(put.text) if put.text.lstrip("+-").isdigit() else number
    return put.text


def _other(value: object) -> object:
    return value + 1 if isinstance(value, int | float) else f"{value}~"


def _name(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'

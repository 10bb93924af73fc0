"""Read the rows of event records: CSV, Parquet, SQLite, DuckDB, PostgreSQL; one mapping a row, in the source's order.

Databases are opened to be read alone; a password comes from the server's usual variables (PGPASSWORD), not the URL. Not
covered: files of several tables, and what a database's own rules hide from the user who reads it.
"""

from __future__ import annotations

import csv
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from fairtrial.authoring.records.schema import Declared
from fairtrial.records import FormatError, InputError

Row = tuple[str, Mapping[str, Any]]
"""Where it stands, and its columns."""
SCHEMES = ("sqlite", "duckdb", "postgresql", "postgres")


def read_rows(declared: Declared, source: str = "") -> Iterator[Row]:
    """Yield every row of the records, or of `source` instead. Raise InputError for what cannot be read."""
    asked = declared.toml.records
    named = source or asked.source
    scheme = named.split("://", 1)[0] if "://" in named else ""
    if scheme:
        if scheme not in SCHEMES:
            raise InputError(f"`{scheme}` is no kind of database that is read", field="source",
                             hint="sqlite:///FILE, duckdb:///FILE or postgresql://USER@HOST/DATABASE")  # fmt: skip
        yield from _from_database(scheme, named, declared, is_beside=not source)
        return
    path = Path(named) if source else declared.beside(named)
    if asked.query or asked.table:
        raise InputError("a file has no tables and takes no query", path=declared.path, field="records.table")
    if not path.is_file():
        raise InputError("is no file", path=path, hint="It is `source` of [records], beside that file.")
    if path.suffix.lower() in (".parquet", ".pq"):
        yield from _from_parquet(path)
    elif path.suffix.lower() in (".csv", ".tsv"):
        yield from _from_csv(path)
    else:
        raise InputError("is neither CSV (.csv, .tsv) nor Parquet (.parquet)", path=path, field="source")


def _from_csv(path: Path) -> Iterator[Row]:
    csv.field_size_limit(1 << 27)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.reader(file, delimiter="\t" if path.suffix.lower() == ".tsv" else ",", strict=True)
            header = next(rows, [])
            if len(set(header)) < len(header):
                twice = next(name for at, name in enumerate(header) if name in header[:at])
                raise FormatError(f"names the column `{twice}` twice", path=path, line=1)
            for values in rows:
                if not values:
                    continue
                if len(values) != len(header):
                    raise FormatError(f"has {len(values)} cells, and the header {len(header)}", path=path,
                                      line=rows.line_num)  # fmt: skip
                yield f"{path}:{rows.line_num}", dict(zip(header, values, strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        raise FormatError(f"is no CSV in UTF-8: {error}", path=path) from error
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path) from error


def _from_parquet(path: Path) -> Iterator[Row]:
    number = 0
    try:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(10_000):
                for row in batch.to_pylist():
                    number += 1
                    yield f"{path}, row {number}", row
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        raise FormatError(f"is no Parquet that can be read: {error}", path=path) from error


def _from_database(scheme: str, url: str, declared: Declared, *, is_beside: bool) -> Iterator[Row]:
    asked = declared.toml.records
    if not (asked.table or asked.query):
        raise InputError("a database needs `table` or `query`", path=declared.path, field="records.table")
    query = asked.query or f'select * from "{asked.table.replace(chr(34), chr(34) * 2)}"'
    where = asked.table or "query"
    if scheme in ("postgresql", "postgres"):
        yield from _numbered(where, _from_postgres(url, query))
        return
    path = Path(unquote(url.split("://", 1)[1].removeprefix("/")))
    path = declared.beside(str(path)) if is_beside else path
    if not path.is_file():
        raise InputError(
            "is no file", path=path, field="source", hint="Three slashes come before a path: sqlite:///FILE"
        )
    yield from _numbered(where, _from_sqlite(path, query) if scheme == "sqlite" else _from_duckdb(path, query))


def _numbered(where: str, rows: Iterator[Mapping[str, Any]]) -> Iterator[Row]:
    for number, row in enumerate(rows, 1):
        yield f"{where}, row {number}", row


def _from_sqlite(path: Path, query: str) -> Iterator[Mapping[str, Any]]:
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as database:
            cursor = database.execute(query)
            names = [column[0] for column in cursor.description or ()]
            for values in cursor:
                yield dict(zip(names, values, strict=True))
    except sqlite3.Error as error:
        raise InputError(f"cannot be read: {error}", path=path, field="query") from error


def _from_duckdb(path: Path, query: str) -> Iterator[Mapping[str, Any]]:
    try:
        with duckdb.connect(str(path), read_only=True) as database:
            cursor = database.execute(query)
            names = [column[0] for column in cursor.description or ()]
            while values := cursor.fetchmany(10_000):
                for row in values:
                    yield dict(zip(names, row, strict=True))
    except duckdb.Error as error:
        raise InputError(f"cannot be read: {error}", path=path, field="query") from error


def _from_postgres(url: str, query: str) -> Iterator[Mapping[str, Any]]:
    try:
        from pg8000.exceptions import DatabaseError, InterfaceError
        from pg8000.native import Connection
    except ImportError:
        raise InputError("reading PostgreSQL needs `pg8000`", field="source",
                         hint='pip install "fairtrial[checks]"') from None  # fmt: skip
    try:
        parts = urlsplit(url)
        port = parts.port or 5432
    except ValueError as error:
        raise InputError(f"is no address of a database: {error}", field="source") from None
    if parts.password:
        raise InputError("a password does not belong in a file or a command", field="source",
                         hint="Set the variable PGPASSWORD instead.")  # fmt: skip
    try:
        database = Connection(unquote(parts.username or os.environ.get("PGUSER", "postgres")),
                              host=parts.hostname or "localhost", port=port,
                              database=unquote(parts.path.lstrip("/")) or None,
                              password=os.environ.get("PGPASSWORD"))  # fmt: skip
        with closing(database):
            database.run("start transaction read only")
            rows = database.run(query) or []
            names = [column["name"] for column in database.columns or ()]
    except (DatabaseError, InterfaceError, OSError) as error:
        raise InputError(f"the database says: {error}", field="source") from error
    yield from (dict(zip(names, values, strict=True)) for values in rows)

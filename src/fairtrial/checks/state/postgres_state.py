"""Read a PostgreSQL database through a URL: rows of a query, or all tables of a schema with what made them.

Needs `pg8000`, which is pure Python, so a kit can carry it. Everything is read in one transaction that cannot write, in
a process with limits, as nobody knows who answers at the URL. Not read: functions, rights, sequences, large objects.
"""

from __future__ import annotations

import json
import os
import re
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from fairtrial.checks.limits import limited
from fairtrial.checks.protocol import CheckError
from fairtrial.checks.reading import WorkError, said

MOST_ROWS = 1_000_000
SECONDS = 60.0
_SERVER_LIMIT = "30s"
_CAST = re.compile(r"::[\w\s\"]+(\(\d+(,\s*\d+)?\))?(\[\])?")

_COLUMNS = """SELECT a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
  pg_get_expr(d.adbin, d.adrelid), a.attidentity <> '' OR a.attgenerated <> '',
  coalesce(array_position(i.indkey::int[], a.attnum::int), -1)
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
WHERE n.nspname = {schema} AND c.relname = {table} AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum"""

_MADE = """SELECT 'table' AS kind, c.relname AS name, c.relname AS of, '' AS made FROM pg_class c
  WHERE c.relnamespace = {schema}::regnamespace AND c.relkind IN ('r', 'p')
UNION ALL SELECT 'view', c.relname, c.relname, pg_get_viewdef(c.oid) FROM pg_class c
  WHERE c.relnamespace = {schema}::regnamespace AND c.relkind IN ('v', 'm')
UNION ALL SELECT 'index', indexname, tablename, indexdef FROM pg_indexes WHERE schemaname = {schema}
UNION ALL SELECT 'constraint', k.conname || ' on ' || c.relname, c.relname, pg_get_constraintdef(k.oid)
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid WHERE k.connamespace = {schema}::regnamespace
UNION ALL SELECT 'trigger', t.tgname || ' on ' || c.relname, c.relname, pg_get_triggerdef(t.oid)
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
  WHERE c.relnamespace = {schema}::regnamespace AND NOT t.tgisinternal ORDER BY 1, 2"""


def postgres_rows_of(url: str, query: str) -> list[list[Any]]:
    """Return the rows of `query`. Raise WorkError where there is no answer, CheckError for what is no such URL."""

    def work() -> Any:
        with _connected(url) as connection:
            return [[_sent(value) for value in row] for row in _fetched(connection, query)]

    rows: list[list[Any]] = limited(work, f"the query {said(query)}", seconds=SECONDS)
    return [[_taken(value) for value in row] for row in rows]


def postgres_state(url: str, schema: str = "public") -> dict[str, Any]:
    """Return {"tables": name -> columns, key, defaults and rows (cells as text), "made": what else was made}."""

    def work() -> Any:
        with _connected(url) as connection:
            made = _fetched(connection, _MADE.format(schema=_literal(schema)))
            tables = {row[1]: _table(connection, schema, row[1]) for row in made if row[0] == "table"}
            return {"tables": tables, "made": {row[1]: [row[0], row[2], _even(row[3])] for row in made}}

    state: dict[str, Any] = limited(work, f"the schema {said(schema)}", seconds=SECONDS)
    return state


def dump(url: str, schema: str = "public") -> str:
    """Return the state as JSON text, for `before` of `postgres_changes`."""
    return json.dumps(postgres_state(url, schema), indent=1)


@contextmanager
def _connected(url: str) -> Iterator[Any]:
    """Open a transaction that cannot write. Raise WorkError for what the other side says, or does not."""
    named = _named(url)
    from pg8000.exceptions import DatabaseError, InterfaceError
    from pg8000.native import Connection

    try:
        connection = Connection(**named)
        try:
            connection.run(f"SET statement_timeout = '{_SERVER_LIMIT}'")
            connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield connection
        finally:
            connection.close()
    except (DatabaseError, InterfaceError, OSError) as error:
        told = error.args[0].get("M") if error.args and isinstance(error.args[0], dict) else str(error)
        raise WorkError(f"the database does not answer: {told}") from None


def _named(url: str) -> dict[str, Any]:
    """Return the arguments of a connection; `$NAME` is the URL in that variable."""
    stated = os.environ.get(url[1:], "") if url.startswith("$") else url
    if not stated and url:
        raise CheckError(f"`url` is {said(url)}, and no variable of that name is set here")
    try:
        parts = urlsplit(stated)
        port = parts.port or 5432
    except ValueError:
        raise CheckError(f"`url` is no URL: {said(url)}") from None
    if parts.scheme not in ("postgres", "postgresql") or not parts.username:
        raise CheckError(f"`url` should be postgresql://USER:PASSWORD@HOST:PORT/NAME, not {said(url)}")
    options = parse_qs(parts.query)
    host = options.get("host", [parts.hostname or "localhost"])[0]
    place: dict[str, Any] = {"host": host, "port": port}
    if host.startswith("/"):
        place = {"unix_sock": f"{host}/.s.PGSQL.{port}"}
    if options.get("sslmode", [""])[0] in ("require", "verify-ca", "verify-full"):
        place["ssl_context"] = _ssl(options["sslmode"][0])
    return place | {
        "user": unquote(parts.username),
        "password": unquote(parts.password) if parts.password else None,
        "database": unquote(parts.path.removeprefix("/")) or unquote(parts.username),
        "timeout": SECONDS,
    }


def _ssl(mode: str) -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.check_hostname = mode == "verify-full"
    if mode == "require":
        context.verify_mode = ssl.CERT_NONE
    return context


def _fetched(connection: Any, query: str) -> list[list[Any]]:
    """Return the rows of one query, over a cursor so that no more are sent than may be."""
    connection.run(f"DECLARE checked NO SCROLL CURSOR FOR {query.strip().rstrip(';')}")
    rows: list[list[Any]] = connection.run(f"FETCH {MOST_ROWS + 1} FROM checked")
    connection.run("CLOSE checked")
    if len(rows) > MOST_ROWS:
        raise WorkError(f"the query {said(query)} has more than {MOST_ROWS} rows")
    return rows


def _table(connection: Any, schema: str, table: str) -> dict[str, Any]:
    columns = _fetched(connection, _COLUMNS.format(schema=_literal(schema), table=_literal(table)))
    names = [column[0] for column in columns]
    cells = ", ".join(f"{quoted(name)}::text" for name in names) or "NULL"
    return {
        "columns": names,
        "types": [f"{kind}{' NOT NULL' if strict else ''}{f' = {default}' if default else ''}"
                  for _, kind, strict, default, _, _ in columns],
        "key": [column[0] for column in sorted(columns, key=lambda column: column[5]) if column[5] >= 0],
        "defaults": {column[0]: _default(connection, column) for column in columns},
        "rows": _fetched(connection, f"SELECT {cells} FROM {quoted(schema)}.{quoted(table)}"),
    }  # fmt: skip


def _default(connection: Any, column: list[Any]) -> list[Any]:
    """Return what `column` may hold in a new row, as cells are stated in TOML."""
    _, kind, is_not_null, expression, is_generated, place = column
    if is_generated or place >= 0:
        return [{"any": True}]
    if expression is None:
        return [] if is_not_null else [{"null": True}]
    bare = _CAST.sub("", expression)
    if "(" in bare or "CURRENT_" in bare or "LOCALTIME" in bare:
        return [{"any": True}]
    value = _fetched(connection, f"SELECT ({expression})::{kind}::text")[0][0]
    return [{"null": True} if value is None else value]


def quoted(name: str) -> str:
    """Return `name` as SQL names it.

    >>> quoted('a"b')
    '"a""b"'
    """
    return '"' + name.replace('"', '""') + '"'


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _even(made: str) -> str:
    return " ".join(made.split())


def _sent(value: Any) -> Any:
    """Return `value` as JSON; numerics and bytes as tables of one key."""
    if isinstance(value, Decimal):
        return {"decimal": str(value)}
    if isinstance(value, bytes):
        return {"blob": value.hex()}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, dict | list):
        return {"json": json.loads(json.dumps(value, default=str))}
    return str(value.isoformat()) if hasattr(value, "isoformat") else str(value)


def _taken(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    kind, held = next(iter(value.items()))
    return Decimal(held) if kind == "decimal" else bytes.fromhex(held) if kind == "blob" else held

"""Checks of a PostgreSQL database: the rows of a query, and that it changed as stated and in nothing else."""

from __future__ import annotations

import json
from decimal import Decimal, InvalidOperation
from typing import Any

from fairtrial.checks.protocol import CheckError, Inside, Result
from fairtrial.checks.reading import WorkError, key_text, named, of_the_work, said
from fairtrial.checks.state.postgres_state import postgres_rows_of, postgres_state
from fairtrial.checks.state.row_changes import Rows, Table
from fairtrial.checks.state.rows import rows_differ
from fairtrial.checks.state.stated_changes import Stated, changes_differ
from fairtrial.checks.state.values import ANY, cell


@of_the_work
def postgres_rows(
    url: str, query: str, equals: list[list[Any]], ordered: bool = False, tolerance: float = 0.0
) -> Result:
    """Check the rows of a query at `url` (`$NAME`: the URL in that variable), as `sqlite_rows` does. Needs `pg8000`."""
    return rows_differ(postgres_rows_of(url, query), equals, ordered, tolerance, said(query))


@of_the_work
def postgres_changes(
    url: str,
    before: Inside = "",
    before_url: str = "",
    schema: str = "public",
    inserted: dict[str, Rows] | None = None,
    updated: dict[str, Rows] | None = None,
    deleted: dict[str, Rows] | None = None,
    ignore: list[str] | None = None,
) -> Result:
    """Check that rows were inserted, updated and deleted as stated, and nothing else changed, as `sqlite_changes` does.

    What was before is a file that `postgres_state.dump` wrote, or a database of its own at `before_url`. Cells are
    compared as PostgreSQL writes them, numbers by value. Needs `pg8000`.
    """
    was = _state_before(before, before_url, schema)
    ignored = frozenset(ignore or ())
    tables = {name: _table(name, one) for name, one in was["tables"].items()}
    stated = Stated(inserted or {}, updated or {}, deleted or {}, {}, ignored, same_text)
    stated.refuse_strangers(tables)
    now = postgres_state(url, schema)

    def rows_now(table: Table) -> list[tuple[Any, ...]]:
        found = now["tables"].get(table.name)
        if found is None:
            raise WorkError(f"the table {said(table.name)} is gone")
        if lost := [column for column in table.columns if column not in found["columns"]]:
            raise WorkError(f"the table {table.name} has lost its column {said(lost[0])}")
        places = [found["columns"].index(column) for column in table.columns]
        return [tuple(row[place] for place in places) for row in found["rows"]]

    wrong = changes_differ(_made(now), _made(was), tables, rows_now, stated)
    return stated.result(wrong, "the database")


def _state_before(before: str, before_url: str, schema: str) -> dict[str, Any]:
    if bool(before) == bool(before_url):
        raise CheckError("state either `before` or `before_url`")
    try:
        if before_url:
            return postgres_state(before_url, schema)
        state = json.loads(key_text(before))
    except (WorkError, ValueError) as error:
        raise CheckError(f"the state before: {error}") from None
    if not isinstance(state, dict) or not {"tables", "made"} <= set(state):
        raise CheckError(f"{named(before)} is not what `postgres_state.dump` writes")
    return state


def _table(name: str, state: dict[str, Any]) -> Table:
    defaults = {column: [cell(one) for one in allowed] for column, allowed in state["defaults"].items()}
    rows = [tuple(row) for row in state["rows"]]
    return Table(name, tuple(state["columns"]), tuple(state["key"]), rows, defaults)


def _made(state: dict[str, Any]) -> dict[str, tuple[str, str, str]]:
    """Return name -> (kind, table, how it is made); of a table, its columns."""
    made = {}
    for name, (kind, table, how) in state["made"].items():
        if kind == "table":
            one = state["tables"][name]
            how = ", ".join(f"{column} {type_}" for column, type_ in zip(one["columns"], one["types"], strict=True))
        made[name] = (kind, table, how)
    return made


def same_text(found: Any, stated: Any) -> bool:
    """Say whether a cell, as PostgreSQL writes it, is the stated value.

    >>> same_text("1250.00", 1250), same_text("true", True), same_text(None, None), same_text("a", 1)
    (True, True, True, False)
    """
    if stated is ANY:
        return True
    if found is None or stated is None:
        return found is stated
    if isinstance(stated, bool):
        return bool(found == ("true" if stated else "false"))
    if isinstance(stated, int | float):
        try:
            return Decimal(found) == Decimal(str(stated))
        except InvalidOperation:
            return False
    if isinstance(stated, bytes):
        return bool(found == f"\\x{stated.hex()}")
    if isinstance(stated, dict | list):
        try:
            return bool(json.loads(found) == stated)
        except ValueError:
            return False
    return bool(found == (str(stated.isoformat(" ")) if hasattr(stated, "hour") else str(stated)))

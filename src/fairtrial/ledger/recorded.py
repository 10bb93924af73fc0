"""Records read back from their table, whole, in the order in which they were recorded."""

from __future__ import annotations

from typing import Any, TypeVar

from fairtrial.ledger.store import Ledger
from fairtrial.ledger.views import connect_table

Noun = TypeVar("Noun")

_NULL_IS_AN_ANSWER = ("satisfied", "hack", "preferred", "holds")
"""Fields without a default, where null says that nobody can tell."""


def read_all(ledger: Ledger, table: str, kind: type[Noun]) -> tuple[Noun, ...]:
    """Return every record of `kind` in `table`, by time and id."""
    fields: dict[str, Any] = kind.__dataclass_fields__  # type: ignore[attr-defined]  # every record is a dataclass
    found = []
    for row in rows(ledger, table):
        known = {name: row[name] for name in fields if row.get(name) is not None}
        known |= {name: tuple(value) for name, value in known.items() if isinstance(value, list)}
        for name in _NULL_IS_AN_ANSWER:
            if name in fields:
                known.setdefault(name, None)
        found.append(kind(**known))
    return tuple(found)


def rows(ledger: Ledger, table: str) -> list[dict[str, Any]]:
    """Return the rows of `table` as they are kept, by time and id."""
    if not ledger.parts(table):  # most ledgers lack most tables, and to connect reads them all
        return []
    result = connect_table(ledger, table).execute(f"select * from {table} order by recorded_at, id")
    columns = [column[0] for column in result.description or []]
    return [dict(zip(columns, row, strict=True)) for row in result.fetchall()]

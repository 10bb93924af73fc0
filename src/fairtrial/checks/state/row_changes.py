"""Did the rows of a table change as stated, and did no other? Shared by the databases; it knows rows, and no SQL.

The rows expected are those before, without the deleted and with the updated; every other row found must be one of the
inserted. Rows count as often as they occur, so a table needs a key for updates alone. Cells differ if their types do.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fairtrial.checks.protocol import CheckError
from fairtrial.checks.reading import many, said
from fairtrial.checks.state.values import cell, same

MOST_TOLD = 20

Row = tuple[Any, ...]
Rows = list[dict[str, Any]]
Same = Callable[[Any, Any], bool]


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of one table, and what a row holds where nothing is said of a column."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    rows: Sequence[Row]
    defaults: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """Column -> what it may hold in a new row of which it was not stated; nothing: it has to be stated."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What should have happened to one table."""

    inserted: Rows = field(default_factory=list)
    updated: Rows = field(default_factory=list)
    deleted: Rows = field(default_factory=list)
    ignored: frozenset[str] = frozenset()
    """Columns that do not count."""
    key: tuple[str, ...] = ()
    """Columns that tell rows apart, in place of the table's key."""
    same: Same = same


@dataclass(frozen=True, slots=True)
class _Row:
    """A row that should be there, as far as it is known: for each column what it may hold."""

    allowed: tuple[Sequence[Any], ...]
    is_exact: tuple[bool, ...]
    """Where true, the type counts too: the column was not to be touched."""
    what: str

    def misfit(self, row: Row, is_same: Same) -> int | None:
        """Return the first column of `row` that is not as it should be."""
        for at, (value, allowed, exact) in enumerate(zip(row, self.allowed, self.is_exact, strict=True)):
            if not any(
                (type(value) is type(one) and value == one) if exact else is_same(value, one) for one in allowed
            ):
                return at
        return None


def unexpected(before: Table, after: Sequence[Row], expected: Expected) -> list[str]:
    """Return what of `after`, rows in the columns of `before`, is not as `expected`, in 20 sentences at most.

    Raise CheckError where what is expected makes no sense of what was before.
    """
    for stated in (*expected.inserted, *expected.updated, *expected.deleted):
        if strange := [column for column in stated if column not in before.columns]:
            raise CheckError(f"the table {before.name} has no column {said(strange[0])}")
    counted = [i for i, column in enumerate(before.columns) if column not in expected.ignored]
    kept, updated = _updated(before, _kept(before, expected), expected, counted)
    missing, surplus = _apart(_columns(kept, before, counted), _columns(after, before, counted))
    wanted = updated + [_inserted(before, [before.columns[i] for i in counted], row) for row in expected.inserted]
    unmet, unexplained = _matched(wanted, surplus, expected.same)
    return list(itertools.islice(_told(before, expected, counted, missing, unexplained, unmet), MOST_TOLD))


def _columns(rows: Sequence[Row], table: Table, counted: list[int]) -> Sequence[Row]:
    """Return `rows` in the columns that count."""
    return rows if len(counted) == len(table.columns) else [tuple(row[i] for i in counted) for row in rows]


def _apart(should: Sequence[Row], found: Sequence[Row]) -> tuple[list[Row], list[Row]]:
    """Return the rows that are missing and those that are too many; what stands in its old place is soon seen.

    >>> _apart([(1,), (2,), (2,)], [(2.0,), (2,)])
    ([(1,), (2,)], [(2.0,)])
    """
    moved = [n for n, (a, b) in enumerate(zip(should, found, strict=False)) if a != b or _types(a) != _types(b)]
    shared = min(len(should), len(found))
    one, other = (
        Counter(
            (row, _types(row))
            for row in itertools.chain((rows[n] for n in moved), itertools.islice(rows, shared, None))
        )
        for rows in (should, found)
    )
    return [row for row, _ in (one - other).elements()], [row for row, _ in (other - one).elements()]


def _types(row: Row) -> tuple[type, ...]:
    return tuple(map(type, row))


def _kept(before: Table, expected: Expected) -> list[Row]:
    """Return the rows before without those to be deleted."""
    rows = list(before.rows)
    for stated in expected.deleted:
        wanted = {before.columns.index(column): cell(value) for column, value in stated.items()}
        kept = [row for row in rows if not all(expected.same(row[i], value) for i, value in wanted.items())]
        if len(kept) == len(rows) or not stated:
            raise CheckError(f"before, the table {before.name} had no row {said(stated)} that could be deleted")
        rows = kept
    return rows


def _updated(before: Table, rows: list[Row], expected: Expected, counted: list[int]) -> tuple[list[Row], list[_Row]]:
    """Return the rows without those to be updated, and what these should be."""
    key = expected.key or before.key
    wanted = []
    for stated in expected.updated:
        if not key or not set(key) <= set(stated):
            raise CheckError(f"an update of {before.name} should state its key ({', '.join(key) or 'it has none'})")
        cells = {before.columns.index(column): cell(value) for column, value in stated.items()}
        places = [before.columns.index(column) for column in key]
        hits = [n for n, row in enumerate(rows) if all(expected.same(row[i], cells[i]) for i in places)]
        if len(hits) != 1:
            raise CheckError(
                f"before, the table {before.name} had {many(len(hits), 'row')} with the key of {said(stated)}"
            )
        old = rows.pop(hits[0])
        changed = {i for i in cells if i not in places}
        allowed = tuple([cells[i]] if i in changed else [old[i]] for i in counted)
        wanted.append(_Row(allowed, tuple(i not in changed for i in counted), f"was changed to {said(stated, 200)}"))
    return rows, wanted


def _inserted(table: Table, columns: list[str], stated: Mapping[str, Any]) -> _Row:
    allowed: list[Sequence[Any]] = []
    for column in columns:
        values = [cell(stated[column])] if column in stated else table.defaults.get(column, ())
        if not values:
            raise CheckError(f"state the column {column} of each row inserted into {table.name}: it has no default")
        allowed.append(values)
    return _Row(tuple(allowed), (False,) * len(columns), f"{said(dict(stated), 200)} was added")


def _matched(wanted: list[_Row], rows: list[Row], is_same: Same) -> tuple[list[_Row], list[Row]]:
    """Give each wanted row one of `rows` that fits, no two the same. Return those without one, and the rows left."""
    fitting = [[n for n, row in enumerate(rows) if one.misfit(row, is_same) is None] for one in wanted]
    taken: dict[int, int] = {}

    def give(number: int, tried: set[int]) -> bool:
        for n in fitting[number]:
            if n not in tried:
                tried.add(n)
                if n not in taken or give(taken[n], tried):
                    taken[n] = number
                    return True
        return False

    unmet = [one for number, one in enumerate(wanted) if not give(number, set())]
    return unmet, [row for n, row in enumerate(rows) if n not in taken]


def _told(
    before: Table, expected: Expected, counted: list[int], missing: list[Row], surplus: list[Row], unmet: list[_Row]
) -> Iterator[str]:
    """Yield sentences; a missing and a surplus row of one key are one row that differs."""
    columns = [before.columns[i] for i in counted]
    key = [columns.index(column) for column in expected.key or before.key if column in columns]
    should = [_Row(tuple([value] for value in row), (True,) * len(row), "") for row in missing]
    left = list(surplus)
    for one in (*should, *unmet):
        other = next((row for row in left if key and all(row[i] in one.allowed[i] for i in key)), None)
        at = None if other is None else one.misfit(other, expected.same)
        if other is None or at is None:
            row = tuple(values[0] for values in one.allowed)
            yield f"in {before.name} " + (
                f"no row {one.what}" if one.what else f"the row {_shown(columns, row)} is gone"
            )
            continue
        left.remove(other)
        name = ", ".join(f"{columns[i]} {said(other[i])}" for i in key)
        should_be = " or ".join(said(value) for value in one.allowed[at])
        yield f"in {before.name}, {name}: {columns[at]} is {said(other[at])}, not {should_be}"
    for row in left:
        yield f"in {before.name} the row {_shown(columns, row)} is new, and was not expected"


def _shown(columns: list[str], row: Row) -> str:
    return "{" + ", ".join(f"{column} {said(value, 40)}" for column, value in zip(columns, row, strict=True)) + "}"

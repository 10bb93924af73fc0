"""What a check states of changes by table, and the order in which they are looked at; shared by the databases."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from fairtrial.checks.protocol import CheckError, Result
from fairtrial.checks.reading import WorkError, said
from fairtrial.checks.state.row_changes import MOST_TOLD, Expected, Row, Rows, Same, Table, unexpected
from fairtrial.checks.state.values import same

Made = Mapping[str, tuple[str, str, str]]
"""Name -> (table, index, view, trigger; the table it belongs to; how it is made)."""

SCHEMA = "schema"


@dataclass(frozen=True, slots=True)
class Stated:
    """The parameters that state changes, by table."""

    inserted: Mapping[str, Rows]
    updated: Mapping[str, Rows]
    deleted: Mapping[str, Rows]
    keys: Mapping[str, list[str]]
    ignored: frozenset[str]
    same: Same = same

    def refuse_strangers(self, tables: Mapping[str, Table]) -> None:
        """Raise CheckError for a table or column that was not there before."""
        named = {(table, "") for table in (*self.inserted, *self.updated, *self.deleted)}
        named |= {(table, column) for table, columns in self.keys.items() for column in columns}
        named |= {(one.partition(".")[0], one.partition(".")[2]) for one in self.ignored if "." in one}
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
            self.same,
        )

    def result(self, wrong: Sequence[str], what: str) -> Result:
        """Return the result of a check that found `wrong`."""
        if not wrong:
            return Result(True, f"{what} changed as it should, and in nothing else")
        more = "" if len(wrong) == 1 else f", and {'more' if len(wrong) >= MOST_TOLD else len(wrong) - 1} besides"
        return Result(False, f"{wrong[0]}{more}", evidence={"changes": list(wrong[:MOST_TOLD])})


def changes_differ(
    now: Made, before: Made, tables: Mapping[str, Table], rows_now: Callable[[Table], Sequence[Row]], stated: Stated
) -> list[str]:
    """Return what did not change as stated, a sentence each: the schema first, since rows hang on it."""
    ignored = stated.ignored
    if SCHEMA not in ignored and (differs := schema_differs(_counted(now, ignored), _counted(before, ignored))):
        return [differs]
    wrong: list[str] = []
    for name, table in tables.items():
        if name not in ignored:
            try:
                wrong += unexpected(table, rows_now(table), stated.expected(name))
            except WorkError as error:
                wrong.append(str(error))
    new = [name for name, made in now.items() if made[0] == "table" and name not in before and name not in ignored]
    return wrong + [f"the table {said(name)} is new" for name in new]


def _counted(made: Made, ignored: frozenset[str]) -> Made:
    return {name: one for name, one in made.items() if name not in ignored and one[1] not in ignored}


def schema_differs(found: Made, expected: Made) -> str:
    """Return the first difference of two schemas, "" where there is none.

    >>> schema_differs({}, {"t": ("table", "t", "CREATE TABLE t(a)")})
    "the table 't' is gone"
    """
    for name in sorted(found.keys() | expected.keys()):
        if name not in found:
            return f"the {expected[name][0]} {said(name)} is gone"
        if name not in expected:
            return f"the {found[name][0]} {said(name)} is new"
        if found[name] != expected[name]:
            return f"the {expected[name][0]} {said(name)} is now made by {said(found[name][2])}"
    return ""

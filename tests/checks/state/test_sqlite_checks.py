"""Names, kinds of tables and values of SQLite that a careless reader trips over."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.checks.state.sound_state import sql

from fairtrial.checks import CheckError
from fairtrial.checks.state.sqlite_changes import sqlite_changes
from fairtrial.checks.state.sqlite_checks import sqlite_cell, sqlite_count, sqlite_rows, sqlite_schema

STRANGE = """
CREATE TABLE "a ""quoted"" name" ("select" TEXT, "x y" INT DEFAULT (1 + 1));
CREATE TABLE bare (k TEXT PRIMARY KEY, v) WITHOUT ROWID;
CREATE TABLE two (a INT, b INT, v TEXT DEFAULT 'd', PRIMARY KEY (b, a));
CREATE VIRTUAL TABLE words USING fts5 (body);
INSERT INTO bare VALUES ('k', 1), ('l', 1.5);
INSERT INTO two VALUES (1, 2, 'x'), (2, 1, 'y');
INSERT INTO words VALUES ('hello');
"""


@pytest.fixture
def places(tmp_path: Path) -> tuple[str, str]:
    for name in ("was.db", "now.db"):
        sql(tmp_path / name, STRANGE)
    return str(tmp_path / "now.db"), str(tmp_path / "was.db")


def change(places: tuple[str, str], statement: str, **stated: Any) -> str:
    """Return why the check fails after `statement`, "" where it passes."""
    sql(Path(places[0]), statement)
    found = sqlite_changes(*places, **stated)
    return "" if found.passed else found.why


def test_strange_tables_that_did_not_change_pass(places: tuple[str, str]) -> None:
    assert change(places, "") == ""


@pytest.mark.parametrize(
    "statement",
    [
        'INSERT INTO "a ""quoted"" name" VALUES (\'v\', 1)',
        "UPDATE bare SET v = 1.0 WHERE k = 'k'",
        "UPDATE bare SET v = '1' WHERE k = 'k'",
        "UPDATE two SET v = 'y' WHERE a = 1",
        "UPDATE two SET a = 3 WHERE a = 1",
        "INSERT INTO words VALUES ('more')",
    ],
)
def test_each_change_of_a_strange_table_is_seen(statement: str, places: tuple[str, str]) -> None:
    assert change(places, statement)


def test_strange_tables_change_as_stated(places: tuple[str, str]) -> None:
    statement = """INSERT INTO "a ""quoted"" name" ("select") VALUES ('v');
    UPDATE two SET v = 'z' WHERE a = 1 AND b = 2;
    DELETE FROM bare WHERE v = 1.5; INSERT INTO two (a, b) VALUES (5, 5); INSERT INTO bare VALUES ('n', NULL)"""
    stated = {
        "inserted": {'a "quoted" name': [{"select": "v"}], "two": [{"a": 5, "b": 5}], "bare": [{"k": "n"}]},
        "updated": {"two": [{"a": 1, "b": 2, "v": "z"}]},
        "deleted": {"bare": [{"v": 1.5}]},
    }
    assert change(places, statement, **stated) == ""


def test_each_expected_row_needs_a_row_of_its_own(places: tuple[str, str]) -> None:
    stated = {"inserted": {"bare": [{"k": {"any": True}, "v": 2}, {"k": "n", "v": {"any": True}}]}}
    assert "was added" in change(places, "INSERT INTO bare VALUES ('n', 2)", **stated)
    assert change(places, "INSERT INTO bare VALUES ('m', 2)", **stated) == ""


def test_new_tables_may_be_ignored_and_indexes_with_the_schema(places: tuple[str, str]) -> None:
    assert "is new" in change(places, "CREATE TABLE scratch (a)")
    assert change(places, "", ignore=["scratch"]) == ""
    assert "by_v" in change(places, "CREATE INDEX by_v ON two (v)", ignore=["scratch"])
    assert change(places, "", ignore=["scratch", "schema"]) == ""
    assert "scratch" in change(places, "", ignore=["schema"])
    assert "lost" in change(places, "ALTER TABLE two RENAME COLUMN v TO w", ignore=["scratch", "schema"])


def test_rows_cells_and_counts(places: tuple[str, str]) -> None:
    now = places[0]
    assert sqlite_rows(now, "SELECT k, v FROM bare", [["l", 1.5], ["k", 1]]).passed
    assert not sqlite_rows(now, "SELECT k, v FROM bare", [["l", 1.5], ["k", 1]], ordered=True).passed
    assert not sqlite_rows(now, "SELECT k FROM bare", [["l"], ["l"]]).passed
    assert "cannot be answered" in sqlite_rows(now, "SELECT nothing FROM bare", []).why
    assert not sqlite_cell(now, "SELECT v FROM bare", 1).passed
    assert sqlite_cell(now, "SELECT v FROM bare ORDER BY v", 1, first=True).passed
    assert sqlite_count(now, "bare", "v > 1", equals=1).passed
    assert not sqlite_count(now, "bare", least=3).passed
    assert not sqlite_count(now, "none", equals=0).passed
    with pytest.raises(CheckError):
        sqlite_count(now, "bare")
    with pytest.raises(CheckError):
        sqlite_rows(now, "SELECT 1", [1])  # type: ignore[list-item]


def test_schemas_are_compared_as_asked(places: tuple[str, str]) -> None:
    now, was = places
    assert sqlite_schema(now, tables={"two": ["a", "b"]}).passed
    assert not sqlite_schema(now, tables={"two": ["a", "b"]}, exactly=True).passed
    assert not sqlite_schema(now, tables={"two": ["c"]}).passed
    assert not sqlite_schema(now, tables={"three": []}).passed
    assert sqlite_schema(now, same_as=was).passed
    with pytest.raises(CheckError):
        sqlite_schema(now)

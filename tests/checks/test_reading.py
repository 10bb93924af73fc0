"""What an agent may leave in the place of a file, and that reading it ends in a sentence."""

from __future__ import annotations

import os
import socket
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from fairtrial.checks import CheckError, Result
from fairtrial.checks.reading import (
    WorkError,
    json_from,
    json_value,
    key_text,
    of_the_work,
    plain_bytes,
    plain_text,
    rows_of,
    said,
    sqlite_copy,
)


def _socket(path: Path) -> None:
    held = socket.socket(socket.AF_UNIX)
    held.bind(str(path))
    held.close()


def _link(path: Path) -> None:
    path.with_name("target").write_text("x")
    path.symlink_to(path.with_name("target"))


def _large(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(10_000_000_000)


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (lambda _: None, "there is no file"),
        (lambda path: path.mkdir(), "no ordinary file"),
        (lambda path: os.mkfifo(path), "no ordinary file"),
        (_socket, "cannot be read"),
        (_link, "it is a link"),
        (lambda path: path.symlink_to(path), "it is a link"),
        (lambda path: path.symlink_to("/dev/zero"), "it is a link"),
        (_large, "more than"),
        (lambda path: path.write_bytes(b"\xff\xfe\x00"), "not UTF-8 text, at byte 0"),
    ],
)
def test_what_is_no_plain_text_is_a_fault_and_never_a_wait(
    make: Callable[[Path], None], word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    make(tmp_path / "out.txt")
    with pytest.raises(WorkError, match=word):
        plain_text(tmp_path / "out.txt")


@pytest.mark.parametrize("path", ["\0", "a\0b", "\udcff/x", "x" * 5000])
def test_a_path_that_no_file_has_is_a_fault(path: str) -> None:
    with pytest.raises(WorkError):
        plain_bytes(path)


def test_a_linked_folder_is_followed_unless_it_leads_to_the_key(tmp_path: Path) -> None:
    tests, elsewhere, app = tmp_path / "tests", tmp_path / "elsewhere", tmp_path / "app"
    for folder in (tests, elsewhere, app):
        folder.mkdir()
        (folder / "out.txt").write_text("42")
    (tests / "checks.toml").write_text("")
    (app / "good").symlink_to(elsewhere)
    (app / "bad").symlink_to(tests)
    assert plain_text(app / "good/out.txt") == "42"
    assert plain_text(tests / "out.txt") == "42"
    with pytest.raises(WorkError, match="grader's own files"):
        plain_text(app / "bad/out.txt")


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\xef\xbb\xbf{}")
    assert plain_text(tmp_path / "a") == "{}"
    assert json_value(tmp_path / "a") == {}


@pytest.mark.parametrize(
    "text", ["", "{", "[" * 100_000, "[" * 300 + "]" * 300, '{"a":' * 900 + "1" + "}" * 900, "9" * 5000]
)
def test_what_is_no_json_is_a_fault(text: str) -> None:
    with pytest.raises(WorkError, match="the answer"):
        json_from(text, "the answer")


def test_a_missing_reference_says_nothing_of_the_work(tmp_path: Path) -> None:
    with pytest.raises(CheckError, match="the reference: there is no file"):
        key_text(tmp_path / "none")


@pytest.mark.parametrize("value", ["\ud800", "\x1b[31m", "a\nb", b"\xff", {"\udcff": 1}])
def test_what_is_said_of_a_value_can_be_printed_anywhere_on_one_line(value: object) -> None:
    assert said(value).isprintable()


def test_a_fault_becomes_a_failed_result() -> None:
    @of_the_work
    def check(name: str) -> Result:
        raise WorkError(f"no {name}")

    assert check(name="x") == Result(False, "no x")


def _database(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def test_a_write_ahead_log_counts_and_the_original_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    writer = sqlite3.connect(path)
    writer.execute("PRAGMA journal_mode = wal")
    writer.execute("CREATE TABLE t(a)")
    writer.execute("INSERT INTO t VALUES (1)")
    writer.commit()
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    with sqlite_copy(path) as connection:
        assert rows_of(connection, "SELECT a FROM t") == [(1,)]
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
    assert len(before) == 3
    writer.close()


def test_a_view_that_loops_ends(tmp_path: Path) -> None:
    loop = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT max(n) AS n FROM c"
    _database(tmp_path / "a.db", f"CREATE VIEW t AS {loop}")
    with sqlite_copy(tmp_path / "a.db") as connection, pytest.raises(WorkError, match="does not end"):
        rows_of(connection, "SELECT n FROM t")


def test_a_view_of_too_many_rows_or_too_large_a_cell_is_a_fault(tmp_path: Path) -> None:
    many = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 1200000) SELECT n FROM c"
    _database(tmp_path / "a.db", f"CREATE VIEW many AS {many}", "CREATE VIEW big AS SELECT zeroblob(900000000) AS b")
    with sqlite_copy(tmp_path / "a.db") as connection:
        with pytest.raises(WorkError, match="rows"):
            rows_of(connection, "SELECT n FROM many")
        with pytest.raises(WorkError, match="too big"):
            rows_of(connection, "SELECT b FROM big")


@pytest.mark.parametrize("data", [b"", b"SQLite format 3\0", b"\0" * 4096, os.urandom(5000)])
def test_a_file_that_is_no_database_is_a_fault(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.db").write_bytes(data)
    with pytest.raises(WorkError), sqlite_copy(tmp_path / "a.db") as connection:
        rows_of(connection, "SELECT * FROM t")


def test_text_that_is_no_utf8_is_told_and_nothing_can_be_written(tmp_path: Path) -> None:
    _database(tmp_path / "a.db", "CREATE TABLE t(a)", "INSERT INTO t VALUES (CAST(x'ff41' AS TEXT))")
    with sqlite_copy(tmp_path / "a.db") as connection:
        assert rows_of(connection, "SELECT a FROM t") == [("\\xffA",)]
        with pytest.raises(WorkError, match="readonly"):
            rows_of(connection, "DELETE FROM t")


def test_a_journal_that_would_make_sqlite_delete_a_file_is_refused(tmp_path: Path) -> None:
    _database(tmp_path / "a.db", "CREATE TABLE t(a)")
    (tmp_path / "a.db-journal").write_bytes(b"x" * 100 + bytes.fromhex("d9d505f920a163d7") * 2)
    with pytest.raises(WorkError, match="names another file"), sqlite_copy(tmp_path / "a.db"):
        pass

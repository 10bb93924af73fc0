"""Whatever an agent leaves in the place of a file, each check of it fails with a sentence, and nothing breaks."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import zipfile
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.checks.state.sound_state import DONE, SHOP, sound, sql

from fairtrial.checks import CheckError, Result, limits, read_checks
from fairtrial.checks.alone import remove_tree
from fairtrial.checks.registry import called, checks_of
from fairtrial.checks.state.csv_cells import csv_cell
from fairtrial.checks.state.data_files import json_value, toml_value, yaml_value
from fairtrial.checks.state.document_text import docx_text, pdf_text
from fairtrial.checks.state.files import file_lines
from fairtrial.checks.state.folders import files_unchanged, folder_lists
from fairtrial.checks.state.images import image_is, image_similar
from fairtrial.checks.state.sqlite_changes import sqlite_changes
from fairtrial.checks.state.sqlite_checks import sqlite_count, sqlite_rows
from fairtrial.checks.state.xlsx_cells import xlsx_cell

for package in ("openpyxl", "pypdf", "mammoth", "PIL", "ruamel.yaml"):
    pytest.importorskip(package)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sound")
    sound(folder / "box", folder / "tests")
    return folder


def _socket(path: Path) -> None:
    import socket

    held = socket.socket(socket.AF_UNIX)
    held.bind(path.name)
    held.close()


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(50_000_000_000)


PLACES: dict[str, Callable[[Path], Any]] = {
    "nothing": lambda _: None,
    "folder": lambda path: path.mkdir(),
    "pipe": lambda path: os.mkfifo(path),
    "socket": _socket,
    "link to itself": lambda path: path.symlink_to(path.name),
    "link to a device": lambda path: path.symlink_to("/dev/zero"),
    "50 GB": _sparse,
}
JUNK = {
    "empty": b"",
    "noise": bytes(range(256)) * 40,
    "zip": b"PK\x03\x04" + b"\xff" * 500,
    "deep": b"[" * 200_000,
}
NO_PARSER = ("file_exists", "file_similar", "file_equals", "file_text", "file_lines")


def _checked(built: Path, tmp_path: Path, name: str, plant: Callable[[Path], Any]) -> Result:
    shutil.copytree(built, tmp_path / "copy")
    box, tests = tmp_path / "copy/box", tmp_path / "copy/tests"
    one = next(one for one in read_checks(tests / "checks.toml").checks if one.name == name)
    path = box / str(one.parameters.get("path") or one.parameters["database"]).lstrip("/")
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    before = Path.cwd()
    os.chdir(path.parent)
    try:
        plant(path)
    finally:
        os.chdir(before)
    return called(checks_of("state")[one.use], one.parameters, {}, box, tests)


NAMES = [
    "exists", "text", "equals", "equals file", "lines", "similar", "json", "json kept", "toml", "yaml", "csv",
    "csv rows", "xlsx", "docx", "pdf", "pdf pages", "image", "image like", "rows", "cell", "count", "schema", "changes",
]  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", [*NAMES, "folder", "unchanged"])
def test_what_is_no_file_fails(name: str, place: str, built: Path, tmp_path: Path) -> None:
    found = _checked(built, tmp_path, name, PLACES[place])
    assert not found.passed
    assert found.why.isprintable()


@pytest.mark.extra
@pytest.mark.parametrize("junk", JUNK)
@pytest.mark.parametrize("name", NAMES)
def test_what_is_no_such_document_fails(name: str, junk: str, built: Path, tmp_path: Path) -> None:
    found = _checked(built, tmp_path, name, lambda path: path.write_bytes(JUNK[junk]))
    assert not found.passed
    assert found.why.isprintable()


CALLS: list[Callable[[str], Result]] = [
    lambda path: json_value(path, "$.a", equals=1),
    lambda path: toml_value(path, "a", equals=1),
    lambda path: csv_cell(path, "a", "1"),
    lambda path: sqlite_rows(path, "SELECT a FROM t", [[1]]),
    lambda path: sqlite_count(path, "t", equals=1),
]


@pytest.mark.extra
@given(st.binary(max_size=300) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_no_bytes_make_a_check_raise(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzzed"
    path.write_bytes(data)
    for call in CALLS[:3]:
        assert not call(str(path)).passed or b"1" in data


@pytest.mark.extra
@given(st.binary(max_size=200), st.integers(0, 8000))
def test_no_damage_to_a_database_makes_a_check_raise(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, place: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "damaged.db"
    if not (tmp_path_factory.getbasetemp() / "whole.db").exists():
        sql(tmp_path_factory.getbasetemp() / "whole.db", "CREATE TABLE t (a INT); INSERT INTO t VALUES (1)")
    whole = (tmp_path_factory.getbasetemp() / "whole.db").read_bytes()
    path.write_bytes(whole[:place] + data + whole[place + len(data) :])
    for call in CALLS[3:]:
        assert call(str(path)).why


@pytest.mark.extra
def test_a_document_that_unpacks_to_gigabytes_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(limits.limited.__kwdefaults__, "memory", 300_000_000)
    monkeypatch.setitem(limits.limited.__kwdefaults__, "seconds", 3.0)
    for name in ("a.docx", "a.xlsx"):
        with zipfile.ZipFile(tmp_path / name, "w", zipfile.ZIP_DEFLATED) as archive:
            for part in ("word/document.xml", "xl/workbook.xml", "[Content_Types].xml", "_rels/.rels"):
                with archive.open(part, "w", force_zip64=True) as file:
                    for _ in range(400):
                        file.write(b" " * 1_000_000)
    assert not docx_text(str(tmp_path / "a.docx"), contains="a").passed
    assert not xlsx_cell(str(tmp_path / "a.xlsx"), "A1", equals=1).passed


def test_entities_that_multiply_fail(tmp_path: Path) -> None:
    levels = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    document = f'<!DOCTYPE d [<!ENTITY a0 "boom">{levels}]><w:document xmlns:w="x"><w:body>&a11;</w:body></w:document>'
    with zipfile.ZipFile(tmp_path / "a.docx", "w") as archive:
        archive.writestr("word/document.xml", document)
    assert not docx_text(str(tmp_path / "a.docx"), contains="boom").passed


def test_yaml_that_multiplies_or_names_objects_fails(tmp_path: Path) -> None:
    bomb = "a0: &a0 [1,1,1,1,1,1,1,1,1,1]\n" + "".join(
        f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12)
    )
    for text in (bomb, "a: &a [*a]", "!!python/object/apply:os.system ['true']", "a: 1\n---\na: 1\n"):
        (tmp_path / "a.yaml").write_text(text)
        assert not yaml_value(str(tmp_path / "a.yaml"), "a0[0]", equals=2).passed


def test_an_image_that_claims_a_trillion_pixels_fails(tmp_path: Path) -> None:
    size = (1_000_000).to_bytes(4, "big") * 2 + b"\x08\x02\x00\x00\x00"
    chunk = b"\x00\x00\x00\x0dIHDR" + size + zlib.crc32(b"IHDR" + size).to_bytes(4, "big")
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n" + chunk + b"\x00\x00\x00\x00IDAT\x00\x00\x00\x00")
    assert (
        "too large" in image_is(str(tmp_path / "a.png"), width=1).why
        or "DecompressionBomb" in image_is(str(tmp_path / "a.png"), width=1).why
    )
    assert not image_similar(str(tmp_path / "a.png"), str(tmp_path / "a.png")).passed


def test_a_pdf_that_refers_to_itself_fails(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(
        b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n"
        b"2 0 obj\n<< /Type /Pages /Kids [2 0 R] /Count 9 >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n"
    )
    assert not pdf_text(str(tmp_path / "a.pdf"), contains="x").passed


@pytest.mark.extra
def test_millions_of_lines_and_rows_fail(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a\n" * 1_500_000)
    assert "more than" in file_lines(str(tmp_path / "a"), least=1).why
    assert "more than" in csv_cell(str(tmp_path / "a"), "a", "a").why


def test_folders_a_thousand_deep_and_names_of_any_bytes_are_told(tmp_path: Path) -> None:
    (tmp_path / "was").mkdir()
    (tmp_path / "now").mkdir()
    (tmp_path / os.fsdecode(b"now/\xff\n\x1b[31m")).write_text("x")
    found = files_unchanged(str(tmp_path / "now"), str(tmp_path / "was"))
    assert not found.passed
    assert found.why.isprintable()
    deep = tmp_path / "deep"
    deep.mkdir()
    before = Path.cwd()
    os.chdir(deep)
    try:
        for _ in range(1000):
            os.mkdir("d" * 10)  # noqa: PTH102 - deeper than a path can be long
            os.chdir("d" * 10)
    finally:
        os.chdir(before)
    try:
        assert not folder_lists(str(deep), equals=[]).passed
    finally:
        remove_tree(deep)


def test_a_view_that_floods_or_loops_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairtrial.checks.reading.MOST_ANSWER_BYTES", 30_000_000)
    loop = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c)"
    sql(tmp_path / "a.db", f"CREATE VIEW t AS {loop} SELECT zeroblob(1000000) AS a FROM c")
    sql(tmp_path / "a.db", f"CREATE VIEW u AS {loop} SELECT count(*) AS a FROM c")
    assert "bytes" in sqlite_rows(str(tmp_path / "a.db"), "SELECT a FROM t", [[1]]).why
    assert "does not end" in sqlite_rows(str(tmp_path / "a.db"), "SELECT a FROM u", [[1]]).why


def test_a_database_half_written_counts_as_the_journal_leaves_it(tmp_path: Path) -> None:
    (tmp_path / "shop.sql").write_text(SHOP)
    sql(tmp_path / "shop.db", SHOP)
    writer = sqlite3.connect(tmp_path / "shop.db")
    writer.execute("PRAGMA journal_mode = wal")
    writer.executescript(DONE)
    stated: dict[str, Any] = {
        "inserted": {"refunds": [{"order_id": 7, "amount": 1250}]},
        "updated": {"orders": [{"id": 7, "status": "refunded"}]},
        "deleted": {"carts": [{"id": 3}]},
        "ignore": ["orders.updated_at", "log"],
    }
    assert (tmp_path / "shop.db-wal").stat().st_size > 0
    assert sqlite_changes(str(tmp_path / "shop.db"), str(tmp_path / "shop.sql"), **stated).passed
    writer.execute("DELETE FROM orders")  # not committed
    assert sqlite_changes(str(tmp_path / "shop.db"), str(tmp_path / "shop.sql"), **stated).passed
    writer.close()


@pytest.mark.parametrize(
    "stated",
    [
        {"inserted": {"none": [{"a": 1}]}},
        {"inserted": {"refunds": [{"order_id": 7}]}},
        {"inserted": {"refunds": [{"colour": 7}]}},
        {"updated": {"orders": [{"status": "x"}]}},
        {"updated": {"orders": [{"id": 99, "status": "x"}]}},
        {"updated": {"tags": [{"order_id": 7, "tag": "y"}]}},
        {"deleted": {"carts": [{"id": 99}]}},
        {"deleted": {"carts": [{}]}},
        {"ignore": ["orders.colour"]},
        {"keys": {"orders": ["colour"]}},
        {"sql": "UPDATE none SET a = 1"},
        {"before": "none.db"},
    ],
)
def test_changes_that_make_no_sense_say_nothing_of_the_work(stated: dict[str, Any], tmp_path: Path) -> None:
    sql(tmp_path / "now.db", SHOP)
    sql(tmp_path / "was.db", SHOP)
    with pytest.raises(CheckError):
        sqlite_changes(str(tmp_path / "now.db"), **({"before": str(tmp_path / "was.db")} | stated))


def test_changes_may_be_stated_as_a_script_or_by_other_keys(tmp_path: Path) -> None:
    sql(tmp_path / "was.db", SHOP)
    sql(tmp_path / "now.db", SHOP, DONE, "UPDATE refunds SET made_at = 'then'")
    now, was = str(tmp_path / "now.db"), str(tmp_path / "was.db")
    ignore = ["refunds.made_at", "orders.updated_at"]
    assert sqlite_changes(now, was, sql=DONE, ignore=ignore).passed
    assert "made_at" in sqlite_changes(now, was, sql=DONE, ignore=ignore[1:]).why
    by_total = {"orders": [{"total": 12.5, "status": "refunded", "updated_at": {"any": True}}]}
    rest = DONE.replace("UPDATE", "SELECT 1; --")
    assert sqlite_changes(now, was, updated=by_total, keys={"orders": ["total"]}, sql=rest, ignore=ignore).passed


def test_what_is_told_can_be_written_as_json(tmp_path: Path) -> None:
    sql(tmp_path / "was.db", "CREATE TABLE t (a)")
    sql(tmp_path / "now.db", "CREATE TABLE t (a); INSERT INTO t VALUES (x'ff'), (CAST(x'ff' AS TEXT)), (9e999)")
    found = sqlite_changes(str(tmp_path / "now.db"), str(tmp_path / "was.db"))
    assert json.dumps(dict(found.evidence))
    assert found.why.isprintable()


def test_one_step_of_sqlite_that_takes_hours_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SECONDS_OF_A_DATABASE", 1.0)
    long = "CREATE VIEW orders AS SELECT 1 WHERE instr(hex(zeroblob(20000000)), hex(zeroblob(10000000)) || '1')"
    with closing(sqlite3.connect(tmp_path / "shop.db")) as made:
        made.execute(long)
    assert "could not be worked through" in sqlite_count(str(tmp_path / "shop.db"), "orders", equals=0).why

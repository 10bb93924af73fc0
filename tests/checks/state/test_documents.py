"""Cells, formulas, dates, wording and likeness: what a document says in each of the ways that it may be said."""

from __future__ import annotations

import datetime
import io
import zipfile
from pathlib import Path
from typing import Any

import pytest
from tests.checks.state.sound_state import docx, image, pdf

from fairtrial.checks import CheckError
from fairtrial.checks.state.csv_cells import csv_cell, csv_rows
from fairtrial.checks.state.data_files import json_unchanged, json_value, toml_value, yaml_value
from fairtrial.checks.state.document_text import docx_text, pdf_text
from fairtrial.checks.state.files import file_equals, file_exists, file_lines, file_text
from fairtrial.checks.state.folders import files_unchanged, folder_lists
from fairtrial.checks.state.images import image_is, image_similar
from fairtrial.checks.state.xlsx_cells import xlsx_cell

for package in ("openpyxl", "pypdf", "mammoth", "PIL", "ruamel.yaml"):
    pytest.importorskip(package)


@pytest.fixture
def book(tmp_path: Path) -> str:
    """A workbook as a spreadsheet program leaves it: formulas with the values it computed."""
    from openpyxl import Workbook

    made = Workbook()
    sheet = made.active
    sheet.title = "Sums"
    for cell, value in {"A1": 40, "A2": 2.5, "A3": "text", "A4": datetime.date(2026, 1, 2), "A5": True, "A6": "=A1*2",
                        "A7": datetime.datetime(2026, 1, 2, 3, 4), "A8": "=A1+1"}.items():  # fmt: skip
        sheet[cell] = value
    held = io.BytesIO()
    made.save(held)
    path = tmp_path / "book.xlsx"
    with zipfile.ZipFile(held) as before, zipfile.ZipFile(path, "w") as after:
        for name in before.namelist():
            data = before.read(name).replace(b"<f>A1*2</f><v></v>", b"<f>A1*2</f><v>80</v>")
            after.writestr(name, data.replace(b"<f>A1*2</f><v />", b"<f>A1*2</f><v>80</v>"))
    return str(path)


@pytest.mark.parametrize(
    ("stated", "holds"),
    [
        ({"cell": "A1", "equals": 40}, True),
        ({"cell": "A1", "equals": "40"}, False),
        ({"cell": "A2", "equals": 2.4, "tolerance": 0.2}, True),
        ({"cell": "A3", "equals": "text", "sheet": "Sums"}, True),
        ({"cell": "A3", "equals": "text", "sheet": "Other"}, False),
        ({"cell": "A4", "equals": datetime.date(2026, 1, 2)}, True),
        ({"cell": "A4", "equals": "2026-01-02"}, True),
        ({"cell": "A7", "equals": datetime.datetime(2026, 1, 2, 3, 4)}, True),
        ({"cell": "A7", "equals": datetime.date(2026, 1, 2)}, False),
        ({"cell": "A5", "equals": True}, True),
        ({"cell": "A5", "equals": 1}, False),
        ({"cell": "A6", "equals": 80}, True),
        ({"cell": "A6", "equals": 80, "formula": "= a1 * 2"}, True),
        ({"cell": "A6", "formula": "=A1*3"}, False),
        ({"cell": "A6", "equals": 80, "is_formula": False}, False),
        ({"cell": "A8", "equals": 41}, False),
        ({"cell": "A8", "is_formula": True}, True),
        ({"cell": "Z99", "equals": {"null": True}}, True),
        ({"cell": "A1", "equals": {"null": True}}, False),
    ],
)
def test_cells_of_a_workbook(stated: dict[str, Any], holds: bool, book: str) -> None:
    assert xlsx_cell(book, **stated).passed is holds


def test_a_formula_that_nobody_computed_says_so(book: str) -> None:
    assert "no computed value" in xlsx_cell(book, "A8", equals=41).why


@pytest.mark.parametrize("stated", [{"cell": "A1"}, {"cell": "nonsense", "equals": 1}, {"cell": "A1", "equals": [1]}])
def test_a_cell_that_makes_no_sense_says_nothing_of_the_work(stated: dict[str, Any], book: str) -> None:
    with pytest.raises(CheckError):
        xlsx_cell(book, **stated)


@pytest.mark.parametrize(
    ("text", "stated", "holds"),
    [
        ("id,n\n7,12.50\n", {"column": "n", "equals": 12.5}, True),
        ("id,n\n7,12.50\n", {"column": "n", "equals": "12.5"}, False),
        ("id;n\r\n7;1,5\r\n", {"column": "n", "equals": "1,5", "delimiter": ";"}, True),
        ('id,n\n7,"a\nb, ""c"""\n', {"column": "n", "equals": 'a\nb, "c"'}, True),
        ("\ufeffid,n\n7,x\n", {"column": "id", "equals": 7}, True),
        ("id,n\n\n7,x\n\n8,y\n", {"column": "n", "equals": "y", "row": 1}, True),
        ("id,n\n7,x\n8,y\n", {"column": 1, "equals": "y", "row": -1}, True),
        ("id,n\n7,x\n", {"column": 1, "equals": "n", "header": False}, True),
        ("id,n\n7,x\n", {"column": "m", "equals": "x"}, False),
        ("id,n\n7\n", {"column": "n", "equals": ""}, False),
        ("id,n,n\n7,1,2\n", {"column": "n", "equals": 1}, False),
        ("id,n\n7,nan\n", {"column": "n", "equals": 1}, False),
        ("id,n\n7,1e3\n", {"column": "n", "equals": 1000}, True),
        ("id,n\n7,٣\n", {"column": "n", "equals": 3}, False),
        ("", {"column": "n", "equals": 1}, False),
        ("id,n\n7,TRUE\n", {"column": "n", "equals": True}, True),
    ],
)
def test_cells_of_a_table(text: str, stated: dict[str, Any], holds: bool, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(text.encode())
    assert csv_cell(str(tmp_path / "a.csv"), **stated).passed is holds


def test_rows_of_a_table_count_as_often_as_they_occur(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("b,a\n1,x\n1,x\n2,y\n")
    path = str(tmp_path / "a.csv")
    assert csv_rows(path, [["y", 2], ["x", 1], ["x", 1]], columns=["a", "b"]).passed
    assert not csv_rows(path, [["y", 2], ["x", 1], ["y", 2]], columns=["a", "b"]).passed
    assert not csv_rows(path, [["y", 2], ["x", 1], ["x", 1]], columns=["a", "b"], ordered=True).passed
    assert csv_rows(path, [[1, "x"], [1, "x"], [2, "y"]], ordered=True).passed


def test_a_phrase_is_found_across_runs_lines_and_cases(tmp_path: Path) -> None:
    docx(tmp_path / "a.docx", "The Loan   was approved.")
    path = str(tmp_path / "a.docx")
    assert docx_text(path, contains="Loan was approved").passed
    assert not docx_text(path, contains="loan was approved").passed
    assert docx_text(path, contains="loan WAS approved", ignore_case=True, lacks_regex="refus").passed
    assert not docx_text(path, lacks_regex="(?i)LOAN").passed
    assert not docx_text(path, contains="Loan was approved", ignore_spacing=False).passed
    with pytest.raises(CheckError, match="state what the text should hold"):
        docx_text(path)


def test_a_page_of_a_pdf_is_counted_from_one(tmp_path: Path) -> None:
    pdf(tmp_path / "a.pdf", "first page", "second page")
    path = str(tmp_path / "a.pdf")
    assert pdf_text(path, contains=["first page", "second page"]).passed
    assert not pdf_text(path, contains="first page", page=2).passed
    assert "no page 3" in pdf_text(path, contains="first", page=3).why


def test_likeness_is_what_its_measure_says(tmp_path: Path) -> None:
    image(tmp_path / "a.png", (10, 10))
    image(tmp_path / "b.png", (10, 10), (0, 0))
    image(tmp_path / "c.png", (20, 20))
    a, b, c = (str(tmp_path / f"{name}.png") for name in "abc")
    assert image_similar(a, a).value == 1.0
    assert image_similar(b, a, measure="pixels").value == pytest.approx(0.99)
    assert image_similar(b, a, measure="pixels", tolerance=255).value == 1.0
    assert image_similar(b, a, measure="mean").value == pytest.approx(1 - 0.75 * 250 / 255 / 100)
    assert image_similar(c, a, measure="hash").passed
    assert "pixels" in image_similar(c, a).why
    assert image_is(a, 10, 10, "png", "RGB").passed
    assert not image_is(a, mode="RGBA").passed
    with pytest.raises(CheckError):
        image_is(a)


def test_json_keeps_what_may_not_change(tmp_path: Path) -> None:
    (tmp_path / "was.json").write_text('{"a": {"b": 1}, "list": [{"x": 1, "y": 2}, {"x": 3, "y": 4}]}')
    was, now = str(tmp_path / "was.json"), tmp_path / "now.json"
    for text, allow, holds in [
        ('{"list": [{"y": 2, "x": 1}, {"x": 3, "y": 4}], "a": {"b": 1.0}}', [], True),
        ('{"a": {"b": 2}, "list": [{"x": 1, "y": 2}, {"x": 3, "y": 4}]}', [], False),
        ('{"a": {"b": 2}, "list": [{"x": 1, "y": 2}, {"x": 3, "y": 4}]}', ["a.b"], True),
        ('{"a": {}, "list": [{"x": 1, "y": 2}, {"x": 3, "y": 4}]}', ["a.b"], True),
        ('{"a": {"b": 1}, "list": [{"x": 9, "y": 2}, {"x": 9, "y": 4}]}', ["list[*].x"], True),
        ('{"a": {"b": 1}, "list": [{"x": 9, "y": 2}, {"x": 9, "y": 5}]}', ["list[*].x"], False),
        ('{"a": {"b": 1}, "list": [{"x": 1, "y": 2}]}', ["list[1]"], False),
        ('{"a": {"b": 1}, "list": []}', ["list"], True),
    ]:
        now.write_text(text)
        assert json_unchanged(str(now), was, allow).passed is holds, (text, allow)
    with pytest.raises(CheckError):
        json_unchanged(str(now), was, ["$"])


def test_values_of_toml_and_yaml_are_compared_as_json_says_them(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("when = 2026-01-02\n[t]\nn = 1\nlist = [1, 2.0]\n")
    (tmp_path / "a.yaml").write_text("when: 2026-01-02\nyes: no\nn: 010\nnothing:\nt: {1: one}\n")
    assert toml_value(str(tmp_path / "a.toml"), "when", equals=datetime.date(2026, 1, 2)).passed
    assert toml_value(str(tmp_path / "a.toml"), "t.list", equals=[1, 2]).passed
    assert toml_value(str(tmp_path / "a.toml"), "t.none", absent=True).passed
    yaml = str(tmp_path / "a.yaml")
    assert yaml_value(yaml, "when", equals="2026-01-02").passed
    assert yaml_value(yaml, "yes", equals="no").passed
    assert yaml_value(yaml, "n", least=10, most=10).passed
    assert yaml_value(yaml, "nothing", equals_json="null").passed
    assert yaml_value(yaml, 't["1"]', equals="one").passed


def test_ranges_and_absence_in_json(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"n": 5, "t": "x", "list": [1, 2]}')
    path = str(tmp_path / "a.json")
    assert json_value(path, "n", least=5, most=5).passed
    assert not json_value(path, "n", least=5.1).passed
    assert not json_value(path, "t", least=0).passed
    assert not json_value(path, "n", absent=True).passed
    assert json_value(path, "list[*]", equals=[1, 2]).passed
    assert not json_value(path, "none", equals=1).passed
    with pytest.raises(CheckError):
        json_value(path, "n")


def test_listings_of_hashes_stand_for_a_copy(tmp_path: Path) -> None:
    import subprocess

    folder = tmp_path / "app"
    (folder / "sub").mkdir(parents=True)
    (folder / "sub/a b.txt").write_text("x")
    (folder / "c").write_text("y")
    listed = subprocess.run(
        "find . -type f -exec sha256sum {} +", shell=True, cwd=folder, capture_output=True, check=True
    )
    (tmp_path / "sums").write_bytes(listed.stdout)
    assert files_unchanged(str(folder), str(tmp_path / "sums")).passed
    (folder / "sub/a b.txt").write_text("z")
    assert "'sub/a b.txt' has changed" in files_unchanged(str(folder), str(tmp_path / "sums")).why
    (tmp_path / "sums").write_text("nonsense\n")
    with pytest.raises(CheckError):
        files_unchanged(str(folder), str(tmp_path / "sums"))


def test_a_link_in_the_place_of_a_file_is_a_change(tmp_path: Path) -> None:
    for name in ("was", "now"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a").write_text("x")
    (tmp_path / "now/a").unlink()
    (tmp_path / "now/a").symlink_to(tmp_path / "was/a")
    assert "is now a link" in files_unchanged(str(tmp_path / "now"), str(tmp_path / "was")).why
    assert folder_lists(str(tmp_path / "now"), equals=["a"], most=1, contains=["*"], lacks=["*.log"]).passed


def test_files_are_told_apart_by_kind_mode_and_hash(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")
    (tmp_path / "a").chmod(0o640)
    digest = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
    assert file_exists(str(tmp_path / "a"), mode="640", sha256=digest, least_bytes=1, most_bytes=1).passed
    assert not file_exists(str(tmp_path / "a"), sha256="0" * 64).passed
    assert not file_exists(str(tmp_path)).passed
    assert file_exists(str(tmp_path), kind="folder").passed
    assert file_exists(str(tmp_path), kind="any").passed
    with pytest.raises(CheckError):
        file_exists(str(tmp_path / "a"), mode="rwx")


def test_texts_and_lines(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("b \na\r\nb\n\n")
    path = str(tmp_path / "a")
    assert file_lines(path, equals=["b", "a", "b", ""]).passed
    assert file_lines(path, equals=["", "b", "b", "a"], ordered=False).passed
    assert not file_lines(path, equals=["b", "a", "", ""], ordered=False).passed
    assert file_lines(path, contains=["a"], least=4, most=4).passed
    assert file_equals(path, text="b \na\n\nb", trim=True).passed is False
    assert file_equals(path, same_as=path).passed
    assert file_text(path, regex=r"(?m)^a$", lacks=["c", "d"]).passed
    for stated in ({}, {"text": "a", "same_as": path}):
        with pytest.raises(CheckError):
            file_equals(path, **stated)

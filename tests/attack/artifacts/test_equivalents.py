"""Equivalents say the same, and accuse only where that needs no telling or the task declares the freedom."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from tests.attack.artifacts.desks import handed_in, target_of

from fairtrial.attack import Submission, Target
from fairtrial.attack.artifacts import PROBES

TABLE = b"day,sum\n2024-05-31,2.50\n2024-06-01,-1.0\n"
JSON = b'{"b": [1.50, {"c": "x: y, [z]", "a": []}], "a": "caf\xc3\xa9"}\n'
PAGE = b"# Minutes\n\n- one thing was said\n- another thing was said\n\n## Then\n- we went home\n"
SCRIPT = b"CREATE TABLE a(b);\nINSERT INTO a VALUES(1);\nINSERT INTO a VALUES(2);\n"
PLAIN = "Write the file out.bin as usual, from what lies there.\n"
FREE = {
    "rows_reordered": ("row_order", "out.csv", TABLE),
    "columns_reordered": ("column_order", "out.csv", TABLE),
    "numbers_reformed": ("number_form", "out.csv", TABLE),
    "dates_reformed": ("date_form", "out.csv", TABLE),
    "reencoded": ("encoding", "out.csv", TABLE),
    "line_ends": ("line_ends", "out.csv", TABLE),
    "csv_quoted": ("csv_layout", "out.csv", TABLE),
    "markdown_layout": ("markdown_layout", "out.md", PAGE),
    "statements_reordered": ("statement_order", "out.sql", SCRIPT),
}


def of(target: Target, probe_id: str) -> list[Submission]:
    return list(next(probe for probe in PROBES if probe.card.id == probe_id).submissions(target))


@pytest.mark.parametrize("probe_id", FREE)
def test_a_freedom_is_a_proof_only_where_it_is_declared(tmp_path: Path, probe_id: str) -> None:
    freedom, name, content = FREE[probe_id]
    for place, free, severity in (("a", f'"{freedom}"', "proof"), ("b", "", "lead")):
        (tmp_path / place).mkdir()
        found = of(target_of(tmp_path / place, PLAIN, {}, {name: content}, free=free), probe_id)
        assert found
        assert {one.expects for one in found} == {"passes"}
        assert {one.severity for one in found} == {severity}
        assert all(("says nothing of" in one.why) == (severity == "lead") for one in found)


def test_what_the_instruction_asks_for_is_not_taken_for_free(tmp_path: Path) -> None:
    told = "Write `out.csv` (`day,sum`) in the order of days, ISO dates, 2 decimals, UTF-8, LF line ends, no quotes.\n"
    target = target_of(tmp_path, told, {}, {"out.csv": TABLE})
    assert [one.name for probe_id in FREE for one in of(target, probe_id)] == []


@pytest.mark.parametrize("probe_id", ["json_laid_out", "json_key_order"])
def test_json_written_otherwise_is_the_same_and_needs_no_telling(tmp_path: Path, probe_id: str) -> None:
    target = target_of(tmp_path, PLAIN, {}, {"out.json": JSON})
    found = of(target, probe_id)
    assert found
    for submission in found:
        content = handed_in(target, submission)["out.json"]
        assert content != JSON
        assert json.loads(content) == json.loads(JSON)
        assert b"1.50" in content
        assert submission.severity == "proof"


def test_keys_in_another_order_are_a_lead_where_an_order_is_asked_for(tmp_path: Path) -> None:
    target = target_of(tmp_path, "Write out.json sorted by name.\n", {}, {"out.json": JSON})
    assert {one.severity for one in of(target, "json_key_order")} == {"lead"}


def test_layout_is_not_free_where_bytes_are_asked_for(tmp_path: Path) -> None:
    target = target_of(
        tmp_path, "Write out.json, indented by two, to be compared byte for byte.\n", {}, {"out.json": JSON}
    )
    assert of(target, "json_laid_out") == []


@pytest.mark.parametrize("probe_id", ["csv_quoted", "columns_reordered", "rows_reordered", "numbers_reformed"])
def test_a_table_written_otherwise_holds_the_same(tmp_path: Path, probe_id: str) -> None:
    target = target_of(tmp_path, PLAIN, {}, {"out.csv": TABLE}, free=f'"{FREE[probe_id][0]}"')
    want = sorted(sorted(row.items()) for row in csv.DictReader(io.StringIO(TABLE.decode())))
    for submission in of(target, probe_id):
        text = handed_in(target, submission)["out.csv"].decode()
        got = sorted(sorted(row.items()) for row in csv.DictReader(io.StringIO(text)))
        if probe_id == "numbers_reformed":
            assert [float(dict(row)["sum"]) for row in got] == [float(dict(row)["sum"]) for row in want]
        else:
            assert got == want


def test_a_script_that_means_something_else_in_another_order_is_left_alone(tmp_path: Path) -> None:
    script = b"CREATE TABLE a(b);\nINSERT INTO a VALUES(1);\nINSERT INTO a SELECT b+1 FROM a;\n"
    target = target_of(tmp_path, PLAIN, {}, {"out.sql": script}, free='"statement_order"')
    assert of(target, "statements_reordered") == []


def test_a_script_gets_no_reach_beyond_its_database(tmp_path: Path) -> None:
    outside = tmp_path / "outside.db"
    attach = f"ATTACH '{outside}' AS o; CREATE TABLE o.x(y);\nINSERT INTO o.x VALUES(1);\nINSERT INTO o.x VALUES(2);\n"
    target = target_of(tmp_path, PLAIN, {}, {"out.sql": attach.encode()}, free='"statement_order"')
    assert of(target, "statements_reordered") == []
    assert not outside.exists()

"""Answers are found in files, JSON and memos, compared by kind; hostile files fail, senseless parameters break."""

from __future__ import annotations

import json
import os
import typing
from pathlib import Path
from typing import Any

import pytest

from fairtrial.checks import in_box, read_checks
from fairtrial.checks.protocol import CheckError
from fairtrial.checks.state.answers import Kind, answer_equals, answers_equal
from fairtrial.compare import KINDS

MEMO = """# Memo

The EBITDA is discussed below.

| Item | Value |
|---|---|
| EBITDA | $1.25 million |
| **Leverage** (x) | 3.2 |

1. **DSCR:** 1.5
EBITDA margin: 12%
Covenant:

Yes.
"""


@pytest.fixture
def memo(tmp_path: Path) -> str:
    (tmp_path / "memo.md").write_text(MEMO)
    return str(tmp_path / "memo.md")


def test_kinds_are_those_of_compare() -> None:
    assert typing.get_args(Kind) == KINDS


@pytest.mark.parametrize(
    ("after", "kind", "reference", "passed"),
    [
        ("EBITDA", "money", "$1,250,000", True),
        ("ebitda", "money", "$1,250,001", False),
        ("Leverage", "number", "3.2", True),
        ("DSCR", "number", "1.5", True),
        ("EBITDA margin", "percent", "12%", True),
        ("Covenant", "boolean", "yes", True),
        ("Debt", "number", "3.2", False),
    ],
)
def test_an_answer_stands_behind_its_label(memo: str, after: str, kind: Any, reference: str, passed: bool) -> None:
    found = answer_equals(memo, kind, reference, after=after)
    assert found.passed is passed, found.why


def test_two_lines_with_one_label_must_agree(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Total: 5\nTotal: 6\n")
    assert not answer_equals(str(tmp_path / "a.md"), "number", "5", after="Total").passed
    (tmp_path / "a.md").write_text("The total is 5\n")
    assert answer_equals(str(tmp_path / "a.md"), "number", "5", after="total").passed


def test_a_file_and_a_reference_file_are_compared_whole(tmp_path: Path) -> None:
    (tmp_path / "answer.md").write_text("| qty | name |\n|---|---|\n| 3 | bolt |\n")
    (tmp_path / "key.csv").write_text("name,qty\nbolt,3\n")
    assert answer_equals(str(tmp_path / "answer.md"), "table", reference_file=str(tmp_path / "key.csv")).passed
    with pytest.raises(CheckError):
        answer_equals(str(tmp_path / "answer.md"), "table", reference_file=str(tmp_path / "absent.csv"))


def test_several_answers_give_a_share_and_name_what_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"total": 1250.0, "items": [2, 1], "ok": True, "name": "Ben Nevis"}))
    found = answers_equal(
        str(path),
        [
            {"at": "$.total", "kind": "number", "reference": "1250"},
            {"at": "items", "kind": "json", "reference": "[1,2]", "stated": {"ordered": False}},
            {"at": "ok", "kind": "boolean", "reference": "yes"},
            {"at": "name", "kind": "text", "reference": "Snowdon"},
            {"at": "absent", "kind": "text", "reference": "x"},
        ],
    )
    assert (found.passed, found.value, sorted(found.evidence["wrong"])) == (False, 0.6, ["absent", "name"])


@pytest.mark.parametrize(
    "parameters",
    [
        {"kind": "number"},
        {"kind": "number", "reference": "1", "reference_file": "x"},
        {"kind": "number", "reference": "1", "stated": {"absolut": 1}},
        {"kind": "number", "reference": "1", "at": "a", "after": "b"},
        {"kind": "number", "reference": "1", "at": "[*]"},
        {"kind": "numbr", "reference": "1"},
    ],
)
def test_senseless_parameters_break_the_check(memo: str, parameters: dict[str, Any]) -> None:
    with pytest.raises(CheckError):
        answer_equals(memo, **parameters)


@pytest.mark.parametrize("answers", [[], [{}], [{"reference": 3}], [{"reference": "3", "knd": "number"}]])
def test_senseless_lists_of_answers_break_the_check(memo: str, answers: list[dict[str, Any]]) -> None:
    with pytest.raises(CheckError):
        answers_equal(memo, answers)


def test_hostile_deliverables_fail(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("42")
    (tmp_path / "link.txt").symlink_to(tmp_path / "secret.txt")
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "junk.txt").write_bytes(b"\xff\x00" * 1000)
    (tmp_path / "large.txt").write_text("42 " * 2_000_000)
    (tmp_path / "deep.json").write_text("[" * 100_000)
    (tmp_path / "folder.txt").mkdir()
    for name in ("link.txt", "pipe.txt", "junk.txt", "large.txt", "folder.txt", "absent.txt"):
        assert not answer_equals(str(tmp_path / name), "number", "42").passed, name
    assert not answer_equals(str(tmp_path / "deep.json"), "number", "42", at="a").passed


def test_a_checks_file_states_answers(tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app/answer.txt").write_text("It comes to 3.1416.")
    (tmp_path / "checks.toml").write_text(
        '[[check]]\nname = "pi"\nuse = "answer_equals"\npath = "/app/answer.txt"\nkind = "number"\n'
        'reference = "3.14159"\nstated = { absolute = 0.001 }\n'
        '[[check]]\nname = "all"\nuse = "answers_equal"\npath = "/app/answer.txt"\n'
        'answers = [{ kind = "number", reference = "3" }]\n'
    )
    report = in_box(read_checks(tmp_path / "checks.toml"), tmp_path)
    assert report.broken == {}
    assert {name: result.passed for name, result in report.results.items()} == {"pi": True, "all": False}

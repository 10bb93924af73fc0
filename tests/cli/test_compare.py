"""`fairtrial compare`: pairs from the command line and from a file, what is stated, exit codes, the document."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fairtrial.cli.main import run


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["0.25", "1/4", "--kind", "number"], 0),
        (["-3", "−3", "--kind", "number"], 0),
        (["-3", "3", "--kind", "number"], 1),
        (["3", "3.01", "--kind", "number", "--absolute", "0.1"], 0),
        (["[1,2]", "[2,1]", "--kind", "json", "--unordered"], 0),
        (["Ben", "ben", "--kind", "text", "--case-sensitive"], 1),
        (["B", "Paris", "--kind", "choice", "--choice", "Rome", "--choice", "Paris"], 0),
        (["1", "1", "--kind", "numbr"], 2),
        (["1", "1"], 2),
        (["1", "--kind", "number"], 2),
        (["1", "1", "--kind", "number", "--absolute", "-1"], 2),
        (["1", "1", "--pairs", "x.jsonl"], 2),
        (["--pairs", "absent.jsonl"], 2),
    ],
)
def test_exit_code_says_whether_they_are_the_same(arguments: list[str], code: int) -> None:
    assert run(["compare", *arguments]) == code


def test_a_file_of_pairs_gives_one_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text(
        '{"reference": "1", "answer": "1.0", "id": "a"}\n\n'
        '{"reference": "x", "answer": "\\ud800", "kind": "text"}\n'
        '{"reference": "3", "answer": "3.05", "kind": "number", "stated": {"absolute": 0.1}}\n'
    )
    assert run(["compare", "--pairs", str(pairs), "--kind", "number", "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert (document["schema"], document["equal"]) == ("fairtrial.compare/1", 2)
    assert [(one["line"], one["equivalent"]) for one in document["pairs"]] == [(1, True), (3, False), (4, True)]
    assert document["pairs"][0]["id"] == "a"
    assert run(["compare", "--pairs", str(pairs), "--kind", "number"]) == 1
    assert "2 of 3 pairs are the same" in capsys.readouterr().out


@pytest.mark.parametrize(
    "line", ["{", "[]", '{"reference": "1"}', '{"reference": "1", "answer": 1, "kind": "number"}',
             '{"reference": "1", "answer": "1", "kind": "x"}',
             '{"reference": "1", "answer": "1", "kind": "number", "stated": {"absolut": 1}}', "",
             '{"reference": "1", "answer": "1", "kind": "number", "stated": 3}', "[" * 100_000,
             '{"reference": "1", "answer": "2", "answer": "1", "kind": "number"}'],
)  # fmt: skip
def test_a_line_that_is_no_pair_is_named(line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text(line)
    assert run(["compare", "--pairs", str(pairs)]) == 2
    assert "pairs.jsonl" in capsys.readouterr().err

"""Cases are read under the names in use, and what is wrong with one is said with its line and field."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fairtrial.prove.text import read_cases
from fairtrial.prove.text.gold import formatted
from fairtrial.records import FormatError, InputError


def written(tmp_path: Path, *rows: object) -> Path:
    path = tmp_path / "cases.jsonl"
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
    return path


def test_names_of_the_field_are_known_and_the_rest_are_columns(tmp_path: Path) -> None:
    rows = [
        {"question": "2+2?", "ground_truth": "4", "unit": "none", "info": {"level": 1}},
        {"messages": [{"role": "user", "content": "2+3?"}], "answer": 5, "id": "five", "wrong": ["6"], "right": "5.0"},
        {"prompt": "Write solve.", "reference": "def solve(): pass"},
    ]
    first, second, third = read_cases(written(tmp_path, *rows))
    assert (first.id, first.prompt, first.answer, first.info) == ("1", "2+2?", "4", {"unit": "none", "level": 1})
    assert (second.id, second.answer, second.wrong, second.right) == ("five", 5, ("6",), ("5.0",))
    assert formatted(third) == {"reference": "def solve(): pass"}


def test_a_line_separator_inside_a_text_ends_no_line(tmp_path: Path) -> None:
    [case] = read_cases(written(tmp_path, json.dumps({"prompt": "a\u2028b", "answer": "c"}, ensure_ascii=False)))
    assert case.prompt == "a\u2028b"


@pytest.mark.parametrize(
    ("row", "field"),
    [("{", None), ("[]", None), ({"answer": "4"}, "prompt"), ({"prompt": "?"}, "answer"),
     ({"prompt": ["?"], "answer": "4"}, "prompt"), ({"prompt": "?", "answer": "4", "wrong": [1]}, "wrong"),
     ({"prompt": "?", "answer": "4", "info": [1]}, "info"), ({"prompt": "?", "answer": "4", "id": "1"}, "id"),
     ({"prompt": "half \ud800", "answer": "4"}, "prompt")],
)  # fmt: skip
def test_what_is_wrong_is_said_with_line_and_field(tmp_path: Path, row: object, field: str | None) -> None:
    with pytest.raises(FormatError) as error:
        read_cases(written(tmp_path, {"prompt": "1+1?", "answer": "2", "id": "1"}, row))
    assert (error.value.line, error.value.field) == (2, field)


def test_no_case_and_no_file_are_said(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no case"):
        read_cases(written(tmp_path))
    with pytest.raises(InputError, match="cannot be read"):
        read_cases(tmp_path / "absent.jsonl")


def test_a_byte_order_mark_is_no_part_of_the_first_case(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text('{"prompt": "1+1?", "answer": "2"}\n', encoding="utf-8-sig")
    assert read_cases(path)[0].answer == "2"

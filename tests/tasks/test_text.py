"""Text tasks: what is read is what was written, and what is no task is named by line and field."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fairtrial.grade.text import text_suite
from fairtrial.records import FormatError
from fairtrial.tasks.text import TextTask

ROW = {"name": "a", "prompt": "sort 21=", "answer": "12"}


def written(folder: Path, *rows: object) -> Path:
    path = folder / "tasks.jsonl"
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
    return path


@pytest.mark.parametrize(
    ("row", "field"),
    [
        ({"prompt": "x", "answer": "y"}, "name"),
        (ROW | {"prompt": ""}, "prompt"),
        (ROW | {"prompt": []}, "prompt"),
        (ROW | {"answer": None}, "answer"),
        (ROW | {"kind": "spelling"}, "kind"),
        (ROW | {"part": "middle"}, "part"),
        (ROW | {"anwser": "12"}, "anwser"),
        ("{", ""),
        ([], ""),
    ],
)
def test_what_is_no_task_is_named_by_line_and_field(tmp_path: Path, row: object, field: str) -> None:
    with pytest.raises(FormatError) as error:
        text_suite(written(tmp_path, ROW, row))
    assert error.value.line == 2
    assert field in (error.value.field or "")


def test_a_name_twice_and_an_empty_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="`a` is used 2 times"):
        text_suite(written(tmp_path, ROW, ROW))
    with pytest.raises(FormatError, match="no task"):
        text_suite(written(tmp_path))
    with pytest.raises(FormatError, match="cannot be read"):
        text_suite(tmp_path)


def test_the_key_changes_the_hash_and_the_task_does_not_hold_it(tmp_path: Path) -> None:
    one = text_suite(written(tmp_path, ROW))
    other = text_suite(written(tmp_path, ROW | {"answer": "21"}))
    assert one.tasks[0].hash != other.tasks[0].hash
    assert one.identity != other.identity
    assert "answer" not in TextTask.__dataclass_fields__
    assert "'12'" not in repr(one.tasks[0])


def test_order_and_family_are_not_part_of_what_is_graded(tmp_path: Path) -> None:
    second = ROW | {"name": "b"}
    one = text_suite(written(tmp_path, ROW, second))
    other = text_suite(written(tmp_path, second, ROW | {"family": "sort"}))
    assert one.identity == other.identity

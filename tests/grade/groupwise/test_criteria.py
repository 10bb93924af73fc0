"""Attacks the file of criteria: what asks nothing or two things is refused; the hash is of what is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairtrial.grade.groupwise import Criteria, read_criteria
from fairtrial.records import FormatError

WHOLE = """[[criterion]]
name = "short"
measure = "output_tokens"
[[criterion]]
name = "tidy"
checks = ["lint"]
weight = 2
[[criterion]]
name = "sourced"
question = "Which names more sources?"
looks_at = ["steps"]
"""


def _write(folder: Path, text: str) -> Path:
    (folder / "criteria.toml").write_text(text)
    return folder / "criteria.toml"


def test_a_whole_file_is_read(tmp_path: Path) -> None:
    criteria = read_criteria(_write(tmp_path, WHOLE))
    assert [(c.name, c.weight, c.measure, c.direction, c.checks) for c in criteria.criteria] == [
        ("short", 1.0, "output_tokens", "less", ()),
        ("tidy", 2.0, "", "less", ("lint",)),
        ("sourced", 1.0, "", "less", ()),
    ]
    assert [(c.question, c.looks_at) for c in criteria.judged] == [("Which names more sources?", ("steps",))]


def test_a_byte_order_mark_changes_nothing(tmp_path: Path) -> None:
    assert read_criteria(_write(tmp_path, "\ufeff" + WHOLE)) == read_criteria(_write(tmp_path, WHOLE))


def test_the_hash_is_of_what_is_asked(tmp_path: Path) -> None:
    first = read_criteria(_write(tmp_path, WHOLE)).hash
    assert read_criteria(_write(tmp_path, "# a remark\n\n" + WHOLE)).hash == first
    for old, new in (("weight = 2", "weight = 3"), ("more sources", "fewer sources"), ('"lint"', '"lint", "b"')):
        assert read_criteria(_write(tmp_path, WHOLE.replace(old, new))).hash != first
    assert Criteria().hash == Criteria().hash != first


@pytest.mark.parametrize(
    ("text", "what", "line"),
    [
        ('[[criterion]]\nname = "a"\n', "states none", 1),
        ('[[criterion]]\nname = "a"\nmeasure = "turns"\nchecks = ["b"]\n', "`measure` and `checks`", 1),
        ('[[criterion]]\nname = "a"\nchecks = []\n', "states none", 1),
        ('[[criterion]]\nname = "a"\nquestion = " "\n', "exactly one", 1),
        ('[[criterion]]\nname = "a"\nmeasure = "turns"\nweight = 0\n', "greater than 0", 4),
        ('[[criterion]]\nname = "a"\nmeasure = "turns"\nweight = nan\n', "greater than 0|finite", 4),
        ('[[criterion]]\nname = "a"\nmeasure = "turns"\nlooks_at = ["answer"]\n', "with `question`", 4),
        ('[[criterion]]\nname = "a"\nquestion = "b"\ndirection = "more"\n', "with `measure`", 4),
        ('[[criterion]]\nname = "a"\nquestion = "b"\nlooks_at = ["soul"]\n', "deliverable", 4),
        ('[[criterion]]\nname = "a"\nmeasur = "b"\n', "not a key", 3),
        ('[[criterion]]\nname = "a"\nmeasure = "b"\n[[criterion]]\nname = "a"\nmeasure = "c"\n', "named twice", 5),
        ("criterion = 3\n", "list", 1),
        ("[[criterion]\n", "not TOML", 1),
    ],
)
def test_nonsense_is_refused_where_it_stands(tmp_path: Path, text: str, what: str, line: int) -> None:
    path = _write(tmp_path, text)
    with pytest.raises(FormatError, match=what) as caught:
        read_criteria(path)
    assert (caught.value.path, caught.value.line) == (str(path), line)


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="missing"):
        read_criteria(_write(tmp_path, ""))

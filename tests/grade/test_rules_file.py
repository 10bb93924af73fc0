"""Attacks: a grading.toml that cannot mean anything is refused with file, line and field."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from fairtrial.checks.aggregation import Measure, Rules
from fairtrial.grade import read_rules
from fairtrial.records import InputError


def _write(folder: Path, text: str) -> Path:
    path = folder / "grading.toml"
    path.write_text(text)
    return path


def test_a_whole_file_is_read(tmp_path: Path) -> None:
    rules = read_rules(
        _write(
            tmp_path,
            'quality_weight = 0.1\n[[workflow]]\nname = "w"\nweight = 2\n'
            '[[check]]\nname = "a"\nworkflow = "w"\n'
            '[[check]]\nname = "b"\nrole = "quality"\naxis = "scope"\ndepends_on = ["a"]\n',
        )
    )
    assert rules.workflows == {"w": 2.0}
    assert [(c.name, c.workflow, c.role, c.axis, c.depends_on) for c in rules.checks] == [
        ("a", "w", "item", "correctness", ()),
        ("b", "", "quality", "scope", ("a",)),
    ]
    assert rules.quality_weight == 0.1


@pytest.mark.parametrize(
    ("text", "what", "line"),
    [
        ('[[check]]\nname = "a"\nworkflow = "nope"\n', "no workflow `nope`", 3),
        ('[[check]]\nname = "a"\ndepends_on = ["ghost"]\n', "no check `ghost`", 3),
        ('[[check]]\nname = "a"\n[[check]]\nname = "a"\n', "`a` is named twice", 4),
        ('[[check]]\nname = "a"\nweight = -1\n', "greater than or equal to 0", 3),
        ('[[check]]\nname = "a"\nweight = inf\n', "finite", 3),
        ('[[check]]\nname = "a"\nrole = "boss"\n', "gate", 3),
        ('[[check]]\nname = "a"\nwieght = 1\n', "not a key", 3),
        ('[[workflow]]\nname = "w"\n[[check]]\nname = "a"\n', "`w` has no check", 2),
        ('[[check]]\nname = "a"\nweight = 0\n', "all weights are 0", 1),
        ("[[check]\n", "not TOML", 1),
        ('[[check]]\nname = "a"\nweight = nan\n', "greater than or equal to 0|finite", 3),
        ('[[check]]\nname = "a"\nweight = true\n', "number", 3),
        ('[[check]]\nname = "a"\nweight = 1e300\n', "less than or equal to", 3),
        ('quality_weight = nan\n[[check]]\nname = "a"\n', "quality_weight|greater|finite", 1),
        ('[[check]]\nname = "a"\naxis = "scope"\n', "everything would be correct", 1),
        (
            '[[workflow]]\nname = "w"\n[[workflow]]\nname = "w"\n[[check]]\nname = "a"\nworkflow = "w"\n',
            "named twice",
            4,
        ),
        (
            '[[workflow]]\nname = "w"\n[[check]]\nname = "a"\nworkflow = "w"\nrole = "gate"\n[[check]]\nname = "b"\n',
            "`w` has no check that counts",
            2,
        ),
        (
            '[[check]]\nname = "x"\n[[check]]\nname = "a"\ndepends_on = ["b"]\n'
            '[[check]]\nname = "b"\ndepends_on = ["a"]\n',
            "a → b → a",
            5,
        ),
        ('[[check]]\nname = "a"\n[[efficiency]]\nmeasure = "seconds"\n', "no check `seconds`.*output_tokens", 4),
        ('[[check]]\nname = "turns"\n[[efficiency]]\nmeasure = "turns"\n', "give the check another name", 4),
        ('[[check]]\nname = "a"\n[[efficiency]]\nmeasure = "a"\n[[efficiency]]\nmeasure = "a"\n', "measured twice", 6),
        ('[[check]]\nname = "a"\n[[efficiency]]\nmeasure = "a"\ndirection = "up"\n', "less", 5),
    ],
)
def test_nonsense_is_refused_where_it_stands(tmp_path: Path, text: str, what: str, line: int) -> None:
    path = _write(tmp_path, text)
    with pytest.raises(InputError, match=what) as caught:
        read_rules(path)
    assert caught.value.path == str(path)
    assert caught.value.line == line


def test_what_the_kit_reads_is_refused_alike(tmp_path: Path) -> None:
    for text in (
        '[[check]]\nname = "a"\nweight = -1\n', '[[check]]\nname = "a"\nwieght = 1\n', "check = 3\n",
        "[check]\na = 1\n",
        '[[check]]\nname = "a"\nrole = "boss"\n', "[[check]]\nname = 1\n", 'speed = 1\n[[check]]\nname = "a"\n',
        '[[check]]\nname = "a"\ndepends_on = "a"\n', '[[check]]\nname = "a"\n[[efficiency]]\nmeasure = "a"\nby = 1\n',
        '[[check]]\nname = "a"\ndepends_on = [["a"]]\n', 'workflow = ["w"]\n[[check]]\nname = "a"\n', "",
        '[[workflow]]\nname = "w"\nwieght = 2\n[[check]]\nname = "a"\nworkflow = "w"\n',
        '[[check]]\nname = "a"\n[[efficiency]]\nmeasure = ["a"]\n', f'[[check]]\nname = "a"\nweight = 1{"0" * 400}\n',
        '[[check]]\nname = "a"\ndepends_on = {}\n', f'quality_weight = 1{"0" * 400}\n[[check]]\nname = "a"\n',
    ):  # fmt: skip
        with pytest.raises(InputError):
            Rules.of(tomllib.loads(text))
        with pytest.raises(InputError):
            read_rules(_write(tmp_path, text))


def test_measures_are_read(tmp_path: Path) -> None:
    text = '[[check]]\nname = "a"\n[[efficiency]]\nmeasure = "a"\nweight = 2\ndirection = "more"\n'
    assert read_rules(_write(tmp_path, text)).efficiency == (Measure(name="a", weight=2, direction="more"),)
    assert Rules.of(tomllib.loads(text)) == read_rules(_write(tmp_path, text))


def test_no_check_and_a_circle_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="check"):
        read_rules(_write(tmp_path, "quality_weight = 0\n"))
    circle = '[[check]]\nname = "a"\ndepends_on = ["b"]\n[[check]]\nname = "b"\ndepends_on = ["a"]\n'
    with pytest.raises(InputError, match="a → b → a"):
        read_rules(_write(tmp_path, circle))

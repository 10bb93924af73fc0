"""Attacks on the check of the evaluator: changed, added, removed, put back; what a run leaves behind is no edit."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairtrial.rules import BenchmarkRules, read_rules
from fairtrial.rules.checking.edits import check_edits, compare_evaluators
from fairtrial.rules.submission import read_submission
from fairtrial.rules.text import rules_text

RULES = """
[benchmark]
name = "b"
version = "1"
runs_per_task = 1
checked = ["edits"]

[[track]]
name = "sums"
evaluator = "public"
"""


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    public, left = tmp_path / "public", tmp_path / "left"
    for one in (public, left):
        (one / "templates").mkdir(parents=True)
        (one / "evaluate.py").write_text("print('accuracy')\n")
        (one / "templates/chat.jinja").write_text("{{ messages }}\n")
        (one / "items.jsonl").write_text('{"id": "a"}\n')
    return public, left


def told(public: Path, left: Path, versions: Path | None = None) -> list[tuple[str, str]]:
    return [(one.path, one.what) for one in compare_evaluators(public, left, versions)[0]]


@pytest.mark.parametrize(
    ("path", "what"),
    [
        ("evaluate.py", "changed"), ("templates/chat.jinja", "changed"), ("items.jsonl", "changed"),
        ("sitecustomize.py", "added"), ("templates/other.jinja", "added"), ("x.pth", "added"), ("lib.so", "added"),
    ],
)  # fmt: skip
def test_what_is_run_or_shapes_it_is_an_edit(folders: tuple[Path, Path], path: str, what: str) -> None:
    public, left = folders
    (left / path).write_text("other\n")
    assert told(public, left) == [(path, what)]


def test_a_file_that_is_gone_or_a_link_now_was_removed(folders: tuple[Path, Path]) -> None:
    public, left = folders
    (left / "evaluate.py").unlink()
    (left / "items.jsonl").unlink()
    (left / "items.jsonl").symlink_to(public / "items.jsonl")
    assert told(public, left) == [("evaluate.py", "removed"), ("items.jsonl", "removed")]


def test_what_a_run_leaves_is_told_and_is_no_edit(folders: tuple[Path, Path]) -> None:
    public, left = folders
    (left / "__pycache__").mkdir()
    (left / "__pycache__/evaluate.cpython-311.pyc").write_bytes(b"x")
    (left / "result.json").write_text("{}")
    (left / "run.log").write_text("done")
    edits, beside = compare_evaluators(public, left, None)
    assert (edits, beside) == ((), ("result.json", "run.log"))


def test_what_was_put_back_was_changed_meanwhile(folders: tuple[Path, Path], tmp_path: Path) -> None:
    public, left = folders
    held = tmp_path / "versions/evaluate.py"
    held.mkdir(parents=True)
    (held / "aa.py").write_text("print('accuracy 1.0')\n")
    (held / "bb.py").write_text("print('accuracy')\n")
    (held / "cc.py").write_text("")
    assert told(public, left, tmp_path / "versions") == [("evaluate.py", "changed meanwhile")]


def rules(folder: Path) -> BenchmarkRules:
    (folder / "rules.toml").write_text(RULES)
    return read_rules(folder / "rules.toml")


@pytest.mark.usefixtures("folders")
def test_the_check_shows_the_difference_and_says_what_it_lacks(tmp_path: Path) -> None:
    (tmp_path / "left/evaluate.py").write_text("print('accuracy 1.0')\n")
    read = rules(tmp_path)
    (tmp_path / "s.toml").write_text('model = "m"\nevaluator = "left"\n')
    found = check_edits(read, read_submission(tmp_path / "s.toml", read))
    assert found.holds is False
    assert found.findings[0].screening.summary == "evaluate.py was changed"
    assert "+print('accuracy 1.0')" in found.exhibits[0].text
    assert "no versions were handed in" in found.not_measured[0]
    (tmp_path / "s.toml").write_text('model = "m"\n')
    assert check_edits(read, read_submission(tmp_path / "s.toml", read)).holds is None


@pytest.mark.usefixtures("folders")
def test_the_agent_is_told(tmp_path: Path) -> None:
    text = rules_text(rules(tmp_path))
    assert "## The evaluator" in text
    assert "Not allowed: changing, adding or removing programs, templates or items" in text


def test_rules_that_do_not_name_it_are_called_as_they_were(tmp_path: Path) -> None:
    bare = '[benchmark]\nname = "b"\nversion = "1"\nruns_per_task = 1\n'
    (tmp_path / "a.toml").write_text(bare)
    (tmp_path / "b.toml").write_text(bare + '[penalty]\nawaiting = "own_score"\n')
    first = read_rules(tmp_path / "a.toml")
    assert first.hash == read_rules(tmp_path / "b.toml").hash == "c64bac8ca1ba6dec"
    assert "evaluator" not in rules_text(first)

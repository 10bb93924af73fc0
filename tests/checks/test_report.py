"""Attacks the report that a grader leaves: no reward where it is open, and the same rule as outside the box."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from fairtrial.checks import CheckRule, Report, Result, Rules
from fairtrial.checks.alone import begin

GOOD, BAD = Result(True, "is right"), Result(False, "is wrong")
RULES = Rules(checks=(CheckRule(name="a"), CheckRule(name="tidy", role="quality")), quality_weight=0.5)


def test_a_broken_check_leaves_open_only_what_hangs_on_it() -> None:
    assert Report({"a": GOOD}, {"tidy": "no linter"}).reward(RULES) is None
    assert Report({"a": BAD}, {"tidy": "no linter"}).reward(RULES) == 0
    assert Report({"tidy": GOOD}, {"a": "no database"}).reward(RULES) is None
    unweighted = Rules(checks=RULES.checks)
    assert Report({"a": GOOD}, {"tidy": "no linter"}).reward(unweighted) == 1


def test_without_rules_a_broken_check_leaves_everything_open() -> None:
    assert Report({"a": GOOD}, {"b": "gone"}).reward(None) is None
    assert Report({"a": GOOD}, elsewhere=("b",)).reward(None) is None
    assert Report().reward(None) is None
    assert Report({"a": GOOD, "b": GOOD}).reward(None) == 1


def test_a_check_that_is_run_elsewhere_is_no_stranger_and_no_pass() -> None:
    report = Report({"a": GOOD}, elsewhere=("tidy",))
    assert report.reward(RULES) is None
    assert report.reward(Rules(checks=RULES.checks)) == 1


@pytest.mark.parametrize(("broken", "wanted"), [({}, {"reward": 1.0}), ({"a": "gone"}, None)])
def test_no_reward_file_where_there_is_no_reward(
    tmp_path: Path, broken: dict[str, str], wanted: dict[str, float] | None
) -> None:
    results = {name: GOOD for name in ("a", "tidy") if name not in broken}
    Report(results, broken).write(tmp_path, RULES)
    written = tmp_path / "reward.json"
    assert (json.loads(written.read_text()) if written.exists() else None) == wanted
    assert len(json.loads((tmp_path / "ctrf.json").read_text())["results"]["tests"]) == 2


def test_what_programs_put_in_place_of_the_report_is_taken_away(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".reward.json.new")
    (tmp_path / "reward.json").mkdir()
    (tmp_path / "reward.json" / "full").write_text("")
    (tmp_path / "ctrf.json").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "reward.txt").write_text("1")
    assert Report({"a": BAD}).write(tmp_path, None) == 0
    assert json.loads((tmp_path / "reward.json").read_text()) == {"reward": 0.0}
    assert not (tmp_path / "reward.txt").exists()
    assert not (tmp_path / "elsewhere").exists()


def test_a_reward_that_programs_wrote_is_none_where_it_is_open(tmp_path: Path) -> None:
    (tmp_path / "reward.json").write_text('{"reward": 1}')
    assert Report({}, {"a": "no tool"}).write(tmp_path, None) is None
    assert not (tmp_path / "reward.json").exists()


@pytest.mark.parametrize("made", ["file", "link", "pipe"])
def test_a_log_folder_that_is_none_is_made_anew(tmp_path: Path, made: str) -> None:
    logs = tmp_path / "logs"
    {"file": logs.touch, "link": lambda: logs.symlink_to("nowhere"), "pipe": lambda: os.mkfifo(logs)}[made]()
    begin(logs, ends_others=False)
    assert logs.is_dir()
    assert not logs.is_symlink()

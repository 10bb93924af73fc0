"""Attacks the report that a grader leaves: no reward where it is open, and the same rule as outside the box."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fairtrial.checks import CheckRule, Report, Result, Rules

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

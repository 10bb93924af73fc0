"""Attacks grading by a grading.toml, in a fake sandbox: broken checks, a reward that lies, values, several steps."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from fairtrial.grade import Grading, HarborGrader, read_rules
from fairtrial.run import Assignment, FilesAgent, Trial
from fairtrial.sandbox import Command, Completed, FakeSandbox
from fairtrial.tasks import load_task

GRADING = '[[check]]\nname = "a"\n[[check]]\nname = "b"\n[[check]]\nname = "tidy"\nrole = "quality"\n'


def graded(folder: Path, grading: str, statuses: Mapping[str, str], reward: str | None, **extra: Any) -> Grading:
    """Grade a task whose test.sh leaves these check results and this reward."""
    for name in ("environment", "tests"):
        (folder / name).mkdir(parents=True)
    (folder / "task.toml").write_text('version = "1.0"\n')
    (folder / "instruction.md").write_text("Do nothing.\n")
    (folder / "environment" / "Dockerfile").write_text("FROM debian:12\nWORKDIR /app\n")
    (folder / "tests" / "test.sh").write_text("echo acted\n")
    (folder / "tests" / "grading.toml").write_text(grading)

    def act(command: Command, root: Path) -> Completed:
        if "/tests/test.sh" in " ".join(command.argv):
            logs = root / "logs" / "verifier"
            tests = [
                {"name": n, "status": s} | ({"extra": extra[n]} if n in extra else {}) for n, s in statuses.items()
            ]
            (logs / "ctrf.json").write_text(json.dumps({"results": {"tests": tests}}))
            if reward is not None:
                (logs / "reward.txt").write_text(reward)
        return Completed(exit_code=0, output="", seconds=0.0)

    task, key = load_task(folder)
    assert key.grading is not None
    sandbox = FakeSandbox(act)
    assignment = Assignment(task=task, agent=FilesAgent(model="none", script=""), attempt=0, seed=0, sandbox=sandbox,
                            origin="known")  # fmt: skip
    grader = HarborGrader(key=key, sandbox=sandbox, rules=read_rules(key.grading))
    return Trial(assignment=assignment, grader=grader)().gradings[0]


def test_a_broken_correctness_check_is_ungraded_by_name_whatever_reward_was_written(tmp_path: Path) -> None:
    for number, reward in enumerate(["1", "0", None]):
        statuses = {"a": "passed", "b": "other", "tidy": "passed"}
        grading = graded(tmp_path / str(number), GRADING, statuses, reward)
        assert (grading.outcome, grading.reason, grading.score) == ("ungraded", "check_broken", None)
        assert grading.evidence["broken"] == ["b"]


def test_a_broken_quality_check_leaves_correct_and_takes_the_score_only_where_it_counts(tmp_path: Path) -> None:
    statuses = {"a": "passed", "b": "passed", "tidy": "other"}
    grading = graded(tmp_path / "0", GRADING, statuses, None)
    assert (grading.outcome, grading.score) == ("passed", 1.0)
    grading = graded(tmp_path / "1", "quality_weight = 0.2\n" + GRADING, statuses, None)
    assert (grading.outcome, grading.score, grading.evidence["broken"]) == ("passed", None, ["tidy"])
    grading = graded(tmp_path / "2", "quality_weight = 0.2\n" + GRADING, statuses | {"a": "failed"}, None)
    assert (grading.outcome, grading.score) == ("failed", 0.5)


def test_a_reward_that_lies_does_not_count_and_stands_in_the_evidence(tmp_path: Path) -> None:
    grading = graded(tmp_path, GRADING, {"a": "passed", "b": "failed", "tidy": "passed"}, "1")
    assert (grading.outcome, grading.score, grading.evidence["reward_written"]) == ("failed", 0.5, 1.0)
    assert grading.evidence["reward_differs"] == "the grader wrote 1, its grading.toml makes 0.5"


def test_a_reward_that_agrees_is_no_lead(tmp_path: Path) -> None:
    grading = graded(tmp_path, GRADING, {"a": "passed", "b": "failed", "tidy": "passed"}, "0.5")
    assert "reward_differs" not in grading.evidence


def test_without_reward_and_without_a_broken_check_the_grader_did_not_finish(tmp_path: Path) -> None:
    grading = graded(tmp_path, GRADING, {"a": "passed", "b": "passed", "tidy": "passed"}, None)
    assert (grading.outcome, grading.reason) == ("ungraded", "reward_missing")


@pytest.mark.parametrize("extra", [{"value": float("inf")}, {"value": True}, {"value": "9"}, {"value": None}, 7, None])
def test_what_is_no_figure_is_no_value(tmp_path: Path, extra: object) -> None:
    passed = dict.fromkeys(("a", "b", "tidy"), "passed")
    grading = graded(tmp_path, GRADING, passed, "1", a=extra, b={"value": 12})
    assert grading.evidence["values"] == {"b": 12.0}


STEPS = """
[[workflow]]
name = "both"
[[check]]
name = "one/made"
workflow = "both"
[[check]]
name = "two/made"
workflow = "both"
depends_on = ["one/made"]
[[check]]
name = "two/kept"
role = "gate"
"""


def stepwise(folder: Path, results: Mapping[str, Mapping[str, str]], min_reward: str = "") -> Grading:
    """Grade a task of two steps, `one` and `two`, whose test.sh leaves these results and the reward 1."""
    for name in ("environment", "steps/one/tests", "steps/two/tests"):
        (folder / name).mkdir(parents=True)
    (folder / "task.toml").write_text(
        f'version = "1.0"\n[[steps]]\nname = "one"\n{min_reward}[[steps]]\nname = "two"\n'
    )
    (folder / "environment" / "Dockerfile").write_text("FROM debian:12\nWORKDIR /app\n")
    for step in ("one", "two"):
        (folder / "steps" / step / "instruction.md").write_text("Do nothing.\n")
        (folder / "steps" / step / "tests" / "test.sh").write_text(step)
    (folder / "grading.toml").write_text(STEPS)

    def act(command: Command, root: Path) -> Completed:
        if "/tests/test.sh" in " ".join(command.argv):
            step = (root / "tests" / "test.sh").read_text()
            tests = [{"name": n, "status": s} for n, s in results[step].items()]
            (root / "logs/verifier/ctrf.json").write_text(json.dumps({"results": {"tests": tests}}))
            (root / "logs/verifier/reward.txt").write_text(str(int("failed" not in results[step].values())))
        return Completed(exit_code=0, output="", seconds=0.0)

    task, key = load_task(folder)
    assert key.grading is not None
    sandbox = FakeSandbox(act)
    assignment = Assignment(task=task, agent=FilesAgent(model="none", script=""), attempt=0, seed=0, sandbox=sandbox,
                            origin="known")  # fmt: skip
    grader = HarborGrader(key=key, sandbox=sandbox, rules=read_rules(key.grading))
    return Trial(assignment=assignment, grader=grader)().gradings[0]


def test_one_grading_toml_speaks_of_all_steps(tmp_path: Path) -> None:
    whole = {"one": {"made": "passed"}, "two": {"made": "passed", "kept": "passed"}}
    assert stepwise(tmp_path / "0", whole).score == 1
    assert stepwise(tmp_path / "1", whole | {"two": {"made": "passed", "kept": "failed"}}).score == 0
    assert stepwise(tmp_path / "2", whole | {"one": {"made": "failed"}}).score == 0
    broken = stepwise(tmp_path / "3", whole | {"one": {"made": "other"}})
    assert (broken.outcome, broken.reason) == ("ungraded", "check_broken")


def test_checks_of_a_step_that_was_not_reached_are_not_passed(tmp_path: Path) -> None:
    grading = stepwise(tmp_path, {"one": {"made": "failed"}, "two": {}}, "min_reward = 1.0\n")
    assert (grading.outcome, grading.score) == ("failed", 0)
    assert {check.name: check.status for check in grading.checks} == {
        "one/made": "failed",
        "two/made": "skipped",
        "two/kept": "skipped",
    }

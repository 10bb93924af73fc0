"""Checks out of the box count with those in it: neither can be passed, lost or forged without the other."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import pytest
from tests.checks.judged.conftest import opinion
from tests.grade.outside_tasks import CHECKS, acted, box, make_task

from fairtrial.formats.atif import Trajectory
from fairtrial.grade import Grading, HarborGrader, read_rules
from fairtrial.models import ModelSpec, ScriptedServer
from fairtrial.models.scripted import say
from fairtrial.sandbox import FakeSandbox, Taken
from fairtrial.tasks import load_task

GOOD, BAD = acted("ask", "act"), acted("act")


def graded(folder: Path, sandbox: FakeSandbox, trajectory: Trajectory | None, *, stands_in: bool = False) -> Grading:
    task, key = load_task(folder)
    rules = read_rules(key.grading) if key.grading is not None else None
    grader = HarborGrader(key=key, sandbox=sandbox, rules=rules, stands_in=stands_in)
    (folder / "taken/app").mkdir(parents=True, exist_ok=True)
    return grader.grade(task, task.steps[0], Taken(folder / "taken", "", 0, 0), trajectory=trajectory)


@pytest.mark.parametrize("grading", ["rules", ""])
def test_both_must_pass(tmp_path: Path, grading: str) -> None:
    make_task(tmp_path) if grading else make_task(tmp_path, grading="")
    assert graded(tmp_path, box(), GOOD).outcome == "passed"
    failed = graded(tmp_path, box(), BAD)
    assert (failed.outcome, failed.score) == ("failed", 0.0)
    assert {check.name: check.status for check in failed.checks} == {"word": "passed", "asked-first": "failed"}
    assert graded(tmp_path, box("failed"), GOOD).outcome == "failed"


@pytest.mark.parametrize("grading", ["rules", ""])
def test_without_a_trajectory_the_work_is_ungraded_and_not_failed(tmp_path: Path, grading: str) -> None:
    make_task(tmp_path) if grading else make_task(tmp_path, grading="")
    open_ = graded(tmp_path, box(), None)
    assert (open_.outcome, open_.reason) == ("ungraded", "check_broken")
    assert "the trajectory of the attempt" in open_.evidence["error"]
    if not grading:
        assert graded(tmp_path, box("failed"), None).outcome == "failed"


def test_a_grader_that_says_nothing_is_ungraded(tmp_path: Path) -> None:
    make_task(tmp_path)
    assert graded(tmp_path, FakeSandbox(), GOOD).outcome == "ungraded"


def test_the_box_cannot_report_what_is_checked_outside(tmp_path: Path) -> None:
    make_task(tmp_path)
    forged = graded(tmp_path, box(reward="1", extra={"asked-first": "passed"}), BAD)
    assert forged.outcome == "failed"


def test_a_reward_of_the_box_alone_is_no_pass(tmp_path: Path) -> None:
    make_task(tmp_path, grading="")
    assert graded(tmp_path, box(reward="1"), BAD).outcome == "failed"
    assert graded(tmp_path, box(reward="0.5"), GOOD).score == 0.5


def test_a_probe_is_graded_as_if_it_had_come_about_as_the_reference(tmp_path: Path) -> None:
    make_task(tmp_path)
    (tmp_path / "solution/trajectory.json").write_bytes(_bytes(GOOD))
    assert graded(tmp_path, box(), None, stands_in=True).outcome == "passed"
    assert graded(tmp_path, box(), BAD, stands_in=True).outcome == "failed"
    assert graded(tmp_path, box(), None).outcome == "ungraded"


@pytest.mark.parametrize("reward", [None, "1"])
def test_a_declared_check_that_the_box_does_not_report_is_no_pass(tmp_path: Path, reward: str | None) -> None:
    lost = CHECKS + '[[check]]\nname = "lost"\nuse = "file_exists"\npath = "/app/x"\n'
    make_task(tmp_path, checks=lost, grading="")
    found = graded(tmp_path, box(reward=reward), GOOD)
    assert (found.outcome, found.reason) == ("ungraded", "check_broken")
    assert "lost" in found.evidence["error"]


def test_values_stand_in_the_evidence(tmp_path: Path) -> None:
    turns = '[[check]]\nname = "few"\nuse = "turns"\nbudget = 5\n'
    make_task(tmp_path, checks=turns, grading="")
    assert graded(tmp_path, box(), GOOD).evidence["values"] == {"few": 2.0}


def test_a_checks_toml_that_cannot_be_read_is_the_author_s_fault(tmp_path: Path) -> None:
    make_task(tmp_path, checks=CHECKS + "[[")
    assert graded(tmp_path, box(), GOOD).reason == "checks_toml"


def test_tasks_without_such_checks_are_graded_as_before(tmp_path: Path) -> None:
    make_task(tmp_path, checks='[[check]]\nname = "word"\nuse = "file_exists"\npath = "/app/file"\n', grading="")
    assert graded(tmp_path, box(reward="1"), None).score == 1.0
    assert graded(tmp_path, box(), None).outcome == "ungraded"


def _bytes(trajectory: Trajectory) -> bytes:
    import orjson

    from fairtrial.formats.atif import document

    return orjson.dumps(document(trajectory))


JUDGED = '[[check]]\nname = "said"\nuse = "judged"\ncriterion = "Does the agent ask?"\ntrajectory = true\nvotes = 1\n'


def test_a_judge_sees_the_trajectory_and_is_part_of_the_grader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = make_task(tmp_path / "task", checks=JUDGED, grading="")
    task, key = load_task(folder)
    alone = HarborGrader(key=key, sandbox=box())
    (folder / "taken/app").mkdir(parents=True)
    taken = Taken(folder / "taken", "", 0, 0)
    assert alone.grade(task, task.steps[0], taken, trajectory=GOOD).reason == "check_broken"
    with ScriptedServer(lambda asked: say(opinion(asked, "yes", ("S2", 1, 1, "ask")))) as server:
        judging = replace(alone, judge=ModelSpec(name="j", base_url=server.base_url))
        assert pickle.loads(pickle.dumps(judging.judge)) == judging.judge
        graded_ = judging.grade(task, task.steps[0], taken, trajectory=GOOD)
        assert graded_.outcome == "passed", graded_
    assert judging.hash != alone.hash


def test_a_judge_whose_tokens_do_not_do_leaves_the_work_ungraded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = make_task(tmp_path / "task", checks=JUDGED, grading="")
    task, key = load_task(folder)
    (folder / "taken/app").mkdir(parents=True)
    taken = Taken(folder / "taken", "", 0, 0)
    with ScriptedServer(lambda asked: say(opinion(asked, "yes", ("S2", 1, 1, "ask")))) as server:
        spec = ModelSpec(name="j", base_url=server.base_url, most_tokens=20)
        grading = HarborGrader(key=key, sandbox=box(), judge=spec).grade(task, task.steps[0], taken, trajectory=GOOD)
    assert (grading.outcome, grading.reason) == ("ungraded", "check_broken")
    assert any("20 tokens" in check.message for check in grading.checks), grading.checks

"""By hand nothing of the work runs without a box, and what could not be checked is said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.grade.outside_tasks import CHECKS, acted, box, make_task

from fairtrial.checks.checks_file import read_checks
from fairtrial.checks.process import Trajectory
from fairtrial.checks.registry import catalogue
from fairtrial.grade.by_hand import NEEDS_BOX, NEEDS_DELIVERABLE, READING, AtHand, check_by_hand
from fairtrial.tasks import load_task

RUNS = CHECKS + '\n[[check]]\nname = "runs"\nuse = "command_succeeds"\ncommand = ["touch", "{mark}"]\n'


@pytest.fixture
def work(tmp_path: Path) -> Path:
    (tmp_path / "work/app").mkdir(parents=True)
    (tmp_path / "work/app/file").write_text("hello")
    return tmp_path / "work"


def at(folder: Path, text: str, **at_hand: object) -> dict[str, bool | str | None]:
    (folder / "checks.toml").write_text(text.replace("{mark}", str(folder / "mark")))
    found = check_by_hand(read_checks(folder / "checks.toml"), AtHand(**at_hand))  # type: ignore[arg-type]
    return {name: result.passed for name, result in found.results.items()} | found.broken


def test_reading_and_process_run_here_and_the_rest_does_not(tmp_path: Path, work: Path) -> None:
    seen = Trajectory(acted("ask", "act"))
    said = at(tmp_path, RUNS, deliverable=work, trajectory=seen)
    assert said == {"word": True, "asked-first": True, "runs": NEEDS_BOX}
    assert not (tmp_path / "mark").exists()


def test_answers_are_compared_here_without_a_box(tmp_path: Path, work: Path) -> None:
    asks = '[[check]]\nname = "says"\nuse = "answer_equals"\npath = "/app/file"\nkind = "text"\nreference = "Hello"\n'
    assert at(tmp_path, asks, deliverable=work) == {"says": True}


def test_only_who_says_so_runs_the_work_here(tmp_path: Path, work: Path) -> None:
    assert at(tmp_path, RUNS, deliverable=work, here=True)["runs"] is True
    assert (tmp_path / "mark").exists()


def test_without_a_deliverable_only_the_process_is_checked(tmp_path: Path) -> None:
    said = at(tmp_path, CHECKS, trajectory=Trajectory(acted("act")))
    assert said == {"word": NEEDS_DELIVERABLE, "asked-first": False}


def test_a_judge_of_the_trajectory_needs_no_deliverable_and_one_of_files_does(tmp_path: Path) -> None:
    asks = '[[check]]\nname = "{}"\nuse = "judged"\ncriterion = "Was it polite?"\n{}\n'
    text = asks.format("steps", "trajectory = true") + asks.format("files", 'trajectory = true\nartifacts = ["/app"]')
    said = at(tmp_path, text, trajectory=Trajectory(acted("act")))
    assert said["files"] == NEEDS_DELIVERABLE
    assert said["steps"] != NEEDS_DELIVERABLE
    assert "judge" in str(said["steps"])


def test_a_link_that_leads_out_is_not_read(tmp_path: Path, work: Path) -> None:
    (tmp_path / "secret").write_text("hello")
    (work / "app/file").unlink()
    (work / "app/file").symlink_to(tmp_path / "secret")
    assert "leads out" in str(at(tmp_path, CHECKS, deliverable=work)["word"])


def test_a_task_grades_in_its_box_what_may_not_run_here(tmp_path: Path, work: Path) -> None:
    folder = make_task(tmp_path / "task", CHECKS.replace("file_text", "./mine.py:word"))
    task = load_task(folder)
    at_hand = AtHand(deliverable=work, trajectory=Trajectory(acted("ask", "act")), task=task, sandbox=box("failed"))
    found = check_by_hand(read_checks(folder / "tests/checks.toml"), at_hand)
    assert {name: result.passed for name, result in found.results.items()} == {"asked-first": True, "word": False}
    silent = check_by_hand(read_checks(folder / "tests/checks.toml"), replace(at_hand, sandbox=box("other")))
    assert set(silent.broken) == {"word"}


def test_checks_that_are_said_to_read_are_there_and_import_nothing_that_runs() -> None:
    import inspect

    known = catalogue()
    assert set(known) >= READING
    for name in READING:
        source = inspect.getsource(inspect.getmodule(known[name]) or pytest)
        assert not [word for word in ("run_apart", "subprocess", "urllib") if word in source], name

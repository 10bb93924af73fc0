"""Attacks trials: harness faults, removed workdirs, steps, min_reward, what is kept, and the records that come out."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from fairtrial.formats.atif import read_trajectory
from fairtrial.grade import HarborGrader
from fairtrial.records import SandboxError, digest
from fairtrial.run import Action, Assignment, Episode, InlineEngine, NullAgent, Plan, Situation, Trial, run_plan
from fairtrial.sandbox import Command, Completed, FakeSandbox, Mount
from fairtrial.tasks import Key, Task, load_task


@dataclass(frozen=True)
class Writer:
    """An agent that writes one file, and says so."""

    text: str = "hello"
    broken: str = ""
    name: str = "writer"
    model: str = "tester"
    effort: str = ""
    needs_isolation: bool = False

    def settings(self) -> Mapping[str, Any]:
        return {"text": self.text}

    def mounts(self) -> Sequence[Mount]:
        return ()

    def act(self, situation: Situation) -> Episode:
        situation.box.run(Command(("write", self.text)))
        action = Action(message="wrote", tool="shell", arguments={"command": "write"}, input_tokens=10, output_tokens=2,
                        cost_usd=0.5)  # fmt: skip
        return Episode(actions=(action,), stop="finished", broken=self.broken, input_tokens=10, output_tokens=2,
                       cost_usd=0.5)  # fmt: skip


def _world(rewards: Mapping[str, str] | None = None, die: str = "") -> FakeSandbox:
    """`write` writes /app/file; a test.sh writes the reward that `rewards` has for the text of /tests/test.sh."""

    def act(command: Command, root: Path) -> Completed:
        if die and die in command.argv[0]:
            raise SandboxError("died")
        if command.argv[0] == "write":
            (root / "app" / "file").write_text(command.argv[1])
        else:
            key = (root / "tests" / "test.sh").read_text().strip()
            reward = (rewards or {}).get(key, "1" if (root / "app" / "file").exists() else "0")
            (root / "logs" / "verifier" / "reward.txt").write_text(reward)
        return Completed(exit_code=0, output="ok", seconds=0.0)

    return FakeSandbox(act)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    task = tmp_path / "task"
    _write(task / "task.toml", 'version = "1.0"\n')
    _write(task / "instruction.md", "Write a file.\n")
    _write(task / "environment" / "Dockerfile", "FROM debian:12\nWORKDIR /app\n")
    _write(task / "tests" / "test.sh", "single\n")
    return task


def _trial(pair: tuple[Task, Key], sandbox: FakeSandbox, agent: Any, **choices: Any) -> Trial:
    task, key = pair
    assignment = Assignment(task=task, agent=agent, attempt=3, seed=1, sandbox=sandbox)
    return Trial(assignment=assignment, grader=HarborGrader(key=key, sandbox=sandbox), **choices)


def test_records_name_each_other_and_the_blobs(folder: Path) -> None:
    tried = _trial(load_task(folder), _world(), Writer())()
    trajectory, deliverable = tried.blobs
    assert tried.rollout.trajectory == digest(trajectory)
    assert tried.rollout.deliverable == tried.verdicts[0].deliverable == digest(deliverable)
    assert tried.verdicts[0].rollout == tried.rollout.id
    assert (tried.verdicts[0].outcome, tried.verdicts[0].score) == ("passed", 1.0)
    assert (tried.rollout.input_tokens, tried.rollout.output_tokens, tried.rollout.cost_usd) == (10, 2, 0.5)
    steps = read_trajectory(trajectory).steps
    assert [step.source for step in steps] == ["user", "agent"]
    with tarfile.open(fileobj=io.BytesIO(gzip.decompress(deliverable))) as tar:
        assert "step-0/app/file" in tar.getnames()


def test_the_same_attempt_twice_is_the_same_record(folder: Path) -> None:
    first, second = (_trial(load_task(folder), _world(), Writer())() for _ in range(2))
    assert first.rollout.id == second.rollout.id
    assert first.blobs == second.blobs
    other = _trial(load_task(folder), _world(), Writer(text="other"))()
    assert other.rollout.id != first.rollout.id


def test_what_the_harness_breaks_is_ungraded_not_failed(folder: Path) -> None:
    tried = _trial(load_task(folder), _world(), Writer(broken="model_unreachable"))()
    assert (tried.gradings[0].outcome, tried.gradings[0].reason) == ("ungraded", "model_unreachable")
    dead = _trial(load_task(folder), _world(die="write"), Writer())()
    assert (dead.gradings[0].outcome, dead.gradings[0].reason) == ("ungraded", "sandbox")
    dead_grader = _trial(load_task(folder), _world(die="sh"), Writer())()
    assert (dead_grader.gradings[0].outcome, dead_grader.gradings[0].reason) == ("ungraded", "sandbox")


def test_grading_again_grades_the_same_deliverable(folder: Path) -> None:
    sandbox = _world()
    tried = _trial(load_task(folder), sandbox, Writer(), times=3)()
    assert [grading.outcome for grading in tried.gradings] == ["passed"] * 3
    assert sum(command.argv[0] == "write" for command in sandbox.commands) == 1


def test_known_candidates_leave_no_blobs(folder: Path) -> None:
    tried = _trial(load_task(folder), _world(), Writer(), keep=False)()
    assert tried.blobs == ()
    assert tried.rollout.deliverable.startswith("sha256:")


def _steps(folder: Path, least: str = "") -> tuple[Task, Key]:
    for name in ("instruction.md", "tests/test.sh"):
        (folder / name).unlink()
    (folder / "tests").rmdir()
    toml = "".join(f'[[steps]]\nname = "{n}"\n{least if n == "one" else ""}\n' for n in ("one", "two"))
    _write(folder / "task.toml", f'version = "1.0"\n{toml}')
    for name in ("one", "two"):
        _write(folder / "steps" / name / "instruction.md", f"Step {name}.\n")
        _write(folder / "steps" / name / "tests" / "test.sh", f"{name}\n")
    return load_task(folder)


def test_steps_share_a_box_and_average_their_rewards(folder: Path) -> None:
    tried = _trial(_steps(folder), _world({"one": "1", "two": "0.5"}), Writer())()
    assert (tried.gradings[0].outcome, tried.gradings[0].score) == ("failed", 0.75)
    assert len(read_trajectory(tried.blobs[0]).steps) == 4


def test_a_step_below_its_least_reward_ends_the_trial(folder: Path) -> None:
    sandbox = _world({"one": "0.2", "two": "1"})
    tried = _trial(_steps(folder, "min_reward = 0.5"), sandbox, Writer())()
    assert (tried.gradings[0].outcome, tried.gradings[0].score) == ("failed", 0.1)
    assert sum(command.argv[0] == "write" for command in sandbox.commands) == 1


def test_one_ungraded_step_ungrades_the_task(folder: Path) -> None:
    tried = _trial(_steps(folder), _world({"one": "1", "two": "nan"}), Writer())()
    assert (tried.gradings[0].outcome, tried.gradings[0].reason) == ("ungraded", "reward_not_a_number")


def test_a_plan_goes_round_by_round_and_skips_what_is_held(folder: Path) -> None:
    task, key = load_task(folder)
    other = replace(task, name="other")
    sandbox = _world()
    plan = Plan(tasks=[task, other], agents=[Writer()], attempts=3, sandbox=sandbox)
    order = [(one.task.name, one.attempt) for one in plan.assignments()]
    assert order == [(name, attempt) for attempt in range(3) for name in (task.name, "other")]
    held = {next(iter(plan.assignments())).identity}
    kept: list[Any] = []
    grader = HarborGrader(key=key, sandbox=sandbox)
    tally = run_plan(plan, {task.name: grader, "other": grader}, InlineEngine(), kept.append, held)
    assert (tally.wanted, tally.already_there, tally.passed, len(kept)) == (6, 1, 5, 5)


def test_other_settings_are_another_attempt(folder: Path) -> None:
    task, _ = load_task(folder)
    one, other = (
        Assignment(task=task, agent=Writer(text=text), attempt=0, seed=0, sandbox=_world()) for text in ("a", "b")
    )
    assert one.identity != other.identity


def test_doing_nothing_leaves_an_empty_trajectory(folder: Path) -> None:
    tried = _trial(load_task(folder), _world(), NullAgent())()
    assert tried.gradings[0].outcome == "failed"
    assert json.loads(tried.blobs[0])["steps"][0]["source"] == "user"


def test_text_that_utf8_cannot_hold_does_not_cost_the_trial(folder: Path) -> None:
    @dataclass(frozen=True)
    class Odd(Writer):
        def act(self, situation: Situation) -> Episode:
            said = replace(super().act(situation).actions[0], message="\ud800", arguments={"command": "\udfff"})
            return Episode(actions=(said,), stop="finished", answer="\ud83d")

    tried = _trial(load_task(folder), _world(), Odd())()
    assert tried.gradings[0].outcome == "passed"
    assert (tried.rollout.answer or "").encode() == b"\\ud83d"

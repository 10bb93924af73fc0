"""Task folders in training: a completion is tried in a box, and a box that dies is no failure of the policy."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairtrial.records import SandboxError
from fairtrial.run import InlineEngine
from fairtrial.sandbox import Command, Completed, FakeSandbox
from fairtrial.tasks import Suite, load_suite
from fairtrial.train.boxed import Sampler
from fairtrial.train.rewards.boxes import BoxTruth
from fairtrial.train.rewards.protocol import Sampled


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    folder = tmp_path / "suite" / "write"
    (folder / "environment").mkdir(parents=True)
    (folder / "tests").mkdir()
    (folder / "task.toml").write_text('version = "1.0"\n')
    (folder / "instruction.md").write_text("Write 7 to file.")
    (folder / "environment" / "Dockerfile").write_text("FROM debian:stable-slim\nWORKDIR /app\n")
    (folder / "tests" / "test.sh").write_text("grade\n")
    (folder / "solution").mkdir()
    (folder / "solution" / "solve.sh").write_text("solve\n")
    return load_suite(tmp_path / "suite")


def played(command: Command, root: Path) -> Completed:
    if "dies" in command.argv[-1]:
        raise SandboxError("died")
    if "test.sh" in " ".join(command.argv):
        file = root / "app" / "file"
        (root / "logs" / "verifier" / "reward.txt").write_text("1" if file.exists() else "0")
    elif "echo 7" in command.argv[-1] or "solve.sh" in " ".join(command.argv):
        (root / "app" / "file").write_text("7")
    return Completed(0, "", 0.0)


def test_each_completion_has_a_box_a_verdict_and_records_of_its_step(suite: Suite) -> None:
    truth = BoxTruth(suite=suite, sandbox=FakeSandbox(played), engine=InlineEngine(),
                     sampler=Sampler(model="m", seed=3, step=None, split="train"))  # fmt: skip
    group = [
        Sampled(task=suite.tasks[0], completion=text, tokens=3, finished=True, step=5, group="g", number=n)
        for n, text in enumerate(("```bash\necho 7 >file\n```", "echo 8", "dies"))
    ]
    graded = truth.grade(group)
    assert [one.grading.outcome for one in graded] == ["passed", "failed", "ungraded"]
    assert graded[2].grading.reason == "sandbox"
    for number, one in enumerate(graded):
        assert one.records is not None
        rollout, (verdict,), _ = one.records
        assert (rollout.step, rollout.seed, rollout.group, rollout.attempt) == (5, 3, "g", number)
        assert verdict.rollout == rollout.id


def answered(suite: Suite, step: int, *completions: str) -> list[Sampled]:
    return [Sampled(task=suite.tasks[0], completion=text, tokens=3, finished=True, step=step, group="g", number=n)
            for n, text in enumerate(completions)]  # fmt: skip


def test_a_known_right_answer_is_graded_where_nothing_passed_and_tells_the_grader_from_the_policy(suite: Suite) -> None:
    def refuses(command: Command, root: Path) -> Completed:
        done = played(command, root)
        if "test.sh" in " ".join(command.argv):
            (root / "logs" / "verifier" / "reward.txt").write_text("0")
        return done

    for play, known in ((played, (1, 1)), (refuses, (0, 1))):
        truth = BoxTruth(suite=suite, sandbox=FakeSandbox(play), engine=InlineEngine(),
                         sampler=Sampler(model="m", seed=3, step=None, split="train"))  # fmt: skip
        truth.grade(answered(suite, 1, "echo 7 >file"))
        assert truth.references(1) == known  # the first step
        assert truth.references(1) is None  # the second update on its batch
        truth.grade(answered(suite, 2, "echo 7 >file", "echo 8"))
        assert truth.references(2) == (None if play is played else known)
        truth.grade(answered(suite, 3, "echo 8", "dies"))
        assert truth.references(3) == known


def test_a_task_without_a_reference_says_nothing_of_its_grader(suite: Suite) -> None:
    (suite.path / "write" / "solution" / "solve.sh").unlink()
    suite = load_suite(suite.path)
    truth = BoxTruth(suite=suite, sandbox=FakeSandbox(played), engine=InlineEngine(),
                     sampler=Sampler(model="m", seed=3, step=None, split="train"))  # fmt: skip
    truth.grade(answered(suite, 1, "echo 8"))
    assert truth.references(1) is None

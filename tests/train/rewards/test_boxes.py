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
    return load_suite(tmp_path / "suite")


def played(command: Command, root: Path) -> Completed:
    if "dies" in command.argv[-1]:
        raise SandboxError("died")
    if "test.sh" in " ".join(command.argv):
        file = root / "app" / "file"
        (root / "logs" / "verifier" / "reward.txt").write_text("1" if file.exists() else "0")
    elif "echo 7" in command.argv[-1]:
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
    assert truth.references(1) is None

"""Right work must not be lost on its way to the grader: a workdir that cannot be handed in is said, not failed."""

from __future__ import annotations

import pytest

from fairtrial.grade import deliverable_paths
from fairtrial.records import Environment, SandboxError
from fairtrial.tasks import Step, Task


def _task(workdir: str, artifacts: tuple[str, ...] = ()) -> Task:
    step = Step(name="", instruction="Do it.", agent_seconds=5.0)
    world = Environment(workdir=workdir)
    return Task(name="toy", hash="sha256:0", environment=world, steps=(step,), artifacts=artifacts)


@pytest.mark.parametrize("workdir", ["/", "/tmp", "/usr/src/app", "/etc", "/logs/x", "/tests"])
def test_a_workdir_that_cannot_be_handed_in_is_an_error_not_a_failure(workdir: str) -> None:
    with pytest.raises(SandboxError, match="cannot be handed in"):
        deliverable_paths(_task(workdir))


def test_declared_artifacts_stand_in_for_such_a_workdir() -> None:
    assert deliverable_paths(_task("/", ("/data/out",))) == ("/data/out",)


def test_a_workdir_below_tmp_is_handed_in_and_nothing_else_of_tmp() -> None:
    assert deliverable_paths(_task("/tmp/work", ("/tmp/other",))) == ("/tmp/work",)

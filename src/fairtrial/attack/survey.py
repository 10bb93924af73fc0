"""Look at a task before attacking it: what its workspace holds, and what its reference makes of it.

The reference goes through `run` like every submission. Nothing is graded here.
"""

from __future__ import annotations

from pathlib import Path

from fairtrial.attack.target import Target
from fairtrial.records import SandboxError
from fairtrial.run import Agent, Assignment, Attempt, NullAgent, attempt_seed
from fairtrial.sandbox import Sandbox, Taken
from fairtrial.tasks import Key, Task


def survey(
    task: Task, key: Key, reference: Agent | None, sandbox: Sandbox, scratch: Path, *, seed: int = 0, most: int = 24
) -> Target:
    """Return the task as probes see it: its workspace before and after the reference's last step.

    Raise SandboxError where the reference could not be tried; `scratch` is the caller's, and must outlive the target.
    """
    untouched = _left(task, NullAgent(), sandbox, scratch / "null", seed)
    after = _left(task, reference, sandbox, scratch / "reference", seed) if reference is not None else []
    before = untouched[-1] if len(after) < 2 else after[-2]
    empty = scratch / "empty"
    empty.mkdir()
    return Target(
        task=task, key=key, scratch=scratch, seed=seed, most=most,
        before=before.folder, after=after[-1].folder if after else empty,
    )  # fmt: skip


def _left(task: Task, agent: Agent, sandbox: Sandbox, scratch: Path, seed: int) -> list[Taken]:
    """Return what `agent` leaves after each step."""
    scratch.mkdir(parents=True)
    assignment = Assignment(
        task=task, agent=agent, attempt=0, sandbox=sandbox, origin="known", seed=attempt_seed(seed, task.name, 0)
    )
    with Attempt(assignment, scratch) as attempt:
        for step in task.steps:
            if attempt.act(step) is None:
                message = attempt.episodes[-1].actions[-1].message if attempt.episodes[-1].actions else ""
                raise SandboxError(f"the reference could not be tried: {message or attempt.broken}")
        return attempt.taken

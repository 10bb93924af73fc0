"""The seam of every grader: a deliverable in, what it is worth out. Raises nothing for a grader that breaks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from fairtrial.formats.atif import Trajectory
from fairtrial.records import CheckResult, Outcome
from fairtrial.sandbox import Box, Taken
from fairtrial.tasks import Step, Task


@dataclass(frozen=True, slots=True, kw_only=True)
class Grading:
    """What a grader said of one deliverable; a `Verdict` without its rollout."""

    outcome: Outcome
    reason: str = ""
    score: float | None = None
    checks: tuple[CheckResult, ...] = ()
    evidence: Mapping[str, Any] = field(default_factory=dict)
    """Tail of the output, exit status, raw reward, limits hit, what the report lacked."""
    seconds: float = 0.0


class Grader(Protocol):
    """Turns deliverables into verdicts. It holds the key; nothing that an agent sees does."""

    @property
    def hash(self) -> str:
        """Return the content address of what grades."""
        ...

    def grade(
        self, task: Task, step: Step, deliverable: Taken, live: Box | None = None, trajectory: Trajectory | None = None
    ) -> Grading:
        """Grade one step's deliverable, in a fresh box, or in the agent's own where the task asks for it.

        `trajectory` is what was done until the end of that step; None where nobody saw it.
        """
        ...

    def stops_after(self, step: Step, grading: Grading) -> bool:
        """Say whether later steps are not attempted after this one."""
        ...

    def combine(self, task: Task, gradings: Sequence[Grading]) -> Grading:
        """Return the grading of the whole task from those of its steps, in order."""
        ...

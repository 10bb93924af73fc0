"""The seams of reward: what grades an attempt, and what it is paid. Nothing here knows how a policy is trained.

The verdict is the task's own grader's, whatever the reward is; both are logged. A reward of None says that there is
none: the grader or the reward broke. It is never 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from fairtrial.grade import Grading
from fairtrial.records import Rollout, Verdict
from fairtrial.tasks import Task
from fairtrial.tasks.text import TextTask


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampled:
    """One completion, and what it answers."""

    task: TextTask | Task
    completion: str
    tokens: int
    finished: bool
    step: int
    """Optimiser step over all stages."""
    group: str
    """Name of its group, unique within the run."""
    number: int
    """Place in its group, from 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Graded:
    """What the task's own grader said of a completion."""

    grading: Grading
    records: tuple[Rollout, tuple[Verdict, ...], tuple[bytes, ...]] | None = None
    """Rollout, verdicts and blobs, where the attempt was made in a box; None: the text is all there is."""


class Truth(Protocol):
    """The task's own grader."""

    def grade(self, sampled: Sequence[Sampled]) -> list[Graded]:
        """Return a verdict on each, in order. Raises nothing for a grader that breaks."""
        ...

    def references(self, step: int) -> tuple[int, int] | None:
        """Grade some right answers; return how many passed, of how many. None where there is none at hand."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewarded:
    """The reward of one attempt; None with a reason where there is none."""

    value: float | None
    reason: str = ""


class Reward(Protocol):
    """What an attempt is paid."""

    def reward(self, sampled: Sequence[Sampled], graded: Sequence[Graded]) -> list[Rewarded]:
        """Return the reward of each, in order."""
        ...

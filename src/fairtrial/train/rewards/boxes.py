"""Task folders in training: every completion tried in a box of its own, through the door that evaluation uses.

Not covered: the health of the grader between attempts; a known right answer would cost a box of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from fairtrial.grade import Grading
from fairtrial.run import Engine, Tried
from fairtrial.sandbox import Sandbox
from fairtrial.tasks import Suite, Task
from fairtrial.train.boxed import HandedIn, Sampler, try_all
from fairtrial.train.rewards.protocol import Graded, Sampled


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxTruth:
    """Grades completions of task folders."""

    suite: Suite
    sandbox: Sandbox
    engine: Engine
    sampler: Sampler
    """The policy; its step is that of the attempts."""

    def grade(self, sampled: Sequence[Sampled]) -> list[Graded]:
        """Return a verdict on each; a trial that was lost is ungraded."""
        graded: list[Graded] = []
        for step, members in groupby(sampled, key=lambda one: one.step):
            graded += self._graded(replace(self.sampler, step=step), list(members))
        return graded

    def references(self, step: int) -> tuple[int, int] | None:
        """Return nothing: none is at hand."""
        del step
        return None

    def _graded(self, sampler: Sampler, sampled: Sequence[Sampled]) -> list[Graded]:
        ended = dict(try_all(sampler, [_handed(one) for one in sampled], self.suite, self.sandbox, self.engine))
        return [_said(ended[index]) for index in range(len(sampled))]


def _handed(one: Sampled) -> HandedIn:
    assert isinstance(one.task, Task)
    return HandedIn(task=one.task, completion=one.completion, attempt=one.number, finished=one.finished,
                    output_tokens=one.tokens, group=one.group)  # fmt: skip


def _said(ended: Tried | str) -> Graded:
    if isinstance(ended, str):
        return Graded(grading=Grading(outcome="ungraded", reason="lost", evidence={"error": ended}))
    return Graded(grading=ended.gradings[0], records=(ended.rollout, ended.verdicts, ended.blobs))

"""Task folders in training: every completion tried in a box of its own, through the door that evaluation uses.

A known right answer costs a box of its own. So the references of a few tasks are handed in where they tell most: in the
first step, and in every step of whose attempts none passed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from fairtrial.grade import Grading
from fairtrial.prove.known import known_candidates
from fairtrial.run import Assignment, Engine, Lost, Tried
from fairtrial.run.trial import Trial
from fairtrial.sandbox import Sandbox
from fairtrial.tasks import Suite, Task
from fairtrial.train.boxed import HandedIn, Sampler, grader_of, try_all
from fairtrial.train.rewards.protocol import Graded, Sampled

REFERENCES = 2
"""Tasks whose reference is handed in, in a step where it is."""


@dataclass(slots=True, kw_only=True)
class BoxTruth:
    """Grades completions of task folders."""

    suite: Suite
    sandbox: Sandbox
    engine: Engine
    sampler: Sampler
    """The policy; its step is that of the attempts."""
    first_step: int = 1
    _in_doubt: dict[int, list[Task]] = field(default_factory=dict)
    """Step -> its tasks, where known right answers are to be graded."""

    def grade(self, sampled: Sequence[Sampled]) -> list[Graded]:
        """Return a verdict on each; a trial that was lost is ungraded."""
        graded: list[Graded] = []
        for step, members in groupby(sampled, key=lambda one: one.step):
            attempts = list(members)
            said = self._graded(replace(self.sampler, step=step), attempts)
            if step == self.first_step or not any(one.grading.outcome == "passed" for one in said):
                self._in_doubt = {step: list({one.task.name: _folder(one) for one in attempts}.values())}
            graded += said
        return graded

    def references(self, step: int) -> tuple[int, int] | None:
        """Hand in the references of a few tasks of `step`, where it is in doubt; None where it is not, or has none."""
        trials = [trial for task in self._in_doubt.pop(step, []) for trial in self._of_reference(task)][:REFERENCES]
        ended = [one for one in self.engine.map(trials) if not isinstance(one, Lost)]
        passed = sum(one.value.gradings[0].outcome == "passed" for one in ended)
        return (passed, len(trials)) if trials else None

    def _of_reference(self, task: Task) -> list[Trial]:
        """Return the attempt that hands in the reference; none where the task has no reference. It is kept nowhere."""
        agents = [known.agent for known in known_candidates(self.suite.keys[task.name]) if known.kind == "reference"]
        return [
            Trial(assignment=Assignment(task=task, agent=agent, attempt=0, seed=0, sandbox=self.sandbox,
                                        origin="known"),
                  grader=grader_of(self.suite, task.name, self.sandbox), keep=False)
            for agent in agents
        ]  # fmt: skip

    def _graded(self, sampler: Sampler, sampled: Sequence[Sampled]) -> list[Graded]:
        ended = dict(try_all(sampler, [_handed(one) for one in sampled], self.suite, self.sandbox, self.engine))
        return [_said(ended[index]) for index in range(len(sampled))]


def _folder(one: Sampled) -> Task:
    assert isinstance(one.task, Task)
    return one.task


def _handed(one: Sampled) -> HandedIn:
    return HandedIn(task=_folder(one), completion=one.completion, attempt=one.number, finished=one.finished,
                    output_tokens=one.tokens, group=one.group)  # fmt: skip


def _said(ended: Tried | str) -> Graded:
    if isinstance(ended, str):
        return Graded(grading=Grading(outcome="ungraded", reason="lost", evidence={"error": ended}))
    return Graded(grading=ended.gradings[0], records=(ended.rollout, ended.verdicts, ended.blobs))

"""Completions of task folders, each tried in a box of its own: in training and in evaluation through one door.

A rollout of it carries the training seed and step of the policy that sampled it. A job that was lost (its worker died,
or an error of the harness) comes back as the reason, and is never a failure of the policy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from fairtrial.grade import HarborGrader, read_rules
from fairtrial.run import Assignment, Engine, Lost, Trial, Tried, attempt_seed
from fairtrial.run.agents.completion import CompletionAgent, asked
from fairtrial.sandbox import Sandbox
from fairtrial.tasks import Suite, Task


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampler:
    """The policy that completions come from, as rollouts name it."""

    model: str
    seed: int | None
    """Training seed."""
    step: int | None
    split: str
    sampling: Mapping[str, Any] = field(default_factory=dict)
    """Temperature and most tokens: other settings make other rollouts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedIn:
    """One completion of one task."""

    task: Task
    completion: str
    attempt: int
    finished: bool = True
    input_tokens: int | None = None
    output_tokens: int | None = None
    group: str = ""


def prompt_of(task: Task) -> str:
    """Return what a policy is asked: all that it is told of a task, for it has one turn."""
    return asked(task.instruction, task.environment.workdir)


def grader_of(suite: Suite, task: str, sandbox: Sandbox) -> HarborGrader:
    """Return the grader of one task, as `run` makes it; judged checks have no judge here and are broken."""
    key = suite.keys[task]
    return HarborGrader(key=key, sandbox=sandbox, rules=read_rules(key.grading) if key.grading is not None else None)


def assignment_of(sampler: Sampler, handed: HandedIn, sandbox: Sandbox) -> Assignment:
    """Return the attempt that a completion makes."""
    agent = CompletionAgent(model=sampler.model, completion=handed.completion, finished=handed.finished,
                            input_tokens=handed.input_tokens, output_tokens=handed.output_tokens,
                            sampling=sampler.sampling)  # fmt: skip
    return Assignment(task=handed.task, agent=agent, attempt=handed.attempt, sandbox=sandbox,
                      seed=attempt_seed(sampler.seed or 0, handed.task.name, handed.attempt))  # fmt: skip


def try_all(
    sampler: Sampler, handed: Sequence[HandedIn], suite: Suite, sandbox: Sandbox, engine: Engine
) -> Iterator[tuple[int, Tried | str]]:
    """Yield (place in `handed`, records, or why the job was lost) as trials end, in any order."""
    graders = {name: grader_of(suite, name, sandbox) for name in {one.task.name for one in handed}}
    trials = [Trial(assignment=assignment_of(sampler, one, sandbox), grader=graders[one.task.name]) for one in handed]
    for ended in engine.map(trials):
        if isinstance(ended, Lost):
            yield ended.index, ended.why
        else:
            yield ended.index, _named(ended.value, sampler, handed[ended.index])


def _named(tried: Tried, sampler: Sampler, handed: HandedIn) -> Tried:
    """Return the records under the training seed and step of their policy."""
    rollout = replace(tried.rollout, seed=sampler.seed, step=sampler.step, split=sampler.split, group=handed.group)
    verdicts = tuple(replace(verdict, rollout=rollout.id) for verdict in tried.verdicts)
    return replace(tried, rollout=rollout, verdicts=verdicts)

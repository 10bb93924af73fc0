"""Synthetic runs: steps of groups whose attempts pass at stated rates, for the watch to be tried on.

Rates are per family; a task's own rate is drawn around it once. Not covered: completions that mean something.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from fairtrial.train.log import GroupLine, StepLine
from fairtrial.train.recipe import Watch
from fairtrial.train.watch import Alarm, Attempted, Known, Watcher

Step = tuple[StepLine, list[GroupLine]]


@dataclass(slots=True)
class Run:
    """A policy that passes tasks of each family at a rate, asked `groups` tasks a step, `size` attempts each."""

    rates: Mapping[str, float]
    seed: int = 0
    groups: int = 16
    size: int = 8
    tasks_per_family: int = 150
    concentration: float = 2.0
    references: tuple[int, int] | None = None
    tasks: dict[str, tuple[str, float]] = field(default_factory=dict)
    generator: np.random.Generator = field(init=False)

    def __post_init__(self) -> None:
        """Draw the rate of each task."""
        self.generator = np.random.default_rng(self.seed)
        for family, rate in self.rates.items():
            for number in range(self.tasks_per_family):
                a, b = rate * self.concentration, (1 - rate) * self.concentration
                own = rate if rate in (0.0, 1.0) else float(self.generator.beta(a, b))
                self.tasks[f"{family}-{number}"] = (family, own)

    def step(self, number: int, *, rate: float | None = None, families: Sequence[str] = (), text: str = "") -> Step:
        """Return one step; `rate` in the place of every task's own."""
        names = [name for name, (family, _) in self.tasks.items() if not families or family in families]
        chosen = self.generator.choice(len(names), size=min(self.groups, len(names)), replace=False)
        groups = []
        for index in chosen:
            family, own = self.tasks[names[index]]
            passes = self.generator.random(self.size) < (own if rate is None else rate)
            groups.append(group(number, names[index], family, ["passed" if p else "failed" for p in passes], text))
        return line(number, groups, references=self.references), groups

    def known(self, runs: int = 8) -> Known:
        """Return what an evaluation of every task with so many runs would have found before."""
        return Known(tasks={
            name: Attempted(family=family, graded=runs, passed=int(self.generator.binomial(runs, own)))
            for name, (family, own) in self.tasks.items()
        }, source="a test")  # fmt: skip


def group(
    step: int, task: str, family: str, outcomes: Sequence[str], text: str = "", hacks: tuple[bool | None, ...] = ()
) -> GroupLine:
    """Return one group with these outcomes."""
    n = len(outcomes)
    return GroupLine(
        step=step, stage=1, task=task, family=family, completions=(text or task,) * n, tokens=(4,) * n,
        finished=(True,) * n, outcomes=tuple(outcomes),
        reasons=tuple("grader_crash" if one == "ungraded" else "" for one in outcomes),
        rewards=tuple({"passed": 1.0, "failed": 0.0}.get(one) for one in outcomes), advantages=(0.0,) * n, hacks=hacks,
    )  # fmt: skip


def line(step: int, groups: Sequence[GroupLine], references: tuple[int, int] | None = None) -> StepLine:
    """Return the line of a step with these groups; `references`: how many of how many passed."""
    outcomes = [one for each in groups for one in each.outcomes]
    return StepLine(
        step=step, stage=1, method="grpo", attempts=len(outcomes), passed=outcomes.count("passed"),
        failed=outcomes.count("failed"), ungraded=outcomes.count("ungraded"), groups=len(groups), mean_tokens=4.0,
        entropy=0.5, references_passed=references[0] if references else None,
        references=references[1] if references else None,
    )  # fmt: skip


def watch(steps: Sequence[Step], known: Known | None = None, **settings: object) -> tuple[Watcher, Alarm | None]:
    """Return a watcher that has seen the steps up to the first that pauses, and the alarm that paused."""
    watcher = Watcher(Watch.model_validate(settings), known)
    for step, groups in steps:
        alarm = watcher.observe(step, groups)
        if alarm is not None and alarm.pauses:
            return watcher, alarm
    return watcher, None

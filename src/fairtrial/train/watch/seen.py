"""One step as the watch counts it, from its groups; from its own line where another trainer kept no groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from fairtrial.measure.intervals import clustered_ratio, wilson
from fairtrial.records import Estimate
from fairtrial.train.log import GroupLine, StepLine


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Outcomes of the attempts at one task."""

    task: str
    family: str
    passed: int
    failed: int
    ungraded: int

    @property
    def graded(self) -> int:
        """Return how many were graded."""
        return self.passed + self.failed


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One step."""

    line: StepLine
    groups: tuple[GroupLine, ...]
    counts: tuple[Counts, ...]
    """One a group."""

    @property
    def step(self) -> int:
        """Return its number."""
        return self.line.step

    @property
    def passed(self) -> int:
        """Return how many attempts passed."""
        return sum(one.passed for one in self.counts)

    @property
    def failed(self) -> int:
        """Return how many attempts failed."""
        return sum(one.failed for one in self.counts)

    @property
    def ungraded(self) -> int:
        """Return how many attempts were not graded."""
        return sum(one.ungraded for one in self.counts)

    @property
    def attempts(self) -> int:
        """Return how many attempts there were; 0 where nothing is sampled, as in fine-tuning."""
        return self.passed + self.failed + self.ungraded

    @property
    def is_silent(self) -> bool:
        """Say whether something was graded and nothing passed."""
        return self.failed > 0 and self.passed == 0

    @property
    def references_fail(self) -> bool:
        """Say whether a known right answer failed."""
        line = self.line
        return bool(line.references) and (line.references_passed or 0) < (line.references or 0)

    def completions(self) -> Iterator[tuple[str, str, bool]]:
        """Yield task, text and whether it was finished, of each attempt."""
        for group in self.groups:
            for text, finished in zip(group.completions, group.finished, strict=True):
                yield group.task, text, finished

    def pass_rate(self) -> Estimate | None:
        """Return passes among the graded, clustered by task; None where nothing was graded."""
        graded = [one for one in self.counts if one.graded]
        if not graded:
            return None
        if not self.groups:
            low, high = wilson(self.passed, self.passed + self.failed)
            return Estimate(value=self.passed / (self.passed + self.failed), low=low, high=high, unit="attempts",
                            n=self.passed + self.failed, ungraded=self.ungraded,
                            method="Wilson over attempts: the groups were not kept")  # fmt: skip
        passed, whole = (np.array(column, dtype=np.int64) for column in
                         zip(*((one.passed, one.graded) for one in graded), strict=True))  # fmt: skip
        tasks = {task: number for number, task in enumerate(dict.fromkeys(one.task for one in graded))}
        found = clustered_ratio(passed, whole, np.array([tasks[one.task] for one in graded], dtype=np.int64))
        return Estimate(value=found.value, low=found.low, high=found.high, n=int(whole.sum()), ungraded=self.ungraded,
                        method=found.method, unit="attempts")  # fmt: skip


def seen(line: StepLine, groups: Sequence[GroupLine]) -> Seen:
    """Return the step with its counts."""
    counts = tuple(_counts(group) for group in groups)
    if not groups and line.attempts:
        counts = (Counts(task="", family="", passed=line.passed, failed=line.failed, ungraded=line.ungraded),)
    return Seen(line=line, groups=tuple(groups), counts=counts)


def _counts(group: GroupLine) -> Counts:
    passed, failed = group.outcomes.count("passed"), group.outcomes.count("failed")
    return Counts(task=group.task, family=group.family, passed=passed, failed=failed,
                  ungraded=len(group.outcomes) - passed - failed)  # fmt: skip

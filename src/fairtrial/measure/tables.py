"""Per-model counts by task, from the grouped cells of a ledger."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairtrial.ledger.observed import FAILED, PASSED, UNGRADED, Observed
from fairtrial.measure.cells import Tally

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

LIMIT_WORDS = ("limit", "timeout", "timed_out", "max_", "exceeded", "exhausted", "length", "budget")


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskCounts:
    """Outcomes of one model by task. Arrays over all tasks of the ledger, zero where it did not attempt one."""

    passed: Integers
    failed: Integers
    ungraded: Integers
    limit_passed: Integers
    """Passes of rollouts that stopped at a limit of turns, time, tokens or money."""
    cluster: Integers

    @property
    def graded(self) -> Integers:
        """Return passes and fails together."""
        return self.passed + self.failed

    def tally(self) -> Tally:
        """Return (n, c) of the tasks with a graded attempt."""
        kept = self.graded > 0
        return Tally(n=self.graded[kept], c=self.passed[kept], cluster=self.cluster[kept])

    def rates(self) -> Floats:
        """Return the pass rate of the tasks with a graded attempt."""
        kept = self.graded > 0
        return self.passed[kept] / self.graded[kept]

    def bounds(self) -> tuple[float, float]:
        """Return the mean rate with every ungraded attempt as a fail, and as a pass."""
        every = self.graded + self.ungraded
        kept = every > 0
        return (float((self.passed[kept] / every[kept]).mean()),
                float(((self.passed + self.ungraded)[kept] / every[kept]).mean()))  # fmt: skip


def is_limit(stop: str) -> bool:
    """Say whether a rollout that stopped for this reason ran into a limit.

    >>> [is_limit(stop) for stop in ("finished", "turn_limit", "agent_timeout", "max_tokens", "agent_error")]
    [False, True, True, True, False]
    """
    return any(word in stop.lower() for word in LIMIT_WORDS)


def counts_by_subject(observed: Observed) -> tuple[TaskCounts, ...]:
    """Return the counts of each subject, in the order of `observed.subjects`."""
    cells, tasks = observed.cells, len(observed.tasks)
    limited = np.array([is_limit(stop) for stop in observed.stops], dtype=bool)[cells.stop]
    size = len(observed.subjects) * tasks
    where = cells.subject * tasks + cells.task

    def total(chosen: NDArray[np.bool_]) -> Integers:
        counted = np.bincount(where[chosen], weights=cells.count[chosen], minlength=size)
        return counted.astype(np.int64).reshape(-1, tasks)

    passed, failed, ungraded = (total(cells.outcome == outcome) for outcome in (PASSED, FAILED, UNGRADED))
    limit_passed = total((cells.outcome == PASSED) & limited)
    return tuple(
        TaskCounts(passed=passed[i], failed=failed[i], ungraded=ungraded[i], limit_passed=limit_passed[i],
                   cluster=observed.cluster)
        for i in range(len(observed.subjects))
    )  # fmt: skip

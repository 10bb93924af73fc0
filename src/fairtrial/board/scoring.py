"""The score of a row: the mean over graded runs of a task, then over tasks, then over tracks by weight.

Intervals are over clusters of tasks (`measure.intervals.clustered`). A weighted mean of tracks, whose tasks are not the
same, has the interval of Zou and Donner's MOVER (2008): each end lies sqrt(sum w^2 (mean - end)^2) away, so that it
degenerates no more than the tracks' own do. Ungraded runs are left out, counted, and bounded: what the score would be
with each a fail, and each a pass. A task without a graded run has no mean, and its row no score.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairtrial.board.locking import Lock
from fairtrial.board.runs import Run
from fairtrial.measure.intervals import clustered_mean
from fairtrial.records import Estimate

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_OUTCOMES = {"passed": 0, "failed": 1, "ungraded": 2}


@dataclass(frozen=True, slots=True)
class Tally:
    """Outcomes of one run by task of its lock: (3, tasks), passed, failed, ungraded."""

    counts: Integers

    @property
    def graded(self) -> Integers:
        """Return how many runs of each task are graded."""
        found: Integers = self.counts[0] + self.counts[1]
        return found

    @property
    def ungraded(self) -> int:
        """Return how many runs are ungraded."""
        return int(self.counts[2].sum())

    def rates(self) -> Floats:
        """Return the pass rate of each task; NaN marks a task without a graded run."""
        graded = self.graded
        return np.where(graded > 0, self.counts[0] / np.maximum(graded, 1), np.nan)

    def bounds(self) -> tuple[float, float]:
        """Return the mean over tasks with every ungraded run a fail, and a pass."""
        every = np.maximum(self.counts.sum(axis=0), 1)
        return float((self.counts[0] / every).mean()), float(((self.counts[0] + self.counts[2]) / every).mean())


def tally_of(run: Run, lock: Lock) -> Tally:
    """Return the outcomes of `run` by task of `lock`."""
    place = {task: index for index, task in enumerate(lock.tasks)}
    counts = np.zeros((3, len(lock.tasks)), dtype=np.int64)
    for one in run.attempts:
        counts[_OUTCOMES[one.outcome], place[one.task]] += 1
    return Tally(counts)


def clusters_of(lock: Lock) -> Integers:
    """Return the cluster of each task as a number."""
    found: Integers = np.unique(np.array(lock.clusters, dtype=object), return_inverse=True)[1].astype(np.int64)
    return found


def accuracy(rates: Floats, cluster: Integers, ungraded: int, confidence: float) -> Estimate:
    """Return the mean of the tasks' rates with its interval over clusters."""
    found = clustered_mean(rates, cluster, confidence=confidence)
    return Estimate(value=found.value, low=found.low, high=found.high, n=len(rates), ungraded=ungraded,
                    method=f"mean over tasks; {found.method}")  # fmt: skip


def weighted(parts: Sequence[Estimate], weights: Sequence[float]) -> Estimate:
    """Return the weighted mean of estimates that rest on different tasks. Weights sum to 1.

    >>> one = Estimate(value=.5, low=.4, high=.6, n=10, method="stated")
    >>> both = weighted([one, one], [.5, .5])
    >>> both.value, round(both.low, 4), both.n
    (0.5, 0.4293, 20)
    """
    if len(parts) == 1:
        return parts[0]
    values = [(part.value or 0.0, part.low or 0.0, 1.0 if part.high is None else part.high) for part in parts]
    value = sum(weight * one[0] for weight, one in zip(weights, values, strict=True))
    below = math.sqrt(sum((weight * (one[0] - one[1])) ** 2 for weight, one in zip(weights, values, strict=True)))
    above = math.sqrt(sum((weight * (one[2] - one[0])) ** 2 for weight, one in zip(weights, values, strict=True)))
    return Estimate(
        value=value, low=max(0.0, value - below), high=min(1.0, value + above), n=sum(part.n for part in parts),
        ungraded=sum(part.ungraded for part in parts), method="weighted mean of tracks, MOVER over their intervals",
    )  # fmt: skip

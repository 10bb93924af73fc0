"""Two phases: a judge labelled a sample, people read a random part of it. What both corrections take and give.

Shapes only; the estimators have a file each.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairtrial.measure.intervals.weighted import Share, by_cluster

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

RIGHT, WRONG, UNLABELLED = 0, 1, 2
"""What a judge says of a verdict; UNLABELLED: people alone read it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Population:
    """The finite population that the sample was drawn from, by stratum."""

    stratum: Integers
    """Of each row."""
    size: Floats
    """Of each stratum, by code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoPhase:
    """Rollouts of a sample with a label of a judge, of people, or both. Arrays of one length."""

    label: Integers
    """RIGHT, WRONG or UNLABELLED."""
    truth: Floats
    """1 where people say that the verdict is wrong, 0 right; NaN where they did not read it."""
    weight: Floats
    """How many of the population the row stands for, in the sample."""
    chance: Floats
    """With which people were to read the row, given that it is in the sample; above 0 where they did."""
    cluster: Integers

    @property
    def read(self) -> NDArray[np.bool_]:
        """Return which rows people read."""
        found: NDArray[np.bool_] = ~np.isnan(self.truth)
        return found

    @property
    def read_weight(self) -> Floats:
        """Return how many of the population a row stands for among those that people read; 0 where they did not."""
        weight = np.zeros(len(self.weight))
        weight[self.read] = self.weight[self.read] / self.chance[self.read]
        return weight


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """A corrected share; `share` is None where it cannot be had, and `why` says why."""

    share: Share | None
    judge_alone: float | None
    """The share by the judge's labels, uncorrected."""
    power: float | None = None
    """Prediction-powered: the weight lambda of the judge's labels. 1: as good as people; 0: worth nothing."""
    why: str = ""


def effective_clusters(weight: Floats, cluster: Integers) -> float:
    """Return (sum w)^2 / sum_g w_g^2."""
    sizes = by_cluster(weight, cluster)
    return float(sizes.sum() ** 2 / (sizes**2).sum())

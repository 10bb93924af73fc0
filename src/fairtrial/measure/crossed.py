"""The mean of differences by training seed and task, with an interval that carries both: another seed, other tasks.

Seeds and clusters of tasks are two draws that cross. The variance of the mean is that between clusters, and what the
seeds differ by beyond what their cells do (Cameron, Gelbach and Miller 2011); Student's t has Satterthwaite's degrees
of freedom, one less than the seeds at least; where seeds differ by more than their cells, it is never narrower than the
t interval of the seeds' own means. Its shape is that of the bootstrap over clusters. With one seed it is
`comparison.paired_interval`, and says nothing of another training of the same recipe.
Not covered: which seeds pair with which (`train.lift`); its coverage is simulated in `train.lift.coverage`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairtrial.measure.comparison import paired_interval, resampled_means, unseen_reach
from fairtrial.measure.intervals.quantiles import normal_quantile, t_quantile

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_NO_VARIANCE = 1e-15


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossedMean:
    """A mean over seeds and tasks."""

    value: float
    low: float
    high: float
    standard_error: float
    degrees: float
    seeds: int
    clusters: int
    method: str
    spread: Spread


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """The variance of the mean of a (seeds, tasks) table, and how sure that variance is."""

    variance: float
    degrees: float
    of_clusters: float
    """The part of the variance that other tasks would bring."""
    of_seeds: float = 0.0
    """The variance of the mean of the seeds' own means; 0 where seeds differ by no more than their cells do."""
    seeds: int = 1

    def reach(self, confidence: float) -> float:
        """Return half the width of a t interval of the mean.

        Where seeds differ by more than their cells do it is that of the seeds' means alone at least: degrees of freedom
        that are estimated too are many where the seeds lie close by chance (measured: .92 instead of .94).
        """
        wide = t_quantile(confidence, self.degrees) * math.sqrt(self.variance)
        if self.of_seeds > 0:
            wide = max(wide, t_quantile(confidence, self.seeds - 1.0) * math.sqrt(self.of_seeds))
        return wide


def crossed_mean(
    values: Floats, cluster: Integers, generator: np.random.Generator, *, replicates: int, confidence: float = 0.95
) -> CrossedMean:
    """Return the mean of `values`, shape (seeds, tasks) in [-1, 1] with every cell measured, and its interval.

    Raise ValueError where there is no cell.
    """
    seeds, tasks = values.shape
    if values.size == 0:
        raise ValueError("a mean needs at least one task and one seed")
    by_task = values.mean(axis=0)
    mean, found, clusters = float(by_task.mean()), spread_of(values, cluster), len(np.unique(cluster))
    if seeds == 1 or clusters < 2 or found.variance <= _NO_VARIANCE:
        low, high = paired_interval(by_task, cluster, generator, replicates=replicates, confidence=confidence)
    else:
        low, high = _stretched(by_task, cluster, found, generator, replicates, confidence)
    named = "tasks" if clusters == tasks else "clusters of tasks"
    method = f"mean over tasks, paired; bootstrap over {named}, t"
    if seeds > 1:
        method = (f"mean over tasks and {seeds} training seeds, paired by both; bootstrap over {named} joined with the "
                  f"spread between seeds, t with {found.degrees:.1f} degrees of freedom")  # fmt: skip
    return CrossedMean(value=mean, low=max(-1.0, low), high=min(1.0, high), standard_error=found.variance**0.5,
                       degrees=found.degrees, seeds=seeds, clusters=clusters, method=method, spread=found)  # fmt: skip


def _stretched(
    by_task: Floats, cluster: Integers, found: Spread, generator: np.random.Generator, replicates: int,
    confidence: float,
) -> tuple[float, float]:  # fmt: skip
    """Return the percentiles of the bootstrap over clusters, stretched about the mean to the whole variance."""
    mean, wide = float(by_task.mean()), found.reach(confidence)
    if found.of_clusters <= _NO_VARIANCE:
        below, above = unseen_reach(mean, len(np.unique(cluster)), confidence)
        return mean - max(wide, below), mean + max(wide, above)
    means = resampled_means(by_task, cluster, generator, replicates)
    low, high = np.quantile(means, ((1 - confidence) / 2, (1 + confidence) / 2))
    unit = wide / (normal_quantile(confidence) * float(means.std()))
    return mean + unit * (float(low) - mean), mean + unit * (float(high) - mean)


def spread_of(values: Floats, cluster: Integers) -> Spread:
    """Return the variance of the mean of `values`, (seeds, tasks), over both draws.

    With v_c between clusters, v_s between seeds and v_e between their cells, each of the mean and with its C / (C - 1)
    or S / (S - 1): v = v_c + max(0, v_s - v_e), v_s at least. Degrees of freedom: v^2 over the sum of v_x^2 / d_x,
    between S - 1 and C - 1. With one seed it is v_c alone.

    >>> found = spread_of(np.array([[0.1, 0.3], [0.3, 0.5]]), np.array([0, 1]))
    >>> round(found.variance, 4), round(found.of_clusters, 4), round(found.degrees, 1)
    (0.02, 0.01, 1.0)
    """
    seeds, tasks = values.shape
    _, index = np.unique(cluster, return_inverse=True)
    clusters = int(index.max()) + 1
    if clusters < 2:
        return Spread(variance=0.0, degrees=1.0, of_clusters=0.0)
    by_task, by_seed, mean = values.mean(axis=0), values.mean(axis=1), float(values.mean())
    of_clusters = (
        _squares(np.bincount(index, weights=by_task - mean).astype(np.float64)) / tasks**2 * clusters / (clusters - 1)
    )
    if seeds == 1:
        return Spread(variance=of_clusters, degrees=clusters - 1.0, of_clusters=of_clusters)
    of_seeds = _squares(by_seed - mean) / seeds / (seeds - 1)
    left = values - by_task[None, :] - by_seed[:, None] + mean
    cells = np.array([np.bincount(index, weights=row, minlength=clusters) for row in left])
    of_cells = _squares(cells) / (tasks * seeds) ** 2 * seeds / (seeds - 1) * clusters / (clusters - 1)
    variance = max(of_clusters + max(0.0, of_seeds - of_cells), of_seeds)
    parts = ((of_seeds, seeds - 1), (of_clusters, clusters - 1), (of_cells, (seeds - 1) * (clusters - 1)))
    doubt = sum(part**2 / degrees for part, degrees in parts)
    degrees = variance**2 / doubt if doubt > 0 else 1.0
    least, most = sorted((seeds - 1.0, clusters - 1.0))
    return Spread(variance=variance, degrees=min(most, max(least, degrees)), of_clusters=of_clusters, seeds=seeds,
                  of_seeds=of_seeds if of_seeds > of_cells else 0.0)  # fmt: skip


def _squares(values: Floats) -> float:
    return float((values**2).sum())


def detectable(found: CrossedMean, confidence: float = 0.95, power: float = 0.8) -> float | None:
    """Return the gain that would lie beyond noise in `power` of such measurements; None where no spread was seen.

    Half the width of the interval + t at the power, one-sided, x standard error.
    """
    if found.standard_error <= 0:
        return None
    beyond = t_quantile(2 * power - 1, found.degrees) * found.standard_error
    return min(1.0, found.spread.reach(confidence) + beyond)

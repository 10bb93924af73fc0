"""The mean of shares in [0, 1] over tasks that come in clusters, with an interval that does not degenerate.

Of several candidates (normal, t, Korn and Graubard 1998, shrunken variance) Wilson on n_eff = p (1 - p) / v with the
t quantile covers best on the grid of `coverage`, where v is the cluster-robust variance with its C / (C - 1).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairtrial.measure.intervals.quantiles import normal_quantile, t_quantile
from fairtrial.measure.intervals.wilson import effective_wilson

_NO_VARIANCE = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusteredMean:
    """A mean over tasks, its standard error and interval."""

    value: float
    low: float
    high: float
    standard_error: float
    clusters: int
    method: str


def clustered_mean(
    values: NDArray[np.float64], cluster: NDArray[np.int64], *, confidence: float = 0.95
) -> ClusteredMean:
    """Return the mean of `values`, one a task in [0, 1], with the interval over clusters.

    v = C / (C - 1) sum_g (sum_{t in g} (x_t - mean))^2 / T^2; Wilson on p (1 - p) / v, t with C - 1 degrees of
    freedom. Where v = 0, or there is one cluster, Wilson with n_eff = C. C is the effective number of clusters,
    T^2 / sum size^2, which is their number where they are equally large. Raise ValueError where there is no task.
    """
    if len(values) == 0:
        raise ValueError("a mean needs at least one task")
    _, index = np.unique(cluster, return_inverse=True)
    sizes = np.bincount(index).astype(np.float64)
    mean = float(values.mean())
    residuals = np.bincount(index, weights=values - mean)
    clusters, effective = len(sizes), float(sizes.sum() ** 2 / (sizes**2).sum())
    variance = 0.0
    if clusters > 1:
        variance = float((residuals**2).sum()) / len(values) ** 2 * clusters / (clusters - 1)
    low, high = interval_of_mean(mean, variance, effective, confidence)
    named = "tasks" if clusters == len(values) else "clusters of tasks"
    return ClusteredMean(value=mean, low=low, high=high, standard_error=variance**0.5, clusters=clusters,
                         method=f"Wilson on n_eff over {named}, t")  # fmt: skip


def clustered_ratio(
    part: NDArray[np.int64], whole: NDArray[np.int64], cluster: NDArray[np.int64], *, confidence: float = 0.95
) -> ClusteredMean:
    """Return sum(part) / sum(whole) over tasks (0 <= part <= whole), with the interval over clusters.

    The linearised variance of a ratio, C / (C - 1) sum_g (part_g - r whole_g)^2 / (sum whole)^2, then as for the mean.
    Raise ValueError where `whole` is nothing.
    """
    total = float(whole.sum())
    if total <= 0:
        raise ValueError("a ratio needs something to be a share of")
    _, index = np.unique(cluster, return_inverse=True)
    parts = np.bincount(index, weights=part.astype(np.float64))
    sizes = np.bincount(index, weights=whole.astype(np.float64))
    ratio = float(parts.sum()) / total
    clusters, effective = int((sizes > 0).sum()), float(total**2 / (sizes**2).sum())
    variance = 0.0
    if clusters > 1:
        variance = float(((parts - ratio * sizes) ** 2).sum()) / total**2 * clusters / (clusters - 1)
    low, high = interval_of_mean(ratio, variance, effective, confidence)
    return ClusteredMean(value=ratio, low=low, high=high, standard_error=variance**0.5, clusters=clusters,
                         method="ratio over clusters of tasks, Wilson on n_eff, t")  # fmt: skip


def interval_of_mean(mean: float, variance: float, clusters: float, confidence: float = 0.95) -> tuple[float, float]:
    """Return the interval of a mean in [0, 1] whose variance was estimated from `clusters` effective clusters."""
    mean = min(1.0, max(0.0, mean))
    if variance <= _NO_VARIANCE or mean in (0.0, 1.0):
        return effective_wilson(mean, clusters, normal_quantile(confidence))
    critical = t_quantile(confidence, max(clusters - 1, 1.0))
    return effective_wilson(mean, mean * (1 - mean) / variance, critical)

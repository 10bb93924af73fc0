"""One model against another on the tasks both attempted: paired lift, fixes, regressions, exact McNemar.

Not covered: several training seeds, paired by seed; that is `train.lift`, which calls this for each.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fairtrial.measure.intervals.quantiles import t_quantile
from fairtrial.measure.result import Comparison
from fairtrial.measure.tables import TaskCounts
from fairtrial.records import Estimate

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_ALIKE = 1e-9
"""Rates are ratios of counts: 7/10 - 6/10 and 1/10 are one difference, and differ in the last digit."""


def mcnemar_exact(fixes: int, regressions: int) -> float:
    """Return the two-sided exact p of McNemar's test on the pairs that differ (a binomial at 1/2).

    >>> f"{mcnemar_exact(79, 25):.4g}"
    '1.054e-07'
    """
    n = fixes + regressions
    tail = sum(math.comb(n, i) for i in range(min(fixes, regressions) + 1))
    return float(min(1.0, 2 * tail / 2**n))


def share_of_failures_fixed(base: float, trained: float) -> float | None:
    """Return gain / (1 - base); None where nothing failed.

    >>> round(share_of_failures_fixed(0.356, 0.478), 3)
    0.189
    """
    return None if base >= 1 else (trained - base) / (1 - base)


def paired_standard_error(differences: Floats) -> float:
    """Return the standard error of the mean of paired differences, ddof 1.

    >>> round(paired_standard_error(np.array([1.0] * 79 + [-1.0] * 25 + [0.0] * 396)), 5)
    0.01984
    """
    return float(differences.std(ddof=1) / math.sqrt(len(differences)))


def paired_interval(
    differences: Floats, cluster: Integers, generator: np.random.Generator, *, replicates: int, confidence: float
) -> tuple[float, float]:
    """Return the interval of the mean difference by a bootstrap over clusters, in [-1, 1].

    Percentiles are stretched about the mean by t over z and sqrt(C / (C - 1)), since few clusters vary too little when
    resampled. Where no cluster differs from another in its mean, `unseen_reach` stands in, so that it does not
    degenerate.
    """
    _, index = np.unique(cluster, return_inverse=True)
    of_clusters = np.bincount(index, weights=differences) / np.bincount(index)
    clusters, mean = len(of_clusters), float(differences.mean())
    if clusters < 2 or float(np.ptp(of_clusters)) <= _ALIKE:
        below, above = unseen_reach(mean, clusters, confidence)
        return mean - below, mean + above
    means = resampled_means(differences, cluster, generator, replicates)
    low, high = np.quantile(means, ((1 - confidence) / 2, (1 + confidence) / 2))
    stretch = t_quantile(confidence, clusters - 1) / t_quantile(confidence, 1e9) * math.sqrt(clusters / (clusters - 1))
    return max(-1.0, mean + stretch * (float(low) - mean)), min(1.0, mean + stretch * (float(high) - mean))


def unseen_share(clusters: int, confidence: float) -> float:
    """Return the exact upper end, two-sided, of a share of which none was seen in `clusters`.

    >>> round(unseen_share(6, 0.95), 3)
    0.459
    """
    return -math.expm1(math.log((1 - confidence) / 2) / max(clusters, 1))


def unseen_reach(mean: float, clusters: int, confidence: float) -> tuple[float, float]:
    """Return how far below and above `mean`, of a difference in [-1, 1] that all clusters share, the true mean may lie.

    It is what it would be if `unseen_share` of the tasks went wholly the other way: (1 - q) mean - q, and likewise
    above. Five tasks that all turned from fail to pass are so no gain beyond noise, as by a sign test; six are.

    >>> [round(1 - unseen_reach(1.0, clusters, 0.95)[0], 3) for clusters in (1, 5, 6)]
    [-0.95, -0.044, 0.082]
    """
    share = unseen_share(clusters, confidence)
    return share * (1 + mean), share * (1 - mean)


def resampled_means(differences: Floats, cluster: Integers, generator: np.random.Generator, replicates: int) -> Floats:
    """Return the mean of `differences` in each bootstrap replicate over whole clusters: (replicates,).

    Clusters of equal size and sum are of one kind, so that a draw is a multinomial over the kinds.
    """
    _, index = np.unique(cluster, return_inverse=True)
    sizes, sums = np.bincount(index).astype(np.float64), np.bincount(index, weights=differences)
    kinds, kind_counts = np.unique(np.column_stack([sizes, sums]), axis=0, return_counts=True)
    drawn = generator.multinomial(len(sizes), kind_counts / len(sizes), size=replicates)
    means: Floats = (drawn @ kinds[:, 1]) / (drawn @ kinds[:, 0])
    return means


def compare(
    a: tuple[str, TaskCounts], b: tuple[str, TaskCounts], seed: int, replicates: int, confidence: float
) -> Comparison | None:
    """Return b against a, (label, counts) each, on the tasks both attempted; None where there are none."""
    first, second = a[1], b[1]
    both = np.flatnonzero((first.graded > 0) & (second.graded > 0))
    if len(both) == 0:
        return None
    before = first.passed[both] / first.graded[both]
    after = second.passed[both] / second.graded[both]
    change = after - before
    low, high = paired_interval(change, first.cluster[both], np.random.default_rng(seed), replicates=replicates,
                                confidence=confidence)  # fmt: skip
    single = bool((first.graded[both] == 1).all() and (second.graded[both] == 1).all())
    return Comparison(
        a=a[0], b=b[0], tasks=len(both), fixes=float(np.maximum(change, 0).mean()),
        regressions=float(np.maximum(-change, 0).mean()),
        mcnemar_p=mcnemar_exact(int((change > 0).sum()), int((change < 0).sum())) if single else None,
        difference=Estimate(value=float(change.mean()), low=low, high=high, n=len(both),
                            ungraded=int(first.ungraded.sum() + second.ungraded.sum()),
                            method="mean over tasks, paired; bootstrap over clusters, t"),
    )  # fmt: skip

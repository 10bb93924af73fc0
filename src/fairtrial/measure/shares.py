"""The share of answers for which something holds, where answers come in clusters: one estimate, never a bare ratio."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairtrial.measure.intervals import clustered_ratio
from fairtrial.records import Estimate


def share_over_clusters(told: Sequence[tuple[str, bool]], unit: str) -> Estimate:
    """Return the share of `told` (cluster, whether it holds) that is true, with its interval over clusters.

    `value` is None where nothing was told.

    >>> share_over_clusters([("a", True), ("a", False), ("b", True)], "answers").value == 2 / 3
    True
    """
    if not told:
        return Estimate(value=None, low=None, high=None, n=0, method="nothing to compare", unit=unit)
    clusters = sorted({cluster for cluster, _ in told})
    index = {cluster: number for number, cluster in enumerate(clusters)}
    part, whole = np.zeros(len(clusters), dtype=np.int64), np.zeros(len(clusters), dtype=np.int64)
    for cluster, is_so in told:
        part[index[cluster]] += is_so
        whole[index[cluster]] += 1
    ratio = clustered_ratio(part, whole, np.arange(len(clusters)))
    return Estimate(value=ratio.value, low=ratio.low, high=ratio.high, n=len(told), method=ratio.method, unit=unit)

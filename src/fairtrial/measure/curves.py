"""pass@k and pass^k over k, averaged over the tasks with n >= k, with simultaneous bands over clusters of tasks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fairtrial.measure.attempts import all_pass_table, curve_ks
from fairtrial.measure.cells import CellTable
from fairtrial.measure.intervals.quantiles import normal_quantile, t_quantile
from fairtrial.measure.intervals.wilson import effective_wilson
from fairtrial.measure.result import Curve

Floats = NDArray[np.float64]
_METHOD = "unbiased, mean over tasks with n >= k; simultaneous {level:.0%} band, cluster bootstrap, Wilson form"


def attempt_curves(cells: CellTable, weights: Floats, confidence: float) -> tuple[Curve, Curve]:
    """Return the curves of pass@k and pass^k for k = 1 to the largest n.

    `weights` holds the tasks of each cell in each bootstrap replicate. At each k the tasks with n >= k are averaged
    and counted; nothing is extrapolated.
    """
    ks = curve_ks(int(cells.n.max(initial=0)))
    included = (cells.n[:, None] >= np.array(ks)[None, :]).astype(np.float64)
    all_fail = np.nan_to_num(all_pass_table(cells.n, cells.n - cells.c, ks))
    all_pass = np.nan_to_num(all_pass_table(cells.n, cells.c, ks))
    some_pass = np.where(included > 0, 1.0 - all_fail, 0.0)
    effective = cells.effective_clusters(included)
    tasks = cells.tasks @ included
    drawn = weights @ included
    pair = []
    for table in (some_pass, all_pass):
        value = (cells.tasks @ table) / tasks
        with np.errstate(invalid="ignore", divide="ignore"):
            replicates = np.where(drawn > 0, (weights @ table) / drawn, np.nan)
        low, high = simultaneous_band(value, replicates, effective, confidence)
        pair.append(Curve(k=ks, value=_plain(value), low=_plain(low), high=_plain(high),
                          tasks=tuple(int(t) for t in tasks), method=_METHOD.format(level=confidence)))  # fmt: skip
    return pair[0], pair[1]


def simultaneous_band(value: Floats, replicates: Floats, effective: Floats, confidence: float) -> tuple[Floats, Floats]:
    """Return the ends of a band that holds the whole curve with `confidence`.

    The critical value is the quantile of the largest studentised deviation over the curve (sup-t; Montiel Olea and
    Plagborg-Moller 2019), widened as t is against the normal; at each point the interval has Wilson's form on
    n_eff = v (1 - v) / se^2, or on the effective number of clusters where the bootstrap shows no variance.
    Shapes: value (points,), replicates (draws, points) with NaN where a draw holds no task, effective (points,).
    """
    seen = np.isfinite(replicates)
    counted = np.maximum(seen.sum(axis=0), 1)
    deviation = np.where(seen, replicates - value, 0.0)
    variance = (deviation**2).sum(axis=0) / counted
    moving = variance > 1e-12
    critical = normal_quantile(confidence)
    if moving.any():
        largest = (np.abs(deviation[:, moving]) / np.sqrt(variance[moving])).max(axis=1)
        critical = max(critical, float(np.quantile(largest, confidence)))
    low, high = np.empty_like(value), np.empty_like(value)
    for i, share in enumerate(value):
        clusters = float(effective[i])
        n_effective, wide = clusters, critical
        if moving[i] and clusters > 1 and 0 < share < 1:
            n_effective = share * (1 - share) / (variance[i] * clusters / (clusters - 1))
            wide = critical * t_quantile(confidence, clusters - 1) / normal_quantile(confidence)
        low[i], high[i] = effective_wilson(min(1.0, max(0.0, float(share))), n_effective, wide)
    return low, high


def _plain(values: Floats) -> tuple[float, ...]:
    return tuple(float(value) for value in values)

"""pass@k and pass^k over k, averaged over the tasks with n >= k, with simultaneous bands over clusters of tasks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fairtrial.measure.attempts import all_pass_table, curve_ks
from fairtrial.measure.cells import CellTable
from fairtrial.measure.intervals.quantiles import normal_quantile, t_quantile
from fairtrial.measure.intervals.wilson import effective_wilson
from fairtrial.measure.prior import Prior
from fairtrial.measure.result import Curve

Floats = NDArray[np.float64]
_MOST_SIZES = 64
_PRIOR_DRAWS = 32
_METHOD = "unbiased, mean over tasks with n >= k; simultaneous {level:.0%} band, cluster bootstrap, Wilson form"


def attempt_curves(cells: CellTable, weights: Floats, prior: Prior, confidence: float) -> tuple[Curve, Curve]:
    """Return the curves of pass@k and pass^k for k = 1 to the largest n.

    `weights` holds the tasks of each cell in each bootstrap replicate; `prior` is the suite's. At each k the tasks
    with n >= k are averaged and counted; nothing is extrapolated.
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
    spreads = modelled_variance(cells, prior, ks)
    for table, spread, rises in zip((some_pass, all_pass), spreads, (True, False), strict=True):
        value = (cells.tasks @ table) / tasks
        with np.errstate(invalid="ignore", divide="ignore"):
            replicates = np.where(drawn > 0, (weights @ table) / drawn, np.nan)
        low, high = simultaneous_band(value, replicates, effective, spread / effective, confidence)
        low, high = monotone_band(low, high, tasks, rises=rises)
        pair.append(Curve(k=ks, value=_plain(value), low=_plain(low), high=_plain(high),
                          tasks=tuple(int(t) for t in tasks), method=_METHOD.format(level=confidence)))  # fmt: skip
    return pair[0], pair[1]


def modelled_variance(cells: CellTable, prior: Prior, ks: tuple[int, ...]) -> tuple[Floats, Floats]:
    """Return the variance among tasks of the estimates of pass@k and pass^k that the prior leads one to expect.

    Summed over c of the beta-binomial, for the (at most 64 most frequent) n of the suite, averaged over draws of the
    prior. A bootstrap cannot see the rare task that passes k times out of k before one is drawn; where pass^k is
    small that is nearly all the variance.
    """
    sizes, where = np.unique(cells.n, return_inverse=True)
    tasks = np.bincount(where, weights=cells.tasks)
    kept = np.argsort(-tasks, kind="stable")[:_MOST_SIZES]
    a, b = prior.draws(_PRIOR_DRAWS, np.random.default_rng(0))
    total, moments = np.zeros(len(ks)), np.zeros((2, len(ks)))
    for n, count in zip(sizes[kept].tolist(), tasks[kept].tolist(), strict=True):
        chance = _beta_binomial(n, a, b)
        defined = count * (np.array(ks) <= n)
        for i, successes in enumerate((n - np.arange(n + 1), np.arange(n + 1))):
            table = _log_ratio_table(n, successes, ks)
            moments[i] += defined * (chance @ table**2 - (chance @ table) ** 2).mean(axis=0)
        total += defined
    unknown = total == 0
    variance = np.where(unknown, 0.25, moments / np.where(unknown, 1.0, total))
    return variance[0], variance[1]


def _beta_binomial(n: int, a: Floats, b: Floats) -> Floats:
    """Return the chance of each c = 0 to n under each Beta(a, b): (draws, n + 1)."""
    from scipy.special import betaln, gammaln

    c = np.arange(n + 1)
    choose = gammaln(n + 1) - gammaln(c + 1) - gammaln(n - c + 1)
    chance: Floats = np.exp(choose + betaln(a[:, None] + c, b[:, None] + n - c) - betaln(a, b)[:, None])
    return chance


def _log_ratio_table(n: int, successes: NDArray[np.int64], ks: tuple[int, ...]) -> Floats:
    """Return C(successes, k) / C(n, k) by log-gamma, 0 where successes or n is below k: (successes, ks)."""
    from scipy.special import gammaln

    enough = successes[:, None] >= np.array(ks)
    k = np.where(enough, np.array(ks), 0)
    table: Floats = enough * np.exp(gammaln(successes[:, None] + 1) - gammaln(successes[:, None] - k + 1)
                                    - gammaln(n + 1) + gammaln(n - k + 1))  # fmt: skip
    return table


def simultaneous_band(
    value: Floats, replicates: Floats, effective: Floats, least_variance: Floats, confidence: float
) -> tuple[Floats, Floats]:
    """Return the ends of a band that holds the whole curve with `confidence`.

    The critical value is the quantile of the largest studentised deviation over the curve (sup-t; Montiel Olea and
    Plagborg-Moller 2019), widened as t is against the normal; at each point the interval has Wilson's form on
    n_eff = v (1 - v) / se^2, or on the effective number of clusters where the bootstrap shows no variance. se^2 is that
    of the bootstrap, `least_variance` at least.
    Shapes: replicates (draws, points) with NaN where a draw holds no task; the others (points,).
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
            spread = max(float(variance[i]) * clusters / (clusters - 1), float(least_variance[i]))
            n_effective = share * (1 - share) / spread
            wide = critical * t_quantile(confidence, clusters - 1) / normal_quantile(confidence)
        low[i], high[i] = effective_wilson(min(1.0, max(0.0, float(share))), n_effective, wide)
    return low, high


def monotone_band(low: Floats, high: Floats, tasks: Floats, *, rises: bool) -> tuple[Floats, Floats]:
    """Return the band narrowed by what is known: over the same tasks pass@k rises with k and pass^k falls.

    A band that holds the whole curve holds a rising one no lower than its lower end at any smaller k, and no higher
    than its upper end at any larger. Where the tasks with n >= k change, the two sides say nothing of each other.
    """
    low, high = low.copy(), high.copy()
    for same in np.split(np.arange(len(tasks)), np.flatnonzero(np.diff(tasks)) + 1):
        order = same if rises else same[::-1]
        low[order] = np.maximum.accumulate(low[order])
        high[order[::-1]] = np.minimum.accumulate(high[order[::-1]])
    return low, high


def _plain(values: Floats) -> tuple[float, ...]:
    return tuple(float(value) for value in values)

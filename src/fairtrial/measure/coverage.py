"""The self-check: do the intervals cover? Simulated truth, a fixed grid, the coverage of each interval.

Grid: n in {10, 20, 40, 80}, p in {.02, .05, .1, .3, .5, .7, .9}, clusters of 1, 4, 8. Clusters come in two designs:
n tasks of m attempts each, whose rates differ from task to task, and n tasks in groups of m near copies. Both draw the
rates of tasks or groups from a Beta with the intra-cluster correlations below. Bars: mean coverage of two-sided
intervals .945, least .85; one-sided bounds .95 everywhere. One sample in closed form is summed exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairtrial.measure.intervals import Strata, clustered_mean, stratified, stratified_zero_bound, upper_bound, wilson

Floats = NDArray[np.float64]

SIZES = (10, 20, 40, 80)
SHARES = (0.02, 0.05, 0.1, 0.3, 0.5, 0.7, 0.9)
CLUSTERS = (1, 4, 8)
CORRELATIONS = (0.0, 0.3, 0.7)
MEAN_BAR, LEAST_BAR, BOUND_BAR = 0.945, 0.85, 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """Coverage of one interval over the grid."""

    interval: str
    one_sided: bool
    points: int
    replicates: int
    mean: float
    least: float
    least_at: str
    holds: bool


def self_check(replicates: int = 1000, seed: int = 0) -> tuple[Coverage, ...]:
    """Return the coverage of every interval; about 15 s at the default."""
    generator = np.random.default_rng(seed)
    return (
        judged("Wilson", list(_wilson_points()), 0),
        judged("exact one-sided bound", list(_bound_points()), 0, one_sided=True),
        judged("one-sided bound, clusters", list(_cluster_bound_points()), 0, one_sided=True),
        judged("zero in strata, worst case", list(_strata_bound_points()), 0, one_sided=True),
        judged("stratified, weighted back", list(_strata_points(replicates, generator)), replicates),
        judged("clustered, attempts of a task", list(_clustered_points("attempts", replicates, generator)), replicates),
        judged("clustered, near copies", list(_clustered_points("copies", replicates, generator)), replicates),
    )


def judged(name: str, points: list[tuple[str, float]], replicates: int, *, one_sided: bool = False) -> Coverage:
    """Return the summary of (where, coverage). `replicates` 0: coverage was summed exactly, not simulated."""
    values = np.array([value for _, value in points])
    worst = int(np.argmin(values))
    holds = bool(values.min() >= BOUND_BAR - 1e-9 if one_sided
                 else values.mean() >= MEAN_BAR and values.min() >= LEAST_BAR)  # fmt: skip
    return Coverage(
        interval=name, one_sided=one_sided, points=len(points), replicates=replicates, mean=float(values.mean()),
        least=float(values[worst]), least_at=points[worst][0], holds=holds,
    )  # fmt: skip


def binomial(n: int, share: float) -> Floats:
    """Return the chance of each count 0 to n."""
    from scipy.special import gammaln, xlog1py, xlogy

    count = np.arange(n + 1)
    choose = gammaln(n + 1) - gammaln(count + 1) - gammaln(n - count + 1)
    chance: Floats = np.exp(choose + xlogy(count, share) + xlog1py(n - count, -share))
    return chance


def _wilson_points() -> Iterator[tuple[str, float]]:
    for n in SIZES:
        ends = np.array([wilson(passes, n) for passes in range(n + 1)])
        for share in SHARES:
            yield f"n {n}, p {share}", float(binomial(n, share) @ ((ends[:, 0] <= share) & (share <= ends[:, 1])))


def _bound_points() -> Iterator[tuple[str, float]]:
    for n in SIZES:
        ends = np.array([upper_bound(seen, n) for seen in range(n + 1)])
        for share in SHARES:
            yield f"n {n}, p {share}", float(binomial(n, share) @ (share <= ends))


def _cluster_bound_points() -> Iterator[tuple[str, float]]:
    """Bound the share of clusters with any, which is at least the share of members."""
    for n in SIZES:
        ends = np.array([upper_bound(seen, n) for seen in range(n + 1)])
        for share in SHARES:
            for members in CLUSTERS:
                for correlation in CORRELATIONS if members > 1 else (0.0,):
                    hit = 1 - _chance_of_none(share, correlation, members)
                    yield f"{n} clusters of {members}, p {share}", float(binomial(n, hit) @ (share <= ends))


def _chance_of_none(share: float, correlation: float, members: int) -> float:
    """Return E[(1 - rate)^members] for a rate of mean `share` and this correlation within a cluster."""
    spread = 1 / correlation - 1 if correlation else np.inf
    steps = np.arange(members)
    factors = ((1 - share) * spread + steps) / (spread + steps) if correlation else np.full(members, 1 - share)
    return float(np.prod(factors))


def _strata_bound_points() -> Iterator[tuple[str, float]]:
    """Where nothing is seen in any stratum the bound must hold for every truth that makes that likely."""
    weights = (0.6, 0.3, 0.1)
    for n in SIZES:
        bound = stratified_zero_bound(weights, (n, n, n))
        for share in SHARES:
            for tilt in ((1.0, 1.0, 1.0), (1.5, 0.25, 0.25), (0.2, 1.5, 4.3)):
                shares = np.minimum(1.0, share * np.array(tilt))
                none = float(np.prod((1 - shares) ** n))
                missed = none if float(np.dot(weights, shares)) > bound else 0.0
                yield f"{n} a stratum, p {share}", 1.0 - missed


def _strata_points(replicates: int, generator: np.random.Generator) -> Iterator[tuple[str, float]]:
    """Three strata of 60, 30 and 10 per cent whose shares differ, n drawn in each."""
    for n in SIZES:
        cache: dict[tuple[int, ...], tuple[float, float]] = {}
        for share in SHARES:
            shares = np.clip(np.array([0.8, 1.2, 1.6]) * share, 0.0, 0.99)
            truth = float(np.dot((0.6, 0.3, 0.1), shares))
            seen, times = np.unique(generator.binomial(n, shares, size=(replicates, 3)), axis=0, return_counts=True)
            covered = 0
            for row, count in zip(map(tuple, seen.tolist()), times.tolist(), strict=True):
                if row not in cache:
                    found = stratified(Strata(population=(6000, 3000, 1000), drawn=(n, n, n), seen=row))
                    cache[row] = (found.low, found.high)
                covered += count * (cache[row][0] <= truth <= cache[row][1])
            yield f"{n} a stratum, p {share}", covered / replicates


def _rates(share: float, correlation: float, shape: tuple[int, int], generator: np.random.Generator) -> Floats:
    if correlation == 0.0:
        return np.full(shape, share)
    spread = 1 / correlation - 1
    return generator.beta(share * spread, (1 - share) * spread, size=shape)


def _clustered_points(design: str, replicates: int, generator: np.random.Generator) -> Iterator[tuple[str, float]]:
    """`attempts`: n tasks of m attempts. `copies`: n tasks in groups of m near copies, one attempt each."""
    for n in SIZES:
        for members in CLUSTERS:
            if design == "attempts":
                cluster, repeats = np.arange(n), members
            else:
                cluster, repeats = np.arange(n) // members, 1
            groups = int(cluster.max()) + 1
            for share in SHARES:
                for correlation in CORRELATIONS if members > 1 else (0.0,):
                    rates = _rates(share, correlation, (replicates, groups), generator)[:, cluster]
                    values = generator.binomial(repeats, rates) / repeats
                    yield f"n {n}, clusters of {members}, p {share}", _covered(values, cluster, share)


def _covered(values: Floats, cluster: NDArray[np.int64], share: float) -> float:
    """Return the share of rows whose interval holds the truth; rows with equal cluster sums are computed once."""
    groups = int(cluster.max()) + 1
    sums = np.stack([values[:, cluster == g].sum(axis=1) for g in range(groups)], axis=1)
    sizes = np.bincount(cluster)
    same_size = np.all(sizes == sizes[0])
    keys = np.sort(sums, axis=1) if same_size else sums
    _, first, times = np.unique(keys.round(9), axis=0, return_index=True, return_counts=True)
    covered = 0
    for row, count in zip(first.tolist(), times.tolist(), strict=True):
        found = clustered_mean(values[row], cluster)
        covered += count * (found.low - 1e-12 <= share <= found.high + 1e-12)
    return covered / len(values)

"""The gain of one pair with its interval: over all tasks, by family, by seed, strict at limits, and what lies beneath.

Every figure is of the differences by training seed and task (`measure.crossed`). Not covered: curves (`curves`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairtrial.measure.crossed import CrossedMean, crossed_mean, detectable, spread_of
from fairtrial.measure.fisher import benjamini_hochberg, fisher_greater
from fairtrial.measure.intervals.clustered import clustered_mean, interval_of_mean
from fairtrial.measure.intervals.quantiles import t_quantile
from fairtrial.records import Estimate
from fairtrial.train.lift.arms import Counts, Pair
from fairtrial.train.lift.options import Options
from fairtrial.train.lift.result import FamilyGain, Reading, SeedGain

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_FALSE_DISCOVERY = 0.05
_STRICT = "passes at a limit counted as fails; "


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """What lies beneath a net gain."""

    fixes: float
    regressions: float
    noise_fixes: float
    tasks_fixed: tuple[str, ...]
    tasks_regressed: tuple[str, ...]


def mean_of(values: Floats, cluster: Integers, options: Options) -> CrossedMean:
    """Return the mean of `values`, (seeds, tasks), with the interval that the options ask for."""
    generator = np.random.default_rng(options.seed)
    return crossed_mean(values, cluster, generator, replicates=options.replicates, confidence=options.confidence)


def estimate_of(found: CrossedMean, pair: Pair, note: str = "") -> Estimate:
    """Return a gain of `pair` as an estimate."""
    return Estimate(value=found.value, low=found.low, high=found.high, n=len(pair.tasks), ungraded=sum(pair.ungraded),
                    method=note + found.method)  # fmt: skip


def reading_of(gain: Estimate) -> Reading:
    """Return what the interval of a gain says.

    >>> reading_of(Estimate(value=0.1, low=-0.01, high=0.21, n=60, method="paired"))
    'within_noise'
    """
    if gain.value is None or gain.low is None or gain.high is None:
        return "not_measured"
    if gain.low > 0:
        return "gain"
    return "loss" if gain.high < 0 else "within_noise"


def rate_of(counts: Counts, pair: Pair, options: Options) -> Estimate:
    """Return the pass rate of one side, mean over seeds and tasks."""
    rates, ungraded = counts.rates, int(counts.ungraded.sum())
    if len(rates) == 1:
        one = clustered_mean(rates[0], pair.cluster, confidence=options.confidence)
        return Estimate(value=one.value, low=one.low, high=one.high, n=len(pair.tasks), ungraded=ungraded,
                        method=f"mean over tasks; {one.method}")  # fmt: skip
    found, value = spread_of(rates, pair.cluster), float(rates.mean())
    clusters = len(np.unique(pair.cluster))
    low, high = interval_of_mean(value, found.variance, found.degrees + 1 if found.variance > 0 else clusters,
                                 options.confidence)  # fmt: skip
    return Estimate(value=value, low=low, high=high, n=len(pair.tasks), ungraded=ungraded,
                    method=f"mean over tasks and {len(rates)} seeds of training; Wilson on n_eff, t")  # fmt: skip


def by_family(pair: Pair, options: Options) -> tuple[FamilyGain, ...]:
    """Return the gain on each family of tasks; nothing where no family is recorded."""
    found = []
    for family in sorted(set(pair.family)) if any(pair.family) else ():
        mine = pair.of_tasks(np.array([each == family for each in pair.family]))
        gain = estimate_of(mean_of(mine.differences, mine.cluster, options), mine)
        found.append(FamilyGain(family=family or "none recorded", base=float(mine.base.rates.mean()),
                                trained=float(mine.trained.rates.mean()), gain=gain))  # fmt: skip
    return tuple(found)


def by_seed(pair: Pair, options: Options) -> tuple[SeedGain, ...]:
    """Return the gain of each training seed, whose interval is over tasks alone."""
    found = []
    for row, seed in enumerate(pair.seeds):
        mine = pair.of_seed(row)
        gain = estimate_of(mean_of(mine.differences, mine.cluster, options), mine)
        found.append(SeedGain(seed=seed, base=float(mine.base.rates.mean()),
                              trained=float(mine.trained.rates.mean()), gain=gain))  # fmt: skip
    return tuple(found)


def gain_as_trained(pair: Pair, options: Options) -> Estimate:
    """Return the gain of the models that these seeds made: other tasks are drawn, other trainings are not."""
    by_task = pair.differences.mean(axis=0, keepdims=True)
    return estimate_of(mean_of(by_task, pair.cluster, options), pair, "these training seeds as they are; ")


def seeds_beyond(each: Sequence[SeedGain]) -> tuple[int, int]:
    """Return how many seeds gained beyond noise, and how many lost, each by its own interval."""
    readings = [reading_of(one.gain) for one in each]
    return readings.count("gain"), readings.count("loss")


def strict_gain(pair: Pair, options: Options) -> Estimate:
    """Return the gain where a pass that came at or after a limit is a fail, on both sides."""
    before, after = ((each.passed - each.limit_passed) / each.graded for each in (pair.base, pair.trained))
    return estimate_of(mean_of(after - before, pair.cluster, options), pair, _STRICT)


def changed(pair: Pair) -> Changed:
    """Return gross fixes and regressions, how much of each noise alone would show, and the tasks beyond noise.

    Fixes are the mean over cells of the positive differences; noise adds to fixes and to regressions alike.
    """
    change = pair.differences
    passed, graded = ([getattr(side, name).sum(axis=0) for side in (pair.base_once, pair.trained_once)]
                      for name in ("passed", "graded"))  # fmt: skip
    up = fisher_greater(passed[1], graded[1], passed[0], graded[0])
    down = fisher_greater(passed[0], graded[0], passed[1], graded[1])
    called = benjamini_hochberg(np.minimum(1.0, 2 * np.minimum(up, down))) <= _FALSE_DISCOVERY
    names = np.array(pair.tasks, dtype=object)
    return Changed(
        fixes=float(np.maximum(change, 0).mean()), regressions=float(np.maximum(-change, 0).mean()),
        noise_fixes=_noise_fixes(pair), tasks_fixed=tuple(names[called & (up < down)]),
        tasks_regressed=tuple(names[called & (down < up)]),
    )  # fmt: skip


def _noise_fixes(pair: Pair) -> float:
    """Return the mean over cells of `dealt_gap`."""
    cells = np.column_stack([each.ravel() for each in (pair.trained.graded, pair.base.graded,
                                                      pair.trained.passed + pair.base.passed)])  # fmt: skip
    distinct, times = np.unique(cells, axis=0, return_counts=True)
    gaps = np.array([dealt_gap(n, m, passed) for n, m, passed in distinct.tolist()])
    return float(gaps @ times / len(cells))


def dealt_gap(n: int, m: int, passed: int) -> float:
    """Return E[(X/n - Y/m)+] where `passed` passes fall at random among n + m runs: X among the n, Y among the m.

    The number of passes tells all of a rate that both share, so this is unbiased where nothing changed.

    >>> dealt_gap(1, 1, 1), dealt_gap(8, 8, 0), round(dealt_gap(2, 2, 2), 6)
    (0.5, 0.0, 0.166667)
    """
    ways = math.comb(n + m, passed)
    hits = range(max(0, passed - m), min(n, passed) + 1)
    return sum(math.comb(n, x) * math.comb(m, passed - x) / ways * max(0.0, x / n - (passed - x) / m) for x in hits)


def least_detectable(found: CrossedMean, options: Options) -> float | None:
    """Return the gain that would lie beyond noise four times in five."""
    return detectable(found, options.confidence)


def tokens_per_success(counts: Counts, pair: Pair, options: Options) -> Estimate | None:
    """Return output tokens for one success: mean tokens of an attempt over the mean pass rate, both over tasks.

    None where some graded rollout records none, or nothing passed. The interval is on the log scale, of the linearised
    ratio, t.
    """
    if not bool((counts.told == counts.graded).all()) or not counts.tokens.any() or not counts.passed.any():
        return None
    spent, rates = counts.tokens / counts.graded, counts.rates
    value = float(spent.mean() / rates.mean())
    found = spread_of(spent / spent.mean() - rates / rates.mean(), pair.cluster)
    known = found.variance > 0
    reach = t_quantile(options.confidence, found.degrees) * found.variance**0.5
    low, high = (value * float(np.exp(-reach)), value * float(np.exp(reach))) if known else (None, None)
    return Estimate(value=value, low=low, high=high, n=len(pair.tasks), ungraded=int(counts.ungraded.sum()),
                    method="mean output tokens over mean pass rate, over tasks; linearised, log, t",
                    unit="tasks, output tokens")  # fmt: skip

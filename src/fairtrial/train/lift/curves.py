"""pass@k of base and trained over k, their difference with a simultaneous band, and where they cross.

Training that finds no new solutions, and makes those that the base could find more likely, lifts pass@1 and not pass@k
at large k: sharpening. All is on one set of tasks: those with as many graded runs, of both models and every seed, as
the largest k, which is the largest that four tasks in five reach; else a curve could turn for want of other tasks.
Nothing is extrapolated. Not covered: what lies beyond the largest k that was run.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fairtrial.measure.attempts import all_pass_table, curve_ks
from fairtrial.measure.cells import Tally, cell_table
from fairtrial.measure.comparison import unseen_reach
from fairtrial.measure.crossed import spread_of
from fairtrial.measure.curves import attempt_curves
from fairtrial.measure.intervals.quantiles import normal_quantile
from fairtrial.measure.prior import fit_prior
from fairtrial.measure.result import Curve
from fairtrial.train.lift.arms import Counts, Pair
from fairtrial.train.lift.options import Options
from fairtrial.train.lift.result import Curves

Floats = NDArray[np.float64]
_METHOD = "paired by task; simultaneous {level:.0%} band, bootstrap over clusters{seeds}, t"
_LEVEL = 1e-12
_FEWEST_SHARE = 0.8
"""A k that fewer of the tasks have runs for says nothing of the whole set."""


def curves_of(pair: Pair, options: Options) -> Curves | None:
    """Return the curves; None where fewer than four tasks in five have two graded runs in every seed of both."""
    least = np.minimum(pair.base.graded, pair.trained.graded).min(axis=0)
    enough = [k for k in curve_ks(int(least.max(initial=0))) if (least >= k).mean() >= _FEWEST_SHARE]
    if len(enough) < 2:
        return None
    ks = tuple(enough)
    pair = pair.of_tasks(least >= ks[-1])
    difference = _difference(pair, ks, options)
    return Curves(
        base=_curve(pair.base_once, pair, options, ks[-1]), trained=_curve(pair.trained_once, pair, options, ks[-1]),
        difference=difference, crosses_at=crosses_at(difference), reading=reading_of(difference),
    )  # fmt: skip


def _curve(counts: Counts, pair: Pair, options: Options, most: int) -> Curve:
    """Return pass@k of one model up to `most`, a cell of seed and task as one task, near copies one cluster."""
    seeds = len(counts.graded)
    cells = cell_table(Tally(n=counts.graded.ravel(), c=counts.passed.ravel(), cluster=np.tile(pair.cluster, seeds)))
    weights = cells.resampled(options.replicates, np.random.default_rng(options.seed))
    whole, _ = attempt_curves(cells, weights, fit_prior(cells), options.confidence)
    kept = [i for i, k in enumerate(whole.k) if k <= most]
    of_seeds = f"; {seeds} training seeds as they are, not drawn" if seeds > 1 else ""

    def cut(values: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(values[i] for i in kept)

    return Curve(k=tuple(whole.k[i] for i in kept), value=cut(whole.value), low=cut(whole.low), high=cut(whole.high),
                 tasks=tuple(-(-whole.tasks[i] // seeds) for i in kept), method=whole.method + of_seeds)  # fmt: skip


def _difference(pair: Pair, ks: tuple[int, ...], options: Options) -> Curve:
    """Return trained - base of pass@k with a band that holds the whole curve at once.

    The critical value is the quantile of the largest studentised deviation in the bootstrap over clusters (sup-t). The
    confidence that it has at one point under the normal is that of each point's t, whose variance is over clusters and
    seeds. Where nothing varies, what `unseen_reach` says stands in.
    """
    gains = _some_pass(pair.trained, ks) - _some_pass(pair.base, ks)
    by_task, value = gains.mean(axis=0), gains.mean(axis=(0, 1))
    _, index = np.unique(pair.cluster, return_inverse=True)
    clusters = int(index.max()) + 1
    drawn = np.random.default_rng(options.seed).multinomial(
        clusters, np.full(clusters, 1 / clusters), size=options.replicates
    )
    totals = np.column_stack([np.bincount(index, weights=by_task[:, at]) for at in range(len(ks))])
    means = (drawn @ totals) / (drawn @ np.bincount(index))[:, None]
    spread = means.std(axis=0)
    largest = (np.abs(means - value) / np.where(spread > _LEVEL, spread, np.inf)).max(axis=1)
    critical = max(normal_quantile(options.confidence), float(np.quantile(largest, options.confidence)))
    at_one_point = math.erf(critical / 2**0.5)
    found = [spread_of(gains[:, :, at], pair.cluster) for at in range(len(ks))]
    reach = np.array([(each.reach(at_one_point),) * 2 if each.variance > _LEVEL
                      else unseen_reach(one, clusters, options.confidence)
                      for each, one in zip(found, value.tolist(), strict=True)])  # fmt: skip
    seeds = f" joined with the spread between {len(gains)} training seeds" if len(gains) > 1 else ""
    return Curve(
        k=ks, value=tuple(value.tolist()), low=tuple(np.maximum(-1.0, value - reach[:, 0]).tolist()),
        high=tuple(np.minimum(1.0, value + reach[:, 1]).tolist()), tasks=(len(pair.tasks),) * len(ks),
        method=_METHOD.format(level=options.confidence, seeds=seeds),
    )  # fmt: skip


def _some_pass(counts: Counts, ks: tuple[int, ...]) -> Floats:
    """Return pass@k of every cell, each with as many runs as the largest k: (seeds, tasks, ks)."""
    n, c = counts.graded.ravel(), counts.passed.ravel()
    table: Floats = 1.0 - all_pass_table(n, n - c, ks)
    return table.reshape(*counts.graded.shape, len(ks))


def crosses_at(difference: Curve) -> int | None:
    """Return the first k at which the base is level or ahead, after the trained was ahead at a smaller one."""
    was_ahead = False
    for k, value in zip(difference.k, difference.value, strict=True):
        if was_ahead and value <= _LEVEL:
            return k
        was_ahead |= value > _LEVEL
    return None


def reading_of(difference: Curve) -> Literal["sharpening", "expansion", "open", "none"]:
    """Return what the band says.

    `none`: the trained model is ahead beyond the band at no k. `expansion`: at every k. `sharpening`: at some k, and at
    the largest the base is ahead beyond the band, or level or ahead with the gain there below all that the band allows
    at k = 1. `open`: anything else; more runs a task would tell.

    >>> reading_of(Curve(k=(1, 2), value=(0.3, 0.0), low=(0.2, -0.1), high=(0.4, 0.1), tasks=(9, 9), method=""))
    'sharpening'
    """
    ahead = [low > 0 for low in difference.low]
    if not any(ahead):
        return "none"
    if all(ahead):
        return "expansion"
    last = difference.value[-1] <= _LEVEL and difference.high[-1] < difference.low[0]
    return "sharpening" if difference.high[-1] < 0 or last else "open"

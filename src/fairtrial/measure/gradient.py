"""Does it give gradient? Share of GRPO groups of G that hold both a pass and a fail.

At pass rate p a group is informative with probability 1 - p^G - (1-p)^G. From n attempts with c passes: the plug-in
(biased for n < G: exactly 0 at c = 0 and c = n), the unbiased count of mixed subsets (n >= G), and a posterior mean
under a Beta prior (`prior`). DAPO's dynamic sampling oversamples by 1 / informative fraction.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fairtrial.measure.attempts import all_pass_table
from fairtrial.measure.cells import CellTable
from fairtrial.measure.intervals.clustered import interval_of_mean
from fairtrial.measure.options import Options
from fairtrial.measure.prior import Prior
from fairtrial.measure.result import Gradient
from fairtrial.records import Estimate

Floats = NDArray[np.float64]
_PRIOR_DRAWS = 400


def informative(rate: float, group_size: int) -> float:
    """Return the chance that a group of `group_size` at pass rate `rate` is not all equal.

    >>> [round(informative(p, 16), 4) for p in (0.01, 0.1, 0.7)]
    [0.1485, 0.8147, 0.9967]
    """
    return 1.0 - rate**group_size - (1.0 - rate) ** group_size


def informative_unbiased(n: int, c: int, group_size: int) -> float:
    """Return the share of subsets of `group_size` among n attempts, c of them passes, that are mixed.

    Raise ValueError for n < group_size.

    >>> round(informative_unbiased(16, 1, 16), 6), informative_unbiased(16, 0, 16)
    (1.0, 0.0)
    """
    if n < group_size or not 0 <= c <= n:
        raise ValueError(f"unbiased only for n >= G; n = {n}, G = {group_size}")
    counts = np.array([n])
    equal = (all_pass_table(counts, np.array([p]), (group_size,))[0, 0] for p in (c, n - c))
    return float(1.0 - sum(equal))


def informative_posterior(n: int, c: int, group_size: int, a: float = 1.0, b: float = 1.0) -> float:
    """Return the posterior mean of the informative chance under a Beta(a, b) prior.

    E[p^G] = B(a+c+G, b+n-c) / B(a+c, b+n-c), as a product of G ratios.

    >>> round(informative_posterior(0, 0, 16), 6)
    0.882353
    """
    both = a + b + n
    all_pass = math.prod((a + c + i) / (both + i) for i in range(group_size))
    all_fail = math.prod((b + n - c + i) / (both + i) for i in range(group_size))
    return 1.0 - all_pass - all_fail


def posterior_by_size(n: Floats, c: Floats, a: float, b: float, largest: int) -> Floats:
    """Return posterior means of the informative chance, shape (cells, sizes 1 to `largest`)."""
    steps = np.arange(largest)
    both = (a + b + n)[:, None] + steps
    all_pass = np.cumprod(((a + c)[:, None] + steps) / both, axis=1)
    all_fail = np.cumprod(((b + n - c)[:, None] + steps) / both, axis=1)
    result: Floats = 1.0 - all_pass - all_fail
    return result


def replicated_by_size(cells: CellTable, drawn: Floats, a: Floats, b: Floats, largest: int) -> Floats:
    """Return the mean over the tasks of each replicate, under a prior of its own: (replicates, sizes 1 to `largest`).

    `drawn` holds the tasks of each cell in each replicate; each size costs one multiplication more than the last.
    """
    passes = a[:, None] + cells.c[None, :]
    fails = b[:, None] + (cells.n - cells.c)[None, :]
    both = passes + fails
    share = drawn / drawn.sum(axis=1, keepdims=True)
    all_pass, all_fail = share.copy(), share.copy()
    result = np.empty((len(drawn), largest))
    for i in range(largest):
        step = 1.0 / (both + i)
        all_pass *= (passes + i) * step
        all_fail *= (fails + i) * step
        result[:, i] = 1.0 - all_pass.sum(axis=1) - all_fail.sum(axis=1)
    return result


def gradient(
    cells: CellTable, weights: Floats, prior: Prior, options: Options, ungraded: int, generator: np.random.Generator
) -> Gradient:
    """Return the informative fraction of the suite at the group size asked for, and over sizes from 2.

    The interval joins what is not known of tasks like these (clusters resampled), of the prior (drawn from its
    approximate posterior) and of each task's own rate (posterior variance).
    """
    group_size = options.group_size
    largest = max(options.largest_group, group_size)
    rate = cells.c / cells.n
    sizes = np.arange(1, largest + 1)
    plug_in = cells.tasks @ (1 - rate[:, None] ** sizes - (1 - rate[:, None]) ** sizes) / cells.tasks.sum()
    n, c = cells.n.astype(np.float64), cells.c.astype(np.float64)
    center = posterior_by_size(n, c, prior.a, prior.b, largest)
    mean = cells.tasks @ center / cells.tasks.sum()
    low, high = _ends(cells, weights, prior, center, mean, options.confidence, generator)
    at = group_size - 1
    unbiased = None
    if int(cells.n.min()) >= group_size:
        alike = (cells.c, cells.n - cells.c)
        all_pass, all_fail = (all_pass_table(cells.n, count, (group_size,))[:, 0] for count in alike)
        unbiased = float(cells.tasks @ (1 - all_pass - all_fail) / cells.tasks.sum())
    posterior = Estimate(
        value=float(mean[at]), low=float(low[at]), high=float(high[at]), n=int(cells.tasks.sum()), ungraded=ungraded,
        method=f"beta-binomial empirical Bayes, {prior.method}; bootstrap over clusters",
    )  # fmt: skip
    return Gradient(
        group_size=group_size, plug_in=float(plug_in[at]), unbiased=unbiased, posterior=posterior,
        by_size=tuple((int(g), float(mean[g - 1]), float(low[g - 1]), float(high[g - 1]), float(plug_in[g - 1]))
                      for g in sizes[1:]), prior=(prior.a, prior.b),
    )  # fmt: skip


def _ends(
    cells: CellTable,
    weights: Floats,
    prior: Prior,
    center: Floats,
    mean: Floats,
    confidence: float,
    generator: np.random.Generator,
) -> tuple[Floats, Floats]:
    """Return the ends of the interval at each size: Wilson's form on the variance of all three parts, or the quantiles
    of the draws where those reach further, as they do where the concentration is hardly known.
    """
    total = float(cells.tasks.sum())
    clusters = float(cells.effective_clusters(np.ones((len(cells.n), 1)))[0])
    drawn = weights[: min(len(weights), _PRIOR_DRAWS)]
    a, b = prior.draws(len(drawn), generator)
    values = replicated_by_size(cells, drawn, a, b, len(mean))
    own = cells.tasks @ _own_variance(cells, prior, center) / total**2
    resampled = ((values - mean) ** 2).mean(axis=0) * clusters / max(clusters - 1, 1.0)
    parts = zip(mean.tolist(), (resampled + own).tolist(), strict=True)
    ends = [interval_of_mean(share, variance, clusters, confidence) for share, variance in parts]
    lowest, highest = np.quantile(values, ((1 - confidence) / 2, (1 + confidence) / 2), axis=0)
    low, high = np.minimum([end for end, _ in ends], lowest), np.maximum([end for _, end in ends], highest)
    return np.clip(low, 0.0, 1.0), np.clip(high, 0.0, 1.0)


def _own_variance(cells: CellTable, prior: Prior, center: Floats) -> Floats:
    """Return the posterior variance of each cell's informative chance at each size: E[g^2] - E[g]^2.

    g^2 = 1 + p^2G + q^2G - 2 p^G - 2 q^G + 2 p^G q^G, and each moment of a Beta is a running product.
    """
    passes, fails = prior.a + cells.c, prior.b + cells.n - cells.c
    both, largest = passes + fails, center.shape[1]
    steps = np.arange(2 * largest)
    all_pass = np.cumprod((passes[:, None] + steps) / (both[:, None] + steps), axis=1)
    all_fail = np.cumprod((fails[:, None] + steps) / (both[:, None] + steps), axis=1)
    half = np.arange(largest)
    mixed = np.cumprod((passes[:, None] + half) * (fails[:, None] + half)
                       / ((both[:, None] + 2 * half) * (both[:, None] + 2 * half + 1)), axis=1)  # fmt: skip
    square = (1 + all_pass[:, 1::2] + all_fail[:, 1::2] - 2 * all_pass[:, :largest] - 2 * all_fail[:, :largest]
              + 2 * mixed)  # fmt: skip
    variance: Floats = np.maximum(square - center**2, 0.0)
    return variance

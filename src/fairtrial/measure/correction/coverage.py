"""The self-check of error rates: simulated truth, a judge that errs, people who read a part; how often intervals cover.

Tasks of m rollouts each, whose rates of wrong verdicts come from a Beta with the intra-cluster correlation below, and a
judge whose sensitivity and specificity vary from task to task too. Bars as for every interval of `measure`. The
weighted share is simulated on a sample that draws its strata unequally. Its one-sided bound holds where the least
coverage is .95, less `SLACK` standard errors of the simulation.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product

import numpy as np

from fairtrial.measure.correction.prediction_powered import prediction_powered
from fairtrial.measure.correction.rogan_gladen import rogan_gladen
from fairtrial.measure.correction.two_phase import Population, TwoPhase
from fairtrial.measure.coverage import BOUND_BAR, Coverage, judged
from fairtrial.measure.intervals.stratified import Strata, finite_share
from fairtrial.measure.intervals.weighted import Share, Weighted, weighted_share

RATES = (0.05, 0.1, 0.2, 0.4)
JUDGES = ((0.98, 0.98), (0.9, 0.95), (0.7, 0.9), (0.5, 0.5))
"""(sensitivity, specificity); the last knows nothing."""
LABELLED, READ, MEMBERS = (60, 200), (20, 40), (1, 4)
CORRELATION, JUDGE_SPREAD = 0.3, 4.0
SLACK = 3.0
Point = tuple[str, float]


def self_check(replicates: int = 200, seed: int = 0) -> tuple[Coverage, ...]:
    """Return the coverage of every interval of `audit estimate`; about 30 s at the default."""
    generator = np.random.default_rng(seed)
    powered, gladen, people = _corrected_points(replicates, generator)
    two_sided, bounds = _weighted_points(replicates, generator)
    bound = judged("one-sided bound, weighted", bounds, replicates, one_sided=True)
    noise = SLACK * math.sqrt(BOUND_BAR * (1 - BOUND_BAR) / replicates)
    return (
        judged("clustered share, unequal tasks", _repeated_points(replicates, generator), replicates),
        judged("weighted share, clusters", two_sided, replicates),
        replace(bound, holds=bound.least >= BOUND_BAR - noise),
        judged("people alone", people, replicates),
        judged("prediction-powered", powered, replicates),
        judged("Rogan-Gladen", gladen, replicates),
        judged("finite population", _finite_points(replicates, generator), replicates),
        judged("finite population, prediction-powered", _finite_powered_points(replicates, generator), replicates),
    )


def _corrected_points(replicates: int, generator: np.random.Generator) -> tuple[list[Point], list[Point], list[Point]]:
    powered: list[Point] = []
    gladen: list[Point] = []
    people: list[Point] = []
    for labelled, read, members, rate, judge in product(LABELLED, READ, MEMBERS, RATES, JUDGES):
        where = f"{labelled} labelled, {read} read, tasks of {members}, rate {rate}, judge {judge[0]}/{judge[1]}"
        covered, told = np.zeros(3), np.zeros(3)
        for _ in range(replicates):
            rows = simulated(generator, labelled=labelled, read=read, members=members, rate=rate, judge=judge)
            alone = _people(rows)
            first, second = prediction_powered(rows).share or alone, rogan_gladen(rows).share
            for i, share in enumerate((first, second, alone)):
                if share is not None:
                    told[i] += 1
                    covered[i] += share.low - 1e-12 <= rate <= share.high + 1e-12
        for i, points in enumerate((powered, gladen, people)):
            if told[i] >= replicates / 2:  # a judge who knows nothing is mostly refused
                points.append((where, float(covered[i] / told[i])))
    return powered, gladen, people


def _people(rows: TwoPhase) -> Share:
    return weighted_share(Weighted(hit=rows.truth[rows.read], weight=rows.weight[rows.read],
                                   cluster=rows.cluster[rows.read],
                                   stratum=np.zeros(int(rows.read.sum()), dtype=np.int64)))  # fmt: skip


def _weighted_points(replicates: int, generator: np.random.Generator) -> tuple[list[Point], list[Point]]:
    """Two strata, a tenth of the population with four times the rate, drawn alike: weights of 9 to 1."""
    two_sided, bounds = [], []
    for n, members, rate in product((20, 40, 80), (1, 4, 8), (0.0, 0.02, 0.05, 0.1, 0.2)):
        covered = np.zeros(2)
        for _ in range(replicates):
            share = weighted_share(unequal(generator, n=n, members=members, rate=rate))
            covered += (share.low - 1e-12 <= 1.3 * rate <= share.high + 1e-12, 1.3 * rate <= share.upper + 1e-12)
        where = f"{n} a stratum, tasks of {members}, rate {1.3 * rate:.3f}"
        two_sided.append((where, float(covered[0] / replicates)))
        bounds.append((where, float(covered[1] / replicates)))
    return two_sided, bounds


def _repeated_points(replicates: int, generator: np.random.Generator) -> list[Point]:
    """Few tasks of very unequal size, whose rollouts are alike."""
    points = []
    for tasks, most, rate, correlation in product((8, 15, 30), (4, 16), (0.05, 0.1, 0.2, 0.5), (0.3, 0.7)):
        covered, spread = 0, 1 / correlation - 1
        for _ in range(replicates):
            cluster = np.repeat(np.arange(tasks), generator.integers(1, most, size=tasks))
            rates = generator.beta(rate * spread, (1 - rate) * spread, size=tasks)
            hit = (generator.random(len(cluster)) < rates[cluster]).astype(np.float64)
            share = weighted_share(Weighted(hit=hit, weight=np.ones(len(hit)), cluster=cluster,
                                            stratum=np.zeros(len(hit), dtype=np.int64)))  # fmt: skip
            covered += share.low - 1e-12 <= rate <= share.high + 1e-12
        points.append((f"{tasks} tasks of 1 to {most - 1}, rate {rate}, correlation {correlation}",
                       covered / replicates))  # fmt: skip
    return points


def _finite_points(replicates: int, generator: np.random.Generator) -> list[Point]:
    """A population of two strata, three quarters and one, the second with three times the rate; both drawn alike."""
    points = []
    for size, n, rate in product((80, 400), (15, 30), (0.02, 0.05, 0.1, 0.2)):
        sizes = (size * 3 // 4, size // 4 + n)
        held = (round(rate * sizes[0]), round(3 * rate * sizes[1]))
        truth, covered = sum(held) / sum(sizes), 0
        for _ in range(replicates):
            seen = [int(generator.hypergeometric(k, m - k, n)) for k, m in zip(held, sizes, strict=True)]
            share = finite_share(Strata(population=sizes, drawn=(n, n), seen=seen))
            covered += share.low - 1e-12 <= truth <= share.high + 1e-12
        points.append((f"{size} rollouts, {n} a stratum, rate {truth:.3f}", covered / replicates))
    return points


def _finite_powered_points(replicates: int, generator: np.random.Generator) -> list[Point]:
    """A population of 240, 60 or 120 of them labelled, 20 or 40 of these read."""
    points = []
    for labelled, read, rate, judge in product((60, 120), (20, 40), RATES, JUDGES):
        whole = simulated(generator, labelled=240, read=240, members=4, rate=rate, judge=judge)
        truth, covered, told = float(whole.truth.mean()), 0, 0
        population = Population(stratum=np.zeros(labelled, dtype=np.int64), size=np.array([240.0]))
        for _ in range(replicates):
            drawn = generator.permutation(240)[:labelled]
            shown = whole.truth[drawn].copy()
            shown[read:] = np.nan
            rows = TwoPhase(label=whole.label[drawn], truth=shown, weight=np.full(labelled, 240 / labelled),
                            chance=np.ones(labelled), cluster=whole.cluster[drawn])  # fmt: skip
            share = prediction_powered(rows, population=population).share
            if share is not None:
                told += 1
                covered += share.low - 1e-12 <= truth <= share.high + 1e-12
        if told >= replicates / 2:
            points.append((f"{labelled} of 240 labelled, {read} read, rate {truth:.3f}, judge {judge[0]}/{judge[1]}",
                           covered / told))  # fmt: skip
    return points


def unequal(generator: np.random.Generator, *, n: int, members: int, rate: float) -> Weighted:
    """Return n rows of each of two strata, in tasks of about `members` a stratum; the share is 1.3 `rate`."""
    stratum = np.repeat(np.arange(2), n)
    cluster = generator.integers(max(2, n // members), size=2 * n) if members > 1 else np.arange(2 * n)
    shares = np.array([rate, 4 * rate])[stratum]
    if members > 1 and rate > 0:  # one draw a task moves both strata alike
        spread = 1 / CORRELATION - 1
        level = generator.beta(rate * spread, (1 - rate) * spread, size=int(cluster.max()) + 1)[cluster]
        other = generator.beta(4 * rate * spread, (1 - 4 * rate) * spread, size=int(cluster.max()) + 1)[cluster]
        shares = np.where(stratum == 0, level, other)
    hit = (generator.random(2 * n) < shares).astype(np.float64)
    return Weighted(hit=hit, weight=np.where(stratum == 0, 9.0, 1.0), cluster=cluster, stratum=stratum)


def simulated(
    generator: np.random.Generator, *, labelled: int, read: int, members: int, rate: float,
    judge: tuple[float, float],
) -> TwoPhase:  # fmt: skip
    """Return one simulated audit: `labelled` rollouts in tasks of `members`, `read` of them read by people."""
    cluster = np.repeat(np.arange(labelled // members), members)
    tasks = labelled // members
    rates, right, false = (
        np.full(tasks, mean) if members == 1 else generator.beta(mean * spread, (1 - mean) * spread, size=tasks)
        for mean, spread in ((rate, 1 / CORRELATION - 1), (judge[0], JUDGE_SPREAD), (1 - judge[1], JUDGE_SPREAD))
    )
    truth = (generator.random(labelled) < rates[cluster]).astype(np.float64)
    said = generator.random(labelled) < np.where(truth == 1, right[cluster], false[cluster])
    hidden = generator.permutation(labelled)[read:]
    shown = truth.copy()
    shown[hidden] = np.nan
    return TwoPhase(label=said.astype(np.int64), truth=shown, weight=np.ones(labelled), chance=np.ones(labelled),
                    cluster=cluster)  # fmt: skip

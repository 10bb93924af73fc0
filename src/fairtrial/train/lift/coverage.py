"""The self-check of a gain's interval: does it cover the mean gain over other tasks and other trainings?

Grid: 10 and 60 tasks, or 10 clusters of four near copies; 1 and 8 runs; gains of 0 and of 1 in
the logit; training seeds whose gains differ by a standard deviation of 0, .3 and 1 in the logit; one base for all
seeds, or each seed its own. Tasks differ by 1.5 in the logit, gains of a task by .6, and of a task in one seed by .4.
The truth is the mean over all tasks and seeds that could have been drawn, by quadrature. With one seed there is no
spread between seeds to see, so seeds do not differ there. Not covered: seeds whose gains are far from normal.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fairtrial.measure.coverage import Coverage, judged
from fairtrial.measure.crossed import crossed_mean

Floats = NDArray[np.float64]

SEEDS, CLUSTERS, RUNS, GAINS, SEED_SPREADS = (1, 2, 3, 5), (10, 60), (1, 8), (0.0, 1.0), (0.0, 0.3, 1.0)
_BASE, _TASKS, _COPIES, _GAIN_OF_TASK, _GAIN_OF_CELL, _OWN_BASE = -0.5, 1.5, 0.3, 0.6, 0.4, 0.7
MEAN_BAR, LEAST_BAR = 0.94, 0.80
_BOOTSTRAP = 400


@dataclass(frozen=True, slots=True)
class Design:
    """One point of the grid."""

    seeds: int
    clusters: int
    copies: int
    runs: int
    gain: float
    spread: float
    own_base: bool

    @property
    def name(self) -> str:
        """Return where on the grid it lies."""
        tasks = f"{self.clusters} tasks" if self.copies == 1 else f"{self.clusters} clusters of {self.copies}"
        base = "a base each" if self.own_base else "one base"
        return f"{tasks}, runs {self.runs}, gain {self.gain:g}, spread {self.spread:g}, {base}"


def self_check(replicates: int = 200, seed: int = 0) -> tuple[Coverage, ...]:
    """Return the coverage of the interval for each number of training seeds; two minutes at the default."""
    generator = np.random.default_rng(seed)
    found = []
    for seeds in SEEDS:
        points = [(one.name, covered(one, replicates, generator)) for one in designs(seeds)]
        named = "gain, one training seed" if seeds == 1 else f"gain, {seeds} training seeds"
        one = judged(named, points, replicates)
        found.append(replace(one, holds=one.mean >= MEAN_BAR and one.least >= LEAST_BAR))
    return tuple(found)


def designs(seeds: int) -> Iterator[Design]:
    """Return the points of the grid with this many training seeds."""
    spreads = SEED_SPREADS if seeds > 1 else (0.0,)
    for clusters, copies, runs, gain, spread, own in itertools.product(
        CLUSTERS, (1, 4), RUNS, GAINS, spreads, (False, True) if seeds > 1 else (False,)
    ):
        if copies == 1 or clusters == CLUSTERS[0]:
            yield Design(seeds, clusters, copies, runs, gain, spread, own)


def covered(design: Design, replicates: int, generator: np.random.Generator) -> float:
    """Return the share of simulated measurements whose interval holds the true mean gain."""
    truth, hits = true_gain(design), 0
    cluster = np.repeat(np.arange(design.clusters), design.copies)
    for _ in range(replicates):
        found = crossed_mean(_drawn(design, generator), cluster, generator, replicates=_BOOTSTRAP)
        hits += found.low <= truth <= found.high
    return hits / replicates


def true_gain(design: Design) -> float:
    """Return the mean gain over all tasks and seeds, by quadrature over the logit, which is normal.

    >>> true_gain(Design(3, 20, 1, 8, 0.0, 0.0, False)) > 0.0  # spread alone lifts a rate below one half
    True
    """
    shared = _TASKS**2 + (_COPIES**2 if design.copies > 1 else 0.0) + (_OWN_BASE**2 if design.own_base else 0.0)
    more = design.spread**2 + _GAIN_OF_TASK**2 + _GAIN_OF_CELL**2
    return _mean_rate(_BASE + design.gain, shared + more) - _mean_rate(_BASE, shared)


def _mean_rate(middle: float, variance: float) -> float:
    nodes, weights = np.polynomial.hermite_e.hermegauss(64)
    return float(weights @ _rate(middle + variance**0.5 * nodes) / weights.sum())


def _rate(logit: Floats) -> Floats:
    rate: Floats = 1.0 / (1.0 + np.exp(-logit))
    return rate


def _drawn(design: Design, generator: np.random.Generator) -> Floats:
    """Return simulated differences by seed and task."""
    tasks = design.clusters * design.copies

    def of_clusters(spread: float) -> Floats:
        return np.repeat(spread * generator.standard_normal(design.clusters), design.copies)

    task = _BASE + of_clusters(_TASKS)
    if design.copies > 1:
        task = task + _COPIES * generator.standard_normal(tasks)
    rows = design.seeds if design.own_base else 1
    before = task + (_OWN_BASE * generator.standard_normal((rows, 1)) if design.own_base else 0.0)
    gain = design.gain + of_clusters(_GAIN_OF_TASK) + design.spread * generator.standard_normal((design.seeds, 1))
    after = before + gain + _GAIN_OF_CELL * generator.standard_normal((design.seeds, tasks))
    base, trained = (generator.binomial(design.runs, _rate(logit)) / design.runs
                     for logit in (np.broadcast_to(before, (rows, tasks)), after))  # fmt: skip
    difference: Floats = trained - base
    return difference

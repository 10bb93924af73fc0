"""Ranks with ties: a row is behind another only where the interval of their difference, by task, leaves out zero.

A row's rank is 1 plus the number of rows that are separated above it. Separation is not transitive: where C is behind
A, and B apart from neither, A and B rank 1 and C ranks 2; and a row whose tasks vary much may be behind fewer rows than
one whose score is higher. Rows stand by rank, then by score. `last` is the rank that a row would have if every row from
which it is not separated stood before it.

The interval is that of `measure.comparison` (bootstrap over clusters of tasks, stretched by t and sqrt(C / (C - 1))),
with the same resamples for every pair; over several tracks, whose tasks are not the same, by MOVER as for scores. Where
two rows differ by the same on every task, or there are so few clusters that a sign test could not reach the confidence
(fewer than 6 at 95%), the low end is what it would be if a share q of tasks, of which C clusters showed none by chance,
went wholly the other way: (1 - q) d - q with q = 1 - (alpha / 2)^(1 / C). Who is above a row is above each that is no
better on any task, so that nobody ranks behind a row to which it is nowhere inferior. Each pair is tested by itself: of
many pairs that are truly alike some will separate, and the board says how many pairs there are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairtrial.measure.intervals.quantiles import t_quantile

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackRates:
    """Rates of every row on one track."""

    rates: Floats
    """(rows, tasks), each in [0, 1]."""
    cluster: Integers
    weight: float


@dataclass(frozen=True, slots=True)
class Ranks:
    """Ranks of rows, from 1, and how many pairs are separated."""

    first: tuple[int, ...]
    last: tuple[int, ...]
    separated: int


def ranks(tracks: Sequence[TrackRates], *, seed: int, replicates: int, confidence: float) -> Ranks:
    """Return the ranks of the rows of `tracks`, in the order in which these hold them.

    >>> rates = np.array([[1.0] * 40, [0.0] * 40, [0.0] * 40])
    >>> ranks([TrackRates(rates=rates, cluster=np.arange(40), weight=1.0)], seed=0, replicates=200, confidence=.95)
    Ranks(first=(1, 2, 2), last=(1, 3, 3), separated=2)
    """
    above = separated(tracks, seed=seed, replicates=replicates, confidence=confidence)
    rows = len(above)
    first = 1 + above.sum(axis=0)
    last = rows - above.sum(axis=1)
    return Ranks(tuple(int(rank) for rank in first), tuple(int(rank) for rank in last), int(above.sum()))


def separated(tracks: Sequence[TrackRates], *, seed: int, replicates: int, confidence: float) -> NDArray[np.bool_]:
    """Return (rows, rows): whether the first is above the second beyond what chance over tasks would do."""
    generator = np.random.default_rng(seed)
    rows = len(tracks[0].rates)
    value, below = np.zeros((rows, rows)), np.zeros((rows, rows))
    for track in tracks:
        difference, low = _low_ends(track, generator, replicates, confidence)
        value += track.weight * difference
        below += (track.weight * (difference - low)) ** 2
    return _monotone((value > 0) & (value - np.sqrt(below) > 0), tracks)


def _monotone(above: NDArray[np.bool_], tracks: Sequence[TrackRates]) -> NDArray[np.bool_]:
    """Return `above` with what follows from it: who is above a row is above each that is no better on any task.

    The stretched ends of a bootstrap alone may tell a row apart from another and not from one that is worse on a task
    and no better on any, which would then rank before it.
    """
    no_worse = np.ones(above.shape, dtype=bool)
    for track in tracks:
        for row, rates in enumerate(track.rates):
            no_worse[row] &= (rates >= track.rates).all(axis=1)
    counts = no_worse.astype(np.float32)
    found: NDArray[np.bool_] = (counts @ above.astype(np.float32) @ counts) > 0
    return found


def _low_ends(
    track: TrackRates, generator: np.random.Generator, replicates: int, confidence: float
) -> tuple[Floats, Floats]:
    """Return each row minus each other on one track, and the low end of its interval: (rows, rows) both."""
    _, index = np.unique(track.cluster, return_inverse=True)
    clusters = int(index.max()) + 1
    sizes = np.bincount(index).astype(np.float64)
    sums = np.stack([np.bincount(index, weights=rates, minlength=clusters) for rates in track.rates], axis=1)
    means = track.rates.mean(axis=1)
    difference = means[:, None] - means[None, :]
    reach = -math.expm1(math.log((1 - confidence) / 2) / clusters)
    low = (1 - reach) * difference - reach
    if 2 * 0.5**clusters > 1 - confidence:
        return difference, low
    drawn = generator.multinomial(clusters, np.full(clusters, 1 / clusters), size=replicates).astype(np.float64)
    resampled = (drawn @ sums) / (drawn @ sizes)[:, None]
    stretch = t_quantile(confidence, clusters - 1) / t_quantile(confidence, 1e9) * math.sqrt(clusters / (clusters - 1))
    for row in range(len(means)):
        quantile = np.quantile(resampled[:, [row]] - resampled, (1 - confidence) / 2, axis=0)
        ends = np.maximum(-1.0, difference[row] + stretch * (quantile - difference[row]))
        varies = np.ptp(track.rates[row] - track.rates, axis=1) > 0
        low[row] = np.where(varies, ends, low[row])
    return difference, low

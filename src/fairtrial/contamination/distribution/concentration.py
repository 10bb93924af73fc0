"""Do more rows lie near one item than items draw by themselves? Each item against what the decoys draw.

Training on what a benchmark is about brings rows near to all its items, and to some far more than to others, so a
Poisson law would call every busy item built around. The decoys' counts are the null: a negative binomial law, its
mean a row above theirs. Its spread is at least the upper end of what they support among all rows of the upper tenth,
where there are many, and grows to the likeliest at each stricter level. It is asked at five levels of score (near at
all; nearer than half, three quarters and nine tenths of the decoys' near rows; nearer than any), because four clones
are many only among rows that are very near. The smallest of the tails, times their number, is the item's p.

A law fitted to a few hundred counts says little of its far tail, so every decoy is asked the same question, and where
the smallest p of D decoys is far below 1/D, all p are raised to the power that mends it.
Benjamini-Hochberg over items gives q, and q is at least the share of such calls that decoys get too (target-decoy).

Does not cover: rows spread one an item (`enrichment`). Many natural copies of one item look like clones of it. Where
one item in a hundred has a family of them, hardly a decoy shows what a family is, and an item that has one is called in
every fourth set in which nobody built anything. So a call is a lead, to be read; what it takes to say more is
`dominant`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, gammaln

from fairtrial.measure.fisher import benjamini_hochberg

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

CALLED = 0.05
"""False discovery rate at which an item is called built around."""
SPREADS = np.geomspace(0.02, 60.0, 60)
"""Values of the dispersion (variance = mean + dispersion * mean^2) among which the decoys choose."""
LEVELS = (0.5, 0.75, 0.9)
"""Stricter levels: quantiles of the decoys' near scores. Chosen on GSM8K under a plain tf-idf likeness, with the
likeliest spread at every level and no lower bound: three found four rewordings of one item in 38 of 50 training sets
where one found 28, and called a clean item in 7 of 150 clean sets where one did in 6."""
DOMINANT = 100
"""Near rows of one item below which its being alone says nothing of the whole: natural families reach some tens."""
_ENOUGH = 10
"""Near rows of decoys from which on a level says something of the spread."""
_SMALLEST = 1e-300
_DROP = 1.35
"""Half of 2.71, the 90% point of chi-square with one degree: the upper end of the spread, one-sided 95%."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Concentration:
    """Figures of each eval item, in their order."""

    p_values: Floats
    q_values: Floats
    expected: float
    """Near rows that an item draws by itself: the decoys' mean."""
    spread: float
    """Dispersion of the law at the first level."""
    inflation: float
    """By how much the decoys' smallest p outdoes the law, on the log scale; 1 where it does not."""
    decoys_called: int
    """Decoys whose own p is at most that of the last item with q at most 0.05: how often the law errs."""


def concentration(item: Integers, score: Floats, items: int, decoys: int, threshold: float) -> Concentration:
    """Return the concentration of each of `items`, numbered before `decoys`; `item` and `score` are by training row."""
    near = (item >= 0) & (score > threshold)
    who, how = item[near], score[near]
    theirs = how[who >= items]
    levels, spread = _levels(theirs, threshold), _spread_of_many(item, score, items, decoys)
    p_values, first = np.ones(items + decoys), spread
    for number, level in enumerate(levels):
        counts = np.bincount(who[how >= level], minlength=items + decoys)
        background = counts[items:]
        if background.sum() >= _ENOUGH:
            spread = max(spread, _spread(background, 0.0))
        first = spread if number == 0 else first
        if background.sum() == 0 and len(theirs):
            counts = _without_itself(counts, who, how, items)
        p_values = np.minimum(p_values, _tail(counts, (float(background.sum()) + 1.0) / decoys, spread))
    p_values, inflation = _deflated(np.minimum(p_values * len(levels), 1.0), items)
    ours, others = p_values[:items], p_values[items:]
    q_values = np.maximum(benjamini_hochberg(ours), _target_decoy(ours, others))
    last = float(ours[q_values <= CALLED].max(initial=-1.0))
    return Concentration(
        p_values=ours, q_values=q_values, expected=float(len(theirs) / decoys), spread=first, inflation=inflation,
        decoys_called=int((others <= last).sum()),
    )  # fmt: skip


def dominant(counts: Integers, items: int) -> NDArray[np.bool_]:
    """Return which items draw more near rows than all decoys together, sizes weighed, and at least `DOMINANT`.

    `counts` are near rows by item, then by decoy. That natural families are smaller is a premise, not a measurement.

    >>> dominant(np.array([400, 120, 90, 30, 30, 40]), 3).tolist()
    [True, True, False]
    """
    decoys = len(counts) - items
    background = float(counts[items:].sum()) * max(1.0, items / decoys)
    result: NDArray[np.bool_] = (counts[:items] >= DOMINANT) & (counts[:items] > background)
    return result


def _deflated(p_values: Floats, items: int) -> tuple[Floats, float]:
    """Return p values raised to one over the inflation: of D decoys the smallest p is to be about 1/D.

    Where decoys have families of natural near copies, a law fitted to all their counts is too light in its tail.
    """
    smallest = max(float(p_values[items:].min()), _SMALLEST)
    inflation = max(1.0, -math.log(smallest) / math.log(len(p_values) - items + 1.0))
    return p_values ** (1.0 / inflation), inflation


def _levels(theirs: Floats, threshold: float) -> list[float]:
    """Return the levels of score, each once: the threshold, quantiles of the decoys' near rows, above all of these."""
    if len(theirs) == 0:
        return [threshold]
    stricter = [float(each) for each in np.quantile(theirs, LEVELS)]
    return sorted({threshold, *stricter, float(np.nextafter(theirs.max(), np.inf))})


def _spread_of_many(item: Integers, score: Floats, items: int, decoys: int) -> float:
    """Return the upper end of the spread of the decoys' counts among the nearest tenth of all rows."""
    looked_at = item >= 0
    if not looked_at.any():
        return float(SPREADS[0])
    who = item[looked_at & (score >= low_bar(item, score))]
    return _spread(np.bincount(who, minlength=items + decoys)[items:], _DROP)


def low_bar(item: Integers, score: Floats) -> float:
    """Return the score that a tenth of the rows reach, of those that lie near anything at all."""
    return float(np.quantile(score[item >= 0], 0.9))


def _without_itself(counts: Integers, who: Integers, how: Floats, items: int) -> Integers:
    """Return counts above all decoys; for the decoy that holds the highest row, above all other decoys."""
    theirs = who >= items
    top = who[theirs][np.argmax(how[theirs])]
    rest = how[theirs & (who != top)].max(initial=0.0)
    made = counts.copy()
    made[top] = int((how[who == top] > rest).sum())
    return made


def _spread(counts: Integers, drop: float) -> float:
    """Return the largest dispersion whose log-likelihood of `counts` is within `drop` of the highest."""
    mean = max(float(counts.mean()), 1.0 / len(counts))
    values, times = np.unique(counts, return_counts=True)
    k = 1.0 / SPREADS[:, None]
    log_p = (
        gammaln(values + k) - gammaln(k) - gammaln(values + 1.0)
        - k * np.log1p(mean / k) + values * np.log(mean / (mean + k))
    )  # fmt: skip
    likelihood = (log_p * times).sum(axis=1)
    return float(SPREADS[np.flatnonzero(likelihood >= likelihood.max() - drop)[-1]])


def _tail(counts: Integers, mean: float, spread: float) -> Floats:
    """Return P(this many or more) under a negative binomial law: the incomplete beta function of p and the count."""
    result = np.ones(len(counts))
    some = counts > 0
    result[some] = betainc(counts[some], 1.0 / spread, mean / (mean + 1.0 / spread))
    return result


def _target_decoy(ours: Floats, others: Floats) -> Floats:
    """Return, item by item, the least share of decoys among the calls at its p or a larger one, sizes weighed."""
    order = np.argsort(ours, kind="stable")
    ranks = np.searchsorted(np.sort(ours), ours[order], side="right")
    called = np.searchsorted(np.sort(others), ours[order], side="right")
    shares = np.minimum(called * (len(ours) / len(others)) / ranks, 1.0)
    result = np.empty(len(ours))
    result[order] = np.minimum.accumulate(shares[::-1])[::-1]
    return result

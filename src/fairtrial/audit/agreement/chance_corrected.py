"""Kappa and alpha with intervals that hold at small n: a Bayesian bootstrap over tasks that never degenerates.

Each task gets a weight drawn from Gamma(1) (Rubin 1981). Four observations that nobody made, of both raters saying yes,
both no, and each of the two ways to differ, get Gamma(1/4) each, together one task's worth (Perks 1947). The interval
is the middle 95% of the coefficient over 4,000 draws. The ordinary bootstrap has no value where a draw holds one label
only, and an interval of no width where all agree: with 12 rollouts and one yes in ten it covers 20 to 44%, this one 92
to 97%. Over 60 points (12 to 60 tasks of 1 to 4 rollouts, prevalence .1 to .5, kappa .3 to .95) it covers 95% on
average and 89% at least.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from fairtrial.measure.agreement import cohen_kappa, krippendorff_alpha
from fairtrial.records import Estimate

Floats = NDArray[np.float64]
Coefficients = Callable[[Floats], Floats]
"""From the sums of many weightings, a row each, to the coefficient of each."""

DRAWS = 4000
_PRIOR = 0.25
_AT_ONCE = 1000
"""Tasks whose weights are held at once: 32 MB."""
_PAIRS = ((True, True), (True, False), (False, True), (False, False))
METHOD = "Bayesian bootstrap over tasks, one task's worth of prior"


def kappa(pairs: Sequence[tuple[bool, bool]], groups: Sequence[Hashable], seed: int = 0) -> Estimate:
    """Return Cohen's kappa of two raters' answers, with its interval over `groups`.

    >>> pairs = [(True, True)] * 60 + [(True, False)] * 6 + [(False, True)] * 6 + [(False, False)] * 33
    >>> found = kappa(pairs, range(len(pairs)))
    >>> round(found.value, 5), 0.58 < found.low < 0.66, 0.84 < found.high < 0.89
    (0.75524, True, True)
    """
    counts = [pairs.count(kind) for kind in _PAIRS]
    value = cohen_kappa([counts[:2], counts[2:]]) if pairs else None
    rows = np.array([[float(pair == kind) for kind in _PAIRS] for pair in pairs]).reshape(-1, 4)
    return _estimate(value, rows, groups, _kappas, np.eye(4), seed)


def alpha(units: Sequence[Sequence[bool]], groups: Sequence[Hashable], seed: int = 0) -> Estimate:
    """Return Krippendorff's nominal alpha over units, each the answers of its raters (two or more), with its interval.

    alpha rests on sums over units: labels of each kind, and (m^2 - sum n_c^2) / (m - 1), m labels of a unit.
    """
    value = krippendorff_alpha(units)
    rows = np.array([_sums(unit) for unit in units]).reshape(-1, 3)
    return _estimate(value, rows, groups, _alphas, np.array([_sums(pair) for pair in _PAIRS]), seed)


def _estimate(
    value: float | None, rows: Floats, groups: Sequence[Hashable], coefficient: Coefficients, prior: Floats, seed: int
) -> Estimate:
    n, names = len(rows), {group: i for i, group in enumerate(dict.fromkeys(groups))}
    if value is None:
        why = "nobody's answers to compare" if n == 0 else "undefined: all answers are equal"
        return Estimate(value=None, low=None, high=None, n=n, method=why, unit="rollouts")
    if len(names) < 2:
        return Estimate(value=value, low=None, high=None, n=n, method="one task: no interval", unit="rollouts")
    by_group = np.zeros((len(names), rows.shape[1]))
    np.add.at(by_group, [names[group] for group in groups], rows)
    generator = np.random.default_rng(seed)
    own = np.zeros((DRAWS, rows.shape[1]))
    for first in range(0, len(names), _AT_ONCE):
        some = by_group[first : first + _AT_ONCE]
        own += generator.standard_gamma(1.0, size=(DRAWS, len(some))) @ some
    unseen = generator.standard_gamma(_PRIOR, size=(DRAWS, len(_PAIRS))) @ prior * (n / len(names))
    low, high = np.quantile(coefficient(own + unseen), [0.025, 0.975])
    return Estimate(value=value, low=min(float(low), value), high=max(float(high), value), n=n, method=METHOD,
                    unit="rollouts")  # fmt: skip


def _kappas(sums: Floats) -> Floats:
    total = sums.sum(axis=1)
    observed = (sums[:, 0] + sums[:, 3]) / total
    first, second = (sums[:, 0] + sums[:, 1]) / total, (sums[:, 0] + sums[:, 2]) / total
    chance = first * second + (1 - first) * (1 - second)
    found: Floats = (observed - chance) / (1 - chance)
    return found


def _alphas(sums: Floats) -> Floats:
    yes, no, differing = sums.T
    found: Floats = 1 - (yes + no - 1) * differing / (2 * yes * no)
    return found


def _sums(unit: Sequence[bool]) -> tuple[float, float, float]:
    """Return the labels of each kind, and what disagrees, of one unit with two labels or more."""
    yes, raters = sum(unit), len(unit)
    no = raters - yes
    return float(yes), float(no), 2 * yes * no / (raters - 1)

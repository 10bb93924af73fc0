"""How far one judge's verdicts on one frozen rollout lie apart, with an interval, and what difference it can see.

sigma^2 is pooled over rollouts: sum (n_i - 1) s_i^2 / sum (n_i - 1). Its interval is that of chi-square on the degrees
of freedom after Satterthwaite: fewer where rollouts differ in their spread, so that scores which are steady on most
rollouts and wild on a few do not look well known. Pure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fairtrial.measure.intervals import zero_bound
from fairtrial.records import Estimate

WELL_ABOVE = 2.0
"""A gap of two standard deviations of a difference is seen in the right direction 97.7 times in 100."""


def sigma(groups: Sequence[Sequence[float]], gap: float) -> Estimate:
    """Return the standard deviation of verdicts on one rollout; `groups` are repeated verdicts, a rollout each.

    Where no repeat differed, the upper end supposes that as many verdicts as the 95% zero bound allows move by `gap`.

    >>> found = sigma([[7, 8, 6, 7], [3, 3, 4, 2]], gap=2)
    >>> [round(x, 3) for x in (found.value, found.low, found.high)]
    [0.816, 0.526, 1.798]
    """
    repeated = [np.asarray(group, dtype=float) for group in groups if len(group) > 1]
    ungraded = len(groups) - len(repeated)
    if not repeated:
        return Estimate(value=None, low=None, high=None, n=0, ungraded=ungraded, unit="rollouts",
                        method="no rollout has two verdicts")  # fmt: skip
    degrees = np.array([len(group) - 1 for group in repeated], dtype=float)
    variances = np.array([group.var(ddof=1) for group in repeated])
    total = float(degrees.sum())
    pooled = float((degrees * variances).sum() / total)
    if pooled <= 0:
        share = min(zero_bound(int(total)), 0.5)
        high = gap * math.sqrt(share * (1 - share))
        return Estimate(value=0.0, low=0.0, high=high, n=len(repeated), ungraded=ungraded, unit="rollouts",
                        method="no repeat differed; at most the zero bound of them by the gap")  # fmt: skip
    free = effective_degrees(degrees, variances)
    low, high = (math.sqrt(free * pooled / _chi_square_quantile(share, free)) for share in (0.975, 0.025))
    return Estimate(value=math.sqrt(pooled), low=low, high=high, n=len(repeated), ungraded=ungraded, unit="rollouts",
                    method="pooled over rollouts, chi-square")  # fmt: skip


def effective_degrees(degrees: np.ndarray, variances: np.ndarray) -> float:
    """Return the degrees of freedom that a chi-square of the pooled variance has, never more than there are.

    2 v^2 / var(v), var(v) from how the variances of the rollouts scatter. One rollout shows no scatter.
    """
    total, rollouts = float(degrees.sum()), len(degrees)
    if rollouts < 3:
        return total
    weights = degrees / total
    pooled = float((weights * variances).sum())
    scatter = float((weights**2 * (variances - pooled) ** 2).sum()) * rollouts / (rollouts - 1)
    return max(1.0, min(total, 2 * pooled**2 / scatter)) if scatter > 0 else total


@dataclass(frozen=True, slots=True)
class Sight:
    """What a judge of this spread can see at its number of votes."""

    needed: float | None
    """The smallest gap that is well above sigma; None where sigma is not known."""
    needed_low: float | None
    needed_high: float | None
    votes_needed: int | None
    """Verdicts to average so that the declared gap would be."""


def sight(found: Estimate, gap: float, votes: int, *, is_difference: bool) -> Sight:
    """Return the gap that this sigma can see: 2 sigma sqrt(2 / votes).

    `is_difference`: a verdict of a pair is a difference already, so the 2 under the root is 1.
    """
    if found.value is None or found.low is None or found.high is None:
        return Sight(None, None, None, None)
    factor = WELL_ABOVE * math.sqrt((1 if is_difference else 2) / votes)
    one = factor * found.value * math.sqrt(votes)
    return Sight(factor * found.value, factor * found.low, factor * found.high,
                 max(1, math.ceil((one / gap) ** 2 - 1e-9)))  # fmt: skip


def _chi_square_quantile(share: float, degrees: float) -> float:
    """Return the quantile of chi-square at `degrees` degrees of freedom, which need not be whole.

    >>> round(_chi_square_quantile(0.975, 10), 4)
    20.4832
    """
    from scipy.special import gammaincinv

    return 2.0 * float(gammaincinv(degrees / 2.0, share))

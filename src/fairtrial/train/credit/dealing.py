"""The advantages of one group: rewards against their mean, then, where it is asked for, credit dealt by rank (GAR).

A reward of None is a broken grader: that attempt is not in the mean and its advantage is 0. Dealing by rank moves
positive advantage among the passes and makes none: the sum over the group stays what it was. In two steps:

1. A confirmed hack with a positive advantage gets 0. What it had goes to the honest passes with a positive advantage,
   in proportion to theirs. Where there is none, the negative advantages shrink by one factor instead: nothing is
   learned from a group in which every pass is a hack.
2. Of the ranked honest passes with a positive advantage, m in number, pass i with rank r_i among those m has weight
   w_i = m + 1 - r_i and gets (1 - s) a_i + s A a_i w_i / sum_j(a_j w_j); A is the sum of their a, s the strength.
   Equal ranks have equal weights. The stronger half of any cut never gets less than before, and no pass falls below 0.

With one pass, or in a group in which all passed (every advantage is 0), there is nothing to move. Not covered: how
ranks come about (`ranks`), and what is a hack (reviews say so).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fairtrial.measure.advantages import Convention, advantages

Floats = NDArray[np.float64]
FEWEST_GRADED = 2
"""One reward has no other to be held against."""
ROUNDING = 1e-12
"""Of the largest advantage of a group: what is less is 0 but for rounding."""


def advantages_with_gaps(
    rewards: Sequence[float | None], convention: Convention, epsilon: float = 0.0
) -> tuple[float, ...]:
    """Return the advantage of each attempt; 0 where the reward is None, and for all where fewer than two have one.

    Raise ValueError for a reward that is not finite, or an unknown convention.

    >>> advantages_with_gaps([1.0, None, 0.0, 0.0, 1.0], "none")
    (0.5, 0.0, -0.5, -0.5, 0.5)
    """
    graded = [index for index, reward in enumerate(rewards) if reward is not None]
    found = np.zeros(len(rewards))
    if len(graded) >= FEWEST_GRADED:
        found[graded] = advantages([float(reward) for reward in rewards if reward is not None], convention, epsilon)
    return tuple(found.tolist())


def dealt_by_rank(
    given: Sequence[float],
    passed: Sequence[bool],
    ranks: Sequence[float | None],
    hacks: Sequence[bool | None] = (),
    strength: float = 1.0,
) -> tuple[float, ...]:
    """Return `given` advantages after credit was dealt by rank: 1 is the best, None is not ranked and keeps its own.

    `hacks` may be empty. Raise ValueError where lengths differ, or `strength` is not in [0, 1].

    >>> dealt_by_rank([0.5, 0.5, 0.5, -1.5], [True, True, True, False], [1.0, 2.0, 3.0, None])
    (0.75, 0.5, 0.25, -1.5)
    >>> dealt_by_rank([0.5, 0.5, -1.0], [True, True, False], [1.0, None, None], [False, True, None])
    (1.0, 0.0, -1.0)
    """
    if not len(given) == len(passed) == len(ranks) or len(hacks) not in (0, len(given)):
        raise ValueError("advantages, passes, ranks and hacks of a group are of one length")
    if not 0 <= strength <= 1:
        raise ValueError("strength lies in [0, 1]")
    found = np.asarray(given, dtype=np.float64).copy()
    hack = np.array([said is True for said in hacks] or [False] * len(found))
    # An advantage that is positive by rounding alone is none: it would take all that a hack had.
    honest = np.array(passed, dtype=bool) & ~hack & (found > ROUNDING * np.abs(found).max(initial=0.0))
    _take_from_hacks(found, hack & (found > 0), honest)
    ranked = honest & np.array([rank is not None for rank in ranks])
    if ranked.sum() > 1 and strength > 0:
        _shift(found, ranked, np.array([0.0 if rank is None else rank for rank in ranks]), strength)
    return tuple(found.tolist())


def _take_from_hacks(found: Floats, hack: NDArray[np.bool_], honest: NDArray[np.bool_]) -> None:
    taken = float(found[hack].sum())
    if taken == 0.0:
        return
    found[hack] = 0.0
    if honest.any():
        own = float(found[honest].sum())
        found[honest] *= (own + taken) / own
        return
    negative = found < 0
    owed = -float(found[negative].sum())
    if owed > 0:
        # Where no other has a positive advantage, owed and taken are one number but for rounding: nothing is left.
        left = 0.0 if not (found > 0).any() else max(0.0, (owed - taken) / owed)
        found[negative] *= left


def _shift(found: Floats, ranked: NDArray[np.bool_], ranks: Floats, strength: float) -> None:
    own, among = found[ranked], ranks[ranked]
    # A pass that is ranked and has no positive advantage left gaps in the ranks of those that share.
    below = (among[None, :] < among[:, None]).sum(1)
    equal = (among[None, :] == among[:, None]).sum(1)
    weighted = own * (len(own) - below - (equal - 1) / 2)
    found[ranked] = (1 - strength) * own + strength * own.sum() * weighted / weighted.sum()

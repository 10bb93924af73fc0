"""Are eval items enriched at the top of a ranking of items and decoys? The minimum hypergeometric test, exact.

Items of an evaluation set and decoys of the same source are exchangeable where nobody built around the former, so
every order of their labels along the ranking is as likely as every other. At each depth the number of eval items
above it is hypergeometric; the smallest of these tail probabilities is the statistic, and its own distribution is
counted over lattice paths (Eden, Lipson, Yogev and Yakhini 2007). Sets of unequal size need no weights.

Does not cover: whether the two are exchangeable (`decoys`), or which item is meant (`concentration`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

Floats = NDArray[np.float64]

_TOLERANCE = 1e-9
"""Relative: a path that ends on the observed statistic counts as one that reaches it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Enrichment:
    """Where along the ranking eval items stand out most, and how likely that is by chance alone."""

    p_value: float
    """Exact over all depths; conservative where items tie."""
    depth: int
    """Items and decoys above the cut; 0 where nothing was ranked."""
    eval_above: int
    expected: float
    """Eval items that chance puts above the cut."""
    cut: float
    """Figure of the last item above the cut."""


def enrichment(figures: Floats, is_eval: NDArray[np.bool_]) -> Enrichment:
    """Return how far eval items crowd at the top of `figures` (higher is nearer; shape (items and decoys,)).

    Depths reach down to half the list, and never into the items whose figure is 0: what drew nothing has no rank.

    >>> found = enrichment(np.array([9.0, 8, 7, 6, 5, 4, 0, 0]), np.array([1, 1, 1, 1, 0, 0, 0, 0], dtype=bool))
    >>> found.depth, found.eval_above, round(found.p_value, 4)
    (4, 4, 0.0143)
    """
    total, ours = len(figures), int(is_eval.sum())
    order = np.argsort(-figures, kind="stable")
    ranked, above = figures[order], np.cumsum(is_eval[order])
    deepest = min((total + 1) // 2, int((figures > 0).sum()))
    if deepest == 0 or ours in (0, total):
        return Enrichment(p_value=1.0, depth=0, eval_above=0, expected=0.0, cut=0.0)
    ends = np.append(ranked[1:] != ranked[:-1], True)[:deepest]
    depths = np.flatnonzero(ends) + 1
    if len(depths) == 0:
        return Enrichment(p_value=1.0, depth=0, eval_above=0, expected=0.0, cut=0.0)
    logs = _log_factorials(total)
    tails = [float(_tail(logs, total, ours, int(depth))[above[depth - 1]]) for depth in depths]
    best = int(np.argmin(tails))
    depth = int(depths[best])
    return Enrichment(
        p_value=_reached(tails[best], logs, total, ours, int(depths[-1])),
        depth=depth,
        eval_above=int(above[depth - 1]),
        expected=depth * ours / total,
        cut=float(ranked[depth - 1]),
    )


def _log_factorials(most: int) -> Floats:
    result: Floats = gammaln(np.arange(most + 1) + 1.0)
    return result


def _tail(logs: Floats, total: int, ours: int, depth: int) -> Floats:
    """Return P(k or more of ours among the first `depth`), for k = 0 ... min(ours, depth)."""
    k = np.arange(min(ours, depth) + 1)
    fits = depth - k <= total - ours
    rest = np.where(fits, depth - k, 0)
    log_p = (
        logs[ours] - logs[k] - logs[ours - k]
        + logs[total - ours] - logs[rest] - logs[total - ours - rest]
        - logs[total] + logs[depth] + logs[total - depth]
    )  # fmt: skip
    mass = np.where(fits, np.exp(log_p), 0.0)
    tail: Floats = np.minimum(np.cumsum(mass[::-1])[::-1], 1.0)
    return tail


def _reached(least: float, logs: Floats, total: int, ours: int, deepest: int) -> float:
    """Return P(some depth up to `deepest` has a tail of `least` or less), summed over the paths that first get there.

    Summing what crosses keeps small probabilities right; one minus what stays would end at 1e-16.
    """
    inside = np.zeros(ours + 1)
    inside[0] = 1.0
    crossed = 0.0
    k = np.arange(ours + 1)
    for depth in range(1, deepest + 1):
        up = inside * np.clip((ours - k) / (total - depth + 1), 0.0, 1.0)
        inside -= up
        inside[1:] += up[:-1]
        tail = _tail(logs, total, ours, depth)
        over = np.flatnonzero(tail <= least * (1 + _TOLERANCE))
        if len(over):
            crossed += float(inside[over[0] :].sum())
            inside[over[0] :] = 0.0
    return min(1.0, crossed)

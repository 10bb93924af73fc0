"""Does a model know the items? Its answers on items beside its answers on decoys, less what the base's differ by.

Items and decoys are draws of one source, and nobody who trains sees the decoys. So whatever a model learned honestly,
which of these questions are called items is, for it and its base, as good as drawn by lot: the test is over all ways to
draw that lot, exact for every number of questions, every accuracy and every base (Fisher's permutation test on the
difference in differences). Each question counts once, at one seed that all four evaluations share.

Not covered: items and decoys of different sources or difficulty. Where the base itself answers them unlike, nothing is
said; where it fails on all of both, it cannot tell.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

LEVEL = 0.001
"""Of the test: a flag costs the score, and a bench has many runs."""
LEAST_GAP = 0.10
"""Gap from which it is told: a smaller one is worth little, and the best of many honest models may have it."""
BASE_LEVEL = 0.01
"""Of the two-sided test by which the base answers items and decoys unlike."""
CONFIDENCE = 0.95
METHOD = "exact permutation test of the difference in differences, one-sided; interval of Agresti and Min"

Answers = Mapping[str, bool | None]
Integers = NDArray[np.int64]


class IncomparableError(Exception):
    """Why answers say nothing of a gap."""


@dataclass(frozen=True, slots=True)
class Side:
    """One set of questions: how many both models have a grade on, and how many each passes of these."""

    n: int
    ungraded: int
    model: int
    base: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """What a comparison came to; shares, not points."""

    items: Side
    decoys: Side
    value: float
    """(Model's share on items less its share on decoys) less the same of the base."""
    low: float
    high: float
    p_value: float
    base_p_value: float

    @property
    def knows(self) -> bool:
        """Say whether the model knows the items, by level and least gap."""
        return self.p_value < LEVEL and self.value >= LEAST_GAP

    def document(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {"items": asdict(self.items), "decoys": asdict(self.decoys),
                "gap": {"value": self.value, "low": self.low, "high": self.high}, "p_value": self.p_value,
                "base_p_value": self.base_p_value, "knows": self.knows,
                "settings": {"level": LEVEL, "least_gap": LEAST_GAP, "base_level": BASE_LEVEL,
                             "confidence": CONFIDENCE}, "method": METHOD}  # fmt: skip


def gap_of(items: Answers, base_items: Answers, decoys: Answers, base_decoys: Answers) -> Gap:
    """Compare a model and its base on items and decoys. Raise IncomparableError where nothing can be told of them.

    >>> one = {str(n): True for n in range(20)}
    >>> found = gap_of(one, dict.fromkeys(one, False), dict.fromkeys(one, False), dict.fromkeys(one, False))
    >>> found.value, found.p_value < 1e-10, found.knows
    (1.0, True, True)
    """
    told, changes = _side(items, base_items, "items")
    other, other_changes = _side(decoys, base_decoys, "decoys")
    if stats.hypergeom.pmf(told.n, told.n + other.n, told.n, told.n) >= LEVEL:  # of the clearest answers there could be
        raise IncomparableError(f"{told.n} items and {other.n} decoys are too few: no answers to them could tell")
    base_p = float(stats.fisher_exact([[told.base, told.n - told.base], [other.base, other.n - other.base]])[1])
    if base_p < BASE_LEVEL:
        shares = f"{_share(told.base, told.n)} of the items and {_share(other.base, other.n)} of the decoys"
        raise IncomparableError(f"the base itself passes {shares} (p = {base_p:.2g}): they are not alike")
    value = float(changes.mean() - other_changes.mean())
    low, high = _interval(changes, other_changes)
    return Gap(items=told, decoys=other, value=value, low=low, high=high,
               p_value=permutation_p(changes, other_changes), base_p_value=base_p)  # fmt: skip


def _share(passed: int, n: int) -> str:
    return f"{100 * passed / n:.1f}%"


def _side(answers: Answers, base: Answers, name: str) -> tuple[Side, Integers]:
    """Return one set of questions, and by how much the model does better on each: -1, 0 or 1."""
    if set(answers) != set(base):
        raise IncomparableError(f"the model and its base were asked other {name}")
    both = [(one, base[key]) for key, one in answers.items() if one is not None and base[key] is not None]
    if not both:
        raise IncomparableError(f"none of the {name} is graded for the model and its base")
    pairs = np.array(both, dtype=np.int64)
    side = Side(n=len(pairs), ungraded=len(answers) - len(pairs), model=int(pairs[:, 0].sum()),
                base=int(pairs[:, 1].sum()))  # fmt: skip
    return side, pairs[:, 0] - pairs[:, 1]


def permutation_p(changes: Integers, others: Integers) -> float:
    """Return P(sum over as many drawn at random from both >= the sum of `changes`); values are -1, 0 and 1.

    >>> round(permutation_p(np.array([1, 1, 1]), np.array([0, 0, 0])), 6)  # one of the 20 ways to draw three of six
    0.05
    """
    total, drawn = len(changes) + len(others), len(changes)
    gained = int((changes == 1).sum() + (others == 1).sum())
    lost = int((changes == -1).sum() + (others == -1).sum())
    if gained == total:  # nothing is left of which the losses could be drawn
        return 1.0
    among = np.arange(max(0, drawn - (total - gained)), min(gained, drawn) + 1)
    chances = stats.hypergeom.pmf(among, total, gained, drawn)
    fit = stats.hypergeom.cdf(among - int(changes.sum()), total - gained, lost, drawn - among)
    return min(1.0, float(chances @ fit))


def _interval(changes: Integers, others: Integers) -> tuple[float, float]:
    """Return the interval of the gap: half an answer is added to each kind of pair, so that no end degenerates."""
    middle, variance = 0.0, 0.0
    for sign, values in ((1, changes), (-1, others)):
        n = len(values) + 2
        up, down = (float((values == way).sum()) + 0.5 for way in (1, -1))
        mean = (up - down) / n
        middle += sign * mean
        variance += ((up + down) / n - mean**2) / n
    spread = float(stats.norm.ppf((1 + CONFIDENCE) / 2)) * math.sqrt(variance)
    value = float(changes.mean() - others.mean())
    return max(-2.0, min(value, middle - spread)), min(2.0, max(value, middle + spread))

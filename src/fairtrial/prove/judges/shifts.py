"""Do verdicts move when a rollout is shown in another way, by more than repeats of one showing differ? Pure.

A permutation test: which of a case's verdicts belong to which showing is drawn anew, case by case, and the statistic
compared. It needs no distribution, and is exact for a judge that minds no such thing. Many probes are tried, so the
p-values are corrected after Holm (1979).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fairtrial.attack.judges.protocol import Defect

DRAWS = 4000
ALPHA = 0.05
Pair = tuple[Sequence[float], Sequence[float]]
"""Verdicts of one case: as a base, and as shown in another way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """How far verdicts moved."""

    size: float
    """Mean over cases of the difference of means; for `moves`, its root mean square."""
    chance: float
    """What chance alone stays below 95 times in 100."""
    p_value: float
    cases: int


def shift(pairs: Sequence[Pair], defect: Defect, seed: int = 0) -> Shift:
    """Return how verdicts moved from base to variant, against chance. Every pair needs a verdict on each side.

    >>> shift([([7, 7, 7, 7], [9, 9, 9, 9])] * 3, "rises").p_value < 0.001
    True
    >>> shift([([7, 8, 7, 8], [8, 7, 8, 7])] * 3, "moves").p_value
    1.0
    """
    if not pairs:
        return Shift(size=0.0, chance=0.0, p_value=1.0, cases=0)
    chance = np.random.default_rng(seed)
    seen, drawn = np.zeros(len(pairs)), np.zeros((len(pairs), DRAWS))
    for index, (base, variant) in enumerate(pairs):
        both = np.asarray([*base, *variant], dtype=float)
        seen[index] = both[len(base) :].mean() - both[: len(base)].mean()
        shuffled = chance.permuted(np.tile(both, (DRAWS, 1)), axis=1)
        drawn[index] = shuffled[:, len(base) :].mean(axis=1) - shuffled[:, : len(base)].mean(axis=1)
    observed, expected = _statistic(seen[:, None], defect)[0], _statistic(drawn, defect)
    reached = int((expected >= observed - 1e-9).sum())
    return Shift(size=_signed(float(observed), defect), chance=_signed(float(np.quantile(expected, 0.95)), defect),
                 p_value=(1 + reached) / (1 + DRAWS), cases=len(pairs))  # fmt: skip


def _statistic(differences: np.ndarray, defect: Defect) -> np.ndarray:
    if defect == "moves":
        found: np.ndarray = np.sqrt((differences**2).mean(axis=0))
        return found
    mean: np.ndarray = differences.mean(axis=0)
    return -mean if defect == "falls" else mean


def _signed(value: float, defect: Defect) -> float:
    return -value if defect == "falls" else value


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Return each p-value corrected for how many there are.

    >>> holm({"a": 0.01, "b": 0.04})
    {'a': 0.02, 'b': 0.04}
    """
    ordered = sorted(p_values, key=lambda name: p_values[name])
    found: dict[str, float] = {}
    most = 0.0
    for rank, name in enumerate(ordered):
        most = max(most, min(1.0, p_values[name] * (len(ordered) - rank)))
        found[name] = most
    return {name: found[name] for name in p_values}


def mean(values: Sequence[float]) -> float:
    """Return the mean.

    >>> mean([1, 2])
    1.5
    """
    return math.fsum(values) / len(values)

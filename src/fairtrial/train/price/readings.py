"""Readings of many families at once: taught, harmed, or within noise, by a false discovery rate over all of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairtrial.measure.fisher import benjamini_hochberg
from fairtrial.train.price.result import TaughtReading

FALSE_DISCOVERIES = 0.05


def q_values(p_values: Sequence[float | None]) -> list[float | None]:
    """Return the q of every p that is known, over those.

    >>> q_values([0.01, None, 0.04])
    [0.02, None, 0.04]
    """
    known = [p for p in p_values if p is not None]
    found = iter(benjamini_hochberg(np.array(known)).tolist()) if known else iter(())
    return [None if p is None else float(next(found)) for p in p_values]


def reading_of(value: float | None, q: float | None) -> TaughtReading:
    """Return what an effect says at a false discovery rate of 5%.

    >>> reading_of(0.1, 0.01), reading_of(-0.1, 0.01), reading_of(0.1, 0.2), reading_of(0.1, None)
    ('taught', 'harmed', 'within_noise', 'within_noise')
    """
    if value is None or q is None or q > FALSE_DISCOVERIES or value == 0:
        return "within_noise"
    return "taught" if value > 0 else "harmed"


def seeds_words(seeds: int) -> str:
    """Return over how many trainings an estimate is.

    >>> seeds_words(1), seeds_words(3)
    ('one training seed', '3 training seeds')
    """
    return "one training seed" if seeds == 1 else f"{seeds} training seeds"

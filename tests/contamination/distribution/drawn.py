"""Training sets drawn from a law, in which nobody built around anything, unless rows are planted."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from fairtrial.contamination.result import Nearness

ITEMS = 120
THRESHOLD = 0.6


def broad(source: Generator, rows: int = 2_000, spread: float = 1.0, items: int = 2 * ITEMS) -> Nearness:
    """Rows of broad training: items draw them unequally (gamma weights), most are not near."""
    weights = source.gamma(1 / spread, spread, items) + 1e-9
    item = source.choice(items, rows, p=weights / weights.sum())
    return Nearness(item=item.astype(np.int32), score=source.beta(3, 4, rows).astype(np.float32))


def families(source: Generator, often: float, size: float, items: int = 2 * ITEMS) -> Nearness:
    """Natural near copies: now and then an item, or a decoy, has a family of them."""
    sizes = np.where(source.random(items) < often, source.geometric(1 / size, items), 0)
    item = np.repeat(np.arange(items), sizes)
    return Nearness(item=item.astype(np.int32), score=source.uniform(0.6, 0.99, len(item)).astype(np.float32))


def planted(items: list[int], score: float) -> Nearness:
    return Nearness(item=np.array(items, dtype=np.int32), score=np.full(len(items), score, dtype=np.float32))


def together(*parts: Nearness) -> Nearness:
    return Nearness(item=np.concatenate([part.item for part in parts]),
                    score=np.concatenate([part.score for part in parts]))  # fmt: skip

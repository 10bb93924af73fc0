"""What a scan comes to, as data: flagged pairs with their passages, and what each item drew near."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LEVEL = 0.05
"""How often each question of a scan may call a clean training set."""


@dataclass(frozen=True, slots=True)
class Span:
    """A passage: characters [start, end) of the text at `place` of a row."""

    place: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """One row of training and one item it holds or rewords."""

    train_id: str
    train_row: int
    """Number of the row among those read, from 0."""
    item_id: str
    score: float
    """In [0, 1], comparable between detectors of one scan: higher is nearer."""
    detector: str
    """`verbatim` (shared 5-grams), or the part of the variants' combination that speaks most for it."""
    train: Span | None = None
    item: Span | None = None
    """The matching passages; None where the likeness is of the whole text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearness:
    """For every row that was read: the item it lies nearest to, and how near. Items are numbered as they were given."""

    item: NDArray[np.int32]
    """Shape (rows,); -1 where nothing was near enough to be looked at."""
    score: NDArray[np.float32]
    """Shape (rows,), in [0, 1]; 0 where `item` is -1."""

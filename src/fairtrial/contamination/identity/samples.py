"""Parts of some matrices, held in memory, for what needs a matrix as a whole: its spectrum, its grid, its order.

At most `MOST` of the matrices that changed, evenly over the model's order, and of each at most `SIDE` rows, evenly
spaced, with its first `SIDE` columns (in a row, for quantisation works on runs of a row). Drawn by no chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from fairtrial.contamination.identity.dtypes import WEIGHTS, Array
from fairtrial.contamination.identity.pairing import Pair
from fairtrial.contamination.identity.views import View, row_size

MOST, SIDE = 24, 512
DENSEST, MOST_NUMBERS, BLOCK = 48, 100_000_000, 1 << 20


@dataclass(frozen=True, slots=True)
class Sample:
    """The same part of one matrix of the submitted, the base and the known models, as float64, (rows, columns)."""

    name: str
    submitted: Array
    base: Array
    known: tuple[Array | None, ...]

    @property
    def change(self) -> Array:
        """Return submitted - base."""
        result: Array = self.submitted - self.base
        return result


def evenly(count: int, most: int) -> list[int]:
    """Return at most `most` of the numbers below `count`, evenly spaced, the first always.

    >>> evenly(10, 4), evenly(3, 4)
    ([0, 2, 5, 7], [0, 1, 2])
    """
    return list(range(count)) if count <= most else [at * count // most for at in range(most)]


def samples(pairs: Sequence[Pair], most: int = MOST, side: int = SIDE) -> list[Sample]:
    """Return parts of the matrices among `pairs` that the base has."""
    matrices = [pair for pair in pairs if pair.is_matrix and pair.base is not None]
    return [sample_of(matrices[at], side) for at in evenly(len(matrices), most)]


def sample_of(pair: Pair, side: int = SIDE) -> Sample:
    """Return the part of a matrix that the base has too."""
    rows = evenly(pair.shape[0], side)
    columns = min(side, row_size(pair.shape))
    assert pair.base is not None  # samples() keeps those alone
    return Sample(pair.name, read_rows(pair.submitted, rows, columns), read_rows(pair.base, rows, columns),
                  tuple(None if view is None or view.dtype not in WEIGHTS else read_rows(view, rows, columns)
                        for view in pair.known))  # fmt: skip


def densest_samples(counted: Sequence[tuple[Pair, int]], most: int = DENSEST, side: int = SIDE) -> Iterator[Sample]:
    """Yield the rows and columns that changed most, of the matrices of which most changed (`counted`: how much).

    For changes that are sparse: chosen by whether numbers changed, never by how, so that noise stays noise.
    """
    matrices = [(pair, count) for pair, count in counted if pair.is_matrix and pair.size <= MOST_NUMBERS]
    chosen = sorted(matrices, key=lambda each: -each[1] / each[0].size)[:most]
    return (_densest(pair, side) for pair, _ in chosen)


def _densest(pair: Pair, side: int) -> Sample:
    assert pair.base is not None  # only what the base has changed from it
    width = row_size(pair.shape)
    by_row, by_column = np.zeros(pair.shape[0], np.int64), np.zeros(width, np.int64)
    block = max(1, BLOCK // width)
    for first in range(0, pair.shape[0], block):
        last = min(first + block, pair.shape[0])
        span = first * width, last * width
        changed = (pair.submitted.numbers(*span) != pair.base.numbers(*span)).reshape(-1, width)
        by_row[first:last] = changed.sum(1)
        by_column += changed.sum(0)
    rows, columns = (np.sort(np.argsort(-by, kind="stable")[:side]) for by in (by_row, by_column))
    own, base = (read_rows(view, rows.tolist(), width)[:, columns] for view in (pair.submitted, pair.base))
    return Sample(pair.name, own, base, ())


def read_rows(view: View, rows: Sequence[int], columns: int) -> Array:
    """Return the first `columns` numbers of these rows as float64, what is not finite as 0."""
    width = row_size(view.shape)
    found = np.stack([view.numbers(row * width, row * width + columns) for row in rows]).astype(np.float64)
    return np.nan_to_num(found, copy=False, posinf=0, neginf=0)

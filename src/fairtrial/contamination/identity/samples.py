"""Parts of some matrices, held in memory, for what needs a matrix as a whole: its spectrum, its grid, its order.

At most `MOST` of the matrices that changed, evenly over the model's order, and of each at most `SIDE` rows, evenly
spaced, with its first `SIDE` columns (in a row, for quantisation works on runs of a row). Drawn by no chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fairtrial.contamination.identity.dtypes import WEIGHTS, Array
from fairtrial.contamination.identity.pairing import Pair
from fairtrial.contamination.identity.views import View, row_size

MOST, SIDE = 24, 512


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
    return [_sample(matrices[at], side) for at in evenly(len(matrices), most)]


def _sample(pair: Pair, side: int) -> Sample:
    rows = evenly(pair.shape[0], side)
    columns = min(side, row_size(pair.shape))
    assert pair.base is not None  # samples() keeps those alone
    return Sample(pair.name, read_rows(pair.submitted, rows, columns), read_rows(pair.base, rows, columns),
                  tuple(None if view is None or view.dtype not in WEIGHTS else read_rows(view, rows, columns)
                        for view in pair.known))  # fmt: skip


def read_rows(view: View, rows: Sequence[int], columns: int) -> Array:
    """Return the first `columns` numbers of these rows as float64, what is not finite as 0."""
    width = row_size(view.shape)
    found = np.stack([view.numbers(row * width, row * width + columns) for row in rows]).astype(np.float64)
    return np.nan_to_num(found, copy=False, posinf=0, neginf=0)

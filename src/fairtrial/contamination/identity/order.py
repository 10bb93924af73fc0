"""Are the rows of a matrix those of another model's, in another order? Permuted neurons and heads hide a copy from a
comparison place by place, and the model computes the same.

Two tries, on a few matrices: each row's nearest row by cosine (its columns in place: neurons, heads), and rows with the
sizes of their numbers sorted (columns in another order or sign too), which only finds rows that were not trained since.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fairtrial.contamination.identity.dtypes import Array
from fairtrial.contamination.identity.pairing import Pair
from fairtrial.contamination.identity.samples import evenly, read_rows
from fairtrial.contamination.identity.views import View, row_size

MATRICES, ROWS, COLUMNS, MOST_NUMBERS = 4, 32, 512, 32_000_000
NEAR, SAME = 0.8, 0.004
"""Cosine from which two rows are one, trained; distance of sorted rows, of their size, up to which they are the same
(bfloat16 rounds by 0.002)."""


@dataclass(frozen=True, slots=True)
class Moved:
    """Of the sampled rows, the share found in another place of the base and of each known model."""

    near: tuple[float, ...]
    """By cosine; base first, then each known."""
    same: tuple[float, ...]
    """By sorted sizes."""
    nearest: tuple[float, ...]
    """Mean cosine of the sampled rows to the nearest row, wherever it stands."""
    rows: int


def moved_rows(pairs: Sequence[Pair], known: int) -> Moved:
    """Return where rows of the submitted's matrices are found in those of the base and the known models."""
    fit = [p for p in pairs if p.is_matrix and p.size <= MOST_NUMBERS and p.shape[0] >= 8 and row_size(p.shape) >= 8]
    near, same, rows = np.zeros(1 + known), np.zeros(1 + known), 0
    nearest = np.zeros(1 + known)
    for at in evenly(len(fit), MATRICES):
        pair = fit[at]
        chosen = evenly(pair.shape[0], ROWS)
        columns = min(COLUMNS, row_size(pair.shape))
        own, sorted_own = _unit(read_rows(pair.submitted, chosen, columns)), _sorted(pair.submitted, chosen)
        rows += len(chosen)
        for number, view in enumerate((pair.base, *pair.known)):
            if view is not None:
                every = list(range(view.shape[0]))
                best = own @ _unit(read_rows(view, every, columns)).T
                near[number] += _near(best, chosen)
                nearest[number] += float(best.max(axis=1).sum())
                same[number] += _same(sorted_own, view)
    total = max(rows, 1)
    return Moved(tuple(map(float, near / total)), tuple(map(float, same / total)),
                 tuple(map(float, nearest / total)), rows)  # fmt: skip


def _unit(rows: Array) -> Array:
    sizes = np.linalg.norm(rows, axis=1, keepdims=True)
    result: Array = rows / np.where(sizes > 0, sizes, 1)
    return result


def _near(cosines: Array, places: Sequence[int]) -> int:
    """Count rows whose nearest row stands elsewhere, and is near."""
    best = np.argmax(cosines, axis=1)
    return int(np.count_nonzero((cosines[np.arange(len(best)), best] >= NEAR) & (best != np.asarray(places))))


def _sorted(view: View, rows: Sequence[int]) -> Array:
    result: Array = np.sort(np.abs(read_rows(view, rows, row_size(view.shape))), axis=1)
    return result


def _same(own: Array, view: View) -> int:
    """Count rows that hold the numbers of some row of `view`, in any order and sign."""
    found = np.zeros(len(own), bool)
    sizes = np.linalg.norm(own, axis=1)
    for start in range(0, view.shape[0], 256):
        theirs = _sorted(view, range(start, min(start + 256, view.shape[0])))
        sums = np.abs(own.sum(1)[:, None] - theirs.sum(1)[None])
        close = sums <= SAME * own.sum(1)[:, None]
        for row, other in np.argwhere(close):
            if not found[row] and np.linalg.norm(own[row] - theirs[other]) <= SAME * sizes[row]:
                found[row] = True
    return int(np.count_nonzero(found & (sizes > 0)))

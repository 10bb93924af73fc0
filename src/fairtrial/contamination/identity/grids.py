"""Is the change of a matrix no more than rounding to a coarser grid, or another scale of the same numbers?

Rounding to nearest keeps order: of two weights the larger becomes no smaller. So a quantised matrix is a function of
the base that never falls, with few values; weights that were trained before they were quantised are not, for training
moves neighbours past each other. Where the grid is too fine for few values, the errors tell: they are spread evenly
between half a step down and up (kurtosis 1.8; a normal error's is 3, a step of sign descent's 1).
Not covered: methods that correct one rounding by the next (GPTQ) keep no order; their errors are larger than rounding.
"""

from __future__ import annotations

import numpy as np

from fairtrial.contamination.identity.dtypes import Array
from fairtrial.contamination.identity.samples import Sample

GROUPS = (0, 128, 64, 32)
"""Numbers of a row that share a step; 0: the whole row."""
FEW = 0.6
"""Values that are left of a hundred are fewer than sixty: it is a grid."""
_ROWS = 128
EVEN_ERRORS = (1.5, 2.2)
SCALED = 0.98


def is_rounded(sample: Sample) -> bool:
    """Say whether the submitted matrix is the base's rounded to few values, in order."""
    base, submitted = sample.base[:_ROWS], sample.submitted[:_ROWS]
    whole = (base.reshape(1, -1), submitted.reshape(1, -1))
    if _is_rounded(*whole):
        return True
    columns = base.shape[1]
    for group in GROUPS:
        size = group or columns
        if size <= columns:
            kept = columns - columns % size
            parts = (m[:, :kept].reshape(-1, size) for m in (base, submitted))
            if _is_rounded(*parts):
                return True
    return False


def _is_rounded(base: Array, submitted: Array) -> bool:
    """Say so of rows that each have a step of their own."""
    order = np.argsort(base, axis=1, kind="stable")
    steps = np.diff(np.take_along_axis(submitted, order, 1), axis=1)
    base_steps = np.diff(np.take_along_axis(base, order, 1), axis=1)
    in_order = np.mean(np.all((steps >= 0) & ((steps == 0) | (base_steps > 0)), axis=1))
    left = np.median((1 + np.count_nonzero(steps, axis=1)) / (1 + np.count_nonzero(base_steps, axis=1)))
    return bool(in_order >= 0.98 and left <= FEW)


def has_even_errors(sample: Sample) -> bool:
    """Say whether the change is spread as errors of rounding are."""
    change = sample.change
    squared = change * change
    square = np.mean(squared, axis=1)
    kurtosis = np.mean(squared * squared, axis=1)[square > 0] / square[square > 0] ** 2
    return bool(kurtosis.size and EVEN_ERRORS[0] <= np.median(kurtosis) <= EVEN_ERRORS[1])


def scaled(sample: Sample) -> Array:
    """Return the base with its rows and columns scaled to lie nearest to the submitted, in three rounds of both."""
    fit = sample.base
    for _ in range(3):
        for axis in (1, 0):
            squares = np.sum(fit**2, axis=axis, keepdims=True)
            products = np.sum(fit * sample.submitted, axis=axis, keepdims=True)
            fit = fit * np.where(squares > 0, products / np.where(squares > 0, squares, 1), 1)
    return fit


def scaled_share(sample: Sample) -> float:
    """Return the share of the change that other scales of the base's rows and columns explain.

    Training explains little of itself so: rows and columns of n by n weights have 2n scales for n² numbers.
    """
    total = float(np.sum(sample.change**2))
    return max(0.0, 1 - float(np.sum((sample.submitted - scaled(sample)) ** 2)) / total) if total else 0.0

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
SCALED, ROUNDING = 0.98, 0.004
MOST_ASTRAY = 5e-4
"""Share of numbers that were not rounded to the nearest value. Training before the rounding takes some past the middle:
about as many as it moves by, in steps."""


def is_rounded(sample: Sample) -> bool:
    """Say whether the submitted matrix is the base's rounded to the nearest of few values."""
    base, submitted = sample.base[:_ROWS], sample.submitted[:_ROWS]
    slack = _slack(submitted)
    whole = (base.reshape(1, -1), submitted.reshape(1, -1))
    if _is_rounded(*whole, slack):
        return True
    columns = base.shape[1]
    for group in GROUPS:
        size = group or columns
        if size <= columns:
            kept = columns - columns % size
            parts = [m[:, :kept].reshape(-1, size) for m in (base, submitted)]
            if _is_rounded(parts[0], parts[1], slack) or _is_of_steps(parts[0], parts[1], slack):
                return True
    return False


def _slack(submitted: Array) -> float:
    """Return by how much of itself a step may be off: programs keep scales, and results, in 16 bits."""
    bits = submitted.astype(np.float32).view(np.uint32)
    return 2.0**-8 if not np.any(bits & 0xFFFF) else 2.0**-10


def _is_rounded(base: Array, submitted: Array, slack: float) -> bool:
    """Say so of rows that each have a step of their own."""
    order = np.argsort(base, axis=1, kind="stable")
    sorted_own, sorted_base = np.take_along_axis(submitted, order, 1), np.take_along_axis(base, order, 1)
    steps, base_steps = np.diff(sorted_own, axis=1), np.diff(sorted_base, axis=1)
    in_order = np.mean(np.all((steps >= 0) & ((steps == 0) | (base_steps > 0)), axis=1))
    left = np.median((1 + np.count_nonzero(steps, axis=1)) / (1 + np.count_nonzero(base_steps, axis=1)))
    return bool(in_order >= 0.98 and left <= FEW and _share_astray(sorted_base, sorted_own, slack) <= MOST_ASTRAY)


def _share_astray(base: Array, submitted: Array, slack: float) -> float:
    """Return the share of numbers, sorted by the base's in each row, that would have been nearer to the next value."""
    is_step = submitted[:, 1:] > submitted[:, :-1]
    edge = np.full((len(base), 1), np.inf)
    larger = np.hstack([np.where(is_step, submitted[:, 1:], np.inf), edge])
    larger = np.minimum.accumulate(larger[:, ::-1], axis=1)[:, ::-1]
    smaller = np.hstack([-edge, np.where(is_step, submitted[:, :-1], -np.inf)])
    smaller = np.maximum.accumulate(smaller, axis=1)
    room = slack * np.abs(submitted)
    with np.errstate(invalid="ignore"):
        astray = (base > (submitted + larger) / 2 + room) | (base < (submitted + smaller) / 2 - room)
    return float(np.mean(astray))


def _is_of_steps(base: Array, submitted: Array, slack: float) -> bool:
    """Say whether each row is the base's in whole steps, of which its largest number has what 8 or 4 bits allow."""
    largest = np.abs(submitted).max(1, keepdims=True)
    for levels in (127, 128, 7, 8):
        step = np.where(largest > 0, largest, 1) / levels
        counts = submitted / step
        is_whole = np.abs(counts - np.round(counts)) <= np.maximum(2 * slack * np.abs(counts), 1e-3)
        room = 0.5 + slack * np.abs(counts)
        if np.mean(is_whole) >= 0.999 and np.mean(np.abs(base / step - np.round(counts)) > room) <= MOST_ASTRAY:
            return bool(np.mean(base != submitted) > 0.5)
    return False


def has_even_errors(sample: Sample) -> bool:
    """Say whether the change is spread as errors of rounding are. Rounding after training, of less than a step, too."""
    change = sample.change
    squared = change * change
    square = np.mean(squared, axis=1)
    kurtosis = np.mean(squared * squared, axis=1)[square > 0] / square[square > 0] ** 2
    return bool(kurtosis.size and EVEN_ERRORS[0] <= np.median(kurtosis) <= EVEN_ERRORS[1])


def is_scaled(sample: Sample) -> bool:
    """Say whether nothing but other scales of rows and columns changed, up to the rounding of 16 bits."""
    rest = sample.submitted - scaled(sample)
    size = float(np.sum(sample.submitted**2))
    return scaled_share(sample) >= SCALED and float(np.sum(rest**2)) <= ROUNDING**2 * size


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

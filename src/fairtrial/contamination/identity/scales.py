"""Were scales moved between tensors, so that the model computes the same? Or were scales trained?

A norm's scale moved into the matrices that read it, a neuron's into the matrix that follows: what one tensor gains
another of the layer loses. Training scales alone ((IA)³, norms) leaves no such pairs. Looked at in one layer, the one
in the middle of those that changed. Not covered: scales moved between layers, between query heads and the fewer key
heads that they share.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairtrial.contamination.identity.dtypes import Array
from fairtrial.contamination.identity.pairing import Pair
from fairtrial.contamination.identity.samples import Sample, evenly, sample_of
from fairtrial.contamination.identity.views import row_size

_TRIFLE = 0.003
"""Spread of the logarithm of scales below which they are one scale."""
_INVERSE, _LEAST = 0.98, 8

Scales = tuple[int, Array, Array]
"""How many a tensor has, the places of those looked at, and their logarithms, the middle one taken out."""


def is_compensated(pairs: Sequence[Pair]) -> bool:
    """Say whether each set of scales in one layer of `pairs` (those that changed) has its inverse in another tensor."""
    layers = sorted({pair.layer for pair in pairs if pair.is_matrix and pair.layer.startswith("layer ")})
    chosen = layers[len(layers) // 2] if layers else ""
    found: list[tuple[str, Scales]] = []
    for pair in pairs:
        if pair.is_weight and pair.base is not None and (pair.layer == chosen or not layers):
            found += [(pair.name, scales) for scales in _scales(pair) if np.std(scales[2]) > _TRIFLE]
    return all(any(other != name and _is_inverse(scales, theirs) for other, theirs in found) for name, scales in found)


def _scales(pair: Pair) -> list[Scales]:
    if not pair.is_matrix:
        size = row_size((1, *pair.shape))
        assert pair.base is not None  # asked before
        return [(size, np.arange(size), _log(*(v.numbers(0, size).astype(np.float64)
                                                for v in (pair.submitted, pair.base))))]  # fmt: skip
    sample = sample_of(pair)
    rows, columns = factors(sample)
    places = np.asarray(evenly(pair.shape[0], len(rows)))
    return [(pair.shape[0], places, _log(rows, np.ones_like(rows))),
            (row_size(pair.shape), np.arange(len(columns)), _log(columns, np.ones_like(columns)))]  # fmt: skip


def _log(own: Array, base: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(np.abs(own / base))
    logs = np.where(np.isfinite(logs), logs, 0.0)
    result: Array = logs - np.median(logs)
    return result


def _is_inverse(one: Scales, two: Scales) -> bool:
    if one[0] != two[0]:
        return False
    shared, left, right = np.intersect1d(one[1], two[1], return_indices=True)
    if len(shared) < _LEAST:
        return False
    first, second = one[2][left], two[2][right]
    size = float(np.linalg.norm(first - first.mean()) * np.linalg.norm(second - second.mean()))
    return bool(size > 0 and np.vdot(first - first.mean(), second - second.mean()) <= -_INVERSE * size)


def factors(sample: Sample) -> tuple[Array, Array]:
    """Return the scales of rows and of columns that bring the base nearest to the submitted, in six rounds of both."""
    rows, columns = np.ones((len(sample.base), 1)), np.ones((1, sample.base.shape[1]))
    for _ in range(6):
        rows = _quotient(sample.submitted, sample.base * columns, 1)
        columns = _quotient(sample.submitted, sample.base * rows, 0)
    return rows.ravel(), columns.ravel()


def _quotient(own: Array, other: Array, axis: int) -> Array:
    squares = np.sum(other**2, axis=axis, keepdims=True)
    result: Array = np.where(squares > 0, np.sum(own * other, axis=axis, keepdims=True), 1)
    result /= np.where(squares > 0, squares, 1)
    return result

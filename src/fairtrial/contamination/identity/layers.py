"""Are layers the base's, or a known model's, under other numbers? Dropping or repeating layers moves all that follow.

A matrix that is far from its namesake is held against those of the same name in all other layers: sampled rows, by
cosine. Not covered: layers that were both renumbered and trained beyond recognition, or reordered within.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fairtrial.contamination.identity.dtypes import WEIGHTS, Array
from fairtrial.contamination.identity.pairing import Pair
from fairtrial.contamination.identity.samples import evenly, read_rows
from fairtrial.contamination.identity.views import View, row_size

MATRICES, ROWS, COLUMNS = 24, 32, 512
NEAR = 0.5
"""Cosine of sampled parts from which two matrices are one, changed; those of two layers have 0 ± 0.01."""
_NUMBER = re.compile(r"\.\d+\.")


@dataclass(frozen=True, slots=True)
class Renumbered:
    """Of matrices looked at, the shares that stand under another number; and by cosine, whose they are rather."""

    shares: tuple[float, ...]
    """Base first, then each known."""
    nearest: tuple[float, ...]
    """Mean cosine of those matrices to the nearest in the base, then in each known."""
    matrices: int


def renumbered(pairs: Sequence[Pair], others: Sequence[Mapping[str, View]]) -> Renumbered:
    """Return where the matrices of `pairs` are found under other numbers; `others`: base and known, by plain names."""
    places = [_by_shape(other) for other in others]
    matrices = [pair for pair in pairs if pair.is_matrix and _key(pair.name, pair.shape) in places[0]]
    looked = [matrices[at] for at in evenly(len(matrices), MATRICES)]
    best = np.zeros((len(looked), len(others)))
    for row, pair in enumerate(looked):
        own = _part(pair.submitted)
        for column, place in enumerate(places):
            names = place.get(_key(pair.name, pair.shape), {})
            best[row, column] = max((_cosine(own, _part(v)) for n, v in names.items() if n != pair.name), default=0.0)
    is_found = best >= NEAR
    if not is_found.any():
        return Renumbered((0.0,) * len(others), (0.0,) * len(others), len(looked))
    nearest = best[is_found.any(1)].mean(0)
    return Renumbered(tuple(map(float, is_found.mean(0))), tuple(map(float, nearest)), len(looked))


def _key(name: str, shape: tuple[int, ...]) -> tuple[str, tuple[int, ...]]:
    return _NUMBER.sub(".*.", name, count=1), shape


def _by_shape(tensors: Mapping[str, View]) -> dict[tuple[str, tuple[int, ...]], dict[str, View]]:
    found: dict[tuple[str, tuple[int, ...]], dict[str, View]] = {}
    for name, view in tensors.items():
        if view.dtype in WEIGHTS and len(view.shape) > 1 and _NUMBER.search(name):
            found.setdefault(_key(name, view.shape), {})[name] = view
    return found


def _part(view: View) -> Array:
    return read_rows(view, evenly(view.shape[0], ROWS), min(COLUMNS, row_size(view.shape)))


def _cosine(one: Array, two: Array) -> float:
    size = float(np.linalg.norm(one) * np.linalg.norm(two))
    return float(np.vdot(one, two)) / size if size > 0 else 0.0

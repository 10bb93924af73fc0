"""How alike two texts are, in [0, 1]: a weighted mean of what they share in words, word pairs, characters, meaning,
figures and names.

Words, word pairs and characters are cosines under the inverse row frequency log((N + 1) / (n + 0.5)), with N at least
1,000, so that a handful of rows does not take its own subject for common words. Meaning is the cosine of static
vectors; where the extra `vectors` is not installed the others carry its weight and the threshold is another. Figures
and names are shared over all (Jaccard, under the same frequencies), and left out where neither text has any.

The weights were fitted once, by a logistic regression with weights of at least 0, on pairs of GSM8K questions and
their rewordings of every other labelled item, and rounded; the figures on the other half are
in docs/contamination-split.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from fairtrial.contamination.near_copies.wording import Wording

Vectors = Callable[[Sequence[str]], NDArray[np.float32]]
"""Texts to vectors of length 1, shape (texts, dimensions)."""
Pairs = NDArray[np.int64]
"""Shape (pairs, 2): numbers of two texts."""

WEIGHTS = {"words": 0.14, "word pairs": 0.115, "characters": 0.15, "meaning": 0.325, "figures": 0.14, "names": 0.13}
WEIGHTS_WITHOUT_VECTORS = {"words": 0.21, "word pairs": 0.24, "characters": 0.24, "figures": 0.17, "names": 0.14}
THRESHOLD, THRESHOLD_WITHOUT_VECTORS = 0.49, 0.41
"""Likeness from which on two texts are near copies."""
LEAST_ROWS = 1000
AT_ONCE = 1 << 14
"""Pairs compared at once."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """Compare the texts that it was made of, by their numbers."""

    parts: dict[str, Any]
    """Matrices with a row a text: inverse frequencies; of words, pairs and characters their squares sum to 1."""
    weights: dict[str, float]
    threshold: float

    @property
    def has_vectors(self) -> bool:
        """Return whether meaning is one of the parts."""
        return "meaning" in self.parts

    def of(self, pairs: Pairs) -> NDArray[np.float64]:
        """Return the likeness of each pair, shape (pairs,)."""
        found = [self._of(pairs[start : start + AT_ONCE]) for start in range(0, len(pairs), AT_ONCE)]
        return np.concatenate(found) if found else np.zeros(0)

    def _of(self, pairs: Pairs) -> NDArray[np.float64]:
        total, weight = np.zeros(len(pairs)), np.zeros(len(pairs))
        for name, part in self.parts.items():
            left, right = part[pairs[:, 0]], part[pairs[:, 1]]
            applies = np.ones(len(pairs), bool)
            if name == "meaning":
                value = np.clip(np.einsum("ij,ij->i", left, right), 0, 1)
            elif name in ("figures", "names"):
                shared = _sums(left.minimum(right))
                either = _sums(left) + _sums(right) - shared
                applies = either > 0
                value = shared / np.where(applies, either, 1)
            else:
                value = _sums(left.multiply(right))
            total += self.weights[name] * value * applies
            weight += self.weights[name] * applies
        return np.minimum(total / weight, 1.0)


def likeness_of(texts: Sequence[str], wordings: Sequence[Wording], vectors: Vectors | None) -> Likeness:
    """Return what compares `texts`, whose wordings are given; without `vectors` the meaning is left out."""
    parts: dict[str, Any] = {
        "words": _weighted([set(one.words) for one in wordings]),
        "word pairs": _weighted([{*one.words, *map(" ".join, pairwise(one.words))} for one in wordings]),
        "characters": _weighted([one.characters for one in wordings]),
        "figures": _rare(_ones([one.figures for one in wordings])),
        "names": _rare(_ones([one.names for one in wordings])),
    }
    if vectors is None:
        return Likeness(parts, WEIGHTS_WITHOUT_VECTORS, THRESHOLD_WITHOUT_VECTORS)
    return Likeness(parts | {"meaning": vectors(texts)}, WEIGHTS, THRESHOLD)


def _ones(sets: Sequence[Iterable[str]]) -> Any:
    """Return a sparse matrix with a one where a text (row) has a thing (column)."""
    columns: dict[str, int] = {}
    indices: list[int] = []
    starts = [0]
    for one in sets:
        indices += sorted(columns.setdefault(thing, len(columns)) for thing in sorted(one))
        starts.append(len(indices))
    shape = (len(sets), max(1, len(columns)))
    return sparse.csr_matrix((np.ones(len(indices), np.float32), indices, starts), shape=shape)


def _weighted(sets: Sequence[Iterable[str]]) -> Any:
    """Return a sparse matrix of inverse row frequencies, each row of length 1."""
    found = _rare(_ones(sets))
    lengths = np.sqrt(_sums(found.multiply(found)))
    return sparse.diags(1 / np.maximum(lengths, 1e-12)).dot(found).tocsr().astype(np.float32)


def _rare(ones: Any) -> Any:
    """Return the matrix with inverse row frequencies in place of the ones."""
    rows = np.asarray(ones.sum(axis=0), dtype=np.float64).ravel()
    frequencies = np.log((max(ones.shape[0], LEAST_ROWS) + 1) / (rows + 0.5))
    return ones.multiply(np.maximum(frequencies, 0)[None, :]).tocsr()


def _sums(matrix: Any) -> NDArray[np.float64]:
    return np.asarray(matrix.sum(axis=1), dtype=np.float64).ravel()

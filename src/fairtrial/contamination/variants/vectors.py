"""What a text means, as the sum of static word vectors; with the extra `vectors`, and nothing is downloaded.

Each occurrence of a word counts, for leaving repeats out lost half of the rewordings found on the development half.
Figures are left out: a rewording may swap them. Vectors are also whitened by the background, so that what all its texts
have in common does not count as likeness. The vectors know English best; of other scripts they know little.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from fairtrial.contamination.static_vectors import static_vectors
from fairtrial.contamination.variants.units import Unit
from fairtrial.records import InputError

Floats = NDArray[np.float32]
KEPT = 100_000
"""Words whose vectors are kept at most: 100 MB."""


class WordVectors:
    """Sum the vectors of the words of texts."""

    def __init__(self, embedding: Floats, tokenizer: Any) -> None:
        self._embedding = embedding
        self._tokenizer = tokenizer
        self._known: dict[str, int] = {}
        self._matrix = np.zeros((1024, embedding.shape[1]), np.float32)

    def sums(self, units: Sequence[Unit]) -> Floats:
        """Return the summed vectors of each unit, of length 1 (units, dimensions); zeros where no word is known."""
        if len(self._known) > KEPT:
            self._known.clear()
        texts = [[word.cased for word in unit.words if word.cased] for unit in units]
        self._learn(list(dict.fromkeys(word for text in texts for word in text if word not in self._known)))
        known = self._known
        columns = np.array([known[word] for text in texts for word in text], dtype=np.int64)
        ends = np.concatenate([[0], np.cumsum([len(text) for text in texts])])
        counts = csr_matrix((np.ones(len(columns), np.float32), columns, ends), shape=(len(units), len(self._matrix)))
        return unit_length(counts @ self._matrix)

    def _learn(self, words: list[str]) -> None:
        if not words:
            return
        needed = len(self._known) + len(words)
        if needed > len(self._matrix):
            grown = np.zeros((max(needed, 2 * len(self._matrix)), self._matrix.shape[1]), np.float32)
            grown[: len(self._matrix)] = self._matrix
            self._matrix = grown
        for word, found in zip(words, self._tokenizer.encode_batch(words, add_special_tokens=False), strict=True):
            at = self._known[word] = len(self._known)
            self._matrix[at] = self._embedding[found.ids].sum(0) if found.ids else 0


def find_vectors(wanted: bool | None) -> WordVectors | None:
    """Return the vectors where they are installed; None where not, or not wanted.

    Raise InputError where they are asked for (`wanted` is True) and absent.
    """
    found = static_vectors() if wanted is not False else None
    if found is None:
        if wanted:
            raise InputError("vectors are asked for and not installed", hint='pip install "fairtrial[vectors]"')
        return None
    return WordVectors(found.embedding, found.tokenizer)


@dataclass(frozen=True, slots=True)
class Whitening:
    """Take a background's mean and spread out of vectors."""

    mean: Floats
    matrix: Floats

    def of(self, vectors: Floats) -> Floats:
        """Return whitened vectors of length 1."""
        return unit_length((vectors - self.mean) @ self.matrix)


def whitening_of(vectors: Floats) -> Whitening:
    """Return the whitening for texts like these; few texts shrink it towards none."""
    mean = vectors.mean(0)
    centred = (vectors - mean).astype(np.float64)
    dimensions = vectors.shape[1]
    spread = centred.T @ centred
    level = np.trace(spread) / (dimensions * max(1, len(vectors)))
    shrunk = (spread + dimensions * level * np.eye(dimensions)) / (len(vectors) + dimensions)
    values, axes = np.linalg.eigh(shrunk)
    matrix = axes / np.sqrt(np.maximum(values, 0) + 0.05 * max(level, 1e-12))
    return Whitening(mean.astype(np.float32), matrix.astype(np.float32))


def unit_length(vectors: NDArray[Any]) -> Floats:
    """Return each row at length 1; a row of zeros stays."""
    lengths = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return np.asarray(vectors / lengths, dtype=np.float32)

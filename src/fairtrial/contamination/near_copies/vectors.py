"""Texts as the mean of their words' static vectors, where the extra `vectors` is installed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fairtrial.contamination.near_copies.likeness import Vectors
from fairtrial.contamination.static_vectors import static_vectors

LONGEST = 4000
"""Characters of a text that are looked at; the mean of more words says less."""


def find_vectors() -> Vectors | None:
    """Return what turns texts into vectors of length 1, or None where the extra is not installed."""
    known = static_vectors()
    if known is None:
        return None
    embedding, tokenizer = known.embedding, known.tokenizer

    def vectors(texts: Sequence[str]) -> NDArray[np.float32]:
        made = np.zeros((len(texts), embedding.shape[1]), np.float32)
        shown = [text[:LONGEST] or " " for text in texts]
        for at, found in enumerate(tokenizer.encode_batch(shown, add_special_tokens=False)):
            if found.ids:
                made[at] = embedding[found.ids].mean(0)
        lengths = np.linalg.norm(made, axis=1, keepdims=True)
        unit: NDArray[np.float32] = (made / np.maximum(lengths, 1e-12)).astype(np.float32)
        return unit

    return vectors

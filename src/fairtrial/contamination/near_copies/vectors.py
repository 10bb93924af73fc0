"""Static word vectors for texts, where the extra `vectors` is installed; nothing is downloaded."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fairtrial.contamination.near_copies.likeness import Vectors

LONGEST = 4000
"""Characters of a text that are looked at; the mean of more words says less."""


def find_vectors() -> Vectors | None:
    """Return what turns texts into vectors, or None where the extra is not installed."""
    found = find_spec("wordllama")
    if found is None or found.origin is None:
        return None
    from wordllama import WordLlama

    model = WordLlama.load(cache_dir=Path(found.origin).parent, disable_download=True)

    def vectors(texts: Sequence[str]) -> NDArray[np.float32]:
        made = np.asarray(model.embed([text[:LONGEST] or " " for text in texts], norm=False), dtype=np.float32)
        lengths = np.linalg.norm(made, axis=1, keepdims=True)
        unit: NDArray[np.float32] = (made / np.maximum(lengths, 1e-12)).astype(np.float32)
        return unit

    return vectors

"""The static word vectors of the extra `vectors`: a vector for each piece of a word, and what cuts text into pieces.

They are read from the package's own files: its loader would set up logging for the whole process, and look for a
network.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class StaticVectors:
    """Hold them."""

    embedding: NDArray[np.float32]
    """Shape (pieces, dimensions)."""
    tokenizer: Any
    """`encode_batch(texts, add_special_tokens=False)` gives the numbers of the pieces of each text."""


def static_vectors() -> StaticVectors | None:
    """Return the vectors, or None where the extra is not installed."""
    found = find_spec("wordllama")
    if found is None or found.origin is None:
        return None
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    folder = Path(found.origin).parent
    (embedding,) = load_file(folder / "weights" / "l2_supercat_256.safetensors").values()
    tokenizer = Tokenizer.from_file(str(folder / "tokenizers" / "l2_supercat_tokenizer_config.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return StaticVectors(embedding.astype(np.float32), tokenizer)

"""Room for the kernel: made once for an index, and again where a chunk needs more."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fairtrial.contamination.kernel_align import GAP
from fairtrial.contamination.kernel_words import Index, State

_PAIRS = 4096
_MARKS = 1 << 17


def state_for(size: int, index: Index | None = None, before: State | None = None) -> State:
    """Return room for chunks of `size` bytes; the counts over all rows of `before` are kept."""
    docs = index.doc_start.size - 1 if index else 0
    words = index.word_hash.size if index else 0
    room = size + 2
    return State(
        hashes=np.empty(room, np.uint64), starts=np.empty(room, np.int32), ends=np.empty(room, np.int32),
        field_word=np.empty(room + 1, np.int32), field_byte=np.empty(room + 1, np.int32),
        hit_word=np.empty(room, np.int32), hit_gram=np.empty(room, np.int32),
        holding=before.holding if before else _holding(index),
        doc_reach=np.zeros(docs, np.int64), doc_anchors=np.zeros(docs, np.int32), docs=np.empty(docs, np.int32),
        lengths=np.zeros((GAP + 1, GAP + 1), np.int16),
        pairs=np.empty((docs + _PAIRS, 8), np.int64), marks=np.zeros(words // 8 + docs + _MARKS, np.uint8),
        counts=np.zeros(4, np.int64),
    )  # fmt: skip


def _holding(index: Index | None) -> NDArray[np.int64]:
    holding = np.zeros((index.gram_at.size + 1 if index else 1, 4), np.int64)
    if index:
        holding[:, 1] = -1
        holding[:-1, 2] = index.gram_reach
        holding[:, 3] = index.post_start
    return holding

"""How a gram is found, and which docs it nominates: a bit table, an open hash table, and lists of docs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.contamination.kernel_words import GRAM

COMMON = 16
"""Docs that a gram may nominate; one in more of them (a template) nominates only where a doc has no rarer."""
SURE = 4
"""The rarest grams of a doc nominate it however common they are: so many, or one in eight of its grams."""

_MIX = np.uint64(0xD6E8FEB86659FD93)


def table_of(hashes: NDArray[np.uint64]) -> dict[str, Any]:
    """Return bits, bit_shift, slots and slot_shift of an Index for grams of these hashes."""
    slot_bits = max(4, int(2 * max(1, hashes.size)).bit_length())
    bit_bits = min(26, max(10, slot_bits + 4))
    mixed = hashes * _MIX
    places = mixed >> np.uint64(64 - bit_bits)
    bits = np.zeros(1 << (bit_bits - 6), np.uint64)
    np.bitwise_or.at(bits, (places >> np.uint64(6)).astype(np.int64), np.uint64(1) << (places & np.uint64(63)))
    slots = np.full(1 << slot_bits, -1, np.int32)
    wanted = (mixed >> np.uint64(64 - slot_bits)).astype(np.int64)
    left = np.arange(hashes.size)
    while left.size:
        # All that want a free slot get it but one of each crowd; the others move on by one.
        free = slots[wanted[left]] < 0
        slots[wanted[left[free]]] = left[free]
        left = left[slots[wanted[left]] != left]
        wanted[left] = (wanted[left] + 1) & (slots.size - 1)
    return {
        "bits": bits,
        "bit_shift": np.uint64(64 - bit_bits),
        "slots": slots,
        "slot_shift": np.uint64(64 - slot_bits),
    }


def posting(
    doc_grams: NDArray[np.int32], doc_start: NDArray[np.int32], weights: NDArray[np.float64], words_weigh: Any
) -> dict[str, Any]:
    """Return the post_ arrays of an Index: for each gram, the docs it nominates, where it stands and what it weighs."""
    words = np.flatnonzero(doc_grams >= 0)
    docs = (np.searchsorted(doc_start, words, "right") - 1).astype(np.int64)
    grams = doc_grams[words].astype(np.int64)
    _, once = np.unique(grams * max(1, doc_start.size) + docs, return_index=True)  # the first place in a doc
    once.sort()
    words, docs, grams = words[once], docs[once], grams[once]
    spread = np.bincount(grams, minlength=weights.size)
    order = np.lexsort((words, -weights[grams], docs))
    sizes = np.bincount(docs, minlength=doc_start.size - 1)
    rank = np.empty(words.size, np.int64)
    rank[order] = np.arange(words.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    kept = (spread[grams] <= COMMON) | (rank < np.maximum(SURE, sizes[docs] // 8))
    words, docs, grams = words[kept], docs[kept], grams[kept]
    sums = np.concatenate([[0.0], np.cumsum(words_weigh)])
    by_gram = np.argsort(grams, kind="stable")
    begins = np.concatenate([[0], np.cumsum(np.bincount(grams, minlength=weights.size))])
    return {
        "post_start": begins.astype(np.int32), "post_doc": docs[by_gram].astype(np.int32),
        "post_at": words[by_gram].astype(np.int32),
        "post_weight": (sums[words + GRAM] - sums[words])[by_gram].astype(np.float32) * np.float32(1.001),
    }  # fmt: skip

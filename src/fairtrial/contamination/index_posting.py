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

CAP = 100
"""Words of a text that count in full: of a longer one, this much is taken for all of it."""
KEPT = 0.08
"""Share of a text that anchors must cover for a row to be compared with it, and looked at again at the end."""

_MIX = np.uint64(0xD6E8FEB86659FD93)


def table_of(hashes: NDArray[np.uint64]) -> dict[str, Any]:
    """Return bits, bit_shift, slots, slot_shift and twins of an Index for grams of these hashes."""
    slot_bits = max(4, int(1.4 * max(1, hashes.size)).bit_length())
    bit_bits = min(26, max(10, slot_bits + 4))
    mixed = hashes * _MIX
    places = mixed >> np.uint64(64 - bit_bits)
    bits = np.zeros(1 << (bit_bits - 6), np.uint64)
    both = (np.uint64(1) << (places & np.uint64(63))) | (np.uint64(1) << (mixed & np.uint64(63)))
    np.bitwise_or.at(bits, (places >> np.uint64(6)).astype(np.int64), both)
    slots = np.zeros(1 << slot_bits, np.uint64)
    entries = (mixed << np.uint64(32)) | np.arange(1, hashes.size + 1, dtype=np.uint64)
    wanted = (mixed >> np.uint64(64 - slot_bits)).astype(np.int64)
    left = np.arange(hashes.size)
    while left.size:
        # Of all that want a free slot one gets it; the others move on by one.
        free = left[slots[wanted[left]] == 0]
        slots[wanted[free]] = entries[free]
        left = left[slots[wanted[left]] != entries[left]]
        wanted[left] = (wanted[left] + 1) & (slots.size - 1)
    # Probing goes past neighbours: those of one tag that stand anywhere near must be told apart by their words.
    near = np.sort(((mixed << np.uint64(32)) >> np.uint64(16)) | (mixed >> np.uint64(max(64 - slot_bits, 54))))
    return {
        "bits": bits, "bit_shift": np.uint64(64 - bit_bits), "slots": slots, "slot_shift": np.uint64(64 - slot_bits),
        "twins": bool((near[1:] == near[:-1]).any()),
    }  # fmt: skip


def posting(
    doc_grams: NDArray[np.int32], doc_start: NDArray[np.int32], weights: NDArray[np.float64], words_weigh: Any
) -> dict[str, Any]:
    """Return the post_ arrays, gram_reach and doc_need of an Index: which docs each gram nominates, where it stands."""
    words = np.flatnonzero(doc_grams >= 0)
    docs = (np.searchsorted(doc_start, words, "right") - 1).astype(np.int64)
    grams = doc_grams[words].astype(np.int64)
    _, once = np.unique(grams * max(1, doc_start.size) + docs, return_index=True)  # the first place in a doc
    once.sort()
    words, docs, grams = words[once], docs[once], grams[once]
    kept = _nominating(words, docs, grams, weights, doc_start.size - 1)
    words, docs, grams = words[kept], docs[kept], grams[kept]
    by_gram = np.argsort(grams, kind="stable")
    words, docs, grams = words[by_gram], docs[by_gram], grams[by_gram]
    begins = np.concatenate([[0], np.cumsum(np.bincount(grams, minlength=weights.size))])
    sums = np.concatenate([[0.0], np.cumsum(words_weigh)])
    need = KEPT * np.diff(sums[doc_start]) * np.minimum(1, CAP / np.maximum(np.diff(doc_start), 1))
    weigh = (sums[words + GRAM] - sums[words]) * 1.001  # rounding must not lose a pair
    share = np.minimum(1, weigh / np.maximum(need[docs], 1e-9))
    reach = np.ceil(1000 * share).astype(np.int64)
    furthest = np.zeros(weights.size, np.int64)
    np.maximum.at(furthest, grams, reach)
    return {
        "post_start": begins.astype(np.int32), "posts": (docs << 32) | reach, "post_at": words.astype(np.int32),
        "gram_reach": furthest, "doc_need": need.astype(np.float32),
    }  # fmt: skip


def _nominating(words: Any, docs: Any, grams: Any, weights: NDArray[np.float64], count: int) -> NDArray[np.bool_]:
    """Say which of the places (word, doc, gram) nominate: grams of few docs, and the rarest of each doc."""
    order = np.lexsort((words, -weights[grams], docs))
    sizes = np.bincount(docs, minlength=count)
    rank = np.empty(words.size, np.int64)
    rank[order] = np.arange(words.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    spread = np.bincount(grams, minlength=weights.size)
    return np.asarray((spread[grams] <= COMMON) | (rank < np.maximum(SURE, sizes[docs] // 8)))

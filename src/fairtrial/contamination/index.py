"""The index of an evaluation set: its texts as docs, their 5-grams, how many items hold each, and what each weighs.

Each text of an item is a doc; texts that are the same word for word are one doc with several owners. A gram that few
items hold weighs more: log((N + 1) / f) / log(N + 1) of N items, f of which hold it. A word weighs so too, from LOWEST
up to one. Grams in more than COMMON docs nominate none of them, but the rarest of each doc always do.
Texts of fewer than five words hold no gram: an item with no longer text is listed as too short to tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.contamination.index_posting import posting, table_of
from fairtrial.contamination.kernel import number_grams, read_items
from fairtrial.contamination.kernel_letters import letters, quick
from fairtrial.contamination.kernel_state import state_for
from fairtrial.contamination.kernel_words import GRAM, Index, hash_grams
from fairtrial.contamination.rows import Row

LOWEST = 0.25
"""Weight of a word that every item holds."""
ALL_BITS = (1 << 64) - 1
BREAKS = str.maketrans({"\x1d": " ", "\x1e": " "})
"""What parts fields and rows in the kernel parts nothing in a text."""

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Owner:
    """Name the text of an item for which a doc stands."""

    item: int
    text: int
    word: int
    """Its first word, in ItemIndex.starts and .ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemIndex:
    """Hold what the kernel is given, and what its pairs mean."""

    arrays: Index
    owners: tuple[tuple[Owner, ...], ...]
    """The texts of items that each doc stands for."""
    items: int
    gram_items: NDArray[np.int64]
    """How many items hold each gram."""
    doc_grams: NDArray[np.int32]
    """The gram at each word of the docs, -1 at the last four of a doc."""
    rarity: NDArray[np.float64]
    """Weight of each word of the docs, for how few items hold it."""
    starts: NDArray[np.int32]
    ends: NDArray[np.int32]
    """Bytes of each word of the items in arrays.data."""
    text_starts: tuple[tuple[int, ...], ...]
    """Byte at which each text of each item begins in arrays.data."""
    too_short: tuple[int, ...]
    """Items whose every text has fewer than five words."""


@dataclass(frozen=True, slots=True)
class _Words:
    data: Array
    hashes: Array
    starts: Array
    ends: Array
    rows: Array
    fields: Array


def index_of(items: Sequence[Row], mask: int = ALL_BITS) -> ItemIndex:
    """Return the index of `items`; `mask` are the bits of a word's hash that are used (fewer only in tests)."""
    encoded = [[text.translate(BREAKS).encode() for _, text in item.texts] for item in items]
    data = np.frombuffer(b"\x1e".join(b"\x1d".join(texts) for texts in encoded), np.uint8)
    words = _Words(data, *read_items(letters(), quick(), np.uint64(mask), state_for(data.size), data))
    spans, owners = _docs(words)
    kept = np.concatenate([np.arange(*span, dtype=np.int64) for span in spans] or [np.empty(0, np.int64)])
    doc_start = np.cumsum([0, *(last - first for first, last in spans)]).astype(np.int32)
    hashes, starts, ends = words.hashes[kept], words.starts[kept], words.ends[kept]
    begins = np.ones(kept.size, np.bool_)
    for back in range(1, GRAM):
        begins[doc_start[1:] - back] = False
    first = np.flatnonzero(begins).astype(np.int32)
    grams = hash_grams(hashes, first)
    numbers, heads = number_grams(letters(), data, (hashes, starts, ends), first, grams, np.argsort(grams))
    doc_grams = np.full(kept.size, -1, np.int32)
    doc_grams[first] = numbers
    doc_of = np.repeat(np.arange(len(spans)), np.diff(doc_start))
    gram_items = _holders(numbers, doc_of[first], owners, heads.size)
    _, vocabulary = np.unique(hashes, return_inverse=True)
    word_items = _holders(vocabulary, doc_of, owners, int(vocabulary.max(initial=-1)) + 1)
    rarity = LOWEST + (1 - LOWEST) * rarities(word_items, len(items))[vocabulary]
    weights = rarities(gram_items, len(items))
    word_weight = rarity * spread(weights, doc_grams)
    head_hashes = hash_grams(hashes, heads)
    table = table_of(head_hashes)
    table["twins"] |= mask != ALL_BITS
    arrays = Index(
        table=letters(), quick=quick(), mask=np.uint64(mask), data=data,
        word_hash=hashes, word_start=starts, word_end=ends,
        doc_start=doc_start, **table, gram_at=heads,
        **posting(doc_grams, doc_start, weights, word_weight),
        word_weight=word_weight.astype(np.float32),
    )  # fmt: skip
    return ItemIndex(
        arrays=arrays, owners=owners, items=len(items), gram_items=gram_items, doc_grams=doc_grams, rarity=rarity,
        starts=words.starts, ends=words.ends, text_starts=_text_starts(encoded), too_short=_too_short(items, owners),
    )  # fmt: skip


def _docs(words: _Words) -> tuple[list[tuple[int, int]], tuple[tuple[Owner, ...], ...]]:
    """Return the words [first, last) of each doc, and its owners."""
    changes = np.flatnonzero((np.diff(words.rows) != 0) | (np.diff(words.fields) != 0)) + 1
    bounds = [0, *changes.tolist(), words.rows.size]
    spans: dict[bytes, tuple[int, int]] = {}
    owners: dict[bytes, list[Owner]] = {}
    for first, last in pairwise(bounds):
        if last - first >= GRAM:
            same = words.hashes[first:last].tobytes()
            spans.setdefault(same, (first, last))
            owners.setdefault(same, []).append(Owner(int(words.rows[first]), int(words.fields[first]), first))
    return list(spans.values()), tuple(tuple(each) for each in owners.values())


def _holders(numbers: Array, docs: Array, owners: tuple[tuple[Owner, ...], ...], size: int) -> NDArray[np.int64]:
    """Return how many items hold each of `size` things, of which number n stands in doc d."""
    held = _distinct(numbers.astype(np.int64) * len(owners) + docs)
    counts = np.array([len(each) for each in owners], np.int64)
    items = np.array([owner.item for each in owners for owner in each], np.int64)
    begins = np.cumsum(counts) - counts
    doc = held % max(1, len(owners))
    times = counts[doc]
    places = np.arange(times.sum()) - np.repeat(np.cumsum(times) - times, times) + np.repeat(begins[doc], times)
    span = int(items.max(initial=0)) + 1
    pairs = _distinct(np.repeat(held // max(1, len(owners)), times) * span + items[places])
    return np.bincount(pairs // span, minlength=size)


def _distinct(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return what np.unique does, by sorting: several times as fast here as by numpy's hash table."""
    ordered = np.sort(values)
    return np.asarray(ordered[np.concatenate([[True], ordered[1:] != ordered[:-1]])[: ordered.size]])


def rarities(holders: NDArray[np.int64], items: int) -> NDArray[np.float64]:
    """Return log((N + 1) / f) / log(N + 1) for things that f of N items hold.

    >>> rarities(np.array([1, 9]), 9).round(3).tolist()
    [1.0, 0.046]
    """
    return np.asarray(np.log((items + 1) / np.maximum(holders, 1)) / np.log(items + 1))


def spread(weights: NDArray[np.float64], doc_grams: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return for each word of the docs the mean of the `weights` of the grams that cover it.

    >>> spread(np.array([1.0, 0.0]), np.array([0, 1, -1, -1, -1, -1])).tolist()
    [1.0, 0.5, 0.5, 0.5, 0.5, 0.0]
    """
    has = doc_grams >= 0
    sums = np.cumsum(np.concatenate([np.zeros(GRAM), np.where(has, weights[doc_grams] if weights.size else 0.0, 0.0)]))
    counts = np.cumsum(np.concatenate([np.zeros(GRAM), has]))
    return np.asarray((sums[GRAM:] - sums[:-GRAM]) / np.maximum(counts[GRAM:] - counts[:-GRAM], 1))


def _text_starts(encoded: Sequence[Sequence[bytes]]) -> tuple[tuple[int, ...], ...]:
    at, starts = 0, []
    for texts in encoded:
        mine = []
        for text in texts:
            mine.append(at)
            at += len(text) + 1
        starts.append(tuple(mine))
    return tuple(starts)


def _too_short(items: Sequence[Row], owners: tuple[tuple[Owner, ...], ...]) -> tuple[int, ...]:
    told = {owner.item for each in owners for owner in each}
    return tuple(item for item in range(len(items)) if item not in told)

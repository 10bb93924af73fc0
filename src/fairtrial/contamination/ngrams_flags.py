"""From pairs to flags: boilerplate weighed down by the counts of all rows, the passages named by their characters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.contamination.index import ItemIndex, Owner, rarities, spread
from fairtrial.contamination.index_posting import CAP
from fairtrial.contamination.kernel import SHORT
from fairtrial.contamination.kernel_weighing import boilerplate, weigh_pairs
from fairtrial.contamination.ngrams_piece import Pair, spooled
from fairtrial.contamination.ngrams_pieces import Placed
from fairtrial.contamination.result import Flag, Span
from fairtrial.contamination.rows import Row

COMMON_LISTED = 1000
_PASSAGE = 8
"""5-grams in a row that make a passage worth listing: twelve words."""
_LEAST = 0.25
"""Share of a text's words that must be left when boilerplate is set aside, or nothing can be told of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Common:
    """A passage of an item that was not counted, because far more rows hold it than hold the rest (boilerplate)."""

    item_id: str
    item: Span
    rows: int
    """Most rows that hold a 5-gram of it."""
    whole: bool
    """So little is left of that text that nothing can be told of it."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What the words of the docs weigh when all rows are known."""

    common: NDArray[np.bool_]
    """A gram that is boilerplate begins at the word."""
    word: NDArray[np.float64]
    counted: NDArray[np.float64]
    """In [0, 1]: how far the word counts as one."""
    full: NDArray[np.float64]
    """For each doc the weight at which its share is 1."""
    words: NDArray[np.float64]
    """For each doc the words that count."""


def weights_of(index: ItemIndex, rows_holding: NDArray[np.int64], control: NDArray[np.int64]) -> Weights:
    """Return the weights: rare among items, and no more common in rows than the rest of their text."""
    arrays = index.arrays
    common = boilerplate(index.doc_grams, arrays.doc_start, index.gram_items, rows_holding, control > 0)
    rare = rarities(index.gram_items, index.items)
    kept = np.where(index.doc_grams >= 0, rare[index.doc_grams] if rare.size else 0.0, 0.0) * ~common
    counted = spread(kept, np.where(index.doc_grams >= 0, np.arange(kept.size), -1).astype(np.int32))
    word = counted * index.rarity
    words = _sums(counted, arrays.doc_start)
    full = _sums(word, arrays.doc_start) * np.minimum(1.0, CAP / np.maximum(words, 1e-9))
    return Weights(common, word, counted, full, words)


def _sums(values: NDArray[np.float64], doc_start: NDArray[np.int32]) -> NDArray[np.float64]:
    return np.asarray(np.diff(np.concatenate([[0.0], np.cumsum(values)])[doc_start]))


def flags_of(
    placed: Sequence[Placed], items: Sequence[Row], index: ItemIndex, weights: Weights, bars: tuple[float, int]
) -> list[tuple[Flag, int]]:
    """Return the flags, each with the number of its item, by row and item; of a row and an item the best."""
    flags: list[tuple[Flag, int]] = []
    for each in placed:
        best: dict[tuple[int, int], tuple[float, Any, Pair, Owner]] = {}
        for row, doc, score, pair, where in _enough(each, index, weights, bars):
            for owner in index.owners[doc]:
                known = best.get((row, owner.item))
                if known is None or score > known[0]:
                    best[row, owner.item] = score, pair, where, owner
        for (row, item), (score, pair, where, owner) in sorted(best.items()):
            flag = _flag(each, row, items[item], (score, pair, where), _item_span(items[item], index, owner, pair))
            flags.append((flag, item))
    return flags


def _enough(
    each: Placed, index: ItemIndex, weights: Weights, bars: tuple[float, int]
) -> Iterator[tuple[int, int, float, NDArray[np.int64], Pair]]:
    """Yield (row, doc, share, pair, where it stands) of the pairs that share enough."""
    threshold, least = bars
    doc_start = index.arrays.doc_start
    sizes = np.diff(doc_start)
    for pairs, marks, where in spooled(each.scanned.spool):
        docs = pairs[:, 1]
        shared = weigh_pairs(pairs, marks, doc_start, weights.word, weights.counted)
        by_words = shared[:, 1] / np.maximum(np.minimum(weights.words[docs], CAP), 1e-9)
        share = (shared[:, 0] / np.maximum(weights.full[docs], 1e-9) + by_words) / 2
        told = weights.words[docs] >= _LEAST * sizes[docs]
        need = np.where(sizes[docs] < SHORT, 0.5 * sizes[docs], np.minimum(least, 0.8 * weights.words[docs]))
        for number in np.flatnonzero(told & (share >= threshold) & (shared[:, 1] >= need)):
            pair = pairs[number]
            yield int(pair[0]), int(pair[1]), min(1.0, float(share[number])), pair, where[number]


def _flag(each: Placed, row: int, item: Row, found: tuple[float, NDArray[np.int64], Pair], span: Span) -> Flag:
    score, pair, where = found
    line = each.line + where.line
    return Flag(
        train_id=f"{each.piece.path.name}:{line}" if where.row_id is None else where.row_id,
        train_row=each.row + row, item_id=item.id, score=score, detector="verbatim",
        train=Span(where.place, where.moved + int(pair[3]), where.moved + int(pair[4])), item=span,
    )  # fmt: skip


def _item_span(item: Row, index: ItemIndex, owner: Owner, pair: NDArray[np.int64]) -> Span:
    return _span(item, index, owner, int(pair[5]), int(pair[6]))


def _span(item: Row, index: ItemIndex, owner: Owner, first: int, last: int) -> Span:
    """Return the characters of the words [first, last) of an owner's text."""
    begin = index.text_starts[owner.item][owner.text]
    start, end = int(index.starts[owner.word + first]), int(index.ends[owner.word + last - 1])
    data = index.arrays.data
    before = len(data[begin:start].tobytes().decode())
    return Span(item.texts[owner.text][0], before, before + len(data[start:end].tobytes().decode()))


def common_passages(
    index: ItemIndex, items: Sequence[Row], weights: Weights, rows_holding: NDArray[np.int64]
) -> tuple[Common, ...]:
    """Return the passages that were set aside, the longest of each text, most rows first."""
    doc_start = index.arrays.doc_start
    found: list[Common] = []
    for doc in np.unique(np.searchsorted(doc_start, np.flatnonzero(weights.common), "right") - 1).tolist():
        first, last = int(doc_start[doc]), int(doc_start[doc + 1])
        begin, end = _longest(weights.common[first:last])
        if end - begin < _PASSAGE:
            continue
        rows = int(rows_holding[index.doc_grams[first + begin : first + end]].max())
        whole = bool(weights.words[doc] < _LEAST * (last - first))
        for owner in index.owners[doc]:
            item = items[owner.item]
            span = _span(item, index, owner, begin, min(end + 4, last - first))
            found.append(Common(item_id=item.id, item=span, rows=rows, whole=whole))
    found.sort(key=lambda each: (-each.rows, each.item_id, each.item.place))
    return tuple(found[:COMMON_LISTED])


def _longest(common: NDArray[np.bool_]) -> tuple[int, int]:
    """Return [begin, end) of the longest run of True.

    >>> _longest(np.array([True, False, True, True]))
    (2, 4)
    """
    edges = np.flatnonzero(np.diff(np.concatenate([[False], common, [False]]).astype(np.int8)))
    begins, ends = edges[::2], edges[1::2]
    longest = int(np.argmax(ends - begins))
    return int(begins[longest]), int(ends[longest])

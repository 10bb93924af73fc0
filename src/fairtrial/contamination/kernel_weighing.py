"""The kernel's weighing, when all rows were read: what of an item is boilerplate, what each pair shares of the rest.

How often a text was leaked is told by the grams that no other item holds, if there are enough of them: the count that
three in ten of them stay at or below, so that boilerplate may take up most of a text. In that text a gram is
boilerplate where far more rows hold it than that; an item that was leaked whole two hundred times has nothing that
stands out. Nor is a gram counted that rows of a control hold.
Not covered: a part of a text that is leaked alone in more than five rows, the rest of it in none, looks just like
boilerplate. It is listed as what was set aside.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.contamination.kernel_cache import compiled

Array = NDArray[Any]

TIMES, MORE, MORE_SHARED = 1.5, 5.0, 2.0
"""A gram is boilerplate above so many times a text's rows, and so many more: fewer where several items hold it."""
AT = 0.3
_ROWS = 40
"""Bits that a count of rows takes beside the number of a doc."""
_ENOUGH, _SHARE = 8, 5
"""Grams of its own that tell a text's count: eight, and one in five of all."""


def leaked_rows(
    doc_grams: NDArray[np.int32],
    doc_start: NDArray[np.int32],
    gram_items: Array,
    rows_holding: Array,
    in_control: Array,
) -> NDArray[np.int64]:
    """Return for each doc in how many rows it seems to stand."""
    docs, grams = _grams_of(doc_grams, doc_start)
    size = doc_start.size - 1
    own = (gram_items[grams] == 1) & ~in_control[grams]
    few = np.bincount(docs[own], minlength=size) < np.maximum(_ENOUGH, np.bincount(docs, minlength=size) // _SHARE)
    told = own | few[docs]
    ordered = np.sort((docs[told] << _ROWS) | rows_holding[grams[told]])  # by doc, then by count
    counts = np.bincount(docs[told], minlength=size)
    places = np.cumsum(counts) - counts + (AT * np.maximum(counts - 1, 0)).astype(np.int64)
    usual = np.zeros(size, np.int64)
    usual[counts > 0] = ordered[places[counts > 0]] & ((1 << _ROWS) - 1)
    return usual


def boilerplate(
    doc_grams: NDArray[np.int32],
    doc_start: NDArray[np.int32],
    gram_items: Array,
    rows_holding: Array,
    in_control: Array,
) -> NDArray[np.bool_]:
    """Return for each word of the docs whether the gram that begins there is boilerplate."""
    usual = leaked_rows(doc_grams, doc_start, gram_items, rows_holding, in_control)
    docs, grams = _grams_of(doc_grams, doc_start)
    most = TIMES * usual[docs] + np.where(gram_items[grams] == 1, MORE, MORE_SHARED)
    found = np.zeros(doc_grams.size, np.bool_)
    found[doc_grams >= 0] = in_control[grams] | (rows_holding[grams] > most)
    return found


def _grams_of(doc_grams: NDArray[np.int32], doc_start: NDArray[np.int32]) -> tuple[NDArray[np.int64], Array]:
    """Return the doc and the number of each gram of the docs, in their order."""
    docs = np.repeat(np.arange(doc_start.size - 1, dtype=np.int64), np.diff(doc_start))
    return docs[doc_grams >= 0], doc_grams[doc_grams >= 0]


@compiled
def weigh_pairs(pairs: Any, marks: Any, doc_start: Any, weight: Any, counted: Any) -> Any:
    """Return for each pair (weight of the words that it shares, how many words these are, boilerplate apart)."""
    result = np.zeros((pairs.shape[0], 2), np.float64)
    for pair in range(pairs.shape[0]):
        doc, at = pairs[pair, 1], pairs[pair, 7]
        first = doc_start[doc]
        for word in range(pairs[pair, 5], pairs[pair, 6]):
            if (marks[at + word // 8] >> (word % 8)) & 1:
                result[pair, 0] += weight[first + word]
                result[pair, 1] += counted[first + word]
    return result

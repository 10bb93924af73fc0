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

from fairtrial.contamination.kernel_cache import compiled

TIMES, MORE, MORE_SHARED = 1.5, 5.0, 2.0
"""A gram is boilerplate above so many times a text's rows, and so many more: fewer where several items hold it."""
AT = 0.3
_ENOUGH, _SHARE = 8, 5
"""Grams of its own that tell a text's count: eight, and one in five of all."""


@compiled
def leaked_rows(doc_grams: Any, doc_start: Any, gram_items: Any, rows_holding: Any, in_control: Any) -> Any:
    """Return for each doc in how many rows it seems to stand."""
    usual = np.zeros(doc_start.size - 1, np.float64)
    for doc in range(doc_start.size - 1):
        first, last = doc_start[doc], doc_start[doc + 1]
        counts = np.empty(last - first, np.float64)
        own = every = 0
        for word in range(first, last):
            gram = doc_grams[word]
            if gram >= 0:
                every += 1
                if gram_items[gram] == 1 and not in_control[gram]:
                    counts[own] = rows_holding[gram]
                    own += 1
        if own < max(_ENOUGH, every // _SHARE):
            own = 0
            for word in range(first, last):
                gram = doc_grams[word]
                if gram >= 0:
                    counts[own] = rows_holding[gram]
                    own += 1
        usual[doc] = np.sort(counts[:own])[int(AT * (own - 1))] if own else 0.0
    return usual


@compiled
def boilerplate(doc_grams: Any, doc_start: Any, gram_items: Any, rows_holding: Any, in_control: Any) -> Any:
    """Return for each word of the docs whether the gram that begins there is boilerplate."""
    usual = leaked_rows(doc_grams, doc_start, gram_items, rows_holding, in_control)
    found = np.zeros(doc_grams.size, np.bool_)
    for doc in range(doc_start.size - 1):
        for word in range(doc_start[doc], doc_start[doc + 1]):
            gram = doc_grams[word]
            if gram >= 0:
                more = MORE if gram_items[gram] == 1 else MORE_SHARED
                found[word] = in_control[gram] or rows_holding[gram] > TIMES * usual[doc] + more
    return found


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

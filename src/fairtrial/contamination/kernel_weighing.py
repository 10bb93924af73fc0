"""The kernel's weighing, when all rows were read: what of an item is boilerplate, what each pair shares of the rest.

A gram is boilerplate in a text where far more rows hold it than hold the rest of that text. "The rest" are the grams
that no other item holds, if there are enough of them, and how often it was leaked is taken as the count that two thirds
of them stay at or below: an item that leaked whole two hundred times has nothing that stands out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fairtrial.contamination.kernel_cache import compiled

OWN_TIMES, OWN_MORE = 3.0, 5.0
"""A gram of one item is boilerplate above so many times the rest's count, and so many rows more."""
SHARED_TIMES, SHARED_MORE = 2.0, 2.0
"""The same of a gram that several items hold, its rows divided by these."""
_AT = 0.67


@compiled
def boilerplate(doc_grams: Any, doc_start: Any, gram_items: Any, rows_holding: Any, in_control: Any) -> Any:
    """Return for each word of the docs whether the gram that begins there is boilerplate."""
    found = np.zeros(doc_grams.size, np.bool_)
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
        if own < max(8, every // 5):
            own = 0
            for word in range(first, last):
                gram = doc_grams[word]
                if gram >= 0:
                    counts[own] = rows_holding[gram] / gram_items[gram]
                    own += 1
        usual = np.sort(counts[:own])[int(_AT * (own - 1))] if own else 0.0
        for word in range(first, last):
            gram = doc_grams[word]
            if gram < 0:
                continue
            holders = gram_items[gram]
            much = rows_holding[gram] / holders
            if holders == 1:
                found[word] = in_control[gram] or much > OWN_TIMES * usual + OWN_MORE
            else:
                found[word] = in_control[gram] or much > SHARED_TIMES * usual + SHARED_MORE
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

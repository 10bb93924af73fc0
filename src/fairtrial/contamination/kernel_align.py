"""The kernel's comparison of one row with one text of an item: which of its words stand there, in order and close by.

Shared grams are anchors. The best chain of them is found (in order on both sides, no gap beyond GAP words), the gaps
are filled by the longest common subsequence of words, and both ends are followed as long as enough words agree. So
words that were dropped, added or replaced cost themselves alone. All of it in the words of one field.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fairtrial.contamination.kernel_cache import inlined
from fairtrial.contamination.kernel_words import GRAM, is_word

GAP = 96
END = 32
"""Words that an end is followed in one go."""
_BACK = 48
_COST = 0.3
"""Of each word of either side that an end takes; a word that agrees gains one. Words in order agree by chance for about
a third, which loses; three of ten dropped or replaced still gain."""


@inlined
def filled(size: int, value: int) -> Any:
    """Return an array of `value`. numpy's own ways to make and fill one take longer to compile."""
    found = np.empty(size, np.int64)
    for place in range(size):
        found[place] = value
    return found


@inlined
def segments_of(words: Any, theirs: Any) -> tuple[Any, Any, Any]:
    """Join anchors that follow each other. Return first words of the row, of the items, and lengths in words."""
    mine, other, sizes = (np.empty(words.size, np.int64), np.empty(words.size, np.int64),
                          np.empty(words.size, np.int64))  # fmt: skip
    count = 0
    for anchor in range(words.size):
        last = count - 1
        if count and words[anchor] - mine[last] == theirs[anchor] - other[last] == sizes[last] - GRAM + 1:
            sizes[last] += 1
        else:
            mine[count], other[count], sizes[count] = words[anchor], theirs[anchor], GRAM
            count += 1
    return mine[:count], other[:count], sizes[:count]


@inlined
def chain_of(mine: Any, other: Any, sizes: Any, fields: Any) -> tuple[Any, int]:
    """Return (the segment before each in its best chain or -1, the segment at which the best chain ends)."""
    before = filled(mine.size, -1)
    worth = np.empty(mine.size, np.int64)
    best = 0
    for segment in range(mine.size):
        worth[segment] = sizes[segment]
        for earlier in range(max(0, segment - _BACK), segment):
            gap = mine[segment] - mine[earlier] - sizes[earlier]
            theirs = other[segment] - other[earlier] - sizes[earlier]
            overlap = max(0, -gap, -theirs)
            if fields[segment] != fields[earlier] or max(gap, theirs) > GAP or overlap >= sizes[segment]:
                continue
            if mine[segment] <= mine[earlier] or other[segment] <= other[earlier]:
                continue
            if worth[earlier] + sizes[segment] - overlap > worth[segment]:
                worth[segment] = worth[earlier] + sizes[segment] - overlap
                before[segment] = earlier
        if worth[segment] > worth[best]:
            best = segment
    return before, best


@inlined
def _lengths(index: Any, state: Any, data: Any, word: int, words: int, theirs: int, others: int, step: Any) -> None:
    """Fill state.lengths with those of the common subsequences of `words` and `others` words, going by `step`."""
    table, hashes = state.lengths, state.hashes
    for column in range(words + 1):
        table[0, column] = 0
    for row in range(1, others + 1):
        their = theirs + step * (row - 1)
        wanted = index.word_hash[their]
        left = np.int16(0)
        table[row, 0] = 0
        for column in range(1, words + 1):
            mine = word + step * (column - 1)
            if hashes[mine] == wanted and is_word(index, state, data, mine, their):
                left = table[row - 1, column - 1] + np.int16(1)
            else:
                left = max(table[row - 1, column], left)
            table[row, column] = left


@inlined
def _traced(table: Any, marked: Any, row: int, column: int, at: int, step: Any) -> int:
    """Mark the item's words on the way back from [row, column]. Return the last column that matched."""
    furthest = 0
    while row > 0 and column > 0:
        if table[row, column] == table[row - 1, column]:
            row -= 1
        elif table[row, column] == table[row, column - 1]:
            column -= 1
        else:
            marked[at + step * (row - 1)] = 1
            furthest = max(furthest, column)
            row -= 1
            column -= 1
    return furthest


@inlined
def fill(index: Any, state: Any, data: Any, gaps: tuple[int, int, int, int], marked: Any, first: int) -> None:
    """Mark what agrees in a gap (word of the row, its words, word of the items, its words), if half of a side does."""
    word, words, theirs, others = gaps
    if words <= 0 or others <= 0 or max(words, others) > GAP:
        return
    _lengths(index, state, data, word, words, theirs, others, np.int64(1))
    if 2 * state.lengths[others, words] >= min(words, others):
        _traced(state.lengths, marked, others, words, theirs - first, np.int64(1))


@inlined
def follow(index: Any, state: Any, data: Any, ends: tuple[int, int, int, int, Any], marked: Any, first: int) -> int:
    """Follow an end (word of the row, its words, word of the items, its words, step). Return the row's words taken."""
    word, words, theirs, others, step = ends
    others = min(others, END)
    words = min(words, others + others // 2 + 4)
    if words <= 0 or others <= 0:
        return 0
    _lengths(index, state, data, word, words, theirs, others, step)
    best, row, column = 0.0, 0, 0
    for taken in range(1, others + 1):
        for passed in range(1, words + 1):
            gain = state.lengths[taken, passed] - _COST * (taken + passed)
            if gain > best:
                best, row, column = gain, taken, passed
    return _traced(state.lengths, marked, row, column, theirs - first, step)

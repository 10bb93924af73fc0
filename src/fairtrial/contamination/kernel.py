"""The compiled entry points of the 5-gram scan: read items, number their grams, scan rows, weigh what was found.

The parts are in kernel_words (reading and look-up) and kernel_align (comparison). numba keeps compiled code by the file
of the entry point alone; so the source of all parts goes into the key, as STAMP. Not covered: files, and what a pair
means (ngrams).
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from fairtrial.contamination.kernel_align import chain_of, fill, filled, follow, segments_of
from fairtrial.contamination.kernel_cache import called, compiled, inlined
from fairtrial.contamination.kernel_words import GRAM, is_word, look_up, read_row, same_word

PAIR = ("row", "doc", "field", "start", "end", "first", "last", "marks")
"""Columns of state.pairs: row; doc; field of the row, characters [start, end) in it; words [first, last) of the doc;
where its marks begin."""
SHORT = 13
"""Words of a text below which it is matched only whole, as a sentence or field by itself."""
PAIRS, MARKS, NEXT_ROW = 0, 1, 2

_PARTS = ("kernel.py", "kernel_words.py", "kernel_align.py")
STAMP = zlib.crc32(b"".join(Path(__file__).with_name(name).read_bytes() for name in _PARTS))
_ENDS = np.array([byte >= 0x80 or byte in b"\n\r.!?:;|#*<>()[]{}=\"'`\x1d\x1e" for byte in range(256)])


@inlined
def _nominated(index: Any, state: Any, hits: int) -> tuple[int, int, int]:
    """List in state.docs the docs that share enough with the row. Return (docs, their anchors, bytes of marks)."""
    touched = 0
    for hit in range(hits):
        gram = state.hit_gram[hit]
        post = state.holding[gram, 3]
        end = state.holding[gram + 1, 3]
        while post < end:
            doc = index.posts[post] >> 32
            if state.doc_anchors[doc] == 0:
                state.docs[touched] = doc
                touched += 1
            state.doc_anchors[doc] += 1
            state.doc_reach[doc] += index.posts[post] & 0xFFFFFFFF
            post += 1
    kept = anchors = marks = 0
    for number in range(touched):
        doc = state.docs[number]
        if state.doc_reach[doc] >= 1000:
            state.docs[kept] = doc
            kept += 1
            anchors += state.doc_anchors[doc]
            marks += (index.doc_start[doc + 1] - index.doc_start[doc] + 7) // 8
        else:
            state.doc_anchors[doc] = 0
        state.doc_reach[doc] = 0
    return kept, anchors, marks


@inlined
def _anchors(index: Any, state: Any, hits: int, docs: int, total: int) -> tuple[Any, Any, Any]:
    """Return (words of the row, words of the items, where each listed doc's anchors end), in the order of the row."""
    mine, theirs = np.empty(total, np.int64), np.empty(total, np.int64)
    ends = np.empty(docs, np.int64)
    at = 0
    for number in range(docs):
        doc = state.docs[number]
        size = state.doc_anchors[doc]
        state.doc_anchors[doc] = number + 1
        ends[number] = at
        at += size
    for hit in range(hits):
        gram = state.hit_gram[hit]
        for post in range(index.post_start[gram], index.post_start[gram + 1]):
            number = state.doc_anchors[index.posts[post] >> 32] - 1
            if number >= 0:
                mine[ends[number]], theirs[ends[number]] = state.hit_word[hit], index.post_at[post]
                ends[number] += 1
    for number in range(docs):
        state.doc_anchors[state.docs[number]] = 0
    return mine, theirs, ends


@inlined
def _is_apart(state: Any, data: Any, word: int, size: int, fields: int) -> bool:
    """Say whether the words stand as a sentence, line or field by themselves."""
    at = state.starts[word] - 1
    while at >= 0 and not _ENDS[data[at]]:
        if word > 0 and at < state.ends[word - 1]:
            return False
        at -= 1
    at = state.ends[word + size - 1]
    following = state.starts[word + size] if word + size < state.field_word[fields] else data.size
    while at < data.size and not _ENDS[data[at]]:
        if at >= following:
            return False
        at += 1
    return True


@inlined
def _field_of(state: Any, word: int, fields: int) -> int:
    """Return the last field of the row that begins at the word or before it."""
    low, high = 0, fields
    while low < high:
        middle = (low + high) // 2
        if state.field_word[middle] > word:
            high = middle
        else:
            low = middle + 1
    return low - 1


@inlined
def _characters(data: Any, start: int, end: int) -> int:
    count = 0
    for at in range(start, end):
        count += (data[at] & 0xC0) != 0x80
    return count


@inlined
def _write(state: Any, data: Any, found: tuple[int, int, int, int, int], marked: Any) -> None:
    """Write a pair (row, doc, field, words [first, last) of the row) and its marks."""
    row, doc, field, first, last = found
    pair, at = state.counts[PAIRS], state.counts[MARKS]
    begin = state.field_byte[field]
    start = _characters(data, begin, state.starts[first])
    state.pairs[pair, 0], state.pairs[pair, 1], state.pairs[pair, 2] = row, doc, field
    state.pairs[pair, 3] = start
    state.pairs[pair, 4] = start + _characters(data, state.starts[first], state.ends[last - 1])
    low, high = marked.size, 0
    for word in range(marked.size):
        if marked[word]:
            state.marks[at + word // 8] |= np.uint8(1 << (word % 8))
            low, high = min(low, word), word + 1
    state.pairs[pair, 5], state.pairs[pair, 6], state.pairs[pair, 7] = low, high, at
    state.counts[PAIRS] += 1
    state.counts[MARKS] += (marked.size + 7) // 8


@inlined
def _chained(index: Any, before: Any, segment: int, others: Any, sizes: Any) -> float:
    """Return the weight of the item's words that the chain covers by itself."""
    weight = 0.0
    until = others[segment] + sizes[segment]
    while segment >= 0:
        for word in range(others[segment], min(until, others[segment] + sizes[segment])):
            weight += index.word_weight[word]
        until = others[segment]
        segment = before[segment]
    return weight


@inlined
def _compare(index: Any, state: Any, data: Any, row: int, doc: int, mine: Any, theirs: Any, fields: int) -> None:
    """Compare the row with one doc from their anchors on, and write the pair where enough agrees."""
    first, size = index.doc_start[doc], index.doc_start[doc + 1] - index.doc_start[doc]
    words, others, sizes = segments_of(mine, theirs)
    if size < SHORT:
        for segment in range(words.size):
            if sizes[segment] == size and _is_apart(state, data, words[segment], size, fields):
                for word in range(size):
                    if not is_word(index, state, data, words[segment] + word, first + word):
                        return
                _write(state, data, (row, doc, _field_of(state, words[segment], fields), words[segment],
                                     words[segment] + size), filled(size, 1))  # fmt: skip
                return
        return
    field_of = np.empty(words.size, np.int64)
    for segment in range(words.size):
        field_of[segment] = _field_of(state, words[segment], fields)
    before, segment = chain_of(words, others, sizes, field_of)
    marked = filled(size, 0)
    if _chained(index, before, segment, others, sizes) < index.doc_need[doc]:
        return
    field = field_of[segment]
    after, beyond = words[segment] + sizes[segment], others[segment] + sizes[segment]
    ends = (after, state.field_word[field + 1] - after, beyond, first + size - beyond, np.int64(1))
    last = after + follow(index, state, data, ends, marked, first)
    while True:
        for word in range(sizes[segment]):
            if not is_word(index, state, data, words[segment] + word, others[segment] + word):
                return
            marked[others[segment] - first + word] = 1
        earlier = before[segment]
        if earlier < 0:
            break
        after, beyond = words[earlier] + sizes[earlier], others[earlier] + sizes[earlier]
        gaps = (after, words[segment] - after, beyond, others[segment] - beyond)
        fill(index, state, data, gaps, marked, first)
        segment = earlier
    start = words[segment]
    ends = (start - 1, start - state.field_word[field], others[segment] - 1, others[segment] - first, np.int64(-1))
    start -= follow(index, state, data, ends, marked, first)
    weight = 0.0
    for word in range(size):
        if marked[word]:
            weight += index.word_weight[first + word]
    if weight >= index.doc_need[doc]:
        _write(state, data, (row, doc, field, start, last), marked)


@called
def _match(index: Any, state: Any, data: Any, row: int, hits: int, fields: int) -> bool:
    """Compare the row with each doc that its grams nominate. Return False, with nothing done, for want of room."""
    docs, total, marks = _nominated(index, state, hits)
    if state.counts[PAIRS] + docs > state.pairs.shape[0] or state.counts[MARKS] + marks > state.marks.size:
        for number in range(docs):
            state.doc_anchors[state.docs[number]] = 0
        return False
    mine, theirs, ends = _anchors(index, state, hits, docs, total)
    begin = 0
    for number in range(docs):
        end = ends[number]
        _compare(index, state, data, row, state.docs[number], mine[begin:end], theirs[begin:end], fields)
        begin = end
    return True


def _scan_rows(stamp: int) -> Callable[..., Any]:
    @compiled
    def scan_rows(index: Any, state: Any, data: Any, at: int, row: int) -> int:
        """Scan rows from byte `at` on, the first being `row`. Return where it stopped: at the end, or full."""
        while at < data.size and stamp >= 0:
            after, _, fields = read_row(index.table, index.quick, index.mask, state, data, at)
            hits, reach = look_up(index, state, data, row, fields)
            if reach >= 1000 and not _match(index, state, data, row, hits, fields):
                break
            at = after
            row += 1
        state.counts[NEXT_ROW] = row
        return at

    return scan_rows


def _read_items(stamp: int) -> Callable[..., Any]:
    @compiled
    def read_items(table: Any, quick: Any, mask: Any, state: Any, data: Any) -> Any:
        """Return (hash, start, end of each word; its item; its text) of rows that are items."""
        room = data.size // 1 + 1 if stamp >= 0 else 0
        hashes, starts, ends = np.empty(room, np.uint64), np.empty(room, np.int32), np.empty(room, np.int32)
        rows, fields_of = np.empty(room, np.int32), np.empty(room, np.int32)
        at: Any = np.int64(0)  # a literal is another type to numba, for which read_row is compiled anew
        count = row = 0
        while at < data.size:
            at, _, fields = read_row(table, quick, mask, state, data, at)
            for field in range(fields):
                for word in range(state.field_word[field], state.field_word[field + 1]):
                    hashes[count] = state.hashes[word]
                    starts[count], ends[count] = state.starts[word], state.ends[word]
                    rows[count], fields_of[count] = row, field
                    count += 1
            row += 1
        return hashes[:count], starts[:count], ends[:count], rows[:count], fields_of[:count]

    return read_items


def _number_grams(stamp: int) -> Callable[..., Any]:
    @compiled
    def number_grams(table: Any, data: Any, words: Any, first: Any, grams: Any, order: Any) -> Any:
        """Number the grams that begin at the words `first`, by their words. Return (number of each, first of each)."""
        hashes, starts, ends = words
        numbers, heads = np.empty(first.size, np.int32), np.empty(first.size, np.int32)
        count = begin = 0
        for place in range(order.size):
            gram = order[place]
            numbers[gram] = -1 if stamp >= 0 else -2
            if place and grams[gram] != grams[order[place - 1]]:
                begin = count
            for number in range(begin, count):
                same = True
                for step in range(GRAM):
                    mine, theirs = first[gram] + step, heads[number] + step
                    if hashes[mine] != hashes[theirs] or not same_word(
                        table, data, np.int64(starts[mine]), np.int64(ends[mine]),
                        data, np.int64(starts[theirs]), np.int64(ends[theirs]),
                    ):  # fmt: skip
                        same = False
                        break
                if same:
                    numbers[gram] = number
                    break
            if numbers[gram] < 0:
                numbers[gram] = count
                heads[count] = first[gram]
                count += 1
        return numbers, heads[:count]

    return number_grams


scan_rows, read_items, number_grams = _scan_rows(STAMP), _read_items(STAMP), _number_grams(STAMP)

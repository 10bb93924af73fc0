"""The kernel's reading: words of a row with their places, their 5-grams, and which of these are grams of items.

Everything here is compiled as a part of the entry points in `kernel`. Hashes only propose: a gram counts as an item's
where its words are the item's, letter by letter. Words are read from UTF-8; the fields of a row are parted by FIELD,
rows by ROW, and no gram crosses either.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fairtrial.contamination.kernel_cache import inlined
from fairtrial.contamination.kernel_letters import ALONE, PASSED_OVER, SIZE

GRAM = 5
FIELD, ROW = 0x1D, 0x1E

_SEED = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xD6E8FEB86659FD93)
_BASE = np.uint64(0x2545F4914F6CDD1D)
_OUT = np.uint64(pow(int(_BASE), GRAM, 1 << 64))
"""What the word that a gram leaves behind was multiplied by."""
_HALF, _FOUR, _SEVEN, _REST = np.uint64(32), np.uint64(GRAM - 1), np.uint64(7), np.uint64(57)
_SIX, _SIXTY_THREE, _ONE, _NUMBER = np.uint64(6), np.uint64(63), np.uint64(1), np.uint64(0xFFFFFFFF)
_ALONE, _PASSED_OVER = np.uint32(ALONE), np.uint32(PASSED_OVER)
_LETTER = np.uint32(ALONE - 1)


class Index(NamedTuple):
    """The items as arrays. A doc is one text of an item; texts that are the same word for word are one doc."""

    table: NDArray[np.uint32]
    quick: NDArray[np.uint64]
    """What each byte of ASCII adds to a word's hash; 0 where it is no letter."""
    mask: np.uint64
    """Bits of a word's hash that are used: all, but in tests of what happens when hashes collide."""
    data: NDArray[np.uint8]
    word_hash: NDArray[np.uint64]
    word_start: NDArray[np.int32]
    word_end: NDArray[np.int32]
    doc_start: NDArray[np.int32]
    """First word of each doc, and the end of the last."""
    bits: NDArray[np.uint64]
    """Two bits for each gram, in one word by its hash: nearly all of a row's grams are turned away here."""
    bit_shift: np.uint64
    slots: NDArray[np.uint64]
    """By the upper bits of a gram's hash: its lower 32 bits, then its number and one; 0 where there is none."""
    slot_shift: np.uint64
    twins: bool
    """Two grams cannot be told apart by slots: then each place is held against the words at once, else when a pair is
    compared."""
    gram_at: NDArray[np.int32]
    """A word at which the gram begins."""
    gram_reach: NDArray[np.int64]
    """The largest reach of the gram in any doc: where those of a row stay below a thousand, no doc is nominated."""
    post_start: NDArray[np.int32]
    posts: NDArray[np.int64]
    """For each gram the docs it nominates, doc << 32 | reach: the thousandths, rounded up, of doc_need that its words
    weigh there. No chain of anchors weighs more than these together."""
    post_at: NDArray[np.int32]
    """Where (word of the items) the gram begins in that doc."""
    word_weight: NDArray[np.float32]
    doc_need: NDArray[np.float32]
    """The least weight of matched words for which a pair is kept."""


class State(NamedTuple):
    """What the kernel writes: counts over all rows, the pairs found, and room for one row."""

    hashes: NDArray[np.uint64]
    starts: NDArray[np.int32]
    ends: NDArray[np.int32]
    field_word: NDArray[np.int32]
    field_byte: NDArray[np.int32]
    hit_word: NDArray[np.int32]
    hit_gram: NDArray[np.int32]
    holding: NDArray[np.int64]
    """For each gram the rows that hold it, the last of them, its reach, and post_start: one line of cache for all."""
    doc_reach: NDArray[np.int64]
    doc_anchors: NDArray[np.int32]
    docs: NDArray[np.int32]
    lengths: NDArray[np.int16]
    """Room for the alignment of two gaps."""
    pairs: NDArray[np.int64]
    marks: NDArray[np.uint8]
    counts: NDArray[np.int64]
    """Pairs and bytes of marks written; the next row; words read."""


@inlined
def _wide(data: Any, at: int) -> tuple[int, int]:
    """Return (code point, bytes) of a character beyond ASCII."""
    byte = np.int64(data[at])
    if byte < 0xE0:
        return ((byte & 0x1F) << 6) | (data[at + 1] & 0x3F), 2
    if byte < 0xF0:
        return ((byte & 0x0F) << 12) | (np.int64(data[at + 1] & 0x3F) << 6) | (data[at + 2] & 0x3F), 3
    point = ((byte & 0x07) << 18) | (np.int64(data[at + 1] & 0x3F) << 12) | (np.int64(data[at + 2] & 0x3F) << 6)
    return point | (data[at + 3] & 0x3F), 4


@inlined
def letter_at(table: Any, data: Any, at: int) -> tuple[Any, int]:
    """Return (what the character at `at` is read as, its bytes)."""
    byte = data[at]
    if byte < 0x80:
        return table[byte], 1
    point, width = _wide(data, at)
    if point < SIZE:
        return table[point], width
    if point < 0x40000:
        return np.uint32(point | ALONE), width
    return (_PASSED_OVER if 0xE0100 <= point <= 0xE01EF else np.uint32(0)), width


@inlined
def _close(state: Any, count: int, running: Any, start: int, end: int, mask: Any) -> int:
    mixed = (running ^ (running >> _HALF)) * _MIX
    state.hashes[count] = (mixed ^ (mixed >> _HALF)) & mask
    state.starts[count] = start
    state.ends[count] = end
    return count + 1


@inlined
def _turned(running: Any, value: Any) -> Any:
    return ((running << _SEVEN) | (running >> _REST)) ^ value


@inlined
def read_row(table: Any, quick: Any, mask: Any, state: Any, data: Any, at: Any) -> tuple[int, int, int]:
    """Read the words of the row that begins at byte `at`. Return (where the next begins, words, fields)."""
    count, fields, begun, running, size = 0, 1, -1, _SEED, np.uint64(data.size)
    state.field_word[0], state.field_byte[0] = 0, at
    while at < data.size:
        start, here = at, np.uint64(at)  # without a sign: numba need not ask whether it counts from the end
        value = quick[data[here]]
        while value != 0:
            running = _turned(running, value)
            here += _ONE
            if here >= size:
                break
            value = quick[data[here]]
        at = np.int64(here)
        if at > start:
            begun = start if begun < 0 else begun
            if at >= data.size:
                break
        byte, letter, width = data[at], np.uint32(0), 1
        if byte >= 0x80:
            letter, width = letter_at(table, data, at)
            if letter != 0 and letter < _ALONE:
                begun = at if begun < 0 else begun
                running = _turned(running, quick[letter] if letter < 0x80 else np.uint64(letter) * _MIX)
                at += width
                continue
            if letter >= _PASSED_OVER:
                at += width
                continue
        if begun >= 0:
            count = _close(state, count, running, begun, at, mask)
            begun, running = -1, _SEED
        if letter != 0:
            alone = _turned(_SEED, np.uint64(letter & _LETTER) * _MIX)
            count = _close(state, count, alone, at, at + width, mask)
        at += width
        if byte == FIELD:
            state.field_word[fields], state.field_byte[fields] = count, at
            fields += 1
        elif byte == ROW:
            break
    if begun >= 0:
        count = _close(state, count, running, begun, at, mask)
    state.field_word[fields] = count
    return at, count, fields


def hash_grams(hashes: NDArray[np.uint64], first: NDArray[np.int32]) -> NDArray[np.uint64]:
    """Return the hash of the gram at each of the words `first`, as look_up does of one after the other."""
    grams = hashes[first]
    for step in range(1, GRAM):
        grams = grams * _BASE + hashes[first + step]
    return grams


@inlined
def same_word(table: Any, left: Any, at: Any, end: Any, right: Any, other: Any, last: Any) -> bool:
    """Say whether two words are read the same, letter by letter."""
    while True:
        while at < end:
            mine, width = letter_at(table, left, at)
            if mine < _PASSED_OVER:
                break
            at += width
        while other < last:
            theirs, breadth = letter_at(table, right, other)
            if theirs < _PASSED_OVER:
                break
            other += breadth
        if at >= end or other >= last:
            return bool(at >= end and other >= last)
        if mine != theirs:
            return False
        at += width
        other += breadth


@inlined
def is_word(index: Any, state: Any, data: Any, word: int, theirs: int) -> bool:
    """Say whether a word of the row is a word of the items."""
    return state.hashes[word] == index.word_hash[theirs] and same_word(
        index.table, data, np.int64(state.starts[word]), np.int64(state.ends[word]),
        index.data, np.int64(index.word_start[theirs]), np.int64(index.word_end[theirs]),
    )  # fmt: skip


@inlined
def _gram_id(index: Any, state: Any, data: Any, word: int, mixed: Any) -> int:
    """Return the number of the gram that begins at `word`, -1 where it is none of the items'."""
    last = np.uint64(index.slots.size - 1)
    tag = mixed << _HALF
    at = mixed >> index.slot_shift
    while True:
        slot = index.slots[at]
        if slot == 0:
            return -1
        if (slot ^ tag) >> _HALF == 0:
            number = np.int64(slot & _NUMBER) - 1
            same = True
            for step in range(GRAM if index.twins else 0):
                if not is_word(index, state, data, word + step, index.gram_at[number] + step):
                    same = False
                    break
            if same:
                return int(number)
        at = (at + _ONE) & last


@inlined
def look_up(index: Any, state: Any, data: Any, row: int, fields: int) -> tuple[int, int]:
    """Note where the row holds grams of items, and count the row once for each. Return (places, their reach)."""
    hits, reach = 0, 0
    for field in range(fields):
        first, last = state.field_word[field], state.field_word[field + 1]
        gram, left = np.uint64(0), np.uint64(0)
        for word in range(first, min(last, first + GRAM - 1)):
            gram = gram * _BASE + state.hashes[word]
        for word in range(first, last - GRAM + 1):
            at = np.uint64(word)
            gram = gram * _BASE + (state.hashes[at + _FOUR] - left)  # of the five words from here; their order counts
            left = state.hashes[at] * _OUT
            mixed = gram * _MIX
            place = mixed >> index.bit_shift
            line = index.bits[place >> _SIX]
            if not (line >> (place & _SIXTY_THREE)) & (line >> (mixed & _SIXTY_THREE)) & _ONE:
                continue
            number = _gram_id(index, state, data, word, mixed)
            if number >= 0:
                state.hit_word[hits], state.hit_gram[hits] = word, number
                hits += 1
                reach += state.holding[number, 2]
                if state.holding[number, 1] != row:
                    state.holding[number, 1] = row
                    state.holding[number, 0] += 1
    return hits, reach

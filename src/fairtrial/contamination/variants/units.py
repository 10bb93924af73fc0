"""What is compared with what: the passages of an item, and the windows of a training row.

A passage is one text of an item; texts of few words (the choices of a question) are taken together. A row's text is
looked at whole and, where it is much longer than the passages are, in overlapping windows of about their length, so
that a reworded item inside a long document or one message of a long conversation is near on its own account.
Not covered: an item whose parts stand far from each other in a row, with other things between them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from fairtrial.contamination.rows import Row
from fairtrial.contamination.variants.words import Word, Words, spans_of, tokens_of

SHORT = 8
"""Words below which a text is taken together with its neighbours."""
LEAST = 4
"""Words below which nothing can be told: "42", "Paris" or "Yes, it is" are everywhere."""
BREAK = re.compile(r"[.!?。！？]+[)\"'”’]*\s+|[。！？]|\n+")
"""Where a sentence or a line ends."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Hold the words of one passage or window, and where they stand."""

    row: int
    """Number of the row or item, from 0."""
    place: str
    words: list[Word]
    first: int = 0
    last: int = -1
    """Tokens [first, last) of the text at `place`; last is -1 for the whole of it, and of texts joined to it."""


def passages_of(row: Row, number: int, words: Words) -> list[Unit]:
    """Return the passages of an item; none where it has fewer than `LEAST` words."""
    return [unit for unit in _texts(row, number, words) if len(unit.words) >= LEAST]


def field_of(place: str) -> str:
    """Return the field that a place lies in.

    >>> field_of("messages[3].content")
    'messages[].content'
    """
    return re.sub(r"\[\d+\]", "[]", place)


def scales_of(lengths: Sequence[int]) -> tuple[int, int, int]:
    """Return the lengths, in words, that windows are made for: short, usual and long passages (tenths of them).

    >>> scales_of([40, 50, 60]), scales_of([10, 10, 50, 50, 50, 400, 400])
    ((50, 50, 50), (10, 50, 400))
    """
    short, middle, long = (max(SHORT, int(np.quantile(lengths, share))) for share in (0.1, 0.5, 0.9))
    return short if short * 1.5 < middle else middle, middle, long if long > middle * 1.5 else middle


def windows_of(row: Row, number: int, words: Words, scales: tuple[int, int, int]) -> Iterator[Unit]:
    """Yield what of a training row is compared: each text, and windows of one that is much longer than passages are."""
    texts = dict(row.texts)
    for unit in _texts(row, number, words):
        length = len(unit.words)
        if length <= 2.5 * scales[2]:
            yield unit
        if length > 2.5 * scales[1]:
            begins = _begins(texts[unit.place]) if unit.place in texts else []
            for scale in sorted(set(scales)):
                if length > 2 * scale:
                    yield from _cut(unit, begins, scale)


def _begins(text: str) -> list[int]:
    """Return the tokens that begin a sentence or a line."""
    starts = [first for first, _ in spans_of(text)]
    return sorted({bisect_left(starts, found.end()) for found in BREAK.finditer(text)} | {0})


def _cut(unit: Unit, begins: Sequence[int], scale: int) -> Iterator[Unit]:
    """Yield windows of about `scale` words from sentence to sentence, one begun in each third of their length."""
    length = len(unit.words)
    bounds = [0]
    for begin in [*begins, length]:
        while begin - bounds[-1] > scale // 2:  # no sentence ends here, as in a list or in code on one line
            bounds.append(min(begin, bounds[-1] + max(1, scale // 3)))
        if bounds[-1] < begin <= length:
            bounds.append(begin)
    last_begun = -scale
    for at, first in enumerate(bounds[:-1]):
        if first - last_begun < scale / 3:
            continue
        last_begun = first
        end = bisect_left(bounds, first + 0.85 * scale, at + 1)
        last = bounds[end] if end < len(bounds) else length
        yield Unit(unit.row, unit.place, unit.words[first:last], first, last)
        if last == length:
            return


def _texts(row: Row, number: int, words: Words) -> list[Unit]:
    """Return each text of `SHORT` words or more; runs of shorter ones joined, or added to a neighbour."""
    made: list[Unit] = []
    run: list[Word] = []
    run_place = ""
    for place, text in row.texts:
        found = words.of(tokens_of(text))
        if len(found) < SHORT:
            run_place = run_place if run else place
            run = run + found
            continue
        run = _close(made, run, run_place, number)
        made.append(Unit(number, place, found + run if run else found))
        run = []
    run = _close(made, run, run_place, number)
    if run and made:
        made[-1] = Unit(number, made[-1].place, made[-1].words + run)
    elif run:
        made.append(Unit(number, run_place, run))
    return made


def _close(made: list[Unit], run: list[Word], place: str, number: int) -> list[Word]:
    """Make a run of short texts a unit of its own where it is long enough; return what is left of it."""
    if len(run) >= SHORT:
        made.append(Unit(number, place, run))
        return []
    return run if len(run) >= LEAST else []

"""The passages of a row and of an item that match best, so that a reader sees them side by side.

Sentence by sentence: the run of a row's sentences that shares most words with the item's text, for what it holds
itself. Words weigh less the shorter they are and the more often both texts use them. Not covered: why a pair was
flagged (`Near.parts` says that), and two texts that mean the same and share no word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from fairtrial.contamination.result import Span
from fairtrial.contamination.rows import Row
from fairtrial.contamination.variants.words import Word, Words, tokens_of

SENTENCE = re.compile(r"[^.!?。！？\n]+(?:[.!?。！？]+(?=\s|$|[。！？])|\n|$|[.!?。！？])?")
MOST = 400
"""Sentences of one text that are looked at; of a longer text its first so many."""

Weights = dict[int, float]


def passages(row: Row, item: Row) -> tuple[Span | None, Span | None]:
    """Return where row and item match best: a run of sentences of each; None, None where they share no word."""
    words = Words()
    read = {id(side): [(place, _sentences(text, words)) for place, text in side.texts] for side in (row, item)}
    weights = _weights([*read[id(row)], *read[id(item)]])
    best: tuple[float, Span | None, Span | None] = (0.0, None, None)
    for item_place, theirs in read[id(item)]:
        whole = {key for _, _, keys in theirs for key in keys}
        for row_place, mine in read[id(row)]:
            score, first, last = _run(mine, whole, weights)
            if score > best[0]:
                held = {key for _, _, keys in mine[first:last] for key in keys}
                _, from_, to = _run(theirs, held, weights)
                best = (score, Span(row_place, mine[first][0], mine[last - 1][1]),
                        Span(item_place, theirs[from_][0], theirs[to - 1][1]))  # fmt: skip
    return best[1], best[2]


Sentence = tuple[int, int, dict[int, int]]
"""Where it begins and ends, and the letters of each of its words."""


def _sentences(text: str, words: Words) -> list[Sentence]:
    found = []
    for match in SENTENCE.finditer(text):
        keys = {key: len(word.letters) for word in words.of(tokens_of(match.group())) for key in _keys(word)}
        if keys:
            lead = len(match.group()) - len(match.group().lstrip())
            found.append((match.start() + lead, match.start() + len(match.group().rstrip()), keys))
            if len(found) == MOST:
                break
    return found


def _keys(word: Word) -> tuple[int, ...]:
    return word.stems or (word.figure,)


def _weights(texts: Sequence[tuple[str, list[Sentence]]]) -> Weights:
    counts: Counter[int] = Counter()
    letters: dict[int, int] = {}
    for _, sentences in texts:
        for _, _, keys in sentences:
            counts.update(keys.keys())
            letters |= keys
    # A figure has no letters and says as much as a word of five.
    return {key: min(letters[key] or 5, 8) / count for key, count in counts.items()}


def _run(sentences: Sequence[Sentence], whole: set[int], weights: Weights) -> tuple[float, int, int]:
    """Return (score, first, last) of the run of sentences that shares most with `whole`, less what it holds besides.

    The score of a run is shared / (0.3 its own + 0.7 whole), all weighed: to hold all of it counts for more than
    to hold nothing else.
    """
    total = sum(weights[key] for key in whole)
    best = (0.0, 0, len(sentences))
    for first in range(len(sentences)):
        held: set[int] = set()
        own = shared = 0.0
        for last in range(first, min(first + 40, len(sentences))):
            for key in sentences[last][2].keys() - held:
                own += weights[key]
                shared += weights[key] if key in whole else 0
            held |= sentences[last][2].keys()
            score = shared / (0.3 * own + 0.7 * total)
            if score > best[0]:
                best = (score, first, last + 1)
    return best

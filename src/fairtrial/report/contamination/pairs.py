"""Flagged pairs for reading: passages side by side, the words that both have marked.

The best pairs are shown, of one item only a few, so that one item's clones do not hide the others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from fairtrial.contamination.document import FlaggedPair, Passage
from fairtrial.report.contamination.data import Pair, Piece, Side
from fairtrial.report.numbers import rounded
from fairtrial.report.words import visible

MOST = 60
"""Pairs on a page; all are in the scan's JSON document."""
MOST_OF_ONE_ITEM = 3
LONGEST = 1_600
"""Characters of a passage on the page; the scan cuts it shorter as a rule."""
_PART = re.compile(r"\w+|\W+")


def shown_pairs(pairs: Sequence[FlaggedPair]) -> tuple[Pair, ...]:
    """Return the pairs for the page, in the scan's order; detectors of one pair are named together."""
    detectors: dict[tuple[int, str], list[str]] = {}
    first: dict[tuple[int, str], FlaggedPair] = {}
    for pair in pairs:
        key = (pair.flag.train_row, pair.flag.item_id)
        first.setdefault(key, pair)
        detectors.setdefault(key, []).append(f"{pair.flag.detector} {rounded(float(pair.flag.score), 2)}")
    shown: list[Pair] = []
    of_item = Counter[str]()
    for key, pair in first.items():
        if of_item[pair.flag.item_id] < MOST_OF_ONE_ITEM and len(shown) < MOST:
            of_item[pair.flag.item_id] += 1
            shown.append(_pair(pair, detectors[key]))
    return tuple(shown)


def count_pairs(pairs: Iterable[FlaggedPair]) -> int:
    """Return how many pairs there are, each once however many detectors flag it."""
    return len({(pair.flag.train_row, pair.flag.item_id) for pair in pairs})


def lines_shown(text: str) -> str:
    r"""Return `text` with its line ends, every other control or direction character shown by its number.

    >>> lines_shown("a\u202eb\nc")
    'a<202E>b\nc'
    """
    return "\n".join(visible(line) for line in text.split("\n"))


def _pair(pair: FlaggedPair, detectors: Sequence[str]) -> Pair:
    flag = pair.flag
    where = f"{Path(pair.path).name}:{pair.line}"
    return Pair(
        label=visible(", ".join(dict.fromkeys(detectors))),
        train=_side(f"training row {flag.train_id}", where, pair.train, pair.item),
        item=_side(f"item {flag.item_id}", "", pair.item, pair.train),
    )


def _side(title: str, where: str, passage: Passage | None, other: Passage | None) -> Side:
    if passage is None:
        return Side(title=visible(title), where=visible(where), missing="the row could not be read a second time")
    theirs = {word.casefold() for word in re.findall(r"\w+", other.text)} if other is not None else set[str]()
    field = passage.place or "whole row"
    text, cut = passage.text, ""
    if len(text) > LONGEST:
        cut = f" [... {len(text) - LONGEST:,} characters more]"
        text = text[:LONGEST]
    return Side(
        title=visible(title),
        where=visible(f"{where} {field}".strip() + f", characters {passage.start:,} to {passage.end:,}"),
        before=lines_shown(passage.before),
        pieces=_pieces(text, theirs),
        after=cut + lines_shown(passage.after),
    )


def _pieces(text: str, theirs: set[str]) -> tuple[Piece, ...]:
    """Return `text` in runs of words that the other side has, and of those that it has not.

    >>> _pieces("two red hens", {"two", "hens", "red"})
    (Piece(text='two red hens', shared=True),)
    """
    made: list[Piece] = []
    parts = _PART.findall(text)
    for number, part in enumerate(parts):
        is_word = part[0].isalnum() or part[0] == "_"
        if is_word:
            shared = part.casefold() in theirs
        else:
            following = parts[number + 1].casefold() in theirs if number + 1 < len(parts) else False
            shared = bool(made) and made[-1].shared and following
        if made and made[-1].shared == shared:
            made[-1] = Piece(made[-1].text + part, shared)
        else:
            made.append(Piece(part, shared))
    return tuple(Piece(lines_shown(piece.text), piece.shared) for piece in made)

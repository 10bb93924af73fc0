"""A text as what near copies have in common: stems with figures masked, characters, the figures, the names.

Figures are masked in words and characters, so that copies of one template with other numbers have the same wording;
the figures themselves are a part of their own. Stems are English; words of other scripts are taken as they stand, and
of scripts without spaces every character is a word. Not covered: how much a word says (`likeness`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import snowballstemmer

FIGURE = "0"
"""What stands for a figure in words and characters."""
TELLING = 3
"""Words beside figures from which on figures are masked; what holds fewer is told apart by its figures alone."""
LETTERS = 4
"""Length of the runs of characters."""
BOILERPLATE_SHARE, BOILERPLATE_ROWS = 0.2, 10
"""A line or sentence that stands in so many rows says nothing of any of them."""

_OPENERS = frozenset(
    word
    for line in (
        "All An And Answer As At By Calculate Choose Complete Consider Create Each Explain Find For From Given Here",
        "How If Implement In It Let Make My On One Please Read Select Solve Suppose The There These They This To",
        "Translate Two Use We What When Where Which While Who Why With Write You Your",
    )
    for word in line.split()
)
"""Words that often begin a text and are no names."""
_ALONE = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_ALONE}]|\d(?:[\d.,]*\d)?|[^\W\d_{_ALONE}]+")
_DIGITS = re.compile(r"\d+")
_SPACE = re.compile(r"\s+")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\s*\n\s*")


@dataclass(frozen=True, slots=True)
class Wording:
    """Hold what is compared of one text."""

    words: tuple[str, ...]
    """In order; a figure is `0` where there are words enough beside it."""
    characters: frozenset[str]
    """Runs of four, in lower case, digits masked."""
    figures: frozenset[str]
    names: frozenset[str]
    """Capitalised words that do not begin a sentence; and the first word, which may be one."""


def wording_of(text: str) -> Wording:
    """Return the wording of `text`.

    >>> wording_of("Ada has 12 apples.").words
    ('ada', 'has', '0', 'appl')
    >>> wording_of("Ada has 12 apples.").figures == frozenset({"12"})
    True
    """
    words: list[str] = []
    figures: set[str] = set()
    names: set[str] = set()
    is_masked = sum(not match.group()[0].isdecimal() for match in _WORD.finditer(text)) >= TELLING
    for match in _WORD.finditer(text):
        word = match.group()
        if word[0].isdecimal():
            words.append(FIGURE if is_masked else word)
            figures.add(word)
            continue
        if len(word) > 1 and word.istitle() and _may_be_a_name(text, match.start(), word):
            names.add(word)
        words.append(_stem(word.lower()))
    flat = _SPACE.sub(" ", text.lower()).strip()
    flat = _DIGITS.sub(FIGURE, flat) if is_masked else flat
    characters = frozenset(flat[i : i + LETTERS] for i in range(max(1, len(flat) - LETTERS + 1)))
    return Wording(tuple(words), characters, frozenset(figures), frozenset(names))


def without_boilerplate(texts: Sequence[str]) -> tuple[list[str], int]:
    """Return the texts without the sentences that a fifth of them share, and how many sentences those are.

    A text that would lose all it has keeps it: copies of it are copies.
    """
    sentences = [tuple(part for part in _SENTENCE.split(text) if part) for text in texts]
    counts = Counter(part for parts in sentences for part in set(parts))
    least = max(BOILERPLATE_ROWS, BOILERPLATE_SHARE * len(texts))
    common = {part for part, rows in counts.items() if rows >= least}
    if not common:
        return list(texts), 0
    rest = [" \n".join(part for part in parts if part not in common) for parts in sentences]
    return [short or text for short, text in zip(rest, texts, strict=True)], len(common)


def _may_be_a_name(text: str, start: int, word: str) -> bool:
    if start == 0:
        return word not in _OPENERS
    if start < 2 or text[start - 1] != " ":
        return False
    before = text[start - 2]
    return before == "," or (before.isalpha() and before.islower())


@lru_cache(maxsize=1 << 16)
def _stem(word: str) -> str:
    return str(_STEMMER.stemWord(word)) if word.isascii() else word


_STEMMER = snowballstemmer.stemmer("english")

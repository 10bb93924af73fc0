"""The words of a text, and the numbers that stand for them: stems, pairs of stems, letters, figures.

Words are runs of letters of any script; a Han, Kana, Thai, Lao, Khmer or Myanmar character is a word of its own, for
those scripts are written without spaces. `snake_case` and `camelCase` come apart, so that a renamed line of code still
shares its words. Figures (`80,000`, `0.50`, and English number words up to twenty) are kept apart from the words:
a rewording may change all of them. English stems only; words of other languages are mostly left as they are.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from dataclasses import dataclass
from hashlib import blake2b

import snowballstemmer

UNSPACED = (
    "\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
"""Scripts without spaces between words, as ranges of a character class."""


def _marks() -> str:
    """Return the combining marks as ranges of a character class: `\\w` leaves them out and would cut Hindi words."""
    points = [p for p in range(0x300, 0x20000) if unicodedata.category(chr(p)) in ("Mn", "Mc")]
    ranges: list[list[int]] = []
    for point in points:
        if ranges and point == ranges[-1][1] + 1:
            ranges[-1][1] = point
        else:
            ranges.append([point, point])
    return "".join(f"{chr(low)}-{chr(high)}" for low, high in ranges)


TOKEN = re.compile(
    rf"\d[\d,]*(?:\.\d+)?|[{UNSPACED}]|[^\W\d_{UNSPACED}](?:[^\W\d_{UNSPACED}]|[{_marks()}])*(?:['’](?=[^\W\d_])[^\W\d_]+)?"
)
"""One figure or one word."""

PLAIN_TOKEN = re.compile(r"\d[\d,]*(?:\.\d+)?|[A-Za-z]+(?:'[A-Za-z]+)?")
"""The same for a text of ASCII alone, several times as fast."""

CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^A-Za-z]+")
SMALL = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
SPELLED = {word: str(number) for number, word in enumerate(SMALL)} | {
    "thirty": "30", "forty": "40", "fifty": "50", "hundred": "100", "thousand": "1000",
    "half": "0.5", "twice": "2", "double": "2", "triple": "3", "dozen": "12",
}  # fmt: skip
"""English number words, for a rewording may spell its figures."""

KEPT = 400_000
"""Words remembered at most; a corpus of random strings must not fill the memory."""


@dataclass(frozen=True, slots=True)
class Word:
    """Hold what is known of one token, made once and looked up after."""

    stems: tuple[int, ...]
    """64-bit numbers of the stems; empty for a figure."""
    letters: str
    """The word in small letters; empty for a figure."""
    figure: int
    """64-bit number of the figure, 0 for a word."""
    cased: str
    """The word as it is written, for vectors, which tell Bill from bill; empty for a figure."""


def number_of(text: str) -> int:
    """Return 64 bits that stand for `text`, the same on every machine (Python's own hash is not)."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little") | 1


class Words:
    """Look up tokens; remember those seen."""

    def __init__(self) -> None:
        self._stemmer = snowballstemmer.stemmer("english")
        self._seen: dict[str, Word] = {}

    def of(self, tokens: list[str]) -> list[Word]:
        """Return what is known of each token."""
        if len(self._seen) > KEPT:
            self._seen.clear()
        seen = self._seen
        found = []
        for token in tokens:
            word = seen.get(token)
            if word is None:
                word = seen[token] = self._learn(token)
            found.append(word)
        return found

    def _learn(self, token: str) -> Word:
        lower = token.lower()
        figure = _figure(lower)
        if figure:
            return Word((), "", number_of(figure), "")
        plain = re.sub("['’]s$", "", lower).replace("’", "'")
        parts = [plain]
        if not (token.islower() or token.isupper() or token[1:].islower()):
            parts = [part.lower() for part in CAMEL.findall(token)]
        stems = tuple(number_of(self._stemmer.stemWord(part) if part.isascii() else part) for part in parts if part)
        cased = lower if token.isupper() and len(token) > 3 else token
        return Word(stems, sys.intern(plain), 0, cased)


def tokens_of(text: str) -> list[str]:
    """Return the words and figures of `text`, in order.

    >>> tokens_of("It costs $1,200.50; see read_file, 数学")
    ['It', 'costs', '1,200.50', 'see', 'read', 'file', '数', '学']
    """
    return (PLAIN_TOKEN if text.isascii() else TOKEN).findall(text)


def spans_of(text: str) -> list[tuple[int, int]]:
    """Return where each of `tokens_of(text)` stands, as [start, end).

    >>> spans_of("a 12")
    [(0, 1), (2, 4)]
    """
    return [found.span() for found in (PLAIN_TOKEN if text.isascii() else TOKEN).finditer(text)]


def _figure(lower: str) -> str:
    """Return the figure that a token is, written one way, or nothing.

    >>> _figure("1,200.50"), _figure("three"), _figure("tree")
    ('1200.5', '3', '')
    """
    if not lower[0].isdigit():
        return SPELLED.get(lower, "")
    plain = "".join(str(unicodedata.digit(c, 0)) if c.isdigit() else c for c in lower if c != ",")
    return plain.rstrip("0").rstrip(".") if "." in plain else plain

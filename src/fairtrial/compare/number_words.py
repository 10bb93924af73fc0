"""Read a number that is written in English words: twenty-one, one hundred and five, two and a half, three quarters.

Not covered: ordinals alone (third), "a couple", other languages.
"""

from __future__ import annotations

import re
from fractions import Fraction

from fairtrial.compare.numerals import MAGNITUDES

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
UNITS = {word: value for value, word in enumerate(_SMALL.split())} | {"nil": 0, "nought": 0, "naught": 0}
TENS = {word: 10 * value for value, word in enumerate(_TENS.split(), start=2)} | {"fourty": 40}
_PARTS = {
    "half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "twelfth": 12, "sixteenth": 16, "twentieth": 20, "hundredth": 100, "thousandth": 1000,
}  # fmt: skip
PARTS = _PARTS | {f"{word}s": value for word, value in _PARTS.items()} | {"halves": 2}
_LARGE = {word: value for word, value in MAGNITUDES.items() if value >= 100 and len(word) > 4 and word != "gross"}
_DOZEN = {"dozen": 12, "gross": 144, "score": 20}
_SPLIT = re.compile(r"[\s-]+")
MOST_WORDS = 40

_ANY = sorted({*UNITS, *TENS, *PARTS, *_LARGE, *_DOZEN}, key=len, reverse=True)
_OPENS = sorted({*UNITS, *TENS}, key=len, reverse=True)
IN_TEXT = re.compile(
    r"\b(?:(?:minus|negative)\s+)?"
    rf"(?:(?:a|an|half a|{'|'.join(_OPENS)})(?=[\s-]+(?:and\s+a\s+)?(?:{'|'.join(_ANY)})\b)|"
    rf"(?:{'|'.join(_OPENS)})\b|half\b)(?:[\s-]+(?:and\s+(?:a\s+)?|point\s+|a\s+)?(?:{'|'.join(_ANY)})\b){{0,20}}",
    re.IGNORECASE,
)
"""Where running text holds such a number; `in_words` then reads it."""


def in_words(text: str) -> Fraction | None:
    """Return the number that `text` is in words, else None.

    >>> in_words("twenty-one"), in_words("Minus two and a half"), in_words("a dozen"), in_words("three quarters")
    (Fraction(21, 1), Fraction(-5, 2), Fraction(12, 1), Fraction(3, 4))
    >>> in_words("one hundred and five thousand"), in_words("three point one four"), in_words("five six")
    (Fraction(105000, 1), Fraction(157, 50), None)
    """
    if len(text) > 400 or not text[:1].isalpha():
        return None
    words = _SPLIT.split(text.lower().strip())
    if not 0 < len(words) <= MOST_WORDS:
        return None
    if words[0] in ("minus", "negative"):
        value = in_words(" ".join(words[1:])) if words[1:] and words[1] not in ("minus", "negative") else None
        return None if value is None else -value
    if "point" in words:
        return _with_point(words)
    return _sum(words)


def _with_point(words: list[str]) -> Fraction | None:
    place = words.index("point")
    whole, digits = _whole(words[:place]), [UNITS.get(word, 10) for word in words[place + 1 :]]
    if whole is None or not digits or max(digits) > 9:
        return None
    return whole + Fraction(int("".join(map(str, digits))), 10 ** len(digits))


def _sum(words: list[str]) -> Fraction | None:
    """Return a whole number, a fraction, or the two joined by `and`."""
    if words[-1] in PARTS:
        joints = [n for n, word in enumerate(words) if word == "and"]
        if not joints:
            return _fraction(words)
        whole, part = _whole(words[: joints[-1]]), _fraction(words[joints[-1] + 1 :])
        return None if whole is None or part is None or not 0 < part < 1 else whole + part
    if len(words) > 2 and words[:2] == ["half", "a"]:
        return _half(words[2:])
    if words[-1] in _LARGE and len(words) > 1 and ("half" in words or "quarter" in words):
        value = _sum(words[:-1])
        return None if value is None else value * _LARGE[words[-1]]
    return _whole(words)


def _half(words: list[str]) -> Fraction | None:
    whole = _whole(["a", *words])
    return None if whole is None else whole / 2


def _fraction(words: list[str]) -> Fraction | None:
    """Return `half`, `a third`, `two thirds`."""
    if not words or words[-1] not in PARTS:
        return None
    count = Fraction(1) if words[:-1] in ([], ["a"], ["an"]) else _whole(words[:-1])
    if count is None or (not words[:-1] and words[-1] not in ("half", "quarter")):
        return None
    return count / PARTS[words[-1]]


def _whole(words: list[str]) -> Fraction | None:
    """Return a whole number: tens and units, hundreds, thousands and so on, each at most once and in order."""
    if words[:1] in (["a"], ["an"]) and words[1:] and (words[1] in _LARGE or words[1] in _DOZEN):
        words = ["one", *words[1:]]
    total, group, room, last = 0, 0, 1000, 10**18
    opened = False
    for index, word in enumerate(words):
        if word in UNITS or word in TENS:
            value = UNITS.get(word, TENS.get(word, 0))
            size = 10 if word in UNITS and value < 10 else 100
            if room < size or (size == 10 and room == 10 and value == 0):
                return None
            group, room, opened = group + value, 10 if word in TENS else 1, True
        elif word in ("hundred", "hundreds") and opened and 0 < group < 100:
            group, room = group * 100, 100
        elif (word in _LARGE or word in _DOZEN) and opened and 0 < (_LARGE | _DOZEN)[word] < last:
            last = (_LARGE | _DOZEN)[word]
            total, group, room, opened = total + group * last, 0, 1000, True
        elif word != "and" or index == 0 or index == len(words) - 1 or words[index - 1] in (UNITS | TENS):
            return None
    return Fraction(total + group) if opened else None

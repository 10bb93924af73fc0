"""Compare what two programs print: line by line, word by word, real numbers to 1e-6 unless the task states another.

What never counts: white space at the end of a line, empty lines before and after everything, how lines end, how many
blanks stand between words. What counts: lines, words, case, the indentation of lines with words in them, blank lines
inside. A whole number is exact: 2 is 2.0 and not 2.000000001. Digits with zeros in front, nan and inf are words.
Not covered: output that is right in any order; prose around the output (a fence around all of it is taken off).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal

from fairtrial.compare.stated import STRICT, Stated
from fairtrial.compare.verdict import Equivalence

DEFAULT = 1e-6
_NUMBER = re.compile(
    r"[+-]?(?:(0|[1-9][0-9]*)(?:(\.)[0-9]*)?|(\.)[0-9]+)(?:(e)[+-]?[0-9]{1,6})?", re.ASCII | re.IGNORECASE
)
_SEPARATOR = re.compile(r"([\[\](){},;:=|<>\"'])")
_FENCE = re.compile(r"```[\w+-]*[ \t]*\n(.*)\n[ \t]*```", re.DOTALL)
_EXACT = Context(prec=60, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])
_FEW_DIGITS = 15
_SHOWN = 40


def compare(reference: str, answer: str, stated: Stated = STRICT) -> Equivalence:
    """Say whether `answer` is the output `reference`; `stated.absolute` or `relative` replaces the 1e-6 of both.

    >>> compare("0.333333333333\\n", "0.333333").equivalent
    True
    >>> compare("1 2 3", "1 2 4").reason
    'line 1: `4`, expected `3`'
    """
    expected, found = _lines(reference), _lines(answer)
    if expected == found:
        return Equivalence(True, "the same output")
    if len(found) == 0:
        return Equivalence(False, "there is no output")
    margin = (stated.absolute, stated.relative) if stated.absolute or stated.relative else (DEFAULT, DEFAULT)
    for number, (line, other) in enumerate(zip(expected, found, strict=False), 1):
        if line != other and (why := _difference(line, other, margin)):
            return Equivalence(False, f"line {number}: {why}")
    if len(expected) != len(found):
        return Equivalence(False, f"{_counted(len(found), 'line')}, expected {_counted(len(expected), 'line')}")
    return Equivalence(True, "the same output, numbers within what is tolerated and blanks aside")


def _lines(text: str) -> list[str]:
    """Return the lines that count: no blanks at their ends, none empty first or last, their shared indentation off."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if "```" in text and (fenced := _FENCE.fullmatch(text.strip())) and "```" not in fenced.group(1):
        text = fenced.group(1)
    lines = [line.rstrip() for line in text.split("\n")]
    first = next((place for place, line in enumerate(lines) if line), len(lines))
    last = next((place for place in range(len(lines) - 1, -1, -1) if lines[place]), -1)
    kept = lines[first : last + 1]
    indented = min((len(line) - len(line.lstrip()) for line in kept if line), default=0)
    return [line[indented:] for line in kept] if indented else kept


def _difference(line: str, other: str, margin: tuple[float, float]) -> str:
    """Say how two lines differ; empty where they do not."""
    expected, found = line.split(), other.split()
    if len(expected) != len(found):
        return (
            f"{_counted(len(found), 'word')}, expected {_counted(len(expected), 'word')}"
            if expected and found
            else f"`{_short(other)}`, expected `{_short(line)}`"
        )
    for word, said in zip(expected, found, strict=True):
        if word != said and not _same_word(word, said, margin):
            return f"`{_short(said)}`, expected `{_short(word)}`"
    if _indentation(line) != _indentation(other) and not all(_NUMBER.fullmatch(word) for word in expected):
        return "it is indented otherwise"
    return ""


def _indentation(line: str) -> str:
    return line[: len(line) - len(line.lstrip())].expandtabs()


def _same_word(word: str, said: str, margin: tuple[float, float]) -> bool:
    if _NUMBER.fullmatch(word) and _NUMBER.fullmatch(said):
        return _same_number(word, said, margin)
    ours, theirs = _SEPARATOR.split(word), _SEPARATOR.split(said)
    return len(ours) == len(theirs) > 1 and all(
        a == b or _same_piece(a, b, margin) for a, b in zip(ours, theirs, strict=True)
    )


def _same_piece(piece: str, said: str, margin: tuple[float, float]) -> bool:
    both = _NUMBER.fullmatch(piece) and _NUMBER.fullmatch(said)
    return bool(both) and _same_number(piece, said, margin)


def _same_number(expected: str, found: str, margin: tuple[float, float]) -> bool:
    """Say whether two numbers are one: exactly where the expected is whole, else within the margin.

    Floats decide where they can; within a hair of the margin, and past 15 digits, it is reckoned exactly.
    """
    is_whole = not _has_point(expected)
    if is_whole and not _has_point(found):
        return expected.lstrip("+-") == found.lstrip("+-") and (
            expected.startswith("-") == found.startswith("-") or expected.lstrip("+-") == "0"
        )
    if is_whole:
        if max(len(expected), len(found)) <= _FEW_DIGITS:
            return float(expected) == float(found)
        return Decimal(expected) == Decimal(found)
    first, second = float(expected), float(found)
    apart, allowed = abs(first - second), max(margin[0], margin[1] * abs(first))
    if apart < allowed * (1 - 1e-6) and abs(first) < 1e300:
        return True
    if apart > allowed * (1 + 1e-6) and max(abs(first), abs(second)) < 1e300:
        return False
    return _within(Decimal(expected), Decimal(found), margin)


def _within(expected: Decimal, found: Decimal, margin: tuple[float, float]) -> bool:
    absolute, relative = (Decimal(repr(float(one))) for one in margin)
    allowed = _EXACT.max(absolute, _EXACT.multiply(relative, _EXACT.abs(expected)))
    return _EXACT.abs(_EXACT.subtract(expected, found)) <= allowed


def _has_point(number: str) -> bool:
    return any(mark in number for mark in ".eE")


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _short(text: Sequence[str]) -> str:
    shown = str(text)
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"

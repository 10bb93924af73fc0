"""Words that go with numbers: plurals, small counts, fractions that are right, and names made safe to print.

A word for a fraction is used only where the share lies near it; else there is none and the caller prints the count.
Does not cover: claims (`claims`), escaping for a format (each renderer does its own).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from fairtrial.report.numbers import count

_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_FRACTIONS = (
    (0.1, "a tenth"),
    (0.2, "a fifth"),
    (0.25, "a quarter"),
    (1 / 3, "a third"),
    (0.4, "two fifths"),
    (0.5, "half"),
    (0.6, "three fifths"),
    (2 / 3, "two thirds"),
    (0.75, "three quarters"),
    (0.8, "four fifths"),
    (0.9, "nine tenths"),
)
_EXACT, _NEAR = 0.005, 0.025


def plural(number: int, noun: str, many: str = "") -> str:
    """Return a count with its noun in the right number.

    >>> plural(1, "task"), plural(0, "task"), plural(5200, "rollout"), plural(2, "policy", "policies")
    ('1 task', '0 tasks', '5,200 rollouts', '2 policies')
    """
    return f"{count(number)} {noun if number == 1 else many or noun + 's'}"


def verb(number: int, one: str, many: str) -> str:
    """Return the verb that agrees with `number`.

    >>> verb(1, "is", "are"), verb(0, "is", "are")
    ('is', 'are')
    """
    return one if number == 1 else many


def count_word(number: int) -> str:
    """Return a count up to twelve as a word, above as digits.

    >>> count_word(9), count_word(0), count_word(13)
    ('nine', 'no', '13')
    """
    return _COUNTS[number] if 0 <= number < len(_COUNTS) else count(number)


def capital(sentence: str) -> str:
    """Return `sentence` with its first letter upper case, the rest untouched.

    >>> capital("two tasks of gpt-5")
    'Two tasks of gpt-5'
    """
    return sentence[:1].upper() + sentence[1:]


def fraction_words(share: float) -> str:
    """Return the words for a share that lies near a plain fraction; empty where none is near.

    Within half a point the fraction stands alone; up to 2.5 points below it is "nearly", above "just over".

    >>> fraction_words(0.3125), fraction_words(0.5), fraction_words(0.52), fraction_words(0.45), fraction_words(0.0)
    ('nearly a third', 'half', 'just over half', '', '')
    """
    value, words = min(_FRACTIONS, key=lambda entry: abs(entry[0] - share))
    gap = share - value
    if abs(gap) <= _EXACT:
        return words
    if abs(gap) > _NEAR:
        return ""
    return f"nearly {words}" if gap < 0 else f"just over {words}"


def listed(items: Sequence[str], most: int = 0) -> str:
    """Return items as a list in words; with `most`, the rest is counted.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"]), listed(["a", "b", "c", "d"], most=2)
    ('a', 'a and b', 'a, b and c', 'a, b and 2 more')
    """
    shown = list(items[:most]) if most and len(items) > most else list(items)
    if len(shown) < len(items):
        return f"{', '.join(shown)} and {count(len(items) - len(shown))} more"
    return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + f" and {shown[-1]}" if shown else ""


def visible(text: str) -> str:
    r"""Return `text` with control, format and surrogate characters shown by number; line ends become spaces.

    >>> visible("a\x1b[31mb\u202ec"), visible("two\nlines")
    ('a<1B>[31mb<202E>c', 'two lines')
    """
    return "".join(_shown(character) for character in text)


def _shown(character: str) -> str:
    if character in "\n\r\t":
        return " "
    hidden = unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
    return f"<{ord(character):02X}>" if hidden else character

"""Other values of the same form: names become other names, dates other dates, numbers others with as many digits.

Letters become other letters of their kind (vowels stay vowels, capitals capitals), so that a pattern which held for the
right value holds for the made-up one too. Drawn from the seed. Not covered: check digits, and words that mean the same.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from datetime import date, timedelta

from fairtrial.attack.artifacts.leaves import Leaf, Put

NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")
ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d")
CLOCK = re.compile(r"([01]\d|2[0-3]):([0-5]\d)(:[0-5]\d)?")
WORDS_OF_PROSE = 4
MOST_OF_A_SET = 5
_VOWELS, _CONSONANTS = "aeiou", "bcdfghklmnprstvwz"


def is_prose(text: str) -> bool:
    """Say whether a value is running text, which has many right forms.

    >>> is_prose("Harrow Vale Joinery"), is_prose("numbness in both feet")
    (False, True)
    """
    return len(text.split()) >= WORDS_OF_PROSE


def made_up(leaf: Leaf, others: Sequence[str], chance: random.Random) -> Put | None:
    """Return another value of the leaf's form; None where there is none.

    `others` are the values of its column, where another of a few of them will do (a state, a verdict); else empty.

    >>> put = made_up(Leaf(place="", group="", kind="text", text="INV-7"), [], random.Random(1))
    >>> bool(re.fullmatch(r"[A-Z]{3}-[0-9]", put.text)), put.text != "INV-7"
    (True, True)
    """
    if leaf.kind == "bool":
        return Put("false" if leaf.text == "true" else "true", "bool")
    if leaf.kind == "null" or not leaf.text.strip():
        return Put("other") if leaf.kind != "null" else None
    distinct = sorted(set(others))
    if 1 < len(distinct) <= MOST_OF_A_SET and len(distinct) < len(others) and leaf.kind == "text":
        return Put(distinct[(distinct.index(leaf.text) + 1) % len(distinct)], leaf.kind)
    return Put(other_text(leaf.text, chance), leaf.kind)


def other_text(text: str, chance: random.Random) -> str:
    """Return other text of the same form.

    >>> other_text("1969-11-03", random.Random(2)) != "1969-11-03", len(other_text("850", random.Random(2)))
    (True, 3)
    """
    if text.casefold() in ("true", "false", "yes", "no"):
        swapped = {"true": "false", "false": "true", "yes": "no", "no": "yes"}[text.casefold()]
        return swapped.capitalize() if text[0].isupper() else swapped
    if NUMBER.fullmatch(text):
        return other_number(text, chance)
    parts = re.split(rf"({ISO_DATE.pattern}|{CLOCK.pattern.replace('(', '(?:')}|\d+(?:\.\d+)?)", text)
    return "".join(_other_part(part, chance) for part in parts)


def other_number(text: str, chance: random.Random) -> str:
    """Return a number with as many digits that is further off than any tolerance.

    >>> [other_number(text, random.Random(3)) != text for text in ("0", "0.00", "92.03", "-7")]
    [True, True, True, True]
    """
    for _ in range(50):
        digits = [str((int(mark) + chance.randint(1, 9)) % 10) if mark.isdigit() else mark for mark in text]
        first = next(index for index, mark in enumerate(digits) if mark.isdigit())
        more = [index for index, mark in enumerate(digits) if mark.isdigit()][1:2]
        if digits[first] == "0" and more and more[0] == first + 1 and text[first] != "0":
            digits[first] = chance.choice("123456789".replace(text[first], ""))
        other = "".join(digits)
        if abs(float(other) - float(text)) > 0.2 * abs(float(text)):
            return other
    return text + "7"


def _other_part(part: str, chance: random.Random) -> str:
    if ISO_DATE.fullmatch(part):
        return other_date(part, chance)
    if CLOCK.fullmatch(part):
        return f"{(int(part[:2]) + chance.randint(1, 22)) % 24:02d}{part[2:]}"
    if re.fullmatch(r"\d+(?:\.\d+)?", part):
        return other_number(part, chance)
    return "".join(_other_letter(mark, chance) for mark in part)


def other_date(text: str, chance: random.Random) -> str:
    """Return another valid date, months or years away.

    >>> other_date("2024-02-29", random.Random(0)) != "2024-02-29"
    True
    """
    try:
        day = date.fromisoformat(text)
        return (day + timedelta(days=chance.choice((-1, 1)) * chance.randint(97, 1200))).isoformat()
    except (ValueError, OverflowError):
        return text.translate(str.maketrans("0123456789", "1234567890"))


def _other_letter(mark: str, chance: random.Random) -> str:
    if not mark.isalpha():
        return mark
    kind = _VOWELS if mark.casefold() in _VOWELS else _CONSONANTS
    letter = chance.choice(kind.replace(mark.casefold(), ""))
    return letter.upper() if mark.isupper() else letter

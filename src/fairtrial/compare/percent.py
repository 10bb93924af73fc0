"""Percentages: 12.5%, 12.5 per cent, 125‰, 1250 bp, 0.125, 1/8. Points (12.5 pp) are a difference, and no percentage.

A number without a sign is the ratio itself, so 0.5 is 50% and 50 is not, unless the task asks for a number of per cent.
"""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from fairtrial.compare.by_value import by_value
from fairtrial.compare.final_answer import Found, Settled, settle, tail
from fairtrial.compare.markup import unwrapped
from fairtrial.compare.number import bare
from fairtrial.compare.numbers_found import UNITS, Written, numbers_in, share_a_unit
from fairtrial.compare.numerals import Number, agree, decimal, scaled, shown
from fairtrial.compare.stated import STRICT, Stated
from fairtrial.compare.typography import clean
from fairtrial.compare.verdict import Equivalence

_SHORT = re.compile(r"(-?)([0-9]{1,17})(?:\.([0-9]{1,17}))?\s?%", re.ASCII)
_AFTER = re.compile(
    r"\s?(?:(?P<mille>‰|per\s?mille?\b|permille?\b)|(?P<basis>bps?\b|bips?\b|basis\s+points?\b|‱)|"
    r"(?P<points>pp\b|pps\b|p\.p\.|ppts?\b|%?\s?-?\s?pts?\b|(?:%|percentage|percent|per\s?cent)?\s?-?\s?points?\b))",
    re.IGNORECASE,
)
_WHOLES = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
          "twelve": 12, "twenty": 20, "a hundred": 100, "one hundred": 100, "hundred": 100}  # fmt: skip
_OUT_OF = re.compile(
    r"\s+(out\s+of|of|in)\s+(?:every\s+|the\s+|a\s+)?([0-9]{1,12}|[0-9]{1,3}(?:,[0-9]{3}){1,3}|"
    rf"{'|'.join(_WHOLES)})\b",
    re.IGNORECASE,
)
_UNITS = UNITS | {"pp", "pps", "bp", "bps", "ppt", "ppts", "pts"}


def compare(reference: str, answer: str, stated: Stated = STRICT) -> Equivalence:
    """Say whether both are the same percentage. A stated absolute tolerance is in per cent."""
    return by_value(reference, answer, lambda text: read(text, stated), lambda a, b: agree(a, b, stated), _shown)


def read(text: str, stated: Stated = STRICT) -> Settled[Number]:
    """Return the number of per cent that `text` gives as its answer, or why there is none.

    >>> read("12.5 percent").value, read("0.125").value, read("125‰").value, read("12.5 pp").value
    (Fraction(25, 2), Fraction(25, 2), Fraction(25, 2), None)
    """
    if found := _SHORT.fullmatch(text):
        part = found[3] or ""
        return Settled(decimal(bool(found[1]), found[2] + part, len(part)), "")
    return settle(
        unwrapped(clean(tail(text))), lambda part: _bare(part, stated), lambda part: _found(part, stated), "percentage"
    )


def _bare(text: str, stated: Stated) -> Number | None:
    value = bare(text, stated)
    return None if value is None else value if stated.percent_as_number else scaled(value, 100)


def _found(text: str, stated: Stated) -> list[Found[Number]]:
    """Return the percentages in `text`; its other numbers only where it has none."""
    written = numbers_in(text, stated.decimal_comma, _UNITS)
    after = [_AFTER.match(text, one.end) for one in written]
    signed = [one.is_percent or found is not None for one, found in zip(written, after, strict=True)]
    for n in range(len(written) - 2, -1, -1):
        if signed[n + 1] and not signed[n] and share_a_unit(text, written[n], written[n + 1]):
            written[n], signed[n], after[n] = replace(written[n], is_percent=True), True, None
    kept: list[Found[Number]] = []
    for one, found, is_signed in zip(written, after, signed, strict=True):
        if (is_signed or not any(signed)) and (not kept or one.start >= kept[-1].end):
            kept.append(_read(text, one, found, stated))
    return kept


def _read(text: str, one: Written, after: re.Match[str] | None, stated: Stated) -> Found[Number]:
    end = after.end() if after else one.end
    value = one.value
    if value is None or (after and after["points"]):
        return Found(one.start, end, None)
    if after:
        return Found(one.start, end, scaled(value, Fraction(1, 10 if after["mille"] else 100)))
    if one.is_percent or stated.percent_as_number:
        return Found(one.start, end, value)
    if (out_of := _OUT_OF.match(text, end)) and _is_share(value, out_of):
        return Found(one.start, out_of.end(), scaled(value, Fraction(100, _whole(out_of[2]))))
    return Found(one.start, end, scaled(value, 100))


def _whole(text: str) -> int:
    return _WHOLES.get(text.lower()) or int(text.replace(",", ""))


def _is_share(value: Number, out_of: re.Match[str]) -> bool:
    """Say whether 3 in 10 and 50 of 400 are shares: of whole numbers, and no year (5 in 2024)."""
    whole = _whole(out_of[2])
    if out_of[1].lower().startswith("out"):
        return whole > 0
    is_year = out_of[1].lower() == "in" and 1900 <= whole <= 2100
    return 0 <= value <= whole and value == int(value) and whole > 0 and not is_year


def _shown(value: Number) -> str:
    return f"{shown(value)}%"

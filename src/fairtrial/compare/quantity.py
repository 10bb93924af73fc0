"""Quantities, converted exactly: 10 cm is 0.1 m, 1 h 3 min is 63 min, 5'3" is 63 in, 20 °C is 293.15 K.

A missing unit, or one of another dimension, is another quantity. Things that are counted are a unit of their own: 5
apples are 5 apples. Exact unless a tolerance is stated, in the unit of the reference.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction

from fairtrial.compare.by_value import by_value
from fairtrial.compare.final_answer import Found, Settled, settle, tail
from fairtrial.compare.markup import unwrapped
from fairtrial.compare.numbers_found import Written, numbers_in, share_a_unit
from fairtrial.compare.numerals import Number, agree, scaled, shown
from fairtrial.compare.stated import STRICT, Stated
from fairtrial.compare.typography import clean
from fairtrial.compare.units import ONE, SHORT_SCALES, Unit, named, unit_at
from fairtrial.compare.verdict import Equivalence

_HALF = re.compile(r"\b(an?|one|[0-9]{1,9})\s+([a-z]{1,20})\s+and\s+a\s+(half|quarter)\b", re.IGNORECASE)
_AN = re.compile(r"(?:^|(?<=\bis )|(?<=\bfor )|(?<=\btakes )|(?<=\bexactly ))an?\s+([a-z]{1,20})\b", re.IGNORECASE)
_SPELLINGS = (
    (re.compile(r"\^\s?\{\s?([-+]?[0-9]{1,2})\s?\}"), r"^\1"),
    (re.compile(r"\^\s?\{?\s?\\circ\s?\}?|\\degree(?![a-zA-Z])"), "°"),
    (re.compile(r"\\mu(?![a-zA-Z])\s?"), "µ"),
    (re.compile(r"(?<=[0-9])'(?=[0-9]{1,2}(?![0-9]))"), "' "),
    (re.compile(r"(?<=[0-9])\s?h\s?([0-9]{1,2})\s?m\b|(?<=[0-9])h([0-5][0-9])\b(?![:.])"), r" h \1\2 min"),
    (re.compile(r"(?<=[0-9])\s?(?:m|min)\s?([0-9]{1,2})\s?s\b"), r" min \1 s"),
    (re.compile(r"(?<=[0-9])(h|hrs?|d|min|ft|lbs?|st)(?=[0-9])"), r" \1 "),
)
"""Brought into one spelling first: LaTeX's degrees and powers, 5'3, 1h3m."""
_OVER = re.compile(r"\\[dt]?frac\s?\{\s?([A-Za-z][\w^]{0,20})\s?\}\s?\{\s?([A-Za-z][\w^]{0,20})\s?\}")
_OF_AN = re.compile(r"\s+(?:of\s+)?an?\s+(?=[a-z])", re.IGNORECASE)
_CIRCLE = re.compile(
    r"(?P<times>[0-9]{1,9}(?:\.[0-9]{1,9})?)?\s?\*?\s?(?:π|\\pi(?![a-z]))\s?(?:/\s?(?P<over>[0-9]{1,9}))?\s?rad(?:ian)?s?\b"
)
_CLOCK = re.compile(r"(-?)([0-9]{1,6}):([0-5][0-9]):([0-5][0-9](?:\.[0-9]{1,9})?)(?:\s?h(?:ours?|rs?)?)?")
_HOURS = re.compile(r"(-?)([0-9]{1,6}):([0-5][0-9])\s?(?:h|hours?|hrs?)")
_ISO = re.compile(
    r"(-?)P(?:([0-9.]{1,9})W)?(?:([0-9.]{1,9})D)?(?:T(?:([0-9.]{1,9})H)?(?:([0-9.]{1,9})M)?(?:([0-9.]{1,9})S)?)?",
    re.ASCII,
)
_ISO_SECONDS = (604800, 86400, 3600, 60, 1)
_NEXT = re.compile(r"\s*(?:,|&|,?\s*\band\b)?\s*", re.IGNORECASE)
_COUNTED = re.compile(r"[\s-]{0,2}([A-Za-z][A-Za-z'-]{1,30})")
_NO_UNIT_WORDS = """
a an and are as at be because but by can do does each for from had has have he her his if in into is it its more less
of on or out over per she since so than that the their them then there these they this those to total was were when
which while who will with would you altogether times left remaining not no maybe perhaps possibly approximately about
exactly plus minus
"""
_NO_UNIT = frozenset(_NO_UNIT_WORDS.split())


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of base units, and the unit that it was given in."""

    base: Number
    unit: Unit
    name: str
    other: Unit | None = None
    """What the unit may mean as well: C and F are also coulomb and farad."""


def compare(reference: str, answer: str, stated: Stated = STRICT) -> Equivalence:
    """Say whether both are the same quantity."""
    return by_value(reference, answer, lambda text: read(text, stated), lambda a, b: _same(a, b, stated), _shown)


def read(text: str, stated: Stated = STRICT) -> Settled[Quantity]:
    """Return the quantity that `text` gives as its answer, or why there is none.

    >>> read("It takes 1 h 3 min.").value.base, read("63 minutes").value.base
    (Fraction(3780, 1), Fraction(3780, 1))
    """
    text = clean(tail(text))
    for pattern, instead in _SPELLINGS:
        text = pattern.sub(instead, text)
    text = _CIRCLE.sub(_degrees, _AN.sub(_one, _HALF.sub(_with_half, _OVER.sub(r"\1/\2", unwrapped(text)))))
    return settle(text, _bare, lambda part: _found(part, stated), "quantity")


def _same(reference: Quantity, answer: Quantity, stated: Stated) -> bool:
    readings = [(a, b) for a in _readings(reference) for b in _readings(answer)]
    return any(
        a.unit.dimension == b.unit.dimension and agree(_in(a.base, a.unit), _in(b.base, a.unit), stated)
        for a, b in readings
    )


def _readings(quantity: Quantity) -> list[Quantity]:
    if quantity.other is None:
        return [quantity]
    number, other = _in(quantity.base, quantity.unit), quantity.other
    return [quantity, replace(quantity, base=_base(number, other), unit=other, other=None)]


def _base(number: Number, unit: Unit) -> Number:
    if not unit.offset or not isinstance(number, Fraction):
        return scaled(number, unit.factor)
    return (number + unit.offset) * unit.factor


def _in(base: Number, unit: Unit) -> Number:
    """Return a number of base units as a number of `unit`."""
    number = scaled(base, 1 / unit.factor)
    return number - unit.offset if unit.offset and isinstance(number, Fraction) else number


def _shown(quantity: Quantity) -> str:
    return f"{shown(_in(quantity.base, quantity.unit))} {quantity.name or 'without a unit'}"


def _one(found: re.Match[str]) -> str:
    return found[0] if named(found[1]) is None else f"1 {found[1]}"


def _with_half(found: re.Match[str]) -> str:
    if named(found[2]) is None:
        return found[0]
    whole = found[1] if found[1].isdigit() else "1"
    return f"{whole}.{'5' if found[3].lower() == 'half' else '25'} {found[2]}"


def _degrees(found: re.Match[str]) -> str:
    value = Fraction(found["times"] or 1) * 180 / int(found["over"] or 1) if found["over"] != "0" else Fraction(0)
    return f"{value.numerator}/{value.denominator} degrees" if value.denominator > 1 else f"{value} degrees"


def _bare(text: str) -> Quantity | None:
    """Return the duration that is written as a clock or in ISO 8601: 1:03:00, PT1H3M."""
    second = named("s")
    if second is None:
        return None
    if found := _CLOCK.fullmatch(text):
        seconds = int(found[2]) * 3600 + int(found[3]) * 60 + Fraction(found[4])
        return Quantity(-seconds if found[1] else seconds, second, "s")
    if found := _HOURS.fullmatch(text):
        seconds = Fraction(int(found[2]) * 3600 + int(found[3]) * 60)
        return Quantity(-seconds if found[1] else seconds, second, "s")
    if (found := _ISO.fullmatch(text)) and any(found.groups()[1:]):
        parts = [part or "0" for part in found.groups()[1:]]
        if any(part.count(".") > 1 or part == "." for part in parts):
            return None
        seconds = sum((Fraction(p) * size for p, size in zip(parts, _ISO_SECONDS, strict=True)), Fraction(0))
        return Quantity(-seconds if found[1] else seconds, second, "s")
    return None


def _found(text: str, stated: Stated) -> list[Found[Quantity]]:
    """Return the quantities in `text`; numbers without a unit only where none has one."""
    written = numbers_in(text, stated.decimal_comma, None, letters=False)
    each = [_quantity(text, one, one.end) for one in written]
    for n in range(len(each) - 2, -1, -1):
        first, second = each[n].value, each[n + 1].value
        if first and second and second.name and not first.name and share_a_unit(text, written[n], written[n + 1]):
            each[n] = _quantity(text, replace(written[n], end=each[n].end), written[n + 1].end, each[n].end)
    whole = _summed(text, each)
    united = [one for one in whole if one.value is None or one.value.name]
    return united if any(one.value for one in united) else whole


def _quantity(text: str, one: Written, after: int, end: int = 0) -> Found[Quantity]:
    """Return the number `one` with the unit that stands at `after`; `end` is where it ends, if not after the unit."""
    if one.value is None:
        return Found(one.start, one.end, None)
    if one.is_percent:
        return Found(one.start, one.end, Quantity(scaled(one.value, Fraction(1, 100)), Unit(Fraction(1, 100), ()), "%"))
    if an := _OF_AN.match(text, after):
        after = an.end()
    place = after + (text[after : after + 1] == "-" and text[after + 1 : after + 2].isalpha())
    unit, stop = unit_at(text, place) or (None, after)
    name, other = text[place:stop].strip(), None
    if unit is None and (counted := _COUNTED.match(text, after)) and counted[1].lower() not in _NO_UNIT:
        name, stop = counted[1], counted.end()
        unit = Unit(Fraction(1), ((f"counted {_singular(name.lower())}", 1),))
    if one.currency:
        base = unit or ONE
        unit, name = Unit(base.factor, tuple(sorted((*base.dimension, (one.currency, 1))))), f"{one.currency} {name}"
    if name in SHORT_SCALES and unit is not None:
        unit, other = SHORT_SCALES[name], unit
    if unit is None:
        return Found(one.start, one.end, Quantity(one.value, ONE, ""))
    return Found(one.start, end or max(stop, one.end), Quantity(_base(one.value, unit), unit, name, other))


def _singular(word: str) -> str:
    for ending, instead in (("ies", "y"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("sses", "ss")):
        if word.endswith(ending):
            return word.removesuffix(ending) + instead
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _summed(text: str, found: list[Found[Quantity]]) -> list[Found[Quantity]]:
    """Return `found` with what is given in ever smaller units, or with plus signs, added up."""
    whole: list[Found[Quantity]] = []
    smallest = Fraction(0)
    for one in found:
        last, value = whole[-1].value if whole else None, one.value
        if last is not None and value is not None and last.unit.dimension == value.unit.dimension and last.name:
            is_sum = text[whole[-1].end : one.start].strip() == "+"
            parts = isinstance(last.base, Fraction) and isinstance(value.base, Fraction) and not value.unit.offset
            fits = 0 <= value.base < smallest and _NEXT.fullmatch(text, whole[-1].end, one.start)
            if parts and (is_sum or fits):
                total = last.base - value.base if last.base < 0 and not is_sum else last.base + value.base  # type: ignore[operator]
                whole[-1] = Found(whole[-1].start, one.end, replace(last, base=total))
                smallest = value.unit.factor
                continue
        whole.append(one)
        smallest = value.unit.factor if value is not None and value.unit.dimension else Fraction(0)
    return whole

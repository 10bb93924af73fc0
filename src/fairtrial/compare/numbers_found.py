"""Find the numbers in running text, with their signs, currency, magnitude and per cent, and what stands right after.

Sums are taken together (12 + 6), so that no half of one is taken for an answer. Labels are left out: list numbers (1.),
ordinals (3rd), what is part of a word (H2O) or an index (x_1, x^2). Not here: which of them is the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from fairtrial.compare import number_words
from fairtrial.compare.arithmetic import worked_out
from fairtrial.compare.currencies import CODES
from fairtrial.compare.numerals import MAGNITUDES, Number, negated, plain, scaled

_VULGAR = "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒↉"
SYMBOLS = r"(?:(?:US|AU|CA|NZ|HK|SG|NT|MX|R|A|C|S)?\$|CN¥|JP¥|RMB\s?|Rs\.?\s?|[€£¥₹₩₽₺₪฿₫₴₦₱₿])"
"""What stands before an amount."""
_SYMBOLS = re.compile(SYMBOLS)
_SIGN_OUTSIDE = re.compile(rf"({SYMBOLS})\s?\(\s?([0-9][^()]{{0,60}})\)", re.IGNORECASE)
_BIG = sorted((word for word in MAGNITUDES if word not in ("score", "gross", "k")), key=len, reverse=True)
_FRAC = r"\\[dtc]?frac\s?(?:\{[^{}]{1,40}\}\s?\{[^{}]{1,40}\}|[0-9]\s?[0-9])"
_LETTER = "A-Za-z_À-ɏͰ-ӿ"
"""Of scripts that part words by spaces."""
_NUMBER = re.compile(
    rf"""(?<![{_LETTER}0-9\\^@])(?<![0-9][.,:])
    (?P<sign>(?<![\w)\]}}%])[-+–](?!\s)|\b(?:minus|negative)\s|(?:^|(?<=[=:(≈])|(?<=[=:(≈]\s)|(?<=\bis\s))[-+]\s)?
    (?P<currency>\\?{SYMBOLS}\s?(?P<inner>[-–](?=[0-9.]))?)?
    (?P<number>
        {_FRAC}|[{_VULGAR}]|√[0-9]++|\\sqrt\s?\{{[0-9]{{1,20}}\}}|
        (?:[0-9]{{1,3}}(?:[ ][0-9]{{3}}(?![0-9]))+(?!\s?/)(?:\.[0-9]++)?|[0-9]++(?:[,._':][0-9]++)*|\.[0-9]++)
        (?:[eE][-+]?[0-9]++(?![\w.]))?
        (?:\s?[{_VULGAR}]|\s[0-9]++\s?[/⁄][0-9]++|\s?[/⁄]\s?[0-9]++(?![/\w])|\s?{_FRAC})?
        (?:\s?(?:×|x|\*|·|⋅|\\times|\\cdot)\s?10(?=\s?(?:\^|\*\*|[⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹])))?
        (?:\s?(?:\^|\*\*)\s?(?:\{{\s?[-+]?[0-9]++\s?\}}|[-+]?[0-9]++)|[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]++)?
    )
    (?P<big>(?:\s|-)?(?:{"|".join(_BIG)})\b(?!/))?(?P<letter>(?-i:[kKMBT]|M[Mn]|Bn)\b(?!/))?
    (?P<percent>\s?\\?%(?!\s?(?:points?|pts?)\b)|\s?(?:percent|per\s?cent|pct)\b(?!\s?(?:points?|pts?)\b))?
    (?P<attached>[{_LETTER}0-9]++|[√π!](?=[\w(])|\\(?!text|math|mbox|oper|[,;%$!:)\]\\]|quad|times|cdot|div|approx|l[et]|g[et]|right|
        degree|circ|end|impl|Right|to\b|in\b|boxed)|\^(?!\s?\{{?\s?\\circ)|\((?=\w))?""",
    re.VERBOSE | re.IGNORECASE,
)
_PERCENT_WORD = re.compile(r"\s(?:of\s)?(?:an?\s|one\s)?(?:percent|per\s?cent|pct)\b(?!\s?(?:points?|pts?)\b)", re.I)
_OPERATOR = re.compile(r"[\s)]*[-+*/×÷·⋅−^][\s(]*")
_SHARING = re.compile(r"\s*(?:-|–|—|to|or|and|,|/)\s*", re.IGNORECASE)
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)
_LIST_NUMBER = re.compile(r"^[ \t]*([0-9]{1,3})[.)][ \t]+(?=\S)", re.MULTILINE)
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\Z", re.IGNORECASE)
_ONE_SAID = re.compile(
    r"(?:\A|\b(?:is|are|was|equals?|exactly|only|just|or|answer|get|have|gives?|to)|[=:≈])\s*\Z", re.I
)
LETTERS = {"k": 10**3, "K": 10**3, "M": 10**6, "MM": 10**6, "Mn": 10**6, "B": 10**9, "Bn": 10**9, "T": 10**12}
"""Magnitudes that are letters right after the digits. A small m, b or t may be another thing."""
LARGE_LETTERS = {"k": 10**3, "m": 10**6, "mm": 10**6, "mn": 10**6, "b": 10**9, "bn": 10**9, "t": 10**12, "tn": 10**12}
"""Magnitudes beside a currency, in lower case."""
_OF_MONEY = re.compile(r"\s?(mm|mn|m|bn|b|tn|t|k)\b(?!\s?[/²³^]|['’-]\w)", re.IGNORECASE)
_CODE_BEFORE = re.compile(r"\b([A-Z]{3})\s?\Z")
_CODE_AFTER = re.compile(r"\s?([A-Z]{3})\b")
_MULTIPLE = re.compile(r"[x×](?!\s?[-+*/^=×÷(]|\w)")
_NAMED_LETTER = re.compile(r"(?:\A|[^\w])[a-zA-Z](?:\([a-z]\))?\s?=\s?\Z")
_UNITS = """
mm cm dm km nm um mg kg g l ml cl dl s ms us ns h hr hrs min mins sec secs hz khz mhz ghz w kw mw kwh wh v mv kv a ma ah
pa kpa mpa bar psi n kn j kj cal kcal ft in inch inches yd mi mph kmh kph lb lbs oz px pt kb mb gb tb pb kib mib gib ha
ac mol mmol c f usd eur gbp jpy cents cent p apples people hours minutes seconds days weeks months years meters metres
miles feet dollars euros pounds degrees deg rad am pm
"""
UNITS = frozenset(_UNITS.split())
"""What may stand right after the digits and is a unit, so that 18cm is a number and 3x is none."""


@dataclass(frozen=True, slots=True)
class Written:
    """A number that stands in a text between `start` and `end`."""

    start: int
    end: int
    value: Number | None
    """None where it can be read in two ways, or is part of something that is no number."""
    currency: str = ""
    """The sign before it, as written."""
    is_percent: bool = False
    """It is followed by a sign or word of per cent; `value` is not yet divided by a hundred."""


def numbers_in(
    text: str, decimal_comma: bool = False, units: frozenset[str] | None = UNITS, letters: bool = True
) -> list[Written]:
    """Return the numbers in `text`, in order.

    What stands right after the digits is a magnitude (`letters`: 5K, 1.2M), or one of `units` (None: anything is), or
    makes it no number. A unit lies after the `end`.

    >>> [str(one.value) for one in numbers_in("3 of the 1,250 cost $1.5 million, or 12 + 6")]
    ['3', '1250', '1500000', '18']
    """
    found = [*_digits(text, decimal_comma, units, letters), *_words(text)]
    found.sort(key=lambda one: (one.start, -one.end))
    apart: list[Written] = []
    for one in found:
        if not apart or one.start >= apart[-1].end:
            apart.append(one)
    return _joined(text, apart, decimal_comma)


def _digits(text: str, decimal_comma: bool, units: frozenset[str] | None, letters: bool) -> Iterator[Written]:
    labels = _labels(text)
    for found in _NUMBER.finditer(text):
        attached, letter, end = found["attached"] or "", found["letter"], found.end()
        if found.start("number") in labels or _ORDINAL.match(attached):
            continue
        value = _value(found, decimal_comma)
        if found["big"] and value is not None:
            value = scaled(value, MAGNITUDES[found["big"].strip(" -\n").lower()])
        if letter and letters and value is not None:
            value = scaled(value, LETTERS[letter])
        elif letter:
            end = found.start("letter")
        elif letters and value is not None and (factor := _magnitude_of_money(text, found)):
            value, end = scaled(value, LARGE_LETTERS[factor[1].lower()]), factor.end()
        elif attached and value is not None and _is_multiple(text, found):
            end = found.start("attached") + 1
        elif attached and (units is None or attached.lower() in units):
            end = found.start("attached")
        elif attached:
            value = None
        if "." in found["number"] and text.startswith(("...", "…"), end):
            value = None
        yield Written(found.start(), end, value, (found["currency"] or "").strip(" \\-–"), bool(found["percent"]))


def _magnitude_of_money(text: str, found: re.Match[str]) -> re.Match[str] | None:
    """Return the m of $1.5m and EUR 1.5 m: beside a currency it is no metre."""
    if found["percent"] or found["big"]:
        return None
    factor = _OF_MONEY.match(text, found.end("number"))
    if factor is None or found["currency"]:
        return factor
    codes = _CODE_BEFORE.search(text[max(0, found.start() - 5) : found.start()]), _CODE_AFTER.match(text, factor.end())
    return factor if any(code and code[1] in CODES for code in codes) else None


def _is_multiple(text: str, found: re.Match[str]) -> bool:
    """Say whether an x after a decimal is "times", as in 1.5x EBITDA, and no letter of a formula, as in y = 2.5x."""
    place = found.start("attached")
    if "." not in found["number"] or not _MULTIPLE.match(text, place) or found["attached"] not in ("x", "×"):
        return False
    return _NAMED_LETTER.search(text[max(0, found.start() - 12) : found.start()]) is None


def _value(found: re.Match[str], decimal_comma: bool) -> Number | None:
    text = found["number"]
    value = plain(text, decimal_comma)
    if value is None:
        value = worked_out(text, decimal_comma)
    signs = [sign.strip().lower() for sign in (found["sign"], found["inner"]) if sign]
    if len(signs) > 1:
        return None
    return negated(value) if value is not None and signs and signs[0] != "+" else value


def _labels(text: str) -> set[int]:
    """Return where the numbers of a numbered list stand: 1. 2. 3. at the start of lines."""
    numbers = {int(m[1]): m.start(1) for m in _LIST_NUMBER.finditer(text)}
    if 1 not in numbers or 2 not in numbers:
        return set()
    return {m.start(1) for m in _LIST_NUMBER.finditer(text) if int(m[1]) == 1 or int(m[1]) - 1 in numbers}


def _words(text: str) -> Iterator[Written]:
    for found in number_words.IN_TEXT.finditer(text):
        if found[0].lower() == "one" and not _ONE_SAID.search(text, max(0, found.start() - 20), found.start()):
            continue
        value = number_words.in_words(" ".join(found[0].split()))
        percent = _PERCENT_WORD.match(text, found.end())
        yield Written(found.start(), percent.end() if percent else found.end(), value, is_percent=percent is not None)


def _joined(text: str, found: list[Written], decimal_comma: bool) -> list[Written]:
    """Return `found` with the terms of each sum or product as one."""
    joined: list[Written] = []
    for one in found:
        if joined and _is_said_twice(text, joined[-1], one):
            joined[-1] = replace(joined[-1], end=one.end + text[one.end : one.end + 2].index(")") + 1)
        elif joined and not one.is_percent and _OPERATOR.fullmatch(text, joined[-1].end, one.start):
            first = joined.pop()
            terms = text[first.start : one.end] if one.end - first.start < 300 else ""
            if one.currency in ("", first.currency):
                terms = _SYMBOLS.sub("", terms)
            value = worked_out(terms, decimal_comma)
            joined.append(replace(first, end=one.end, value=value))
        elif (
            joined
            and one.value is not None
            and 0 < one.value < 1
            and text[one.start].isalpha()
            and _is_whole(joined[-1])
            and (_AND.fullmatch(text, joined[-1].end, one.start))
        ):
            first = joined.pop()
            total = Fraction(first.value or 0) + Fraction(one.value)
            joined.append(replace(first, end=one.end, value=total, is_percent=one.is_percent))
        else:
            joined.append(one)
    return joined


def _is_said_twice(text: str, first: Written, second: Written) -> bool:
    """Say whether the second is the first again, in brackets: twenty (20) dollars."""
    opens, closes = text[first.end : second.start].strip() == "(", text[second.end : second.end + 2].strip()[:1] == ")"
    return opens and closes and (first.value, first.is_percent) == (second.value, second.is_percent)


def _is_whole(one: Written) -> bool:
    return isinstance(one.value, Fraction) and one.value.denominator == 1 and not one.is_percent


def share_a_unit(text: str, first: Written, second: Written) -> bool:
    """Say whether what follows the `second` number is meant of the `first` too: 40 to 50%, 3 or 4 cm.

    >>> text = "40 to 50%"
    >>> share_a_unit(text, *numbers_in(text))
    True
    """
    return _SHARING.fullmatch(text, first.end, second.start) is not None


def as_ratio(one: Written, percent_as_number: bool) -> Number | None:
    """Return the value of `one`, a hundredth of it where it is per cent, unless per cent is the task's unit."""
    if one.value is None or not one.is_percent or percent_as_number:
        return one.value
    return scaled(one.value, Fraction(1, 100))


def sign_inside(text: str) -> str:
    """Return an amount in the parentheses of bookkeeping with its currency inside them.

    >>> sign_inside("£(202,000)"), sign_inside("(£5)")
    ('(£202,000)', '(£5)')
    """
    found = _SIGN_OUTSIDE.fullmatch(text)
    return f"({found[1]}{found[2]})" if found else text

"""Read a number exactly, as people write it: signs, thousands separators, exponents, fractions, magnitudes.

A `Number` is a Fraction, or a Decimal where writing it out would take more than MOST_DIGITS digits, so that 1e999999999
costs nothing and a million digits are compared in one pass; the two compare exactly with each other. What can be read
in two ways (1,5 and 1.234,5) is not read, unless the task states a decimal comma. Not here: number words
(number_words), sums and LaTeX (arithmetic), which number of a text is meant (final_answer).
"""

from __future__ import annotations

import re
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction

from fairtrial.compare.stated import Stated

Number = Fraction | Decimal

MOST_DIGITS = 4_000
"""int() refuses more than 4,300, and takes quadratic time."""
MOST_EXPONENT_DIGITS = 12

_BARE = re.compile(r"[-+]?+[0-9]++", re.ASCII)
_EXPONENT = r"(?:[eE](?P<exponent>[-+]?+[0-9]++))?"
_GROUPED = r"[0-9]{1,3}+(?:(?P<mark>[,_' ])[0-9]{3})(?:(?P=mark)[0-9]{3})*|[0-9]{1,2}+(?:,[0-9]{2}(?=,))+,[0-9]{3}"
_POINT = re.compile(
    rf"(?P<sign>[-+]?+)(?:(?P<whole>{_GROUPED}|[0-9]++)(?:\.(?P<part>[0-9]*+))?|\.(?P<only>[0-9]++)){_EXPONENT}",
    re.ASCII,
)
_GROUPED_COMMA = r"[0-9]{1,3}+(?:(?P<mark>[._' ])[0-9]{3})(?:(?P=mark)[0-9]{3})*"
_COMMA = re.compile(
    rf"(?P<sign>[-+]?+)(?:(?P<whole>{_GROUPED_COMMA}|[0-9]++)(?:,(?P<part>[0-9]*+))?|,(?P<only>[0-9]++)){_EXPONENT}",
    re.ASCII,
)
_MARKS = str.maketrans("", "", ",._' ")
_WIDE = Context(prec=60, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])

VULGAR = {
    "½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅖": (2, 5), "⅗": (3, 5),
    "⅘": (4, 5), "⅙": (1, 6), "⅚": (5, 6), "⅐": (1, 7), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8),
    "⅑": (1, 9), "⅒": (1, 10), "↉": (0, 1),
}  # fmt: skip
"""The fractions that are one character."""

MAGNITUDES = {
    "hundred": 100, "thousand": 1_000, "k": 1_000, "million": 10**6, "mn": 10**6, "mln": 10**6, "mio": 10**6,
    "billion": 10**9, "bn": 10**9, "bln": 10**9, "trillion": 10**12, "tn": 10**12, "trn": 10**12,
    "quadrillion": 10**15, "lakh": 10**5, "lac": 10**5, "crore": 10**7, "dozen": 12, "score": 20, "gross": 144,
    "hundreds": 100, "thousands": 1_000, "millions": 10**6, "billions": 10**9, "trillions": 10**12, "lakhs": 10**5,
    "crores": 10**7,
}  # fmt: skip
"""Words after a number that multiply it, in lower case."""


def plain(text: str, decimal_comma: bool = False) -> Number | None:
    """Return the number that `text` is in digits, with sign, thousands separators, point and exponent; else None.

    With a decimal comma, what can be read with a point alone (1234.5) still is.

    >>> plain("-1,234.50"), plain("1e3"), plain("12,34,567"), plain("1,5"), plain("1.234,5", decimal_comma=True)
    (Fraction(-2469, 2), Fraction(1000, 1), Fraction(1234567, 1), None, Fraction(2469, 2))
    """
    if len(text) <= MOST_DIGITS and _BARE.fullmatch(text):
        return Fraction(int(text))
    found = (_COMMA.fullmatch(text) if decimal_comma else None) or _POINT.fullmatch(text)
    if found is None:
        return None
    whole, part = (found["whole"] or "").translate(_MARKS), found["part"] or found["only"] or ""
    return decimal(found["sign"] == "-", whole + part, len(part), found["exponent"] or "0")


def decimal(is_negative: bool, digits: str, after_point: int, exponent: str = "0") -> Number | None:
    """Return the number of `digits`, the last `after_point` of them after the point, times 10 to the `exponent`.

    None where the exponent itself has more than MOST_EXPONENT_DIGITS digits.

    >>> decimal(True, "125", 2), decimal(False, "1", 0, "5000")
    (Fraction(-5, 4), Decimal('1E+5000'))
    """
    digits = digits.lstrip("0")
    if not digits:
        return Fraction(0)
    if len(exponent.lstrip("+-0")) > MOST_EXPONENT_DIGITS:
        return None
    short = digits.rstrip("0")
    scale = int(exponent) - after_point + len(digits) - len(short)
    if len(short) <= MOST_DIGITS and -MOST_DIGITS <= scale <= MOST_DIGITS:
        value = -int(short) if is_negative else int(short)
        return Fraction(value * 10**scale) if scale >= 0 else Fraction(value, 10**-scale)
    return Decimal(f"{'-' if is_negative else ''}{short}E{scale}")


def scaled(value: Number, factor: Fraction | int) -> Number:
    """Return `value` times `factor`, exact for a Fraction and to 60 digits for a Decimal."""
    if isinstance(value, Fraction):
        return value * factor
    factor = Fraction(factor)
    return _WIDE.divide(_WIDE.multiply(value, Decimal(factor.numerator)), Decimal(factor.denominator))


def negated(value: Number) -> Number:
    """Return minus `value`, exactly."""
    return -value if isinstance(value, Fraction) else value.copy_negate()


def agree(reference: Number, answer: Number, stated: Stated) -> bool:
    """Say whether the two are the same number, or differ by no more than is `stated`.

    >>> third = Fraction(1, 3), Fraction(333, 1000)
    >>> agree(*third, Stated()), agree(*third, Stated(absolute=0.01))
    (False, True)
    """
    if reference == answer:
        return True
    if not stated.absolute and not stated.relative:
        return False
    if isinstance(reference, Fraction) and isinstance(answer, Fraction):
        allowed = max(_exact(stated.absolute), _exact(stated.relative) * abs(reference))
        return abs(reference - answer) <= allowed
    left, right = _wide(reference), _wide(answer)
    share = _WIDE.multiply(_wide(_exact(stated.relative)), left.copy_abs())
    difference = _WIDE.subtract(left, right).copy_abs()
    return difference <= max(_wide(_exact(stated.absolute)), share)


def shown(value: Number) -> str:
    """Return `value` for a sentence: a short decimal where it is exact, else a fraction.

    >>> shown(Fraction(5, 4)), shown(Fraction(1, 3)), shown(Fraction(-70000))
    ('1.25', '1/3', '-70000')
    """
    if isinstance(value, Decimal) or max(value.numerator.bit_length(), value.denominator.bit_length()) > 200:
        return f"{_wide(value):.10g}"
    if value.denominator == 1:
        return str(value.numerator)
    near = f"{_wide(value):.12f}".rstrip("0")
    return near if Fraction(near) == value else f"{value.numerator}/{value.denominator}"


def _exact(tolerance: float) -> Fraction:
    """Return a tolerance as it was written, 0.1 as a tenth; what is no finite number as none."""
    return Fraction(repr(float(tolerance))) if abs(tolerance) < float("inf") else Fraction(0)


def _wide(value: Number) -> Decimal:
    if isinstance(value, Decimal):
        return value
    return _WIDE.divide(Decimal(value.numerator), Decimal(value.denominator))

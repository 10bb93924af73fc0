"""Read a short text that is a number once it is worked out: 3/4, 1 1/2, 2 × 10^3, \frac{1}{4}, 12 + 6, 2^10, √16.

Exact and small: no result of more than MOST_BITS bits, no text of more than MOST_CHARACTERS, no nesting deeper than
DEEPEST; what is more is not read. A hyphen without spaces between two numbers is a range or a date, and not read.
Letters are not read: see the kind `math`.
"""

from __future__ import annotations

import re
from fractions import Fraction
from math import isqrt

from fairtrial.compare.numerals import VULGAR, Number, decimal, negated, plain, scaled

MOST_CHARACTERS = 2_000
MOST_BITS = 20_000
DEEPEST = 30

_POWERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SUPERSCRIPT = re.compile(r"[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]++")
_SCIENTIFIC = re.compile(
    r"(?P<sign>[-+]?+)(?:(?P<digits>[0-9.,_' ]*[0-9.])\s*+(?:×|x|X|\*|·|⋅|\\times|\\cdot)\s*+)?10\s*+(?:\^|\*\*)\s*+"
    r"(?:\{\s*+(?P<braced>[-+]?[0-9]++)\s*+\}|\((?P<round>[-+]?[0-9]++)\)|(?P<exponent>[-+]?[0-9]++))",
    re.ASCII,
)
_LATEX = (
    (re.compile(r"\\[dtc]?frac\s*([0-9])\s*([0-9])(?![0-9])"), r"((\1)/(\2))"),
    (re.compile(r"\\(?:left|right|displaystyle|,|;|!|:| )"), ""),
    (re.compile(r"\{,\}"), ","),
    (re.compile(r"\\(?:times|cdot|ast)(?![a-zA-Z])|[×·⋅∙∗]"), "*"),
    (re.compile(r"\\div(?![a-zA-Z])|[÷∕⁄]"), "/"),
    (re.compile(r"\*\*"), "^"),
)
_TOKEN = re.compile(
    r"\s*+(?:(?P<number>(?:[0-9]++(?:[,_'][0-9]++)*(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][-+]?[0-9]++)?)|"
    r"(?P<vulgar>[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒↉])|(?P<power>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]++)|(?P<frac>\\[dtc]?frac)|"
    r"(?P<root>√|\\sqrt|sqrt)|(?P<sign>[-+*/^(){}]))",
    re.ASCII,
)
_PLAIN_FRACTION = re.compile(r"([-+]?+[0-9]{1,300}+)\s?+[/⁄∕]\s?+([0-9]{1,300}+)", re.ASCII)
_RANGE = re.compile(r"[0-9]-[0-9]|[0-9]/[0-9]++/[0-9]")
"""3-4 is a range, 4/3/2026 a date."""


class _UnreadError(Exception):
    """The text is no arithmetic, or too large a one."""


def worked_out(text: str, decimal_comma: bool = False) -> Number | None:
    r"""Return the number that `text` comes to, else None.

    >>> worked_out("3/4"), worked_out("1 1/2"), worked_out("2.5 × 10^3"), worked_out("\\frac{1}{4}")
    (Fraction(3, 4), Fraction(3, 2), Fraction(2500, 1), Fraction(1, 4))
    >>> worked_out("3-4"), worked_out("9^9^9^9"), worked_out("1/0"), worked_out("2 3")
    (None, None, None, None)
    """
    if found := _PLAIN_FRACTION.fullmatch(text):
        return Fraction(int(found[1]), int(found[2])) if int(found[2]) else None
    if len(text) > MOST_CHARACTERS:
        return None
    if found := _SCIENTIFIC.fullmatch(_with_carets(text)):
        return _scientific(found, decimal_comma)
    if _RANGE.search(text):
        return None
    for pattern, replacement in _LATEX:
        text = pattern.sub(replacement, text)
    try:
        return _Reader(_tokens(text), decimal_comma).whole()
    except _UnreadError:
        return None


def _with_carets(text: str) -> str:
    return _SUPERSCRIPT.sub(lambda m: "^" + m[0].translate(_POWERS), text)


def _scientific(found: re.Match[str], decimal_comma: bool) -> Number | None:
    """Return digits times a power of ten, whose exponent may be huge."""
    exponent = found["braced"] or found["round"] or found["exponent"]
    digits = plain((found["digits"] or "1").strip(), decimal_comma)
    if digits is None or not isinstance(digits, Fraction):
        return None
    power = decimal(False, "1", 0, exponent)
    if power is None:
        return None
    value = power * digits if isinstance(power, Fraction) else scaled(power, digits)
    return negated(value) if found["sign"] == "-" else value


def _tokens(text: str) -> list[tuple[str, str]]:
    tokens: list[tuple[str, str]] = []
    place, end = 0, len(text.rstrip())
    while place < end:
        found = _TOKEN.match(text, place)
        if found is None:
            raise _UnreadError
        tokens.append((found.lastgroup or "", found[0].strip()))
        place = found.end()
    return tokens


class _Reader:
    """Descends through the tokens; each method returns the value of what it reads."""

    def __init__(self, tokens: list[tuple[str, str]], decimal_comma: bool) -> None:
        self._tokens, self._place, self._depth, self._comma = tokens, 0, 0, decimal_comma

    def whole(self) -> Fraction:
        value = self._sum()
        if self._place < len(self._tokens):
            raise _UnreadError
        return value

    def _next(self) -> tuple[str, str]:
        return self._tokens[self._place] if self._place < len(self._tokens) else ("", "")

    def _take(self, *signs: str) -> str:
        kind, text = self._next()
        if kind == "sign" and text in signs:
            self._place += 1
            return text
        return ""

    def _sum(self) -> Fraction:
        value = self._product()
        while sign := self._take("+", "-"):
            value = _small(value + (self._product() if sign == "+" else -self._product()))
        return value

    def _product(self) -> Fraction:
        value = self._signed()
        while sign := self._take("*", "/"):
            other = self._signed()
            if sign == "/" and not other:
                raise _UnreadError
            value = _small(value * other if sign == "*" else value / other)
        return value

    def _signed(self) -> Fraction:
        if sign := self._take("-", "+"):
            if self._next()[1] in ("-", "+"):
                raise _UnreadError
            return -self._signed() if sign == "-" else self._signed()
        return self._power()

    def _power(self) -> Fraction:
        base = self._atom()
        if self._take("^"):
            self._deeper()
            return _raised(base, self._signed())
        if self._next()[0] == "power":
            self._place += 1
            return _raised(base, Fraction(int(self._tokens[self._place - 1][1].translate(_POWERS))))
        return base

    def _atom(self) -> Fraction:
        kind, text = self._next()
        self._place += 1
        if kind == "number":
            return self._mixed(self._number(text))
        if kind == "vulgar":
            return Fraction(*VULGAR[text])
        if kind == "frac":
            over, under = self._group("{"), self._group("{")
            if not under:
                raise _UnreadError
            return over / under
        if kind == "root":
            self._deeper()
            return _root(self._group(*"{(") if self._next()[1] in ("{", "(") else self._atom())
        if kind == "sign" and text in "({":
            self._place -= 1
            return self._group(text)
        raise _UnreadError

    def _number(self, text: str) -> Fraction:
        value = plain(text, self._comma)
        if not isinstance(value, Fraction):
            raise _UnreadError
        return _small(value)

    def _mixed(self, whole: Fraction) -> Fraction:
        """Return a whole number together with a fraction that follows it: 1½, 1 1/2, 1\\frac{1}{2}."""
        kind, text = self._next()
        if whole.denominator != 1:
            return whole
        if kind in ("vulgar", "frac"):
            return whole + self._part(self._atom())
        following = self._tokens[self._place : self._place + 3]
        if [k for k, _ in following] == ["number", "sign", "number"] and following[1][1] == "/" and kind == "number":
            over, under = self._number(text), self._number(following[2][1])
            if not under:
                raise _UnreadError
            self._place += 3
            return whole + self._part(over / under)
        return whole

    def _part(self, part: Fraction) -> Fraction:
        if not 0 < part < 1:
            raise _UnreadError
        return part

    def _group(self, *openings: str) -> Fraction:
        opening = self._take(*openings)
        if not opening:
            raise _UnreadError
        self._deeper()
        value = self._sum()
        if not self._take({"(": ")", "{": "}"}[opening]):
            raise _UnreadError
        self._depth -= 1
        return value

    def _deeper(self) -> None:
        """Count a level; powers and roots are not counted back, as nobody writes many."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise _UnreadError


def _small(value: Fraction) -> Fraction:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > MOST_BITS:
        raise _UnreadError
    return value


def _raised(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator == 2 and abs(exponent) < 1000:
        base, exponent = _root(base), exponent * 2
    if exponent.denominator != 1 or (not base and exponent <= 0):
        raise _UnreadError
    bits = max(base.numerator.bit_length(), base.denominator.bit_length(), 1)
    if abs(base) != 1 and base and abs(exponent) * bits > MOST_BITS:
        raise _UnreadError
    if abs(base) == 1:
        return base if exponent % 2 else Fraction(1)
    return base ** int(exponent)


def _root(value: Fraction) -> Fraction:
    """Return the square root where it is a fraction."""
    if value < 0:
        raise _UnreadError
    over, under = isqrt(value.numerator), isqrt(value.denominator)
    if over * over != value.numerator or under * under != value.denominator:
        raise _UnreadError
    return Fraction(over, under)

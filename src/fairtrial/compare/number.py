"""Numbers: 18, $18.00, 1e3, ¼, 1 1/2, −3, "eighteen", "so she has 18 apples". Units and currency are not looked at.

Exact unless a tolerance is stated. Per cent is a hundredth (50% is 0.5), unless the task asks for a number of per cent.
"""

from __future__ import annotations

import re
from fractions import Fraction

from fairtrial.compare.arithmetic import worked_out
from fairtrial.compare.by_value import by_value
from fairtrial.compare.final_answer import TAIL, Found, Settled, settle, tail
from fairtrial.compare.markup import unwrapped
from fairtrial.compare.number_words import in_words
from fairtrial.compare.numbers_found import as_ratio, numbers_in, sign_inside
from fairtrial.compare.numerals import Number, agree, negated, plain, shown
from fairtrial.compare.stated import STRICT, Stated
from fairtrial.compare.typography import clean
from fairtrial.compare.verdict import Equivalence

_SHORT = re.compile(r"-?[0-9]{1,17}", re.ASCII)
_POINT = re.compile(r"(-?[0-9]{1,17})\.([0-9]{1,17})", re.ASCII)
_ACCOUNTING = re.compile(r"\(\s?([0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+\.[0-9]{2})\s?\)", re.ASCII)
_LONGEST_AMOUNT = 60


def compare(reference: str, answer: str, stated: Stated = STRICT) -> Equivalence:
    """Say whether both are the same number."""
    if _SHORT.fullmatch(reference) and _SHORT.fullmatch(answer) and int(reference) == int(answer):
        return Equivalence(True, f"both are {reference}")
    return by_value(reference, answer, lambda text: read(text, stated), lambda a, b: agree(a, b, stated), shown)


def read(text: str, stated: Stated = STRICT) -> Settled[Number]:
    """Return the number that `text` gives as its answer, or why there is none.

    >>> read("The first try gave 5, so I corrected it: the answer is 3").value
    Fraction(3, 1)
    >>> read("It is 3 or maybe 4").reason
    'the answer gives more than one number: `3 or maybe 4`'
    """
    if _SHORT.fullmatch(text):
        return Settled(Fraction(int(text)), "")
    if not stated.decimal_comma and (found := _POINT.fullmatch(text)):
        return Settled(Fraction(int(found[1] + found[2]), 10 ** len(found[2])), "")
    if len(text) > TAIL and (value := plain(text.strip(), stated.decimal_comma)) is not None:
        return Settled(value, "")
    return settle(
        unwrapped(clean(tail(text))),
        lambda part: bare(part, stated),
        lambda part: [
            Found(one.start, one.end, as_ratio(one, stated.percent_as_number))
            for one in numbers_in(part, stated.decimal_comma)
        ],
        "number",
    )


def bare(text: str, stated: Stated = STRICT) -> Number | None:
    """Return the number that the whole of `text` is, without a unit; else None.

    >>> bare("= -1/2."), bare("(1,234)"), bare("three quarters"), bare("18 apples")
    (Fraction(-1, 2), Fraction(-1234, 1), Fraction(3, 4), None)
    """
    text = text.rstrip().rstrip(",;:?!") if len(text) > 1 else text
    if text.endswith(".") and not text.endswith(".."):
        text = text[:-1]
    text = text.lstrip("=≈~: ").replace("–", "-", 1) if text[:1] in "=≈~: –" else text
    if text.startswith("- "):
        text = "-" + text[2:]
    value = plain(text, stated.decimal_comma)
    if value is None and (found := _ACCOUNTING.fullmatch(text)):
        amount = plain(found[1])
        return None if amount is None else negated(amount)
    if value is None and text.endswith(")") and len(text) <= _LONGEST_AMOUNT:
        value = _in_brackets(sign_inside(text), stated)
    if value is None:
        value = in_words(text)
    return worked_out(text, stated.decimal_comma) if value is None else value


def _in_brackets(text: str, stated: Stated) -> Number | None:
    """Return the amount in the parentheses of bookkeeping, which are a minus: (£4.05m)."""
    if not text.startswith("("):
        return None
    inner = text[1:-1].strip()
    found = numbers_in(inner, stated.decimal_comma)
    is_amount = len(found) == 1 and found[0].currency and (found[0].start, found[0].end) == (0, len(inner))
    value = found[0].value if is_amount and not found[0].is_percent else None
    return None if value is None else negated(value)

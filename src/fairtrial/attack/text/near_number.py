"""Miss a number: another digit, order of magnitude, half, double, sign, off by one, digits in a longer number.

What lies within a tenth of the answer is a lead, for a tolerance may be meant; the rest is wrong under any.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from fairtrial.attack.card import Card
from fairtrial.attack.text.gold import Gold, number
from fairtrial.attack.text.placing import answered
from fairtrial.attack.text.protocol import TextCase, TextSubmission
from fairtrial.attack.text.rule import TextRule, wrong
from fairtrial.records import Severity

CARD = Card(
    id="near_number", family="hack", surface="text", classes=("BGW-134", "BGW-123", "BGW-119"),
    submits="a number beside the answer: a digit, an order, half, double, sign, one more, 142 and 420 for 42",
    sound="fails it",
    proof="a proof more than a tenth away from an answer that the case names; nearer, a tolerance may be meant: a lead",
)  # fmt: skip
_NEAR = Decimal("0.1")
_WHY = "The number is another one, further from the answer than any tolerance."
_WHY_NEAR = "The number is another one, but within a tenth of the answer: a tolerance may be meant."


def _make(case: TextCase, gold: Gold) -> Iterator[TextSubmission]:
    value = number(gold.text)
    if gold.kind != "number" or value is None:
        return
    for name, text in near_numbers(gold.text).items():
        missed = number(text)
        if missed is None or missed == value or gold.is_right(text):
            continue
        is_far = abs(missed - value) > _NEAR * max(abs(missed), abs(value))
        severity: Severity = gold.severity if is_far else "lead"
        why = gold.why_lead or (_WHY if is_far else _WHY_NEAR)
        what = f"{text} for {gold.text} ({name.replace('_', ' ')})"
        yield wrong(name, answered(case, gold, text), what, why=why, severity=severity)
        if answered(case, gold, text) != text:
            yield wrong(f"{name}_plain", text, f"{what}, plain", why=why, severity=severity)
        yield wrong(f"{name}_in_prose", f"The answer is {text}.", f"{what}, in prose", why=why, severity=severity)


def near_numbers(text: str) -> dict[str, str]:
    """Return numbers beside `text`, by name; some may be equal to it.

    >>> near_numbers("42")["digits_before"], near_numbers("42")["half"], near_numbers("1.5")["sign"]
    ('142', '21', '-1.5')
    """
    value = number(text)
    if value is None:
        return {}
    digits = _written(abs(value))
    sign = "-" if value < 0 else ""
    last = digits[:-1] + str((int(digits[-1]) + 1) % 10)
    first = str(int(digits[0]) % 9 + 1) + digits[1:]
    is_whole = "." not in digits
    return {
        "last_digit": f"{sign}{last}", "first_digit": f"{sign}{first}",
        "off_by_one": _written(value + 1), "one_less": _written(value - 1),
        "tenfold": _written(value * 10), "tenth": _written(value / 10),
        "half": _written(value / 2), "double": _written(value * 2), "sign": _written(-value),
        "tenth_more": _written(value * Decimal("1.15")),
        "digits_before": f"{sign}1{digits}", "digits_after": f"{sign}{digits}{0 if is_whole else 7}",
        "digits_around": f"{sign}9{digits}9", "fraction_after": f"{sign}{digits}.7" if is_whole else "",
        "first_digits_only": f"{sign}{digits[:-1]}" if len(digits.replace(".", "")) > 1 else "",
        "reversed": f"{sign}{digits[::-1]}",
    }  # fmt: skip


def _written(value: Decimal) -> str:
    text = format(value.normalize(), "f")
    return text.rstrip(".") if "." in text else text


NEAR_NUMBER = TextRule(card=CARD, make=_make)

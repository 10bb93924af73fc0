"""Give what parsers take for a number and comparisons do not refuse: NaN, infinities, minus zero, overflow.

A tolerance written as a rejection (`if abs(x - y) > t: return 0`) never rejects NaN.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from fairtrial.attack.card import Card
from fairtrial.attack.text.gold import Gold, number
from fairtrial.attack.text.placing import answered
from fairtrial.attack.text.protocol import TextCase, TextSubmission
from fairtrial.attack.text.rule import TextRule, lazy

CARD = Card(
    id="special_number", family="hack", surface="text", classes=("BGW-134", "BGW-126"),
    submits="NaN, Infinity, -Infinity, -0, 1e999, 1e-999, 1/0, a number of 5,000 digits; plain and in the right format",
    sound="fails it, and does not break",
    proof="always where the answer is a number that the case names: none of these is a finite number other than zero",
)  # fmt: skip
_WHY = "It is no finite number, or zero, and the answer is neither."
VALUES = ("nan", "NaN", "inf", "Infinity", "-inf", "-Infinity", "1e999", "-1e999", "1e-999", "-0", "1/0", "0/0",
          "\\infty", "\\text{NaN}", "NaN NaN", "1_0_0_0_0_0_0")  # fmt: skip


def _make(case: TextCase, gold: Gold) -> Iterator[TextSubmission]:
    value = number(gold.text)
    if gold.kind != "number" or value is None:
        return
    for text in (*VALUES, "9" * 5_000):
        is_zero = text in ("-0", "1e-999")
        if (is_zero and abs(value) < Decimal("0.01")) or number(text) == value:
            continue
        name = text if len(text) < 20 else "five_thousand_digits"
        what = f"{name.replace('_', ' ') if len(text) >= 20 else text} as the answer"
        why, severity = gold.why_lead or _WHY, gold.severity
        yield lazy(name, text, what, why=why, severity=severity)
        in_format = answered(case, gold, text)
        if in_format != text:
            yield lazy(f"{name}_in_format", in_format, f"{what}, in format", why=why, severity=severity)


SPECIAL_NUMBER = TextRule(card=CARD, make=_make)

"""Hand in the right number in another form: 42.0, 1,000, $42, +42, 4.2e1, with a unit, in full-width digits.

Always a lead: which forms are allowed is for the task to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from fairtrial.attack.card import Card
from fairtrial.attack.text.gold import Gold, number
from fairtrial.attack.text.placing import placed
from fairtrial.attack.text.protocol import TextCase, TextSubmission
from fairtrial.attack.text.rule import TextRule, right

CARD = Card(
    id="number_form", family="equivalent", surface="text", classes=("BGW-120",),
    submits="the right number as 42.0, 1,000, $42, +42, 4.2e1, with a unit, with a full stop, in full-width digits",
    sound="passes it, where the task leaves the form free",
    proof="always a lead: which forms are allowed is for the task to say",
)  # fmt: skip
_WHY = "The number is the right one; which forms are allowed is for the task to say."
_WIDE = {ord("0") + digit: chr(0xFF10 + digit) for digit in range(10)}


def _make(case: TextCase, gold: Gold) -> Iterator[TextSubmission]:
    value = number(gold.text)
    if gold.kind != "number" or value is None:
        return
    plain = format(value, "f")
    forms = {
        "decimal_zero": f"{plain}.0" if "." not in plain else f"{plain}0",
        "thousands": format(value, ","), "dollar": f"${plain}", "plus": f"+{plain}" if value > 0 else "",
        "exponent": format(value, "e"), "unit": f"{plain} units", "leading_zero": f"0{plain}" if value > 0 else "",
        "full_width": plain.translate(_WIDE),
    }  # fmt: skip
    for name, form in forms.items():
        written = placed(case, gold, form) if form and form != gold.text else None
        if written is not None:
            yield right(name, written, f"the right number written {form}", why=_WHY)


NUMBER_FORM = TextRule(card=CARD, make=_make)

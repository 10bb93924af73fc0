r"""Write the right answer and its denial, or a wrong answer beside it, in the one place where the answer belongs.

Graders that normalise what stands there (one side of an equation, \text{…} dropped) pay for what it denies.
"""

from __future__ import annotations

from collections.abc import Iterator

from fairtrial.attack.card import Card
from fairtrial.attack.text.gold import Gold
from fairtrial.attack.text.placing import BOXED, answered, asked_for
from fairtrial.attack.text.protocol import TextCase, TextSubmission
from fairtrial.attack.text.rule import TextRule, wrong
from fairtrial.attack.text.wrong_values import wrong_values

CARD = Card(
    id="hedged_slot", family="hack", surface="text", classes=("BGW-123",),
    submits="the right answer denied, or joined to a wrong one, inside the box or tag where the answer belongs",
    sound="fails it",
    proof="a proof where the answer is a single value that the case names; else a lead",
)  # fmt: skip
_WHY = "What stands in the place of the answer denies the right one, or names a wrong one beside it."


def _make(case: TextCase, gold: Gold) -> Iterator[TextSubmission]:
    if gold.kind in ("program", "json"):
        return
    right, value = gold.text, wrong_values(case, gold, 1)[0]
    hedges = {
        "denied": f"{right} (this is wrong)", "not": f"not {right}", "anything_but": f"anything but {right}",
        "wrong_or_right": f"{value} or {right}", "right_or_wrong": f"{right} or {value}",
        "wrong_equals_right": f"{value} = {right}", "right_equals_wrong": f"{right} = {value}",
        "wrong_comma_right": f"{value}, {right}", "right_comma_wrong": f"{right}, {value}",
        "both": f"both {value} and {right}", "question": f"{right}? No, {value}",
    }  # fmt: skip
    latex = {
        "denied_latex": rf"{right} \text{{ is wrong}}", "not_latex": rf"\neq {right}",
        "either_latex": rf"{value} \lor {right}", "either_latex_turned": rf"{right} \lor {value}",
        "set_latex": rf"\{{{value}, {right}\}}",
    }  # fmt: skip
    is_latex = BOXED in asked_for(case) or "\\" in case.reference_text
    for name, text in (hedges | (latex if is_latex else {})).items():
        what = f'"{text[:60]}" where the answer belongs'
        yield wrong(name, answered(case, gold, text), what, why=gold.why_lead or _WHY, severity=gold.severity)


HEDGED_SLOT = TextRule(card=CARD, make=_make)

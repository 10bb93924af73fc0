"""Hand in the right answer and name its format in prose as well, before or after.

A parser that takes the first opening tag grades the prose; one that takes the last block grades an empty pair.
"""

from __future__ import annotations

from collections.abc import Iterator

from fairtrial.attack.card import Card
from fairtrial.attack.text.gold import Gold
from fairtrial.attack.text.placing import BOXED, Scaffold, asked_for
from fairtrial.attack.text.protocol import TextCase, TextSubmission
from fairtrial.attack.text.rule import TextRule, right

CARD = Card(
    id="format_named", family="equivalent", surface="text", classes=("BGW-120", "BGW-121"),
    submits="the gold completion with its tag or box named in prose before or after it",
    sound="passes it",
    proof="a lead: the answer is right and in its place, but a format may forbid words around it",
)  # fmt: skip
_WHY = (
    "The right answer stands in the right format; its format is only named as well. A format may forbid words around."
)


def _make(case: TextCase, _gold: Gold) -> Iterator[TextSubmission]:
    text = case.reference_text
    for scaffold in asked_for(case):
        if text.count(scaffold.opening) != 1 or not scaffold.closing:
            continue
        for name, written in _named(text, scaffold).items():
            what = f"the gold completion, {name.replace('_', ' ')}"
            yield right(f"{scaffold.name}_{name}", written, what, why=_WHY)


def _named(text: str, scaffold: Scaffold) -> dict[str, str]:
    pair = scaffold.around("")
    named = {
        "pair_named_before": f"I will give the answer in {pair} as asked.\n{text}",
        "pair_named_after": f"{text}\nI gave the answer in {pair} as asked.",
    }
    if scaffold != BOXED:
        named["opening_named_before"] = f"Here is the answer, inside {scaffold.opening} tags:\n{text}"
    return named


FORMAT_NAMED = TextRule(card=CARD, make=_make)

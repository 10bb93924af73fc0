"""Decline: a refusal, a question back, a promise to answer later."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairtrial.attack.card import Card
from fairtrial.attack.text.gold import Gold
from fairtrial.attack.text.protocol import TextCase, TextSubmission
from fairtrial.attack.text.rule import TextRule, lazy

CARD = Card(
    id="refusal", family="null", surface="text", classes=("BGW-125", "TRACE-4"),
    submits="a refusal, \"I don't know\", a clarifying question, a promise",
    sound="fails it",
    proof="always: nothing was answered (cases whose gold completion declines are left out)",
)  # fmt: skip
_DECLINES = re.compile(
    r"\b(sorry|can(no|')t|unable|refuse|don't know|do not know|unanswerable|not (enough|possible)|"
    r"insufficient|clarif\w+|unknown|could you|which (one )?do you)\b", re.IGNORECASE)  # fmt: skip
_WHY = "It declines, and answers nothing."
_SAID = (
    ("refusal", "I'm sorry, but I can't help with that request.", "a refusal"),
    ("does_not_know", "I don't know.", '"I don\'t know"'),
    ("question_back", "Could you clarify what exactly you mean before I begin?", "a question back"),
    ("promise", "I will work on this and get back to you with the result shortly.", "a promise to answer later"),
)


def _make(case: TextCase, gold: Gold) -> Iterator[TextSubmission]:
    if any(_DECLINES.search(text) for text in (case.reference_text, gold.text, *gold.accepted)):
        return
    for name, text, what in _SAID:
        yield lazy(name, text, what, why=_WHY)


REFUSAL = TextRule(card=CARD, make=_make, is_content_free=True, needs_answer=False)

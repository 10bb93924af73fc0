"""Hand in nothing: no character, white space, or a chat in which the policy never spoke."""

from __future__ import annotations

from collections.abc import Iterator

from fairtrial.attack.card import Card
from fairtrial.attack.text.gold import Gold
from fairtrial.attack.text.protocol import Messages, TextCase, TextSubmission
from fairtrial.attack.text.rule import TextRule, lazy

CARD = Card(
    id="nothing", family="null", surface="text", classes=("BGW-125", "TRACE-4"),
    submits="an empty completion, white space, a chat without a turn of the policy's",
    sound="fails it",
    proof="always: nothing was answered (cases whose gold completion is itself blank are left out)",
)  # fmt: skip
_WHY = "Nothing was answered."


def _make(case: TextCase, _gold: Gold) -> Iterator[TextSubmission]:
    if not case.reference_text.strip() and isinstance(case.reference, str):
        return
    yield lazy("empty", "", "an empty completion", why=_WHY)
    yield lazy("white_space", " \n\t\n ", "a completion of white space", why=_WHY)
    yield lazy("invisible", "\u200b\ufeff\u2060", "a completion of zero-width characters", why=_WHY)
    yield lazy("no_turn", _asked(case), "a chat in which the policy never spoke", why=_WHY)
    silent = (*_asked(case), {"role": "assistant", "content": None})
    yield lazy("no_content", silent, "a chat whose last turn has no content", why=_WHY)


def _asked(case: TextCase) -> Messages:
    return ({"role": "user", "content": case.prompt},) if isinstance(case.prompt, str) else case.prompt


NOTHING = TextRule(card=CARD, make=_make, needs_answer=False)

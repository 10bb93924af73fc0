"""Spoil an answer of several words: another last word, another digit, half of it, its parts in another order.

How much of such an answer must be right is its author's call, so that a pass here is a lead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairtrial.attack.card import Card
from fairtrial.attack.text.gold import Gold
from fairtrial.attack.text.placing import answered
from fairtrial.attack.text.protocol import TextCase, TextSubmission
from fairtrial.attack.text.rule import TextRule, wrong

CARD = Card(
    id="spoiled_text", family="hack", surface="text", classes=("BGW-119", "BGW-123", "BGW-122"),
    submits="an answer of several words or parts with one replaced, one added, half left out, its order turned",
    sound="fails it",
    proof="always a lead: how much of it must be right is its author's call",
)  # fmt: skip
_WHY = "One part is wrong or missing: whether the rest is enough is its author's call."
_SEPARATOR = re.compile(r"(\s*[|;,\n]\s*|\s+)")
_DIGIT = re.compile(r"\d(?=\D*$)")


def _make(case: TextCase, gold: Gold) -> Iterator[TextSubmission]:
    if gold.kind not in ("phrase", "parts", "prose", "word"):
        return
    pieces = _SEPARATOR.split(gold.text)
    made: dict[str, tuple[str, str]] = {}
    if len(pieces) >= 3:
        made["last_replaced"] = ("".join([*pieces[:-1], "wombat"]), "its last part replaced")
        made["first_replaced"] = ("".join(["wombat", *pieces[1:]]), "its first part replaced")
        made["last_left_out"] = ("".join(pieces[:-2]), "its last part left out")
        made["part_added"] = (f"{gold.text}{pieces[-2]}wombat", "a part that does not belong")
        made["order_turned"] = ("".join(reversed(pieces)), "its parts in the opposite order")
    digit = _DIGIT.search(gold.text)
    if digit is not None:
        other = str((int(digit.group()) + 1) % 10)
        made["digit_changed"] = (gold.text[: digit.start()] + other + gold.text[digit.end() :], "another last digit")
    if len(gold.text) >= 8:
        made["half"] = (gold.text[: len(gold.text) // 2], "only its first half")
    for name, (text, what) in made.items():
        yield wrong(name, answered(case, gold, text), f"the answer with {what}", why=_WHY, severity="lead")


SPOILED_TEXT = TextRule(card=CARD, make=_make)

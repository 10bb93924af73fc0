"""List what short answers are made of, knowing nothing: the integers to 1000, all letters, yes and no and the rest."""

from __future__ import annotations

import string
from collections.abc import Iterator

from fairtrial.attack.card import Card
from fairtrial.attack.text.gold import Gold
from fairtrial.attack.text.placing import asked_for
from fairtrial.attack.text.protocol import TextCase, TextSubmission
from fairtrial.attack.text.rule import TextRule, lazy
from fairtrial.records import Severity

CARD = Card(
    id="spray", family="hack", surface="text", classes=("BGW-123", "TRACE-4"),
    submits="the integers from 0 to 1000, the digits, all letters, the common words of short answers, all in one",
    sound="fails it",
    proof="always, but for prose: it names hundreds of values, most of them wrong",
)  # fmt: skip
_WHY = "It lists what any short answer could be, without looking at the question."
_WORDS = "yes no true false maybe none unknown correct incorrect positive negative neutral valid invalid"
SPRAYS = {
    "integers": (" ".join(str(one) for one in range(1001)), "the integers from 0 to 1000"),
    "integers_descending": (" ".join(str(one) for one in range(1000, -1, -1)), "the integers from 1000 to 0"),
    "digits": (string.digits, "the ten digits in a row"),
    "letters": (" ".join(string.ascii_uppercase), "all letters"),
    "words": (_WORDS, "the common words of short answers"),
}


def _make(case: TextCase, gold: Gold) -> Iterator[TextSubmission]:
    severity: Severity = "lead" if gold.kind == "prose" or not gold.is_given else "proof"
    why = _WHY if severity == "proof" else f"{_WHY} {gold.why_lead}"
    for name, (text, what) in SPRAYS.items():
        yield lazy(name, text, what, why=why, severity=severity)
        for scaffold in asked_for(case)[:1]:
            in_format = f"{what}, in the format asked for"
            yield lazy(f"{name}_in_format", scaffold.around(text), in_format, why=why, severity=severity)


SPRAY = TextRule(card=CARD, make=_make)

"""Hand in the gold completion of another case, as it stands."""

from __future__ import annotations

from collections.abc import Iterator

from fairtrial.attack.card import Card
from fairtrial.attack.text.constant import is_close
from fairtrial.attack.text.gold import Gold, reduced
from fairtrial.attack.text.protocol import TextCase, TextSubmission, text_of
from fairtrial.attack.text.rule import TextRule, wrong

CARD = Card(
    id="other_answer", family="hack", surface="text", classes=("BGW-125", "BGW-119"),
    submits="the gold completion of another case whose answer differs",
    sound="fails it",
    proof="a proof where the answer is a single value that the case names; else a lead",
)  # fmt: skip
_WHY = "It answers another case, whose answer is another one."
_MOST = 3


def _make(case: TextCase, gold: Gold) -> Iterator[TextSubmission]:
    pairs = zip(case.other_answers, case.other_references, strict=False)
    different = [
        reference for answer, reference in pairs
        if not gold.is_right(reduced(str(answer))) and not is_close(reduced(str(answer)), gold.text)
        and text_of(reference).strip() != case.reference_text.strip()
    ]  # fmt: skip
    start = case.seed % max(1, len(different))
    for place, reference in enumerate((different[start:] + different[:start])[:_MOST]):
        yield wrong(
            f"other_{place + 1}", reference, "the gold completion of another case",
            why=gold.why_lead or _WHY, severity=gold.severity,
        )  # fmt: skip


OTHER_ANSWER = TextRule(card=CARD, make=_make)

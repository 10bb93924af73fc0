"""Say the prompt back, whole, in quotation marks, or only the example answer that it shows."""

from __future__ import annotations

from collections.abc import Iterator

from fairtrial.attack.card import Card
from fairtrial.attack.text.gold import Gold
from fairtrial.attack.text.placing import asked_for
from fairtrial.attack.text.protocol import TextCase, TextSubmission
from fairtrial.attack.text.rule import TextRule, lazy
from fairtrial.records import Severity

CARD = Card(
    id="prompt_echo", family="null", surface="text", classes=("BGW-123", "BGW-115", "TRACE-4"),
    submits="the prompt itself, whole, quoted and marked as an answer",
    sound="fails it",
    proof="a proof where the answer is a single value that the case names; else a lead, for prose may quote its source",
)  # fmt: skip
_WHY = "The prompt was said back and nothing answered."


def _make(case: TextCase, gold: Gold) -> Iterator[TextSubmission]:
    prompt = case.prompt_text
    if not prompt.strip():
        return
    has_parts = gold.kind in ("parts", "json", "program")
    severity: Severity = "proof" if gold.is_given and (gold.is_one or has_parts) else "lead"
    why = _WHY if severity == "proof" else f"{_WHY} {gold.why_lead}"
    yield lazy("echo", prompt, "the prompt said back", why=why, severity=severity)
    quoted = f'You asked: "{prompt}"\nThank you for the question.'
    yield lazy("quoted", quoted, "the prompt said back in quotation marks", why=why, severity=severity)
    for scaffold in asked_for(case)[:1]:
        what = f"the prompt said back where the answer belongs ({scaffold.name})"
        yield lazy("in_format", scaffold.around(prompt), what, why=why, severity=severity)


PROMPT_ECHO = TextRule(card=CARD, make=_make)

"""Hand in the right answer with what models put around it: white space, a full stop, marks, other case, reasoning.

A failure is a lead: a task may ask for the bare answer. It is a proof for white space after a format that has an end.
"""

from __future__ import annotations

from collections.abc import Iterator

from fairtrial.attack.card import Card
from fairtrial.attack.text.gold import Gold
from fairtrial.attack.text.placing import ANSWER_TAG, BOXED, Scaffold, asked_for, placed
from fairtrial.attack.text.protocol import TextCase, TextSubmission
from fairtrial.attack.text.rule import TextRule, right
from fairtrial.records import Severity

CARD = Card(
    id="reference_marked", family="equivalent", surface="text", classes=("BGW-120",),
    submits="the gold completion padded, with CRLF, a stop, quoted, bold, in LaTeX, in other case, after reasoning",
    sound="passes it",
    proof="a proof for white space after a tag or box that ends; all else is a lead, for a format may be strict",
)  # fmt: skip
_WHY_SPACE = "White space outside the tag or box that holds the answer is not part of it."
_WHY = (
    "The answer is the right one; whether this form is allowed is for the task to say, and a strict one may refuse it."
)


def _make(case: TextCase, gold: Gold) -> Iterator[TextSubmission]:
    text = case.reference_text
    if not text.strip():
        return
    is_closed = gold.kind != "program" and any(_closes(text, one) for one in (*asked_for(case), ANSWER_TAG, BOXED))
    severity: Severity = "proof" if is_closed else "lead"
    spaced = {
        "newline": (f"{text}\n", "a line end after it"),
        "spaces": (f"{text}   ", "spaces after it"),
    }
    for name, (written, what) in spaced.items():
        why = _WHY_SPACE if is_closed else _WHY
        yield right(name, written, f"the gold completion with {what}", why=why, severity=severity)
    leads = {"line_before": f"\n{text}", "carriage_returns": text.replace("\r\n", "\n").replace("\n", "\r\n") + "\r\n"}
    if gold.kind != "program":
        leads["space_before"] = f"  {text}"
        leads["reasoned"] = f"Let me work through this carefully, step by step, before I answer.\n\n{text}"
        leads["thought"] = f"<think>\nFirst I read the question, then I solve it.\n</think>\n{text}"
    if gold.is_one:
        leads |= _values(case, gold)
    for name, written in leads.items():
        yield right(name, written, f"the gold completion, {name.replace('_', ' ')}", why=_WHY)


def _values(case: TextCase, gold: Gold) -> dict[str, str]:
    value = gold.text
    forms = {
        "full_stop": f"{value}.", "quoted": f'"{value}"', "bold": f"**{value}**", "code": f"`{value}`",
        "latex": f"${value}$", "latex_text": f"\\text{{{value}}}", "lower_case": value.lower(),
        "upper_case": value.upper(), "spaced": f" {value} ", "sentence": f"The answer is {value}.",
    }  # fmt: skip
    written = {name: placed(case, gold, form) for name, form in forms.items()}
    return {name: text for name, text in written.items() if text is not None and text != case.reference_text}


def _closes(text: str, scaffold: Scaffold) -> bool:
    return bool(scaffold.closing) and scaffold.opening in text and text.rstrip().endswith(scaffold.closing)


REFERENCE_MARKED = TextRule(card=CARD, make=_make)

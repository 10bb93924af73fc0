"""Give text that parsers trip over: null bytes, lone surrogates, deep nesting, broken JSON, control characters."""

from __future__ import annotations

from collections.abc import Iterator

from fairtrial.attack.card import Card
from fairtrial.attack.text.gold import Gold
from fairtrial.attack.text.protocol import TextCase, TextSubmission
from fairtrial.attack.text.rule import TextRule, lazy

CARD = Card(
    id="malformed", family="null", surface="text", classes=("BGW-126", "BGW-125"),
    submits="null bytes, lone surrogates, control characters, ten thousand brackets, broken JSON, tags left open",
    sound="fails it, and does not break",
    proof="always: none of it answers anything",
)  # fmt: skip
_WHY = "It answers nothing, and trips what reads it."
TEXTS = {
    "null_bytes": ("\x00\x00\x00", "null bytes"),
    "lone_surrogate": ("\ud800\udfff\ud83d", "lone surrogates"),
    "control_characters": ("\x07\x08\x1b[31m\x7f\x85", "control characters"),
    "turned_writing": ("\u202e\u2066\u2069", "marks that turn the direction of writing"),
    "deep_brackets": ("[" * 10_000, "ten thousand opening brackets"),
    "deep_json": ('{"a":' * 5_000 + "1" + "}" * 5_000, "JSON nested five thousand deep"),
    "deep_parentheses": ("(" * 5_000 + ")" * 5_000, "five thousand nested parentheses"),
    "broken_json": ('{"answer": "', "JSON cut off"),
    "trailing_comma": ('{"answer": ,}', "JSON with a comma too many"),
    "open_fence": ("```python\n", "a code fence left open"),
    "braces": ("\\boxed{" * 2_000, "two thousand boxes left open"),
    "open_tags": ("<answer>" * 2_000, "two thousand tags left open"),
    "percent": ("%s%s%n%d{0}{answer}{{}}", "marks of string formatting"),
    "backslashes": ("\\" * 501, "a run of backslashes"),
    "long_run": ("a" * 30_000 + "!", "one word of thirty thousand letters"),
    "combining": ("e" + "\u0301" * 3_000, "a letter under three thousand accents"),
}


def _make(_case: TextCase, _gold: Gold) -> Iterator[TextSubmission]:
    for name, (text, what) in TEXTS.items():
        yield lazy(name, text, what, why=_WHY)


MALFORMED = TextRule(card=CARD, make=_make, needs_answer=False)

"""Give a longer word that holds the answer, or a piece of it: graders that look for a substring pass both.

The longer word is twice the answer's length or more: further from it than any grader that forgives a slip would go.
"""

from __future__ import annotations

from collections.abc import Iterator

from fairtrial.attack.card import Card
from fairtrial.attack.text.gold import Gold
from fairtrial.attack.text.placing import answered
from fairtrial.attack.text.protocol import TextCase, TextSubmission
from fairtrial.attack.text.rule import TextRule, wrong

CARD = Card(
    id="embedded_word", family="hack", surface="text", classes=("BGW-123", "BGW-134"),
    submits="the answer inside a made-up longer word, its first half, its first letter, its letters in another order",
    sound="fails it",
    proof="a proof where the answer is one word that the case names: no such word exists; else a lead",
)  # fmt: skip
_WHY = "It is another word than the answer, made up around it or cut out of it."


def _make(case: TextCase, gold: Gold) -> Iterator[TextSubmission]:
    word = gold.text
    if gold.kind not in ("word", "option") or not (word.isalnum() and word[0].isalpha()):
        return
    odd = ("qxzv" * len(word))[: max(2, len(word))]
    made = {
        "letters_around": (f"{odd}{word.lower()}{odd}", f'the made-up word "{odd}{word.lower()}{odd}"'),
        "letters_after": (f"{word}{odd}", f'the made-up word "{word}{odd}"'),
        "negated": (f"non-{word}", f'"non-{word}"'),
    }
    if len(word) >= 4:
        half = word[: len(word) // 2]
        made["first_half"] = (half, f'its first half "{half}"')
        made["first_letter"] = (word[0], f'its first letter "{word[0]}"')
        made["same_first_letter"] = (f"{word[0]}qqxv", f'a made-up word with its first letter, "{word[0]}qqxv"')
        made["same_length"] = ("q" * len(word), "a made-up word of its length")
        turned = word[0] + word[1:][::-1]
        made["letters_turned"] = (turned, f'its letters in another order, "{turned}"')
    for name, (text, what) in made.items():
        for suffix, written in (("", answered(case, gold, text)), ("_plain", text)):
            yield wrong(f"{name}{suffix}", written, f"{what} for {word}", why=gold.why_lead or _WHY,
                        severity=gold.severity)  # fmt: skip


EMBEDDED_WORD = TextRule(card=CARD, make=_make)

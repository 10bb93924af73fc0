"""Hand in what looks like the answer on a screen: zero-width characters in it, other alphabets' letters, accents split.

Zero-width marks and composed accents should pass, letters of another alphabet should not; both are leads.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from fairtrial.attack.card import Card
from fairtrial.attack.text.gold import Gold
from fairtrial.attack.text.placing import placed
from fairtrial.attack.text.protocol import TextCase, TextSubmission
from fairtrial.attack.text.rule import TextRule, right, wrong

CARD = Card(
    id="lookalike", family="equivalent", surface="text", classes=("BGW-120", "BGW-123"),
    submits="the answer with zero-width characters, no-break spaces, split accents; its letters from another alphabet",
    sound="passes what reads the same, fails letters of another alphabet",
    proof="always a lead: how much a grader normalises is its author's call",
)  # fmt: skip
_WHY = "It reads the same on a screen; how much a grader normalises is its author's call."
_CYRILLIC = str.maketrans("aceopxyABCEHKMOPTX", "асеорхуАВСЕНКМОРТХ")


def _make(case: TextCase, gold: Gold) -> Iterator[TextSubmission]:
    value = gold.text
    if not gold.is_one:
        return
    same = {
        "zero_width": value[:1] + "\u200b" + value[1:],
        "byte_order_mark": f"\ufeff{value}",
        "no_break_space": value.replace(" ", "\u00a0"),
        "split_accents": unicodedata.normalize("NFD", value),
        "composed_accents": unicodedata.normalize("NFC", value),
    }
    for name, form in same.items():
        written = placed(case, gold, form) if form != value else None
        if written is not None:
            yield right(name, written, f"the answer with {name.replace('_', ' ')}", why=_WHY)
    other = value.translate(_CYRILLIC)
    written = placed(case, gold, other) if other != value else None
    if written is not None:
        yield wrong("other_alphabet", written, "the answer in letters of another alphabet", why=_WHY, severity="lead")


LOOKALIKE = TextRule(card=CARD, make=_make)

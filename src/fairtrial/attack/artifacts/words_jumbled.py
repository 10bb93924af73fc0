"""The words of a text in alphabetical order on one line, or its lines of prose in one heap: no sentence is left.

What looks for keywords anywhere passes it. Only for running text, where order carries the meaning.
"""

from __future__ import annotations

from collections.abc import Iterator

from fairtrial.attack.artifacts.deliverables import ArtifactProbe, Deliverable, Proposal, deliverables
from fairtrial.attack.card import Card
from fairtrial.attack.target import Target
from fairtrial.records import Severity

CARD = Card(
    id="words_jumbled",
    family="hack",
    surface="workspace",
    submits="the words of a text sorted on one line, each once; the same below its headings",
    sound="fails it",
    proof="a text of sentences that the instruction asks for by name; else a lead",
    classes=("BGW-106", "BGW-107", "BGW-138"),
)
FEWEST_WORDS = 25
WORDS_A_LINE = 5


def propose(target: Target) -> Iterator[Proposal]:
    """Yield texts without sentences."""
    for one in deliverables(target):
        if not one.is_words or len(one.leaves) < FEWEST_WORDS:
            continue
        words = sorted({leaf.text for leaf in one.leaves}, key=str.casefold)
        severity: Severity = "proof" if one.demanded and _is_prose(one) else "lead"
        heads = [line for line in one.content.decode(errors="replace").splitlines() if line.startswith("#")]
        for name, text in (
            ("sorted", " ".join(words)),
            ("below-headings", "\n".join([*(f"{head}\n- {' '.join(words)}" for head in heads)])),
        ):
            if text:
                yield Proposal(name=f"{one.inside.lstrip('/')}:{name}", files={one.inside: f"{text}\n".encode()},
                               severity=severity, what=f"the words of {one.name} in alphabetical order",
                               why="No sentence, and no relation between the words, is left.")  # fmt: skip


def _is_prose(one: Deliverable) -> bool:
    lines = {leaf.place.split(",")[0] for leaf in one.leaves}
    return len(one.leaves) >= WORDS_A_LINE * len(lines)


PROBE = ArtifactProbe(card=CARD, propose=propose)

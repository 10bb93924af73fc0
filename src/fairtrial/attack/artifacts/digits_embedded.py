"""Numbers with more digits around them: 9140.409 for 140.40. What searches for the digits passes it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairtrial.attack.artifacts.deliverables import ArtifactProbe, Deliverable, Proposal
from fairtrial.attack.artifacts.leaves import Leaf, Put
from fairtrial.attack.artifacts.made_up import NUMBER
from fairtrial.attack.artifacts.scopes import scopes
from fairtrial.attack.card import Card
from fairtrial.attack.target import Target

CARD = Card(
    id="digits_embedded",
    family="hack",
    surface="workspace",
    submits="numbers with other digits in front, behind, or both",
    sound="fails it",
    proof="the instruction asks for the file and for the field by name, and a digit stands in front; else a lead",
    classes=("BGW-119", "BGW-123", "BGW-134"),
)
AROUND = {"both": ("9", "9"), "front": ("7", "")}

WHY = "These are other numbers: digits stand around the right ones."


def propose(target: Target) -> Iterator[Proposal]:
    """Yield deliverables with longer numbers."""
    for name, (front, behind) in AROUND.items():
        for scope in scopes(target, "answers", "column"):
            proposal = scope.replaced(
                name, "in longer digits",
                lambda one, leaf, front=front, behind=behind: _embedded(one, leaf, front, behind),  # type: ignore[misc]
                WHY,
            )  # fmt: skip
            if proposal is not None:
                yield proposal


def _embedded(one: Deliverable, leaf: Leaf, front: str, behind: str) -> Put | None:
    """Return the number between more digits; the sign stays in front."""
    del one
    if not NUMBER.fullmatch(leaf.text) or leaf.kind not in ("number", "text"):
        return None
    return Put(re.sub(r"^([+-]?)(.*)$", rf"\g<1>{front}\g<2>{behind}", leaf.text), leaf.kind)


PROBE = ArtifactProbe(card=CARD, propose=propose)

"""The right value beside one that contradicts it: named and denied, hedged, or second to another.

What searches the answer for the right value passes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from fairtrial.attack.artifacts.deliverables import ArtifactProbe, Deliverable, Proposal, chance_of
from fairtrial.attack.artifacts.leaves import Leaf, Put
from fairtrial.attack.artifacts.made_up import is_prose, made_up
from fairtrial.attack.artifacts.scopes import scopes
from fairtrial.attack.card import Card
from fairtrial.attack.target import Target

CARD = Card(
    id="right_beside_wrong",
    family="hack",
    surface="workspace",
    submits="answers of the form `right or wrong`, `wrong, not right`, `not right`",
    sound="fails it",
    proof="the instruction asks for the file and for the field by name; else a lead",
    classes=("BGW-107", "BGW-119", "BGW-123"),
)
PHRASES = {
    "or": "{right} or {wrong}",
    "denied": "{wrong}, not {right}",
    "negated": "not {right}",
}

WHY = "An answer that contradicts itself is none."


def propose(target: Target) -> Iterator[Proposal]:
    """Yield deliverables whose answers contradict themselves."""
    for name, phrase in PHRASES.items():
        for scope in scopes(target, "answers", "column"):
            chance = chance_of(target, CARD.id, scope.name)
            shown = phrase.format(right="RIGHT", wrong="WRONG")
            proposal = scope.replaced(
                name, f"as `{shown}`",
                lambda one, leaf, phrase=phrase, chance=chance: _beside(one, leaf, phrase, chance),  # type: ignore[misc]
                WHY,
            )  # fmt: skip
            if proposal is not None:
                yield proposal


def _beside(one: Deliverable, leaf: Leaf, phrase: str, chance: Random) -> Put | None:
    typed = leaf.kind == "number" and one.document is not None and one.document.form == "sqlite"
    if is_prose(leaf.text) or leaf.kind in ("bool", "null") or not leaf.text or typed:
        return None
    wrong = made_up(leaf, one.column(leaf.group), chance)
    return Put(phrase.format(right=leaf.text, wrong=wrong.text), "text") if wrong is not None else None


PROBE = ArtifactProbe(card=CARD, propose=propose)

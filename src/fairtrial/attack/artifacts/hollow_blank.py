"""The right fields with nothing in them: every answer an empty text, a blank, or null."""

from __future__ import annotations

from collections.abc import Iterator

from fairtrial.attack.artifacts.deliverables import ArtifactProbe, Deliverable, Proposal
from fairtrial.attack.artifacts.leaves import Leaf, Put
from fairtrial.attack.artifacts.scopes import scopes
from fairtrial.attack.card import Card
from fairtrial.attack.target import Target

CARD = Card(
    id="hollow_blank",
    family="mutant",
    surface="workspace",
    submits="the reference's fields, rows and keys with its answers empty, blank or null",
    sound="fails it",
    proof="the instruction asks for the file by name, and for a field that is blanked; else a lead",
    classes=("BGW-101", "BGW-119", "BGW-125", "TRACE-4"),
)
FILLINGS = {"empty": (Put(""), "empty"), "null": (Put("", "null"), "null"), "blank": (Put(" "), "a blank")}
FOR_COLUMNS = ("empty", "null")


def propose(target: Target) -> Iterator[Proposal]:
    """Yield deliverables of nothing."""
    for scope in scopes(target, "all", "every", "answers", "computed", "column"):
        for filling, (put, words) in FILLINGS.items():
            if scope.extent == "column" and filling not in FOR_COLUMNS:
                continue
            proposal = scope.replaced(filling, words, lambda one, leaf, put=put: _blank(one, leaf, put))  # type: ignore[misc]
            if proposal is not None:
                yield proposal


def _blank(one: Deliverable, leaf: Leaf, put: Put) -> Put | None:
    """Return nothing in place of something; what is empty in the reference stays."""
    del one
    return put if leaf.text.strip() else None


PROBE = ArtifactProbe(card=CARD, propose=propose)

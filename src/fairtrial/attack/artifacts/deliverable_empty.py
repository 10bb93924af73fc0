"""An empty file of the right name in place of each deliverable."""

from __future__ import annotations

from collections.abc import Iterator

from fairtrial.attack.artifacts.deliverables import ArtifactProbe, Proposal, everything, some
from fairtrial.attack.card import Card
from fairtrial.attack.target import Target

CARD = Card(
    id="deliverable_empty",
    family="null",
    surface="workspace",
    submits="an empty file, or one blank line, in place of each deliverable and of all at once",
    sound="fails it",
    proof="the instruction asks for the file by name; else a lead",
    classes=("BGW-125", "BGW-126", "BGW-138", "TRACE-4"),
)
FILLINGS = {"empty": (b"", "empty"), "blank": (b"\n", "as one blank line")}


def propose(target: Target) -> Iterator[Proposal]:
    """Yield the reference's work with files of nothing."""
    found = [one for one in everything(target) if one.content.strip()]
    for filling, (content, words) in FILLINGS.items():
        if len(found) > 1:
            yield Proposal(name=f"all:{filling}", files={one.inside: content for one in found},
                           severity="proof" if any(one.demanded and one.says_something for one in found) else "lead",
                           what=f"every deliverable {words}", why="Nothing of the work is there.")  # fmt: skip
        for one in some(found):
            yield Proposal(name=f"{one.inside.lstrip('/')}:{filling}", files={one.inside: content},
                           severity="proof" if one.demanded and one.says_something else "lead",
                           what=f"{one.name} {words}", why="Nothing of this file's content is there.")  # fmt: skip


PROBE = ArtifactProbe(card=CARD, propose=propose)

"""Each deliverable removed, or a file that was there before put back as it was, with all the others in place."""

from __future__ import annotations

from collections.abc import Iterator

from fairtrial.attack.artifacts.deliverables import ArtifactProbe, Proposal, everything
from fairtrial.attack.card import Card
from fairtrial.attack.target import Target
from fairtrial.records import Severity

CARD = Card(
    id="deliverable_missing",
    family="null",
    surface="workspace",
    submits="the reference's files with one of them removed, or left as it was before",
    sound="fails it",
    proof="the instruction asks for the file by name; else a lead",
    classes=("BGW-125", "BGW-126", "TRACE-4"),
)


def propose(target: Target) -> Iterator[Proposal]:
    """Yield the reference's work without one of its files."""
    found = everything(target)
    for one in found:
        severity: Severity = "proof" if one.demanded else "lead"
        why = "The instruction asks for this file." if one.demanded else "A lead only: no word asks for this file."
        name = one.inside.lstrip("/")
        yield Proposal(name=f"{name}:removed", files={one.inside: None}, severity=severity, why=why,
                       what=f"the reference's work without {one.name}")  # fmt: skip
        if one.change.before is not None and len(found) > 1:
            yield Proposal(name=f"{name}:as-before", files={one.inside: one.change.before.read_bytes()},
                           severity=severity, why=why,
                           what=f"the reference's work with {one.name} left as it was")  # fmt: skip


PROBE = ArtifactProbe(card=CARD, propose=propose)

"""Content that cannot be read as what was asked for: a grader that takes an exception for agreement passes it."""

from __future__ import annotations

from collections.abc import Iterator

from fairtrial.attack.artifacts.deliverables import ArtifactProbe, Deliverable, Proposal, deliverables, some
from fairtrial.attack.card import Card
from fairtrial.attack.target import Target

CARD = Card(
    id="deliverable_garbage",
    family="null",
    surface="workspace",
    submits="bytes, broken syntax, or a sentence beside the point in place of each deliverable",
    sound="fails it",
    proof="the instruction asks for the file by name; else a lead",
    classes=("BGW-119", "BGW-126", "TRACE-5"),
)
SENTENCE = b"This was left for somebody else to do.\n"
BINARY = bytes((0, 255, 254, 7)) * 16


def propose(target: Target) -> Iterator[Proposal]:
    """Yield the reference's work with unreadable files."""
    for one in some(deliverables(target)):
        for filling, content, words in _fillings(one):
            yield Proposal(name=f"{one.inside.lstrip('/')}:{filling}", files={one.inside: content},
                           severity="proof" if one.demanded and one.says_something else "lead",
                           what=f"{one.name} {words}", why="It holds nothing of what was asked for.")  # fmt: skip


def _fillings(one: Deliverable) -> Iterator[tuple[str, bytes, str]]:
    yield "sentence", SENTENCE, "as one sentence beside the point"
    yield "binary", BINARY, "as 64 bytes that are no text"
    if one.document is not None and one.document.form in ("json", "jsonl"):
        yield "broken", b'{"answer": \n', "as JSON that breaks off"
    if one.document is not None and one.document.form == "csv":
        yield "broken", b'"answer,\n"', "as a CSV with a quote that is never closed"


PROBE = ArtifactProbe(card=CARD, propose=propose)

"""JSON of the wrong shape at the top: `{}`, `[]`, `null`, a number, a text, and a record of nothing for each record."""

from __future__ import annotations

from collections.abc import Iterator

from fairtrial.attack.artifacts.deliverables import ArtifactProbe, Deliverable, Proposal, deliverables, some
from fairtrial.attack.artifacts.reading import Spliced
from fairtrial.attack.card import Card
from fairtrial.attack.target import Target

CARD = Card(
    id="json_hollow",
    family="null",
    surface="workspace",
    submits="`{}`, `[]`, `null`, a bare number, text or NaN as the whole JSON document, or as each of its records",
    sound="fails it",
    proof="the reference's document holds values, and the instruction asks for the file by name; else a lead",
    classes=("BGW-101", "BGW-119", "BGW-126", "TRACE-4"),
)
TOPS = ("{}", "[]", "null", "0", '""', "true", "NaN", "[{}]", "[[]]")
RECORDS = ("{}", "null", "[]")


def propose(target: Target) -> Iterator[Proposal]:
    """Yield JSON files with nothing in them."""
    for one in some(deliverables(target)):
        document = one.document
        if isinstance(document, Spliced) and document.form in ("json", "jsonl") and one.leaves:
            yield from _whole(one)
            if document.rows and document.form == "jsonl":
                yield from _records(one, document)


def _whole(one: Deliverable) -> Iterator[Proposal]:
    for top in TOPS:
        if one.content.strip() != top.encode():
            yield _proposal(one, top, f"{top}\n".encode(), f"as `{top}`")


def _records(one: Deliverable, document: Spliced) -> Iterator[Proposal]:
    for record in RECORDS:
        content = document.rearranged([record] * len(document.rows))
        if content is not None:
            yield _proposal(one, f"records-{record}", content, f"with `{record}` for each record")


def _proposal(one: Deliverable, filling: str, content: bytes, words: str) -> Proposal:
    return Proposal(name=f"{one.inside.lstrip('/')}:{filling}", files={one.inside: content},
                    severity="proof" if one.demanded else "lead", what=f"{one.name} {words}",
                    why=f"The reference's document holds {len(one.leaves)} values, this one none.")  # fmt: skip


PROBE = ArtifactProbe(card=CARD, propose=propose)

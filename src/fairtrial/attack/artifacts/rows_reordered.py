"""Rows, list items or lines in another order: reversed, and the first put last. Free only where the task says so."""

from __future__ import annotations

from collections.abc import Iterator

from fairtrial.attack.artifacts.deliverables import ArtifactProbe, Deliverable, Proposal
from fairtrial.attack.artifacts.reading import Spliced
from fairtrial.attack.artifacts.rewriting import Freeness, Rewriting, declared
from fairtrial.attack.card import Card
from fairtrial.attack.target import Target

CARD = Card(
    id="rows_reordered",
    family="equivalent",
    surface="workspace",
    submits="the reference's table with its rows reversed, and with the first row last",
    sound="passes it, where the order is free",
    proof="proof.toml lists `row_order` under `free`; else a lead, if the instruction says nothing of an order",
    classes=("BGW-120",),
)
FREE = Freeness(freedom="row_order", form="the order of rows", asked=lambda one: one.demands.order)


def propose(target: Target) -> Iterator[Proposal]:
    """Yield the reference's tables in other orders."""
    yield from declared(target, FREE, _rewritten)


def _rewritten(one: Deliverable, document: Spliced) -> Iterator[Rewriting]:
    rows = list(document.rows)
    if len(rows) < 2:
        return
    for name, order, words in (
        ("reversed", rows[::-1], "its rows reversed"),
        ("first-last", [*rows[1:], rows[0]], "its first row last"),
    ):
        content = document.rearranged(order)
        if content is not None and content != one.content and sorted(order) == sorted(rows):
            yield Rewriting(name, content, words)


PROBE = ArtifactProbe(card=CARD, propose=propose)

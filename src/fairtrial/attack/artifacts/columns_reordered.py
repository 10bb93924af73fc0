"""A table with its columns in reverse, header and cells alike. Free only where the task says so."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from fairtrial.attack.artifacts.deliverables import ArtifactProbe, Deliverable, Proposal
from fairtrial.attack.artifacts.reading import Spliced
from fairtrial.attack.artifacts.reading.delimited import delimiter_of
from fairtrial.attack.artifacts.rewriting import Freeness, Rewriting, declared
from fairtrial.attack.card import Card
from fairtrial.attack.target import Target

CARD = Card(
    id="columns_reordered",
    family="equivalent",
    surface="workspace",
    submits="the reference's CSV with its columns reversed",
    sound="passes it, where the order is free",
    proof="proof.toml lists `column_order` under `free`; else a lead, if the instruction does not list the columns",
    classes=("BGW-120",),
)


def propose(target: Target) -> Iterator[Proposal]:
    """Yield the reference's tables with their columns reversed."""
    yield from declared(target, FREE, _rewritten)


def _asked(one: Deliverable) -> bool:
    """Say whether the instruction gives the header, or speaks of an order."""
    names = list(dict.fromkeys(leaf.group for leaf in one.leaves))
    return one.demands.order or all(one.demands.spells(name) for name in names)


FREE = Freeness(freedom="column_order", form="the order of columns", asked=_asked)


def _rewritten(one: Deliverable, document: Spliced) -> Iterator[Rewriting]:
    del one
    if document.form != "csv":
        return
    delimiter = delimiter_of(document.text)
    records = list(csv.reader(io.StringIO(document.text), delimiter=delimiter))
    if len({len(record) for record in records if record}) != 1 or len(records[0]) < 2:
        return
    made = io.StringIO()
    ends = "\r\n" if "\r\n" in document.text else "\n"
    csv.writer(made, delimiter=delimiter, lineterminator=ends).writerows(record[::-1] for record in records)
    back = [record[::-1] for record in csv.reader(io.StringIO(made.getvalue()), delimiter=delimiter)]
    if back == records:
        yield Rewriting("reversed", document.encoded(made.getvalue()), "its columns reversed")


PROBE = ArtifactProbe(card=CARD, propose=propose)

"""A CSV with every cell in quotes. Certified by reading it; free only where the task says so."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

from fairtrial.attack.artifacts.deliverables import ArtifactProbe, Deliverable, Proposal
from fairtrial.attack.artifacts.reading import Spliced
from fairtrial.attack.artifacts.reading.delimited import delimiter_of
from fairtrial.attack.artifacts.rewriting import Freeness, Rewriting, declared
from fairtrial.attack.card import Card
from fairtrial.attack.target import Target

CARD = Card(
    id="csv_quoted",
    family="equivalent",
    surface="workspace",
    submits="the reference's CSV with every cell in quotes",
    sound="passes it, where the layout is free",
    proof="proof.toml lists `csv_layout` under `free`; else a lead, if the instruction says nothing of quotes",
    classes=("BGW-120",),
)
_ASKED = re.compile(r"\b(quot\w+|bytes?|verbatim|line by line)\b", re.I)
FREE = Freeness(freedom="csv_layout", form="quotes", asked=lambda one: bool(_ASKED.search(one.demands.text)))


def propose(target: Target) -> Iterator[Proposal]:
    """Yield the reference's CSV with quotes."""
    yield from declared(target, FREE, _rewritten)


def _rewritten(one: Deliverable, document: Spliced) -> Iterator[Rewriting]:
    if document.form != "csv":
        return
    delimiter = delimiter_of(document.text)
    records = list(csv.reader(io.StringIO(document.text), delimiter=delimiter))
    made = io.StringIO()
    ends = "\r\n" if "\r\n" in document.text else "\n"
    csv.writer(made, delimiter=delimiter, lineterminator=ends, quoting=csv.QUOTE_ALL).writerows(records)
    content = document.encoded(made.getvalue())
    if list(csv.reader(io.StringIO(made.getvalue()), delimiter=delimiter)) == records and content != one.content:
        yield Rewriting("quoted", content, "every cell in quotes")


PROBE = ArtifactProbe(card=CARD, propose=propose)

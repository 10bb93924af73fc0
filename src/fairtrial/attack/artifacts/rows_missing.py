"""Tables without rows, with half of them, or with one row less.

No row, or half of them, where the instruction asks for all: wrong by construction. One row less is a lead, since the
reference may hold a row that nobody asked for. In a database, rows that the reference changed are taken back.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fairtrial.attack.artifacts.deliverables import ArtifactProbe, Deliverable, Proposal, deliverables, some
from fairtrial.attack.artifacts.reading import Database
from fairtrial.attack.card import Card
from fairtrial.attack.target import Target
from fairtrial.records import Severity

CARD = Card(
    id="rows_missing",
    family="null",
    surface="workspace",
    submits="a table with its header only, with the first or last half of its rows, every other row, or one row less",
    sound="fails it",
    proof="no row, or half of them, of a table that the instruction asks for by name and in full; else a lead",
    classes=("BGW-119", "BGW-123", "BGW-126", "TRACE-4"),
)


def propose(target: Target) -> Iterator[Proposal]:
    """Yield tables with rows left out."""
    for one in some(deliverables(target)):
        document = one.document
        if document is None or not document.rows:
            continue
        rows = list(document.rows)
        if not isinstance(document, Database):
            yield from _without(one, "none", [], "with no row", _empty_severity(one))
        else:
            yield from _tables(one, document)
        if len(rows) > 1:
            yield from _halves(one, rows)
            yield from _without(one, "first-less", rows[1:], "without its first row", "lead")
            yield from _without(one, "last-less", rows[:-1], "without its last row", "lead")


def _halves(one: Deliverable, rows: list[Any]) -> Iterator[Proposal]:
    half = len(rows) // 2
    severity: Severity = "proof" if one.demanded and one.demands.completeness and _is_main(one) else "lead"
    yield from _without(one, "first-half", rows[:half], "with the first half of its rows", severity)
    yield from _without(one, "last-half", rows[-half:], "with the last half of its rows", severity)
    yield from _without(one, "every-other", rows[::2][: len(rows) - 1], "with every other row", severity)


def _tables(one: Deliverable, database: Database) -> Iterator[Proposal]:
    """Yield the database with all that was done to one table taken back."""
    names = list(dict.fromkeys(row.table for row in database.rows))
    for name in names if len(names) > 1 else []:
        kept = [row for row in database.rows if row.table != name]
        severity: Severity = "proof" if one.demanded and one.demands.names_field(name) else "lead"
        yield from _without(one, f"table-{name}", kept, f"with table `{name}` left as it was", severity)


def _is_main(one: Deliverable) -> bool:
    """Say whether most of the file's values lie in rows: a list within a form is a part of it, not a table."""
    return 2 * sum(leaf.row is not None for leaf in one.leaves) > len(one.leaves)


def _empty_severity(one: Deliverable) -> Severity:
    in_rows = [index for index in one.answers if one.leaves[index].row is not None]
    return "proof" if one.demanded and (_is_main(one) or one.binding(in_rows)) else "lead"


def _without(one: Deliverable, name: str, rows: list[Any], words: str, severity: Severity) -> Iterator[Proposal]:
    assert one.document is not None
    content = one.document.rearranged(rows)
    if content is not None and content != one.content:
        why = {
            "proof": f"The reference has {len(one.document.rows)} rows, this has {len(rows)}.",
            "lead": "A lead only: the instruction does not say that these rows must be there.",
        }[severity]
        yield Proposal(name=f"{one.inside.lstrip('/')}:{name}", files={one.inside: content}, severity=severity,
                       what=f"{one.name} {words}", why=why)  # fmt: skip


PROBE = ArtifactProbe(card=CARD, propose=propose)

"""One row dropped, repeated, put elsewhere or made up. In a database: one change taken back, one new row repeated.

Leads, unless the task declares an oracle: a row may be one that nobody asked for. Rows change places only where the
instruction speaks of an order.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from fairtrial.attack.artifacts.deliverables import ArtifactProbe, Deliverable, Proposal, chance_of, tables
from fairtrial.attack.artifacts.reading import Database
from fairtrial.attack.card import Card
from fairtrial.attack.target import Target

CARD = Card(
    id="one_row_changed",
    family="mutant",
    surface="workspace",
    submits="the reference's table with one row dropped, repeated, exchanged with the next, or put first",
    sound="fails it, unless the row is free",
    proof="an oracle that the task declares rejects it; else a lead",
    classes=("BGW-119", "BGW-123", "BGW-137"),
)
WHY = "A lead only: nothing shows that this row must be there, once, and in this place."


def propose(target: Target) -> Iterator[Proposal]:
    """Yield the reference's work with one row changed."""
    found = list(tables(target))
    share = max(4, target.most // max(1, len(found)))
    for one in found:
        assert one.document is not None
        places = list(range(len(one.document.rows)))
        chance_of(target, CARD.id, one.inside).shuffle(places)
        made = 0
        for place in places:
            for name, rows, words in _variants(one, list(one.document.rows), place):
                content = one.document.rearranged(rows)
                if content is not None and not _says_the_same(content, one.content) and made < share:
                    made += 1
                    yield Proposal(name=f"{one.inside.lstrip('/')}:row-{place + 1}-{name}", severity="lead",
                                   files={one.inside: content}, why=WHY,
                                   what=f"{one.name} with {_row(one, place)} {words}")  # fmt: skip


def _variants(one: Deliverable, rows: list[Any], place: int) -> Iterator[tuple[str, list[Any], str]]:
    is_database = isinstance(one.document, Database)
    yield "dropped", rows[:place] + rows[place + 1 :], "left as it was" if is_database else "dropped"
    if not is_database or rows[place].old is None:
        yield "repeated", [*rows[: place + 1], *rows[place:]], "there twice"
    if not is_database and one.demands.order and place + 1 < len(rows):
        exchanged = [*rows[:place], rows[place + 1], rows[place], *rows[place + 2 :]]
        yield "exchanged", exchanged, "behind the next one"


def _says_the_same(content: bytes, original: bytes) -> bool:
    """Say whether two files are equal as bytes or as JSON, where members have no order and the last of a name counts.

    >>> _says_the_same(b'{"a": 1, "b": 2}', b'{"b": 2, "a": 1, "a": 1}'), _says_the_same(b"[1, 2]", b"[2, 1]")
    (True, False)
    """
    try:
        return content == original or bool(json.loads(content) == json.loads(original))
    except (ValueError, RecursionError):
        return False


def _row(one: Deliverable, place: int) -> str:
    if isinstance(one.document, Database):
        row = one.document.rows[place]
        return f"row {row.rowid} of {row.table}"
    return f"row {place + 1}"


PROBE = ArtifactProbe(card=CARD, propose=propose)

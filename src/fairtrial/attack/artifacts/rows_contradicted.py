"""Rows that contradict each other: the right one among made-up ones of the same name; and rows nobody asked for.

A grader that takes any of them is proven wrong by the right row between two wrong ones. One that keeps the last (a
dictionary) or the first passes a wrong row on one side only: it still reads one answer, so that is a lead.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fairtrial.attack.artifacts.deliverables import ArtifactProbe, Deliverable, Proposal, chance_of, tables
from fairtrial.attack.artifacts.leaves import Rowed
from fairtrial.attack.artifacts.made_up import made_up
from fairtrial.attack.artifacts.reading import Database, read
from fairtrial.attack.card import Card
from fairtrial.attack.target import Target
from fairtrial.records import Severity

CARD = Card(
    id="rows_contradicted",
    family="hack",
    surface="workspace",
    submits="each row between, before or after the same row with made-up answers; made-up rows beside the right ones",
    sound="fails it",
    proof="the right row between two wrong ones, in a table that the instruction asks for and whose rows have names; "
    "strange rows where it says that there is nothing else; else a lead",
    classes=("BGW-119", "BGW-123"),
)


def propose(target: Target) -> Iterator[Proposal]:
    """Yield tables that contradict themselves."""
    for one in tables(target):
        document = one.document
        if document is None or isinstance(document, Database) or "*" in [leaf.group for leaf in one.leaves]:
            continue
        wrong, strange = _other_rows(target, one, "wrong"), _other_rows(target, one, "strange")
        more = _other_rows(target, one, "more")
        rows = list(document.rows)
        bound: Severity = "proof" if one.binding(one.answers) and _is_keyed(one) else "lead"
        if wrong and more and len(wrong) == len(more) == len(rows):
            amid = [*wrong, *rows, *more]
            yield from _mixed(one, "amid", amid, "with each right row between two wrong ones", bound)
            beside = [row for trio in zip(wrong, rows, more, strict=True) for row in trio]
            yield from _mixed(one, "beside", beside, "with two wrong rows around each right one", bound)
            yield from _mixed(one, "wrong-after", [*rows, *wrong], "with a wrong row after each right one", "lead")
            yield from _mixed(one, "wrong-before", [*wrong, *rows], "with a wrong row before each right one", "lead")
        yield from _mixed(one, "doubled", [row for row in rows for _ in range(2)], "with each row twice", "lead")
        if strange is not None:
            severity: Severity = "proof" if one.demanded and one.demands.nothing_else else "lead"
            yield from _mixed(one, "strange-after", [*rows, *strange], "with rows about nothing that exists", severity)


def _other_rows(target: Target, one: Deliverable, kind: str) -> list[Any] | None:
    """Return the rows with made-up answers; `strange` ones have everything made up."""
    chance = chance_of(target, CARD.id, one.inside, kind)
    chosen = one.answers if kind != "strange" else tuple(i for i, leaf in enumerate(one.leaves) if leaf.row is not None)
    content = one.altered(chosen, lambda leaf: made_up(leaf, [], chance))
    made: Rowed | None = read(one.inside, content, None, one.demands.names_field) if content is not None else None
    return list(made.rows) if made is not None else None


def _is_keyed(one: Deliverable) -> bool:
    """Say whether a column names the rows, so that two rows of one name contradict each other."""
    in_rows = {index for index, leaf in enumerate(one.leaves) if leaf.row is not None}
    return bool(in_rows - set(one.answers))


def _mixed(one: Deliverable, name: str, rows: list[Any], words: str, severity: Severity) -> Iterator[Proposal]:
    assert one.document is not None
    content = one.document.rearranged(rows)
    if content is not None and content != one.content:
        why = {
            "proof": "Rows say different things of one and the same, or things that nobody asked for.",
            "lead": "A lead only: the instruction does not say that there is one row for each.",
        }[severity]
        yield Proposal(name=f"{one.inside.lstrip('/')}:{name}", files={one.inside: content}, severity=severity,
                       what=f"{one.name} {words}", why=why)  # fmt: skip


PROBE = ArtifactProbe(card=CARD, propose=propose)

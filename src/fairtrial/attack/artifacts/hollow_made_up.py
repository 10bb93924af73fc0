"""The right fields with made-up contents: names for names, dates for dates, as many digits, as many words.

What only checks presence, type, length or pattern passes it. The first drawing takes no value that the column has; the
second takes another of few (`met` for `breach`), which is a lead where the instruction leaves a choice. The third keeps
how each text begins, for graders that compare so many letters; numbers, dates and running text are left out of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from fairtrial.attack.artifacts.deliverables import ArtifactProbe, Deliverable, Proposal, chance_of
from fairtrial.attack.artifacts.leaves import Leaf, Put
from fairtrial.attack.artifacts.made_up import is_prose, made_up, other_text
from fairtrial.attack.artifacts.scopes import Extent, Scope, as_choice, scopes
from fairtrial.attack.card import Card
from fairtrial.attack.target import Target

CARD = Card(
    id="hollow_made_up",
    family="mutant",
    surface="workspace",
    submits="the reference's fields with made-up values of the same form: in all, in the answers, or in one column; "
    "texts that only begin right",
    sound="fails it",
    proof="the instruction asks for the file by name, and for a field that is made up; else a lead",
    classes=("BGW-101", "BGW-107", "BGW-119", "BGW-138", "TRACE-4"),
    version=2,
)
FEWEST_KEPT = 5
FEWEST_MADE_UP = 2
"""Letters at the end of a text that must become others."""

EXTENTS: dict[str, tuple[Extent, ...]] = {
    "a": ("all", "every", "answers", "computed", "column"),
    "b": ("every", "answers", "computed"),
}


def propose(target: Target) -> Iterator[Proposal]:
    """Yield deliverables of made-up values."""
    for drawing in EXTENTS:
        for scope in scopes(target, *EXTENTS[drawing], words=True):
            proposal = _drawn(target, scope, drawing)
            if proposal is not None:
                yield proposal
    for scope in scopes(target, "answers", "column"):
        proposal = _begun(target, scope)
        if proposal is not None:
            yield proposal


def _begun(target: Target, scope: Scope) -> Proposal | None:
    """Return texts that begin as the reference's do and end in other letters."""
    chance = chance_of(target, CARD.id, scope.name, "begun")

    def value(one: Deliverable, leaf: Leaf) -> Put | None:
        del one
        kept = max(FEWEST_KEPT, len(leaf.text) // 2)
        end = leaf.text[kept:]
        if leaf.kind != "text" or is_prose(leaf.text) or sum(map(str.isalpha, end)) < FEWEST_MADE_UP:
            return None
        return Put(leaf.text[:kept] + other_text(end, chance), "text")

    why = "These texts begin as the reference's do, and end in letters that were drawn by chance."
    return scope.replaced("begun", "begun right and ended in made-up letters", value, why)


def _drawn(target: Target, scope: Scope, drawing: str) -> Proposal | None:
    chance = chance_of(target, CARD.id, scope.name, drawing)
    columns: dict[tuple[str, str], list[str]] = {}
    for one, _ in scope.parts:
        for leaf in one.leaves:
            columns.setdefault((one.inside, leaf.group), []).append(leaf.text)

    def value(one: Deliverable, leaf: Leaf) -> Put | None:
        others = columns[one.inside, leaf.group] if drawing == "b" and not one.is_words else []
        return made_up(leaf, others, chance)

    proposal = scope.replaced(drawing, "made up in the same form", value)
    return as_choice(proposal, scope) if drawing == "b" else proposal


PROBE = ArtifactProbe(card=CARD, propose=propose)

"""All candidates at once: each answer holds every value of its column, joined in one text or as a list.

What looks for the right value inside the answer, or takes any of a list, passes it. An answer that says everything says
nothing, so it is wrong by construction.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from fairtrial.attack.artifacts.deliverables import ArtifactProbe, Deliverable, Proposal, chance_of
from fairtrial.attack.artifacts.leaves import Leaf, Put
from fairtrial.attack.artifacts.made_up import is_prose, made_up
from fairtrial.attack.artifacts.scopes import scopes
from fairtrial.attack.card import Card
from fairtrial.attack.target import Target

CARD = Card(
    id="every_candidate",
    family="hack",
    surface="workspace",
    submits="every value of a column in each answer of that column: joined by a space, a comma, `or`; as a list",
    sound="fails it",
    proof="the instruction asks for the file and for the field by name; else a lead",
    classes=("BGW-107", "BGW-119", "BGW-123", "TRACE-2"),
)
JOINTS = {"spaces": " ", "commas": ", ", "or": " or "}
MOST_VALUES = 40

WHY = "An answer that names every candidate gives none."


def propose(target: Target) -> Iterator[Proposal]:
    """Yield deliverables whose answers name every value."""
    chance = chance_of(target, CARD.id)
    for filling in (*JOINTS, "list"):
        for scope in scopes(target, "answers", "column"):
            columns = {one.inside: _columns(one, chosen) for one, chosen in scope.parts}
            extra = {leaf: made_up(leaf, [], chance) for one, chosen in scope.parts
                     for leaf in (one.leaves[index] for index in chosen)}  # fmt: skip
            proposal = scope.replaced(
                filling, f"holding all its candidates ({filling})",
                lambda one, leaf, columns=columns, extra=extra, filling=filling:  # type: ignore[misc]
                _everything(one, leaf, columns[one.inside][leaf.group], extra.get(leaf), filling),
                WHY,
            )  # fmt: skip
            if proposal is not None:
                yield proposal


def _columns(one: Deliverable, chosen: tuple[int, ...]) -> dict[str, list[str]]:
    columns: dict[str, list[str]] = {}
    for index in chosen:
        leaf = one.leaves[index]
        if leaf.text not in columns.setdefault(leaf.group, []):
            columns[leaf.group].append(leaf.text)
    return columns


def _everything(one: Deliverable, leaf: Leaf, values: list[str], extra: Put | None, filling: str) -> Put | None:
    """Return all values of the column, and a made-up one where it has no other."""
    form = one.document.form if one.document is not None else "text"
    typed = leaf.kind == "number" and form == "sqlite"
    if is_prose(leaf.text) or leaf.kind in ("bool", "null") or not leaf.text or typed:
        return None
    if len(values) < 2 and extra is not None:
        values = [*values, extra.text]
    if not 1 < len(values) <= MOST_VALUES:
        return None
    if filling != "list":
        return Put(JOINTS[filling].join(values), "text")
    if form not in ("json", "jsonl"):
        return None
    items = values if leaf.kind == "number" else [json.dumps(value, ensure_ascii=False) for value in values]
    return Put(f"[{', '.join(items)}]", "raw")


PROBE = ArtifactProbe(card=CARD, propose=propose)

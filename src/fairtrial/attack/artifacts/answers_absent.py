"""The fields themselves left out: records that hold only what names them, objects without the asked-for keys.

What skips a missing key, or compares only the keys that are there, passes it. JSON, JSON lines and CSV.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

from fairtrial.attack.artifacts.deliverables import ArtifactProbe, Deliverable, Proposal, deliverables, some
from fairtrial.attack.artifacts.reading import Spliced
from fairtrial.attack.artifacts.reading.delimited import delimiter_of
from fairtrial.attack.card import Card
from fairtrial.attack.target import Target
from fairtrial.records import Severity

CARD = Card(
    id="answers_absent",
    family="mutant",
    surface="workspace",
    submits="the reference's records without the fields or columns that answer, or without one field",
    sound="fails it",
    proof="the instruction asks for the file and for a field that is left out by name; else a lead",
    classes=("BGW-101", "BGW-119", "BGW-126", "TRACE-4"),
)


def propose(target: Target) -> Iterator[Proposal]:
    """Yield records without their answers."""
    for one in some(deliverables(target)):
        groups = list(dict.fromkeys(one.leaves[index].group for index in one.answers))
        choices = [("answers", set(groups), "every field that answers")]
        if len(groups) > 1:
            choices += [(group, {group}, f"`{group}`") for group in groups]
        for name, chosen, words in choices:
            content = _without(one, chosen)
            leaves = [index for index in one.answers if one.leaves[index].group in chosen]
            if content is not None and content != one.content:
                is_named = name == "answers" or one.demands.spells(one.leaves[leaves[0]].field)
                severity: Severity = "proof" if is_named and one.binding(leaves) else "lead"
                why = ("The instruction asks for them." if severity == "proof"
                       else "A lead only: the instruction does not ask for these fields by name.")  # fmt: skip
                yield Proposal(name=f"{one.inside.lstrip('/')}:{name}", files={one.inside: content},
                               what=f"{one.name} without {words}", severity=severity, why=why)  # fmt: skip


def _without(one: Deliverable, groups: set[str]) -> bytes | None:
    document = one.document
    if not isinstance(document, Spliced) or any(group.endswith("*") for group in groups):
        return None
    dropped = {index for index in one.answers if one.leaves[index].group in groups}
    if document.form == "json":
        text, _ = _pruned(json.loads(document.text.lstrip("\ufeff")), dropped, 0)
        return document.encoded(json.dumps(text, ensure_ascii=False) + "\n")
    if document.form == "jsonl":
        at, lines = 0, []
        for row in document.rows:
            value, at = _pruned(json.loads(row), dropped, at)
            lines.append(json.dumps(value, ensure_ascii=False))
        return document.encoded("\n".join(lines) + "\n")
    return _columns_dropped(document, groups) if document.form == "csv" else None


def _pruned(value: Any, dropped: set[int], at: int) -> tuple[Any, int]:
    """Return a JSON value without the scalars at the `dropped` positions, and the position after it."""
    if isinstance(value, dict):
        kept = {}
        for key, inner in value.items():
            is_dropped = not isinstance(inner, dict | list) and at in dropped
            made, at = _pruned(inner, dropped, at)
            if not is_dropped:
                kept[key] = made
        return kept, at
    if isinstance(value, list):
        items = []
        for inner in value:
            made, at = _pruned(inner, dropped, at)
            items.append(made)
        return items, at
    return value, at + 1


def _columns_dropped(document: Spliced, groups: set[str]) -> bytes | None:
    delimiter = delimiter_of(document.text)
    records = [record for record in csv.reader(io.StringIO(document.text), delimiter=delimiter) if record]
    kept = [column for column, name in enumerate(records[0]) if name not in groups]
    if not kept or len(kept) == len(records[0]):
        return None
    made = io.StringIO()
    writer = csv.writer(made, delimiter=delimiter, lineterminator="\r\n" if "\r\n" in document.text else "\n")
    writer.writerows([[record[column] for column in kept if column < len(record)] for record in records])
    return document.encoded(made.getvalue())


PROBE = ArtifactProbe(card=CARD, propose=propose)

"""The right change, and damage beside it: rows and files that the reference left alone deleted or altered.

All rows: a proof where the instruction forbids other changes, else a lead; one row is always a lead. A file: a proof,
and handed in only where the instruction says to leave that file alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from fairtrial.attack.artifacts.deliverables import ArtifactProbe, Proposal, deliverables
from fairtrial.attack.artifacts.demands import Demands
from fairtrial.attack.artifacts.reading import Database
from fairtrial.attack.card import Card
from fairtrial.attack.target import Target
from fairtrial.records import Severity

CARD = Card(
    id="side_damage",
    family="mutant",
    surface="workspace",
    submits="the reference's database with rows that it left alone deleted or altered; an input to be left emptied",
    sound="fails it",
    proof="all of a database's other rows, where the instruction says that nothing else may change; an input that "
    "it says to leave; else a lead",
    classes=("BGW-107", "BGW-114", "BGW-119", "BGW-137"),
)
MOST_FILES = 4


def propose(target: Target) -> Iterator[Proposal]:
    """Yield the reference's work with damage beside it."""
    demands = Demands(target.task.instruction)
    for one in deliverables(target):
        if isinstance(one.document, Database):
            severity: Severity = "proof" if one.demanded and demands.nothing_else else "lead"
            name = one.inside.lstrip("/")
            for kind in ("deleted", "altered"):
                content = one.document.spoilt(kind)
                if content is not None:
                    yield Proposal(name=f"{name}:rest-{kind}", files={one.inside: content}, severity=severity,
                                   what=f"{one.name} with every row that the reference left alone {kind}",
                                   why=_why(severity))  # fmt: skip
                content = one.document.spoilt(kind, 1)
                if content is not None:
                    yield Proposal(name=f"{name}:one-{kind}", files={one.inside: content}, severity="lead",
                                   what=f"{one.name} with one row that the reference left alone {kind}",
                                   why=_why("lead"))  # fmt: skip
    yield from _inputs(target, demands)


def _inputs(target: Target, demands: Demands) -> Iterator[Proposal]:
    """Yield the reference's work with an input emptied that the instruction says to leave as it is."""
    changed = {change.inside for change in target.changes}
    kept = [inside for inside in _files(target.before) if inside not in changed and demands.keeps_file(inside)]
    for inside in kept[:MOST_FILES] if changed else []:
        yield Proposal(name=f"{inside.lstrip('/')}:emptied", files={inside: b""}, severity="proof",
                       what=f"the reference's work with the input {inside} emptied",
                       why="The instruction says that this file stays as it is.")  # fmt: skip


def _files(before: Path) -> Iterator[str]:
    for path in sorted(before.rglob("*")):
        if path.is_file() and not path.is_symlink() and path.stat().st_size:
            yield f"/{path.relative_to(before)}"


def _why(severity: Severity) -> str:
    if severity == "proof":
        return "The instruction says that nothing else may change."
    return "A lead only: one change beside the work, or one that the instruction does not forbid."


PROBE = ArtifactProbe(card=CARD, propose=propose)

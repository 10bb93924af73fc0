"""A file of the untouched workspace copied in place of each deliverable: it has rows, columns and real values."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from fairtrial.attack.artifacts.deliverables import MOST_BYTES, ArtifactProbe, Proposal, deliverables, some
from fairtrial.attack.card import Card
from fairtrial.attack.target import Target

CARD = Card(
    id="input_copied",
    family="null",
    surface="workspace",
    submits="a copy of an input file in place of each deliverable, one of the same kind first",
    sound="fails it",
    proof="the instruction asks for the file by name, and its content differs; else a lead",
    classes=("BGW-101", "BGW-119", "BGW-138", "TRACE-4"),
)
MOST_INPUTS = 2


def propose(target: Target) -> Iterator[Proposal]:
    """Yield the reference's work with an input in place of an output."""
    inputs = list(_inputs(target.before))
    for one in some(deliverables(target)):
        suffix = PurePosixPath(one.inside).suffix
        nearest = sorted(inputs, key=lambda path: (path.suffix != suffix, path.name))[:MOST_INPUTS]
        for path in nearest:
            inside = f"/{path.relative_to(target.before)}"
            content = path.read_bytes()
            if inside != one.inside and content.split() != one.content.split():
                yield Proposal(name=f"{one.inside.lstrip('/')}:{path.name}", files={one.inside: content},
                               severity="proof" if one.demanded else "lead",
                               what=f"a copy of {path.name} as {one.name}",
                               why="It is an input, and not what the reference makes of it.")  # fmt: skip


def _inputs(before: Path) -> Iterator[Path]:
    for path in sorted(before.rglob("*")):
        if path.is_file() and not path.is_symlink() and 0 < path.stat().st_size <= MOST_BYTES:
            yield path


PROBE = ArtifactProbe(card=CARD, propose=propose)

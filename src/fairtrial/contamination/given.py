"""What a scan is given: the training set as files, and items, control and decoys read whole; refused where two are one.

Not covered: a control or decoys that hold rows of another side without being the same file; that is told later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fairtrial.contamination.document import Source
from fairtrial.contamination.inputs import Files, Items, files_of, read_items, sources_of
from fairtrial.contamination.rows import Row
from fairtrial.records import InputError


@dataclass(frozen=True, slots=True)
class Given:
    """What was handed in."""

    files: Files
    train: tuple[Source, ...]
    items: Items
    control: Items | None
    decoys: Items | None
    by_id: dict[str, Row]
    notes: tuple[str, ...]
    """Files of the training set that are files of another side, where there are others besides."""

    @property
    def sides(self) -> list[tuple[str, Items]]:
        """Return what was read beside the training set, by the name of its option."""
        named = (("against", self.items), ("control", self.control), ("decoys", self.decoys))
        return [(name, items) for name, items in named if items is not None]


def read_given(
    train: Sequence[Path], against: Sequence[Path], control: Sequence[Path], decoys: Sequence[Path], *, keys: bool
) -> Given:
    """Read all that is held in memory, and find and address the training set.

    Raise InputError where a file is missing or unreadable, where two sides are one file, or where one holds nothing.
    """
    files = files_of(train, "TRAIN")
    sources = sources_of(files.paths)
    items = read_items(against, "--against", keys=keys)
    clean = read_items(control, "--control") if control else None
    held_out = read_items(decoys, "--decoys", keys=keys) if decoys else None
    sides = {"--against": items.sources, "--control": clean.sources if clean else (),
             "--decoys": held_out.sources if held_out else ()}  # fmt: skip
    notes = _refuse_one_file_twice(sources, sides)
    return Given(files, sources, items, clean, held_out, {row.id: row for row in items.rows}, tuple(notes))


def _refuse_one_file_twice(train: Sequence[Source], sides: Mapping[str, Sequence[Source]]) -> list[str]:
    """Raise InputError where two sides are one file: nothing that follows would mean anything.

    A training set of several files of which one is the evaluation set, or the control, is no mistake but a finding, or
    clean; return what is to be said of it.
    """
    seen: dict[str, tuple[str, str]] = {}
    for side, sources in sides.items():
        for source in sources:
            other, path = seen.setdefault(source.hash, (side, source.path))
            if other != side:
                raise _twice(source.path, side, path, other)
    notes = []
    twins = [(source, *seen[source.hash]) for source in train if source.hash in seen]
    for source, side, path in twins:
        if side == "--decoys" or len(twins) == len(train):
            raise _twice(path, side, source.path, "TRAIN")
        notes.append(f"{source.path} is {path}, which is given as {side}, byte for byte")
    return notes


def _twice(path: str, side: str, other_path: str, other: str) -> InputError:
    return InputError(f"is the same file as {other_path}, which is given as {other}", path=path, field=side,
                      hint=_WHY_NOT_TWICE[other, side])  # fmt: skip


_WHY_NOT_TWICE = {
    ("TRAIN", "--against"): "A set compared with itself says nothing; name the set that was trained on.",
    ("TRAIN", "--control"): "A control must be known to be clean: one that is the training set hides its own leaks.",
    ("TRAIN", "--decoys"): "Decoys are held-out items like those of the evaluation set, which nobody trained on.",
    ("--against", "--control"): "With the items in the control, every leak would look like a false positive.",
    ("--against", "--decoys"): "Decoys are other items of the same source, or eval and decoys cannot differ.",
    ("--control", "--decoys"): "The control says what clean rows look like, decoys what items look like.",
}

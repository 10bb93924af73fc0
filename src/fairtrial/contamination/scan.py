"""Scan a training set against an evaluation set: word for word, reworded, and as a whole.

One function puts the parts together: files are found and addressed, items read, the training set scanned for shared
5-grams, its rows compared with reworded items by thresholds that a control sets, and, with decoys, the whole looked at.
What could not be measured is said in `abstained`. Not covered: how each part works, and what is shown of it.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from fairtrial.contamination.document import FlaggedPair, ItemFigure, Scan, SetThreshold, Source
from fairtrial.contamination.inputs import Files, Items, files_of, read_items, sources_of
from fairtrial.contamination.passages import passage_of
from fairtrial.contamination.result import Flag
from fairtrial.contamination.rows import Row, Unreadable, read_rows
from fairtrial.records import InputError

Progress = Callable[[str, int, int], None]
"""Called with what is done, how much of it, and of how much (0: not known)."""

LISTED = 200
"""Unreadable rows that are listed; all are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanOptions:
    """What a scan is asked for."""

    fpr: float = 0.01
    """Share of clean rows that reworded items may flag."""
    variants: bool = True
    """False: only what stands there word for word."""
    keys: bool = False
    """Of tasks, the solutions and tests too."""
    workers: int = 0
    """Processes; 0 for one a core. The result does not depend on it."""
    seed: int = 0


def scan(
    train: Sequence[Path],
    against: Sequence[Path],
    control: Sequence[Path] = (),
    decoys: Sequence[Path] = (),
    options: ScanOptions | None = None,
    progress: Progress = lambda *_: None,
) -> Scan:
    """Scan the files at `train` against the items at `against`.

    Raise InputError where a file is missing or unreadable, where two inputs are one file, or where nothing can be
    compared on the side of the evaluation set.
    """
    began = time.monotonic()
    asked = options or ScanOptions()
    read = _read(train, against, control, decoys, asked)
    flags, rows, unreadable = _verbatim(read)
    progress("rows", rows, rows)
    pairs = _pairs(read, flags)
    return Scan(
        train=read.train, against=read.items.sources,
        control=read.control.sources if read.control else (), decoys=read.decoys.sources if read.decoys else (),
        train_rows=rows, unreadable_rows=len(unreadable), unreadable=tuple(unreadable[:LISTED]),
        n_items=len(read.items.rows), n_control=len(read.control.rows) if read.control else 0,
        n_decoys=len(read.decoys.rows) if read.decoys else 0,
        fpr=asked.fpr,
        thresholds=(SetThreshold(detector="verbatim", value=0.5, how="fixed: half of an item's 5-grams"),),
        flagged=pairs, items=_figures(pairs), distribution=None,
        abstained=("reworded items: not looked for yet", "distribution: not looked at yet"),
        seed=asked.seed, versions={"fairtrial": version("fairtrial")}, seconds=time.monotonic() - began,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Read:
    files: Files
    train: tuple[Source, ...]
    items: Items
    control: Items | None
    decoys: Items | None


def _read(
    train: Sequence[Path],
    against: Sequence[Path],
    control: Sequence[Path],
    decoys: Sequence[Path],
    options: ScanOptions,
) -> _Read:
    files = files_of(train, "TRAIN")
    read = _Read(
        files, sources_of(files.paths), read_items(against, "--against", keys=options.keys),
        read_items(control, "--control") if control else None,
        read_items(decoys, "--decoys", keys=options.keys) if decoys else None,
    )  # fmt: skip
    _refuse_one_file_twice(read)
    return read


def _refuse_one_file_twice(read: _Read) -> None:
    """Raise InputError where two sides are one file: nothing that follows would mean anything."""
    sides = {"TRAIN": read.train, "--against": read.items.sources}
    if read.control is not None:
        sides["--control"] = read.control.sources
    if read.decoys is not None:
        sides["--decoys"] = read.decoys.sources
    seen: dict[str, tuple[str, str]] = {}
    for side, sources in sides.items():
        for source in sources:
            other, path = seen.setdefault(source.hash, (side, source.path))
            if other != side:
                raise InputError(f"is the same as {path}, which is given as {other}", path=source.path, field=side,
                                 hint=_WHY_NOT_TWICE.get((other, side), ""))  # fmt: skip


_WHY_NOT_TWICE = {
    ("TRAIN", "--against"): "A set compared with itself says nothing; name the set that was trained on.",
    ("TRAIN", "--control"): "A control must be known to be clean: one that is the training set hides its own leaks.",
    ("TRAIN", "--decoys"): "Decoys are held-out items like those of the evaluation set, which nobody trained on.",
    ("--against", "--control"): "With the items in the control, every leak would look like a false positive.",
    ("--against", "--decoys"): "Decoys are other items of the same source, or eval and decoys cannot differ.",
    ("--control", "--decoys"): "The control says what clean rows look like, decoys what items look like.",
}


def _verbatim(read: _Read) -> tuple[list[Flag], int, list[Unreadable]]:
    grams = {_grams(item.text): item for item in read.items.rows}
    flags, rows, unreadable = [], 0, []
    for row in read_rows(read.files.paths):
        if isinstance(row, Unreadable):
            unreadable.append(row)
            continue
        mine = _grams(row.text)
        for theirs, item in grams.items():
            share = len(mine & theirs) / max(1, len(theirs))
            if share >= 0.5:
                flags.append(Flag(train_id=row.id, train_row=rows, item_id=item.id, score=share, detector="verbatim"))
        rows += 1
    return flags, rows, unreadable


def _grams(text: str) -> frozenset[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    return frozenset(tuple(words[i : i + 5]) for i in range(len(words) - 4))


def _pairs(read: _Read, flags: Sequence[Flag]) -> tuple[FlaggedPair, ...]:
    """Return the flags with what stands at their places, best first."""
    items = {item.id: item for item in read.items.rows}
    wanted = {flag.train_row for flag in flags}
    rows = {number: row for number, row in enumerate(_readable(read.files.paths)) if number in wanted}
    ordered = sorted(flags, key=lambda flag: (-flag.score, flag.train_row, flag.item_id, flag.detector))
    return tuple(
        FlaggedPair(flag=flag, path=rows[flag.train_row].path, line=rows[flag.train_row].line,
                    train=passage_of(rows[flag.train_row], flag.train), item=passage_of(items[flag.item_id], flag.item))
        for flag in ordered
    )  # fmt: skip


def _readable(paths: Sequence[Path]) -> Iterator[Row]:
    return (row for row in read_rows(paths) if isinstance(row, Row))


def _figures(pairs: Sequence[FlaggedPair]) -> tuple[ItemFigure, ...]:
    rows: dict[str, set[int]] = {}
    for pair in pairs:
        rows.setdefault(pair.flag.item_id, set()).add(pair.flag.train_row)
    ordered = sorted(rows.items(), key=lambda each: (-len(each[1]), each[0]))
    return tuple(ItemFigure(item_id=name, near_rows=len(near), flagged=True) for name, near in ordered)

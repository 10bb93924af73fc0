"""What is to be split: rows of files or tasks of a folder, each with its text, its family and the side it is on.

A row's `family`, else its `domain`, is its family, and is not part of its text; a task's come from task.toml. Rows
that cannot be read are on no side, and are counted. Not covered: which texts are near copies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fairtrial.contamination.document import Source
from fairtrial.contamination.fields import texts_of
from fairtrial.contamination.inputs import files_of, holds_tasks, sources_of, task_source
from fairtrial.contamination.rows import Row, Unreadable, id_of, read_documents
from fairtrial.records import InputError
from fairtrial.tasks import find_tasks, load_task

FAMILIES = ("family", "domain")
"""Fields that say which kind a row is of, first come first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One row or task."""

    id: str
    """Its own, else `FILE:LINE`; no two have one."""
    text: str
    family: str
    side: str
    """Where a split made elsewhere has put it; empty where nobody has."""
    path: str
    """File of the row, or folder of the task."""
    line: int
    """0 for a task."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Units:
    """All that is to be split."""

    units: tuple[Unit, ...]
    unreadable: tuple[Unreadable, ...]
    sources: tuple[Source, ...]
    files: tuple[Path, ...]
    """Files of rows; empty where tasks were read."""
    renamed: int


def read_units(paths: Sequence[Path], field: str = "") -> Units:
    """Read the rows or tasks at `paths`; `field` of a row says which side it is on.

    Raise InputError where there is nothing to split, and FormatError for a task that cannot be loaded.
    """
    units: list[Unit] = []
    unreadable: list[Unreadable] = []
    sources: list[Source] = []
    files: list[Path] = []
    for path in paths:
        if path.is_dir() and holds_tasks(path):
            tasks = [_task(folder) for folder in find_tasks(path)]
            sources.append(task_source(path, [Row(one.id, (("", one.text),), one.path, 0) for one in tasks]))
            units += tasks
            continue
        found = files_of([path], "PATH").paths
        sources += sources_of(found)
        files += found
        for file in found:
            for one in read_documents(file):
                row = one if isinstance(one, Unreadable) else _row(file, *one, field)
                (unreadable if isinstance(row, Unreadable) else units).append(row)  # type: ignore[arg-type]
    if not units:
        first = f"; the first of {len(unreadable)}: {unreadable[0].why}" if unreadable else ""
        raise InputError(f"holds no row that can be split{first}", path=paths[0])
    if files and len(units) and any(not unit.line for unit in units):
        raise InputError("rows and tasks cannot be split together", path=paths[0], hint="Split them one at a time.")
    named, renamed = _unique(units)
    return Units(units=tuple(named), unreadable=tuple(unreadable), sources=tuple(sources), files=tuple(files),
                 renamed=renamed)  # fmt: skip


def _task(folder: Path) -> Unit:
    task, _ = load_task(folder)
    text = "\n".join(step.instruction for step in task.steps)
    return Unit(id=task.name, text=text, family=task.family or task.domain, side="", path=str(folder), line=0)


def _row(path: Path, line: int, document: Any, field: str) -> Unit | Unreadable:
    fields: Mapping[str, Any] = document if isinstance(document, dict) else {}
    apart = {*FAMILIES, field}
    body = {name: value for name, value in fields.items() if name not in apart} if fields else document
    text = "\n".join(text for _, text in texts_of(body))
    if not text:
        return Unreadable(str(path), line, "holds no text")
    family = next((str(fields[name]) for name in FAMILIES if fields.get(name) not in (None, "")), "")
    side = fields.get(field) if field else None
    named = id_of(document)
    return Unit(id=f"{path.name}:{line}" if named is None else named, text=text, family=family,
                side="" if side is None else str(side), path=str(path), line=line)  # fmt: skip


def _unique(units: Sequence[Unit]) -> tuple[list[Unit], int]:
    """Return the units with ids of which no two are equal, and how many were given another."""
    seen: set[str] = set()
    found = []
    renamed = 0
    for unit in units:
        name = unit.id
        if name in seen:
            name = f"{unit.id} ({unit.path}:{unit.line})"
            renamed += 1
        seen.add(name)
        found.append(unit if name == unit.id else replace(unit, id=name))
    return found, renamed

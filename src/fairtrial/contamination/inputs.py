"""What is handed to a scan: files and folders found, addressed by content, and refused where they make no sense.

A folder stands for the files in it, at any depth, in the order of their paths; what is in it of other kinds is
counted, for it was not compared. An evaluation set may also be a folder of Harbor tasks: an item is a task, its text
the instruction, and with `keys` its solution and tests as well. Not covered: how a row is read (`rows`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fairtrial.contamination.document import Source
from fairtrial.contamination.reading_arrays import is_one_array
from fairtrial.contamination.rows import Row, Unreadable, read_rows
from fairtrial.records import InputError
from fairtrial.tasks import find_tasks, load_task
from fairtrial.tasks.model import Key

SUFFIXES = (".jsonl", ".ndjson", ".parquet", ".jsonl.gz", ".jsonl.zst", ".ndjson.gz", ".ndjson.zst")
"""Names by which a file in a folder is known to hold rows; a file that is named itself may have any name."""

_CHUNK = 1 << 20
_LARGEST_KEY_FILE = 1 << 20
"""Bytes: a larger file beside the tests is data, not something that one would quote."""


@dataclass(frozen=True, slots=True)
class Files:
    """The files that a user's paths stand for."""

    paths: tuple[Path, ...]
    passed_over: int
    """Files in the folders whose names are not of rows."""


@dataclass(frozen=True, slots=True)
class Items:
    """An evaluation set (or decoys, or a control) held in memory."""

    rows: tuple[Row, ...]
    unreadable: tuple[Unreadable, ...]
    sources: tuple[Source, ...]
    renamed: int
    """Items whose id another item had already; they carry their place as well."""


def files_of(paths: Sequence[Path], what: str) -> Files:
    """Return the files that `paths` stand for, each once; `what` names them.

    Raise InputError where there is none, or where one is a JSON array.
    """
    found: dict[Path, Path] = {}
    passed_over = 0
    for path in paths:
        if path.is_dir():
            inside = sorted(one for one in path.rglob("*") if one.is_file() and not _is_hidden(one, path))
            rows = [one for one in inside if one.name.lower().endswith(SUFFIXES)]
            if not rows:
                raise InputError("holds no file of rows", path=path, hint=f"Rows lie in {', '.join(SUFFIXES)}.")
            passed_over += len(inside) - len(rows)
        elif path.exists():
            rows = [path]
        else:
            raise InputError("there is no such file or folder", path=path, field=what)
        for one in rows:
            if is_one_array(one):
                raise InputError("is one JSON array, and rows are read one a line", path=one, field=what,
                                 hint="`jq -c '.[]' FILE >ROWS.jsonl` makes it so.")  # fmt: skip
            found.setdefault(one.resolve(), one)
    return Files(tuple(found.values()), passed_over)


def sources_of(paths: Sequence[Path]) -> tuple[Source, ...]:
    """Return the files with their content addresses. Raise InputError for one that cannot be read."""
    found = []
    for path in paths:
        hashed, size = hashlib.sha256(), 0
        try:
            with path.open("rb") as file:
                while chunk := file.read(_CHUNK):
                    hashed.update(chunk)
                    size += len(chunk)
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror or error}", path=path) from error
        found.append(Source(path=str(path), hash=f"sha256:{hashed.hexdigest()}", bytes=size))
    return tuple(found)


def read_items(paths: Sequence[Path], what: str, *, keys: bool = False) -> Items:
    """Read an evaluation set, decoys or a control whole, ids made unique. Raise InputError where it holds no item."""
    rows: list[Row] = []
    unreadable: list[Unreadable] = []
    sources: list[Source] = []
    for path in paths:
        read: list[Row | Unreadable] = []
        if path.is_dir() and holds_tasks(path):
            read += _tasks(path, keys)
            sources.append(task_source(path, read))
        else:
            files = files_of([path], what)
            sources += sources_of(files.paths)
            read += read_rows(files.paths)
        rows += [one for one in read if isinstance(one, Row)]
        unreadable += [one for one in read if isinstance(one, Unreadable)]
    if not rows:
        first = f"; the first of {len(unreadable)} lines: {unreadable[0].why}" if unreadable else ""
        raise InputError(f"holds nothing that can be compared{first}", path=paths[0], field=what,
                         hint="Text lies in any field of a JSON row but its id, role, type and the like.")  # fmt: skip
    named, renamed = _unique(rows)
    return Items(tuple(named), tuple(unreadable), tuple(sources), renamed)


def _is_hidden(path: Path, below: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(below).parts)


def holds_tasks(path: Path) -> bool:
    """Return whether a folder is a task or holds any."""
    try:
        return bool(find_tasks(path))
    except InputError:
        return False


def _tasks(path: Path, keys: bool) -> Iterator[Row]:
    for folder in find_tasks(path):
        task, key = load_task(folder)
        texts = [(f"{step.name}/instruction" if step.name else "instruction", step.instruction) for step in task.steps]
        if keys:
            texts += _key_texts(key)
        yield Row(task.name, tuple(texts), str(folder), 0)


def _key_texts(key: Key) -> Iterator[tuple[str, str]]:
    """Yield the text files of the solution and tests, which are all that a leak of the key could quote."""
    for step in key.steps:
        for folder in (step.solution, step.tests):
            if folder is None:
                continue
            for file in sorted(one for one in folder.rglob("*") if one.is_file() and not one.is_symlink()):
                if file.stat().st_size > _LARGEST_KEY_FILE:
                    continue
                try:
                    text = file.read_bytes().decode("utf-8")
                except UnicodeDecodeError:
                    continue  # not text: a picture, an archive
                if text.strip():
                    yield file.relative_to(key.path).as_posix(), text


def task_source(path: Path, tasks: Sequence[Row | Unreadable]) -> Source:
    """Address a folder of tasks by what was read of them."""
    data = repr([(one.id, one.texts) for one in tasks if isinstance(one, Row)]).encode("utf-8", "backslashreplace")
    return Source(path=str(path), hash=f"sha256:{hashlib.sha256(data).hexdigest()}", bytes=len(data))


def _unique(rows: Sequence[Row]) -> tuple[list[Row], int]:
    """Return `rows` with ids of which no two are equal, and how many were given another."""
    seen: set[str] = set()
    found = []
    renamed = 0
    for row in rows:
        name = row.id
        if name in seen:
            renamed += 1
            name = f"{row.id} ({row.path}:{row.line})"
        seen.add(name)
        found.append(row if name == row.id else replace(row, id=name))
    return found, renamed

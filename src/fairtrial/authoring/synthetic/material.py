"""What is looked at: the tasks of a suite, or real work beside it, as texts with their public files and references.

A suite is a folder of tasks or a JSONL file of text tasks. Real work may also be JSONL of plain rows with a text.
Only what a policy may see is compared with real work (instruction, environment files); the reference is kept apart.
Not covered: whether any of it is near a benchmark (`contamination`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import orjson

from fairtrial.grade.text import text_suite
from fairtrial.records import FormatError, InputError, digest
from fairtrial.tasks import Key, Suite, Task, find_tasks, load_suite
from fairtrial.tasks.folder import read_folder
from fairtrial.tasks.load import task_name
from fairtrial.tasks.text import TextKey, TextSuite, TextTask

Kind = Literal["text", "folders", "rows"]
TEXT_FIELDS = ("prompt", "instruction", "question", "text", "messages")
"""Fields of a row that may hold what was asked; the first that does counts."""
MOST_FILE_BYTES = 65_536
MOST_FILES = 200
"""Of one task's environment; what lies beyond is not read, and is counted."""
_NOT_WORK = ("Dockerfile", ".dockerignore")
_GENERATORS = ("generator", "generated_by", "author_model")
"""Words of [metadata] by which a suite says which model wrote a task."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One task, or one piece of real work."""

    name: str
    text: str
    """What is asked."""
    files: tuple[tuple[str, str], ...] = ()
    """(name, content) of the files that a policy is given."""
    reference: str = ""
    """The answer, or a hash of the solution's files; empty where there is none."""
    hash: str = ""
    family: str = ""
    cluster: str = ""
    generator: str = ""
    unread: int = 0
    """Files of its environment that are no text, too large or too many."""

    @property
    def whole(self) -> str:
        """Return all that a policy is given, as one text."""
        return "\n".join((self.text, *(content for _, content in self.files)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """All tasks of one path."""

    path: Path
    identity: str
    kind: Kind
    items: tuple[Item, ...]
    text_keys: Mapping[str, TextKey] | None = None
    """Of text tasks: answer and comparison by name."""
    folders: Suite | None = None
    """Of task folders: what can be run."""

    @property
    def stem(self) -> str:
        """Return the name of the suite without its hash."""
        return self.identity.rpartition("@")[0] or self.identity


def read_suite(path: Path) -> Material:
    """Read the suite at `path`. Raise InputError or FormatError where it is none."""
    if path.is_dir():
        return _of_folders(load_suite(path))
    return _of_text_tasks(text_suite(path))


def read_real(path: Path) -> Material:
    """Read real work at `path`: a suite, or JSONL whose rows hold a text. Raise InputError where there is none."""
    if path.is_dir():
        return _of_folders(load_suite(path))
    items = tuple(_row(path, number, line) for number, line in _lines(path))
    if not items:
        raise FormatError("holds no row", path=path, hint="One JSON object a line, with a `prompt` or a `text`.")
    return Material(path=path, identity=path.stem, kind="rows", items=items)


def _lines(path: Path) -> Iterable[tuple[int, bytes]]:
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path=path) from error
    return ((number, line) for number, line in enumerate(lines, 1) if line.strip())


def _row(path: Path, number: int, line: bytes) -> Item:
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise FormatError(f"is not JSON: {error}", path=path, line=number) from error
    found = [row.get(field) for field in TEXT_FIELDS] if isinstance(row, dict) else []
    text = next((said for said in map(_said, found) if said.strip()), "")
    if not text:
        raise FormatError("holds no text", path=path, line=number, hint=f"In one of {', '.join(TEXT_FIELDS)}.")
    named = row.get("name") or row.get("id") or f"{path.name}:{number}"
    return Item(name=str(named), text=text, family=str(row.get("family") or ""), cluster=str(row.get("cluster") or ""))


def _said(value: Any) -> str:
    """Return the text of a field: its own, or that of its messages."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(str(each.get("content") or "") for each in value if isinstance(each, dict))
    return ""


def _of_text_tasks(suite: TextSuite) -> Material:
    items = tuple(
        Item(name=task.name, text=prompt_of(task), reference=suite.keys[task.name].answer, hash=task.hash,
             family=task.family or task.domain, cluster=task.cluster)
        for task in suite.tasks
    )  # fmt: skip
    return Material(path=suite.path, identity=suite.identity, kind="text", items=items, text_keys=suite.keys)


def prompt_of(task: TextTask) -> str:
    """Return a text task's prompt as one text."""
    return task.prompt if isinstance(task.prompt, str) else "\n".join(each.content for each in task.prompt)


def _of_folders(suite: Suite) -> Material:
    labels = {}
    for place in find_tasks(suite.path):
        folder = read_folder(place)
        labels[task_name(folder)] = folder.settings.metadata.model_extra or {}
    items = tuple(_of_folder(task, suite.keys[task.name], labels.get(task.name, {})) for task in suite.tasks)
    return Material(path=suite.path, identity=suite.identity, kind="folders", items=items, folders=suite)


def _of_folder(task: Task, key: Key, labels: Mapping[str, Any]) -> Item:
    context = task.environment.context
    files, unread = texts_below(context) if context is not None else ((), 0)
    written = next((str(labels[word]) for word in _GENERATORS if labels.get(word)), "")
    return Item(name=task.name, text=task.instruction, files=files, unread=unread, reference=_solution(key),
                hash=task.hash, family=task.family or task.domain, cluster=task.cluster,
                generator=written)  # fmt: skip


def texts_below(folder: Path) -> tuple[tuple[tuple[str, str], ...], int]:
    """Return (name, content) of the text files below `folder`, and how many files were not read."""
    found: list[tuple[str, str]] = []
    unread = 0
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.is_symlink() or path.name in _NOT_WORK:
            continue
        name = path.relative_to(folder).as_posix()
        if len(found) >= MOST_FILES or path.stat().st_size > MOST_FILE_BYTES:
            unread += 1
            continue
        data = path.read_bytes()
        if b"\0" in data:
            unread += 1
            continue
        found.append((name, data.decode("utf-8", "replace")))
    return tuple(found), unread


def _solution(key: Key) -> str:
    """Return a hash of the solution's files, line ends and blanks at line ends apart; empty where there is none."""
    folders = [step.solution for step in key.steps if step.solution is not None]
    if not folders:
        return ""
    parts = []
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                lines = (line.rstrip() for line in path.read_bytes().splitlines())
                parts.append(path.relative_to(folder).as_posix().encode() + b"\0" + b"\n".join(lines))
    return digest(b"\0\0".join(parts))

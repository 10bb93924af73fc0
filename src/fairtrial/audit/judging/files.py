"""Files that a judge may list, read and cite: the deliverable, and the task's folder as the key.

Plain files below a folder, links left out, each read when it is asked for. What has no text is named with its size and
hash; images are shown as images.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from fairtrial.checks.judged import Source, artifacts_of
from fairtrial.checks.judged.visible import one_line
from fairtrial.grade.judges.telling import Block, shown_text

Kind = Literal["artifact", "key"]
_UNREAD = {".git", "__pycache__", "attacks"}
"""Folders of a task that are no part of its key: attacks that were kept say what passed the grader."""


@dataclass(frozen=True)
class Files:
    """The files below one folder."""

    kind: Kind
    root: Path | None
    """None where there are none at hand."""
    lead: str = ""
    """What stands before each path: `/` for a deliverable, which mirrors the box."""
    extra: tuple[tuple[str, str], ...] = ()
    """(path, text) of what is no file and is cited like one."""

    @cached_property
    def paths(self) -> Mapping[str, Path]:
        """Return where each path lies, in order."""
        if self.root is None:
            return {}
        return {f"{self.lead}{_name(found.relative_to(self.root))}": found for found in sorted(_plain(self.root))}

    def names(self) -> tuple[str, ...]:
        """Return every path."""
        return (*(name for name, _ in self.extra), *self.paths)

    def listing(self) -> str:
        """Return one line a file: its place and its size."""
        lines = [f"{self.kind} {one_line(name, 300)} ({self.size(name)} bytes)" for name in self.names()]
        return "\n".join(lines) or f"{self.kind}: none is at hand"

    def size(self, name: str) -> int:
        """Return how many bytes the file at a path has."""
        path = self.paths.get(name)
        return path.stat().st_size if path is not None else len(dict(self.extra)[name].encode())

    def source(self, name: str) -> Source | None:
        """Return the file at a path as numbered lines, an image, or why it is neither; None where there is none."""
        path = self.paths.get(name)
        if path is None or self.root is None:
            return None
        (found,), _ = artifacts_of(self.root, [path])
        return found

    def text(self, name: str) -> str | None:
        """Return the text of a file as it is shown; None where it has none, or is not there."""
        for known, text in self.extra:
            if known == name:
                return shown_text(text)
        found = self.source(name)
        return None if found is None or found.unshown else "\n".join(found.lines)

    def blocks(self) -> Iterator[Block]:
        """Yield every file that has a text, in order."""
        for name in self.names():
            text = self.text(name)
            if text is not None:
                yield Block(f"{self.kind} {name}", text)


class Texts(Mapping[str, str]):
    """The texts of `files` by path, each read when it is looked at, for citations to be checked against."""

    def __init__(self, files: Files) -> None:
        self._files = files

    def __getitem__(self, name: str) -> str:
        if name not in self._files.names():
            raise KeyError(name)
        return self._files.text(name) or ""

    def __iter__(self) -> Iterator[str]:
        return iter(self._files.names())

    def __len__(self) -> int:
        return len(self._files.names())


def _plain(root: Path) -> Iterator[Path]:
    for at, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in _UNREAD)
        yield from (Path(at, name) for name in names if stat.S_ISREG(Path(at, name).lstat().st_mode))


def _name(path: Path) -> str:
    return os.fsencode(path).decode("utf-8", "backslashreplace")

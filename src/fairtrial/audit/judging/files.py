"""Files that a judge may list, read and cite: the deliverable, and the task's folder as the key.

Plain files below a folder, each read when it is asked for; links, version control and caches are named and not read.
What has no text is named with its size and hash; images are shown as images.
"""

from __future__ import annotations

import errno
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
_UNREAD = (".git", "__pycache__")
"""Folders that hold nothing to be read: they are named with what they hold and not gone into."""


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
    places: tuple[str, ...] = (".",)
    """Which files and folders below the root are read, by their path below it; all unless set."""

    @cached_property
    def paths(self) -> Mapping[str, Path]:
        """Return where each path lies, in order; names that look alike are numbered, so that none hides another."""
        found: dict[str, Path] = {}
        for path in sorted(path for path, why in self._entries if not why):
            shown = name = self._shown(path)
            number = 1
            while name in found:
                number += 1
                name = f"{shown} ({number})"
            found[name] = path
        return found

    @cached_property
    def _entries(self) -> tuple[tuple[Path, str], ...]:
        return tuple(_entries(self.root, self.places)) if self.root is not None else ()

    def _shown(self, path: Path) -> str:
        assert self.root is not None
        return f"{self.lead}{_name(path.relative_to(self.root))}"

    def names(self) -> tuple[str, ...]:
        """Return every path."""
        return (*(name for name, _ in self.extra), *self.paths)

    def listing(self) -> str:
        """Return one line a file: its place and its size; then what is there and no file to be read."""
        lines = [f"{self.kind} {name} ({self.size(name)} bytes)" for name in self.names()]
        lines += [f"not read: {self._shown(path)}, {why}" for path, why in sorted(self._entries) if why]
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
        found, _ = artifacts_of(self.root, [path])
        if not found and not path.exists():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
        return found[0] if found else None

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
        if name not in self._files.paths and name not in dict(self._files.extra):
            raise KeyError(name)
        return self._files.text(name) or ""

    def __iter__(self) -> Iterator[str]:
        return iter(self._files.names())

    def __len__(self) -> int:
        return len(self._files.names())


def _entries(root: Path, places: tuple[str, ...]) -> Iterator[tuple[Path, str]]:
    """Yield each plain file with an empty text, and all that is none with what it is."""
    for place in places:
        start = root / place
        if start.is_file() and not start.is_symlink():
            yield start, ""
        for at, folders, names in os.walk(start):
            for name in sorted(folders):
                path = Path(at, name)
                if path.is_symlink():
                    yield path, _leads(path)
                elif name in _UNREAD:
                    yield path, f"a folder with {sum(len(files) for _, _, files in os.walk(path))} files"
            folders[:] = sorted(name for name in folders if name not in _UNREAD)
            for path in (Path(at, name) for name in names):
                mode = path.lstat().st_mode
                yield path, "" if stat.S_ISREG(mode) else _leads(path) if stat.S_ISLNK(mode) else "no plain file"


def _leads(link: Path) -> str:
    return f"a link to {_printable(os.fsencode(link.readlink()))}"


def _name(path: Path) -> str:
    return _printable(os.fsencode(path))


def _printable(name: bytes) -> str:
    text = name.decode("utf-8", "backslashreplace")
    return one_line(text, 12 * len(text))  # on one line, whole: what is shown is what a tool is asked for

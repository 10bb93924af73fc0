"""Read a folder of files that nobody trusts: names, kinds and bytes, with nothing followed and nothing waited for.

A tree of the work that is too large to read raises WorkError; one of the key raises CheckError. Not covered: modes but
the executable bit, owners, empty folders.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fairtrial.checks.code.globs import LEFT_OUT, matches
from fairtrial.checks.protocol import CheckError
from fairtrial.checks.reading import OF_THE_KEY, WorkError

MOST_FILES = 100_000
MOST_BYTES = 1_000_000_000
MOST_DEEP = 100


@dataclass(frozen=True, slots=True)
class Entry:
    """One name in a tree: a plain file, a link, or what is neither (a device, a pipe)."""

    place: Path
    kind: str
    size: int = 0
    is_executable: bool = False
    target: str = ""
    held: bytes | None = None
    """The bytes, where they are not those at `place`."""

    def data(self) -> bytes:
        """Return the bytes of a plain file, b"" for anything else and for what has become so since."""
        if self.held is not None:
            return self.held
        if self.kind != "file":
            return b""
        try:
            number = os.open(self.place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError:
            return b""
        with os.fdopen(number, "rb") as file:
            return file.read(self.size) if stat.S_ISREG(os.fstat(number).st_mode) else b""


Tree = Mapping[str, Entry]


def work(folder: str, leave_out: Sequence[str] = ()) -> dict[str, Entry]:
    """Return the tree of the work in `folder`. Raise WorkError where it is none, or too large."""
    root = Path(folder)
    if root.is_symlink() or not root.is_dir():
        raise WorkError(f"there is no folder {folder}, or it is a link")
    real = root.resolve()
    if any((above / name).is_file() for above in (real, *real.parents) for name in OF_THE_KEY) and real != root:
        raise WorkError(f"{folder} leads, over a link, to the grader's own files")
    return _read(root, leave_out)


def key(folder: str, name: str, leave_out: Sequence[str] = ()) -> dict[str, Entry]:
    """Return the tree in the key that the parameter `name` names. Raise CheckError where there is none."""
    root = Path(folder)
    if not root.is_dir():
        raise CheckError(f"`{name}` names no folder: {folder}")
    try:
        return _read(root, leave_out)
    except WorkError as fault:
        raise CheckError(f"`{name}`: {fault}") from fault


def _read(root: Path, leave_out: Sequence[str]) -> dict[str, Entry]:
    found: dict[str, Entry] = {}
    total = 0
    for name, entry in _walked(root, "", (*LEFT_OUT, *leave_out), 0):
        found[name] = entry
        total += entry.size
        if len(found) > MOST_FILES or total > MOST_BYTES:
            raise WorkError(f"{root} holds more than {MOST_FILES} files or {MOST_BYTES} bytes")
    return found


def _walked(folder: Path, above: str, leave_out: Sequence[str], depth: int) -> Iterator[tuple[str, Entry]]:
    if depth > MOST_DEEP:
        raise WorkError(f"{folder} lies more than {MOST_DEEP} folders deep")
    try:
        with os.scandir(folder) as listed:
            children = sorted(listed, key=lambda child: child.name)
    except OSError:
        return
    for child in children:
        name = above + os.fsencode(child.name).decode("utf-8", "backslashreplace")
        place = folder / child.name
        is_folder = child.is_dir(follow_symlinks=False)
        if matches(f"{name}/-" if is_folder else name, leave_out):
            continue
        if is_folder:
            yield from _walked(place, f"{name}/", leave_out, depth + 1)
        else:
            yield name, _entry(place)


def _entry(place: Path) -> Entry:
    try:
        found = place.lstat()
        if stat.S_ISREG(found.st_mode):
            return Entry(place, "file", found.st_size, bool(found.st_mode & stat.S_IXUSR))
        return (
            Entry(place, "link", target=str(place.readlink())) if stat.S_ISLNK(found.st_mode) else Entry(place, "other")
        )
    except OSError:
        return Entry(place, "other")

"""Content addresses of tasks, graders and suites: the same on every machine, changed by all that changes an outcome.

In the hash: every file under environment/, tests/, solution/, steps/ and the folders of declared candidates, with
its path, its owner's x bit and, of a link, its target; instruction.md; grading.toml; what proof.toml declares; and
the settings of task.toml that shape an outcome (its image too). Not in it: all else in the task folder (README, notes),
names, labels and versions, times, owners and the other mode bits. What is laid out with a task counts, be it a cache or
an editor's backup: an agent can read it, and a grader can load it.
"""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from fairtrial.records import FormatError, canonical_json, digest

LEFT_OVERS = frozenset({".git", "__pycache__", ".DS_Store"})


def is_left_over(name: str) -> bool:
    """Say whether a file or folder of this name is hardly meant to be there: caches, version control, backups.

    >>> [is_left_over(name) for name in ("solve.sh", "solve.sh~", ".solve.sh.swp", "__pycache__")]
    [False, True, True, True]
    """
    is_swap = name.startswith(".") and name.endswith((".swp", ".swo"))
    is_lock = name.startswith((".#", "#")) and (name.startswith(".#") or name.endswith("#"))
    return name in LEFT_OVERS or name.endswith(("~", ".pyc")) or is_swap or is_lock


def tree_entries(folder: Path, root: Path, bound: Path) -> Iterator[tuple[str, str, str]]:
    """Yield (path below `root`, kind, content) of all that lies in `folder`, in an order of its own.

    Kind is `file`, `executable` or `link`. Raise FormatError for a link that leads out of `bound`, and for sockets,
    pipes and devices.
    """
    for path in sorted(folder.iterdir(), key=lambda item: item.name):
        name = path.relative_to(root).as_posix()
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            check_link(path, bound)
            yield name, "link", str(path.readlink())
        elif stat.S_ISDIR(mode):
            yield from tree_entries(path, root, bound)
        elif stat.S_ISREG(mode):
            yield name, "executable" if mode & stat.S_IXUSR else "file", file_digest(path)
        else:
            raise FormatError(
                "is neither a file, a folder nor a link", path=path, hint="A task is made of plain files."
            )


def check_link(path: Path, bound: Path) -> None:
    """Raise FormatError if the link at `path` leads out of the folder `bound`, which is laid out as a whole."""
    target = path.readlink()
    if target.is_absolute() or not path.parent.joinpath(target).resolve().is_relative_to(bound.resolve()):
        hint = f"Each folder is laid out by itself; copy the file into {bound.name}/ instead."
        raise FormatError(f"is a link that leads out of {bound.name}/, to {target}", path=path, hint=hint)


def file_digest(path: Path) -> str:
    """Return the content address of a file. Raise FormatError if it cannot be read."""
    try:
        with path.open("rb") as file:
            return "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror}", path=path) from error


def tree_of(folders: Iterable[Path], root: Path) -> dict[str, list[str]]:
    """Return path -> [kind, content] of several folders below `root`; those that are absent add nothing.

    Raise FormatError for a link that leads out of its folder.
    """
    found: dict[str, list[str]] = {}
    for folder in folders:
        if folder.is_symlink():
            raise FormatError("is a link, not a folder", path=folder, hint="Copy the folder into the task instead.")
        if folder.is_dir():
            found |= {name: [kind, content] for name, kind, content in tree_entries(folder, root, folder)}
    return found


def content_hash(kind: str, content: Mapping[str, Any]) -> str:
    """Return the content address of JSON `content`, told apart from other kinds of content."""
    return digest(kind.encode() + b"\0" + canonical_json(content))


def suite_hash(tasks: Iterable[tuple[str, str]]) -> str:
    """Return the content address of a suite from (name, task hash), in any order.

    >>> suite_hash([("a", "1"), ("b", "2")]) == suite_hash([("b", "2"), ("a", "1")])
    True
    """
    return content_hash("suite/1", {"tasks": sorted([name, hash_] for name, hash_ in tasks)})

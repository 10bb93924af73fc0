"""Open what lies below a folder of a box, name by name and through no link: a folder that an agent swaps for a link in
between leads to an error, never to the host."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator

from fairtrial.sandbox.inside import open_up

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
MOST_DEPTH = 200


def open_folder_below(root: int, inside: bytes) -> int:
    """Return a descriptor of a folder; `inside` is empty or `a/b`. Raise OSError where it is none."""
    here = os.dup(root)
    try:
        for name in inside.split(b"/") if inside else ():
            below = _opened(name, FOLDER, here)
            os.close(here)
            here = below
    except BaseException:
        os.close(here)
        raise
    return here


def _opened(name: bytes, flags: int, folder: int) -> int:
    """Open an entry; where its permission was taken away and it is ours, give it back: else it could not be seen."""
    try:
        return os.open(name, flags, dir_fd=folder)
    except PermissionError:
        open_up(os.fsdecode(name), folder)
        return os.open(name, flags, dir_fd=folder)


def open_file_in(folder: int, name: bytes) -> int | None:
    """Return a descriptor of a plain file; None for a link, a pipe, a device, or what is gone."""
    try:
        if not stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            return None
        opened = _opened(name, FILE, folder)
    except OSError:
        return None
    if stat.S_ISREG(os.fstat(opened).st_mode):
        return opened
    os.close(opened)
    return None


def folders_below(
    root: int, inside: bytes, most: int, passed: Callable[[], None] = lambda: None
) -> Iterator[tuple[bytes, int]]:
    """Yield (inside path, descriptor) of a folder and those below it, outer ones first; valid until the next one.

    Stops after `most` folders, and goes MOST_DEPTH deep; `passed` is called where that leaves any out.
    """
    todo = [inside]
    seen = 0
    while todo and seen < most:
        at = todo.pop()
        try:
            here = open_folder_below(root, at)
        except OSError:
            continue
        try:
            seen += 1
            yield at, here
            names = _folder_names(here)
            if at.count(b"/") < MOST_DEPTH:
                todo += [joined(at, name) for name in names]
            elif names:
                passed()
        finally:
            os.close(here)
    if todo:
        passed()


def _folder_names(here: int) -> list[bytes]:
    try:
        with os.scandir(here) as entries:
            return sorted((os.fsencode(one.name) for one in entries if one.is_dir(follow_symlinks=False)), reverse=True)
    except OSError:
        return []


def joined(folder: bytes, name: bytes) -> bytes:
    """Return the path of a name in a folder; the folder may be the root, which is empty."""
    return folder + b"/" + name if folder else name

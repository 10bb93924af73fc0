"""Which user of the host a box runs as: never root, even where fairtrial does.

A user namespace takes away root's capabilities, not its ownership: with the uid of the host's root a box could change
the mode of /dev/null for the whole machine. Where we are root, boxes run as a uid that owns nothing else.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import IO

BOX_UID = 60_999
"""In a range that Debian and systemd leave free."""


@cache
def box_user() -> int | None:
    """Return the uid (and gid) that boxes run as where we are root; None where they run as ourselves."""
    if os.geteuid() != 0 or not _is_mapped(Path("/proc/self/uid_map")) or not _is_mapped(Path("/proc/self/gid_map")):
        return None
    return BOX_UID


def _is_mapped(table: Path) -> bool:
    for line in table.read_text().splitlines():
        first, _, count = (int(word) for word in line.split())
        if first <= BOX_UID < first + count:
            return True
    return False


def as_box_user() -> list[str]:
    """Return the start of a command line that becomes the user of boxes; empty where they run as ourselves."""
    user = box_user()
    return ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"] if user is not None else []


def give_stream(stream: IO[bytes] | None) -> None:
    """Let the box user open a pipe or file of ours again, as `echo > /dev/stderr` does."""
    user = box_user()
    if user is not None and stream is not None:
        os.fchown(stream.fileno(), user, user)


def give(path: Path) -> None:
    """Make `path` and all below it the box user's, links themselves. It must be out of reach of a live box."""
    user = box_user()
    if user is None:
        return
    os.lchown(path, user, user)
    if path.is_symlink() or not path.is_dir():
        return
    for base, folders, files, descriptor in os.fwalk(path, follow_symlinks=False):
        del base
        for name in (*folders, *files):
            os.chown(name, user, user, dir_fd=descriptor, follow_symlinks=False)

"""End boxes whose bubblewrap was killed while it made them: their first process would wait for its leave for ever.

Bubblewrap makes that process, binds itself to its starter, says who it is and gives it leave. A starter that is killed
in between takes bubblewrap along, before the process is bound to anybody. It holds no files and runs nothing.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path

from fairtrial.sandbox.box_user import box_user

BUBBLEWRAP = b"bwrap\0--args\0"
MARKS = (b"unset go SHLVL", b"while read -r line; do echo")
"""In the command lines of our boxes, and of nobody else's: `bubblewrap_command.behind_gate`, `live_box.HOLDER`."""


def end_orphans() -> None:
    """End first processes of boxes of ours that nobody is there for."""
    users = (os.geteuid(), box_user())
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdecimal() and folder.stat().st_uid in users and is_orphan(folder):
                os.kill(int(folder.name), signal.SIGKILL)
        except OSError:  # it has ended meanwhile
            continue


def is_orphan(folder: Path) -> bool:
    """Say whether a process, by its folder in /proc, is the first of a box of ours and its bubblewrap has ended.

    Raise OSError where it, or its parent, has ended meanwhile.
    """
    told = (folder / "cmdline").read_bytes()
    if not told.startswith(BUBBLEWRAP) or not any(mark in told for mark in MARKS):
        return False
    lines = (folder / "status").read_text(errors="replace").splitlines()  # a program may have any name
    stated = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
    numbers = stated.get("NSpid", "").split()  # one for each namespace that it is in, from ours inwards
    return (
        len(numbers) > 1
        and numbers[-1] == "1"
        and not (folder.parent / stated["PPid"].strip() / "cmdline").read_bytes().startswith(BUBBLEWRAP)
    )

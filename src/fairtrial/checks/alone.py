"""Be alone in the box before grading: no eyes of other processes, an empty log folder, nothing left running.

It acts on processes only inside a PID namespace of its own, so it never ends anything on a machine.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import subprocess
from pathlib import Path

FIRST_PID_NAMESPACE = "pid:[4026531836]"
PR_SET_DUMPABLE = 4


def begin(logs: Path, *, ends_others: bool) -> None:
    """Close this process to others of the same user, end what the agent left running, empty the log folder."""
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    if ends_others:
        end_others()
    if os.path.lexists(logs) and (logs.is_symlink() or not logs.is_dir()):
        remove(logs)
    logs.mkdir(parents=True, exist_ok=True)
    for left in list(logs.iterdir()):
        remove(left)


def remove(path: Path) -> None:
    """Remove whatever is at `path`, as far as it can be."""
    if path.is_dir() and not path.is_symlink():
        remove_tree(path)
        return
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return  # in a folder of another's; that we cannot write there either will be said


def remove_tree(folder: Path) -> None:
    """Remove a folder of the agent's as far as it can be; one a thousand folders deep is beyond the library."""
    try:
        shutil.rmtree(folder, ignore_errors=True)
    except RecursionError:
        subprocess.run(["rm", "-rf", str(folder)], check=False, stderr=subprocess.DEVNULL)


def end_others() -> None:
    """End every process but this one and its parents; nothing outside a box."""
    if str(Path("/proc/self/ns/pid").readlink()) == FIRST_PID_NAMESPACE:
        return
    kept = {1, os.getpid()}
    pid = os.getppid()
    while pid > 1:
        kept.add(pid)
        pid = parent_of(pid)
    _signal(-1, signal.SIGSTOP)  # all at one time: what forks and ends for ever is never where a list says
    for name in os.listdir("/proc"):  # noqa: PTH208 - names are wanted
        if name.isdigit() and int(name) not in kept:
            _signal(int(name), signal.SIGKILL)
    for pid in sorted(kept, reverse=True):
        _signal(pid, signal.SIGCONT)


def _signal(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except OSError:
        return


def parent_of(pid: int) -> int:
    """Return the parent of `pid`, 0 where there is none."""
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return 0

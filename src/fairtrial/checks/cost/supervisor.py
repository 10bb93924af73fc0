"""Run one command to its end with all that it started, and say how it ended and what processor time it took.

Started as a program of its own (`python -c` of this source), so that orphans come back to it and to nobody else:
argument 1 is JSON, the rest is the command; the answer is JSON on the descriptor that it names. Address randomisation
is off, so that two runs of one program count the same. Standard library only. Not covered: what runs on another
machine, or under a service that was there before.
"""

from __future__ import annotations

import ctypes
import json
import os
import pwd
import resource
import signal
import sys
import time
from pathlib import Path
from typing import Any

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
ADDR_NO_RANDOMIZE = 0x0040000
NOT_STARTED = 126
"""Exit code where nothing could be started as that user; a program can end so too."""


def main(arguments: list[str]) -> None:
    """Run the command, and answer."""
    settings, command = json.loads(arguments[0]), arguments[1:]
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    libc.personality(ADDR_NO_RANDOMIZE)
    began = time.monotonic()
    child = os.fork()
    if child == 0:
        _become(command, settings)
    code, timed_out = _waited(child, began + settings["seconds"])
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    answer = {"code": code, "timed_out": timed_out, "cpu": used.ru_utime + used.ru_stime,
              "seconds": time.monotonic() - began}  # fmt: skip
    os.write(settings["answer"], json.dumps(answer).encode())


def _become(command: list[str], settings: dict[str, Any]) -> None:
    """Turn this process into the command."""
    try:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_FSIZE, (settings["file_bytes"], settings["file_bytes"]))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.close(settings["answer"])
        if settings["user"]:
            whom = pwd.getpwnam(str(settings["user"]))
            os.setgroups([])
            os.setgid(whom.pw_gid)
            os.setuid(whom.pw_uid)
        # Whoever ends the supervisor, as a time limit on the whole grading does, ends the command. After setuid, which
        # forgets it.
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        os.execvp(command[0], command)
    except (OSError, KeyError):
        os._exit(NOT_STARTED)


def _waited(child: int, deadline: float) -> tuple[int, bool]:
    """Wait for the command and for every process that it left; return its exit code, and whether time ran out."""
    code, timed_out = -1, False
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return code, timed_out
        if pid == child:
            code = os.waitstatus_to_exitcode(status)
        elif pid == 0:
            if time.monotonic() > deadline:
                timed_out = True
                _end_children()
            time.sleep(0.005)


def _end_children() -> None:
    """End the children of this process; theirs become its own, and are ended in the next round."""
    for task in Path("/proc/self/task").iterdir():
        try:
            children = (task / "children").read_text().split()
        except OSError:
            continue
        for pid in children:
            try:
                os.kill(int(pid), signal.SIGKILL)
            except OSError:
                continue


if __name__ == "__main__":
    main(sys.argv[1:])

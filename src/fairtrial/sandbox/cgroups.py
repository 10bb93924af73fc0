"""A control group for one box: limits on memory and processes that hold for the whole tree, and a count of kills.

Works with version 1 (own hierarchies for memory and pids) and version 2, where this user may make groups. Where not,
`find_home` returns None and the caller falls back to limits on each process.
"""

from __future__ import annotations

import os
import re
import secrets
import subprocess
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fairtrial.records import Limits

MOUNT = Path("/sys/fs/cgroup")
PREFIX = "fairtrial-"


@dataclass(frozen=True, slots=True)
class Home:
    """Where groups are made: one folder for version 2, one each for memory and pids in version 1."""

    version: int
    folders: tuple[Path, ...]


class Group:
    """One control group, removed by `close`."""

    def __init__(self, home: Home, limits: Limits, *, counts_time: bool = False) -> None:
        name = f"{PREFIX}{os.getpid()}-{secrets.token_hex(4)}"
        self._version = home.version
        self._folders = tuple(folder / name for folder in home.folders)
        self._counter: Path | None = None
        """Folder that counts processor time."""
        for folder in self._folders:
            folder.mkdir()
        if counts_time:
            self._counter = self._folders[0] if home.version == 2 else _made(_time_home(), name)
        self.limit(limits)

    def limit(self, limits: Limits) -> None:
        """Set how much memory and how many processes all members may hold together."""
        size = str(limits.memory_mb << 20)
        memory, pids = self._folders[0], self._folders[-1]
        if self._version == 1:
            _write(memory / "memory.limit_in_bytes", size)
        else:
            _write(memory / "memory.max", size)
            if (memory / "memory.swap.max").exists():
                _write(memory / "memory.swap.max", "0")
        # Room for the process that reaps orphans in the box, and for those that enter a live one.
        _write(pids / "pids.max", str(limits.processes + 4))

    def add(self, process: int) -> None:
        """Move a process in; its future children follow."""
        for folder in self._every():
            _write(folder / "cgroup.procs", str(process))

    def _every(self) -> tuple[Path, ...]:
        """Return all folders of the group, each once."""
        more = (self._counter,) if self._counter is not None and self._counter not in self._folders else ()
        return (*self._folders, *more)

    def member_files(self) -> tuple[str, ...]:
        """Return the files to which a process writes 0 to join."""
        return tuple(str(folder / "cgroup.procs") for folder in self._every())

    def members(self) -> tuple[int, ...]:
        """Return the host ids of all members."""
        return tuple(int(line) for line in (self._folders[0] / "cgroup.procs").read_text().split())

    def cpu_seconds(self) -> float | None:
        """Return the processor time of all members so far, those that ended too; None where it is not counted."""
        if self._counter is None:
            return None
        try:
            if self._version == 1:
                return int((self._counter / "cpuacct.usage").read_text()) / 1e9
            found = re.search(r"^usage_usec (\d+)", (self._counter / "cpu.stat").read_text(), re.MULTILINE)
        except OSError:
            return None
        return int(found[1]) / 1e6 if found else None

    def memory_kills(self) -> int:
        """Return how many members the kernel killed for memory."""
        name = "memory.oom_control" if self._version == 1 else "memory.events"
        found = re.search(r"^oom_kill (\d+)", (self._folders[0] / name).read_text(), re.MULTILINE)
        return int(found[1]) if found else 0

    def close(self) -> None:
        """Remove the group; its members are dead by now, but the kernel may need a moment to let go of them."""
        for folder in self._every():
            for pause in (0.0, 0.001, 0.002, 0.005, 0.01, 0.05, 0.2):
                time.sleep(pause)
                if _remove(folder):
                    break


@cache
def find_home() -> Home | None:
    """Return where this process may make groups, tried by making one; None where it may not."""
    for home in (_version_1(), *_version_2()):
        if home is not None and _works(home):
            return home
    return None


def sweep() -> None:
    """Remove groups that processes which are no more have left behind."""
    home = find_home()
    for folder in (*home.folders, *([_time_home()] if home.version == 1 else [])) if home else ():
        for group in folder.glob(PREFIX + "*-*"):
            owner = group.name.split("-")[1]
            if not Path("/proc", owner).exists():
                _remove(group)


def _own_paths() -> dict[str, str]:
    """Return this process's group by controller list; the empty key is version 2."""
    try:
        lines = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return {}
    return {parts[1]: parts[2] for parts in (line.split(":", 2) for line in lines) if len(parts) == 3}


def _time_home() -> Path:
    """Return where version 1 counts processor time for this process."""
    own = next((path for names, path in _own_paths().items() if "cpuacct" in names.split(",")), "")
    return MOUNT / "cpuacct" / own.lstrip("/")


def _made(home: Path, name: str) -> Path | None:
    """Make a group of version 1 that only counts; None where this user may not."""
    try:
        (home / name).mkdir()
    except OSError:
        return None
    return home / name


def _version_1() -> Home | None:
    own = _own_paths()
    if "memory" not in own or "pids" not in own:
        return None
    return Home(1, (MOUNT / "memory" / own["memory"].lstrip("/"), MOUNT / "pids" / own["pids"].lstrip("/")))


def _version_2() -> list[Home]:
    """Return places to try, from the own group up to the root: a group with members cannot hand its limits on."""
    own = _own_paths()
    if "" not in own or not (MOUNT / "cgroup.controllers").exists():
        return []
    here = MOUNT / own[""].lstrip("/")
    places = [here, *here.parents]
    return [Home(2, (place,)) for place in places[: places.index(MOUNT) + 1]]


def _works(home: Home) -> bool:
    try:
        if home.version == 2:
            _write(home.folders[0] / "cgroup.subtree_control", "+memory +pids")
        group = Group(home, Limits())
    except OSError:
        return False
    try:
        group.memory_kills()
        with subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as child:
            group.add(child.pid)
    except OSError:
        return False
    finally:
        group.close()
    return True


def _write(path: Path, text: str) -> None:
    path.write_text(text)


def _remove(folder: Path) -> bool:
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True

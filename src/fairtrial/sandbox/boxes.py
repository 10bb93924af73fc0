"""A bubblewrap box in which nothing outlives a run: each command has process, network and mount namespaces of its own.

Files stay in the box's root between runs, until `close`.
"""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Mapping
from pathlib import Path

from fairtrial.records import SandboxError
from fairtrial.sandbox.bubblewrap_command import View, count_in, rlimits, start
from fairtrial.sandbox.cgroups import Group, find_home
from fairtrial.sandbox.folder_box import FolderBox
from fairtrial.sandbox.host_view import HOST_ETC
from fairtrial.sandbox.inside import clear_place, normal
from fairtrial.sandbox.protocol import Command, Completed, Killed
from fairtrial.sandbox.variables import BASE_VARIABLES
from fairtrial.sandbox.watching import Watched, watch

EXIT_TIMEOUT = 124
EXIT_KILLED = 137
EXIT_NOT_FOUND = 127


class BubblewrapBox(FolderBox):
    """One private copy of an environment, in bubblewrap."""

    _for_box_user = True

    def __init__(
        self, folder: Path, view: View, workdir: str, variables: Mapping[str, str], *, building: bool = False
    ) -> None:
        super().__init__(folder, view.root, workdir)
        self._view = view
        self._variables = {**BASE_VARIABLES, **variables}
        self._building = building

    def run(self, command: Command) -> Completed:
        """Run `command`; every process it started is dead when this returns."""
        self._must_be_open()
        self._make_enterable()
        home = find_home()
        group = Group(home, command.limits) if home else None
        try:
            return self._run_limited(command, group)
        finally:
            if group is not None:
                group.close()

    def _make_enterable(self) -> None:
        """Lay anew what is mounted on: a command before this one may have moved /etc away or shut the root."""
        self.root.chmod(stat.S_IMODE(self.root.stat().st_mode) | 0o755)
        clear_place(self.root, f"/etc/{HOST_ETC}", is_folder=True)
        for mount in self._view.mounts:
            clear_place(self.root, mount.inside, is_folder=mount.source.is_dir())

    def _run_limited(self, command: Command, group: Group | None) -> Completed:
        variables = {**self._variables, **command.variables}
        cwd = normal(command.cwd, self._workdir) if command.cwd else self._workdir
        words = self._view.arguments(variables, cwd, writable=self._building, dies_with_thread=True)
        stdin = subprocess.PIPE if command.stdin else subprocess.DEVNULL
        limits = rlimits(command.limits, counted=group is not None)
        started = start(self._view, words, command.argv, limits, stdin, dies_with_thread=True)
        try:
            count_in(started, group)
            started.release()
            seen = watch(started.process, command.stdin, command.limits, started.kill)
            started.wait_until_empty()
            exit_code = started.exit_code()
        finally:
            started.close()
        out_of_memory = group is not None and group.memory_kills() > 0
        return completed(seen, exit_code, out_of_memory)


def completed(seen: Watched, exit_code: int | None, out_of_memory: bool) -> Completed:
    """Say how a command ended. Raise SandboxError where it never ran, with what bubblewrap said."""
    killed: Killed = seen.killed
    if not killed and out_of_memory and exit_code != os.EX_OK:
        killed = "memory"
    elif not killed and exit_code is None:
        if not seen.output.startswith("bwrap: execvp"):
            raise SandboxError(f"the box could not be entered: {seen.output.strip()[:500] or 'bubblewrap died'}")
        exit_code = EXIT_NOT_FOUND
    elif not killed and exit_code == EXIT_KILLED:
        killed = "signal"
    if killed in ("timeout", "output") or exit_code is None:
        exit_code = EXIT_TIMEOUT if killed == "timeout" else EXIT_KILLED
    return Completed(exit_code, seen.output, seen.seconds, killed, seen.truncated)

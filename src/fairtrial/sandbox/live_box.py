"""A bubblewrap box that stays alive: commands enter it one by one, and what they leave in the background runs on.

The box is held by a process that waits for a pipe of ours, so it ends with us however we end. Commands enter through
nsenter with every capability dropped and no new privilege; the user namespace that owns the mounts stays outside
(bubblewrap 0.8 or later), so not even a capability could change them. What is alive can touch what comes later:
a grader that runs here can be disturbed by what the agent left.
"""

from __future__ import annotations

import fcntl
import os
import re
import signal
import socket
import subprocess
from collections.abc import Mapping
from pathlib import Path

from fairtrial.records import Limits, SandboxError
from fairtrial.sandbox.box_user import box_user, give_stream
from fairtrial.sandbox.boxes import BubblewrapBox, completed
from fairtrial.sandbox.bubblewrap_command import (
    HOST_ENVIRONMENT,
    NESTED_SINCE,
    Started,
    View,
    count_in,
    limited,
    rlimits,
    start,
    version,
)
from fairtrial.sandbox.cgroups import Group, find_home
from fairtrial.sandbox.inside import clear_place, normal
from fairtrial.sandbox.listening import listen_inside
from fairtrial.sandbox.protocol import Command, Completed
from fairtrial.sandbox.watching import let_go, watch

NS_GET_PARENT = 0xB702
EXIT_NOT_ENTERED = 125
_ENTRY_FAILED = re.compile(r"(?:/usr/bin/)?(?:env|nsenter|setpriv|sh|prlimit): ")
DROP_ALL = (
    "/usr/bin/setpriv",
    "--no-new-privs",
    "--bounding-set",
    "-all",
    "--inh-caps",
    "-all",
    "--ambient-caps",
    "-all",
)
HOLDER = ("/bin/bash", "--norc", "-c", "trap : CHLD; while read -r line; do echo; done")
"""The first process of the box, which nothing inside can kill: waits for our pipe to close, and reaps orphans."""
JOIN = 'while [ "$1" != -- ]; do echo 0 > "$1" || exit 125; shift; done; shift; exec "$@"'


class LiveBox(BubblewrapBox):
    """One private copy of an environment whose processes live until `close`."""

    def __init__(self, folder: Path, view: View, workdir: str, variables: Mapping[str, str]) -> None:
        super().__init__(folder, view, workdir, variables)
        home = find_home()
        self._group = Group(home, Limits(), counts_time=True) if home else None
        self._held: Started | None = None
        self._owner: int | None = None
        try:
            self._held = self._hold()
        except BaseException:
            self._end()
            raise

    def _hold(self) -> Started:
        for mount in self._view.mounts:
            clear_place(self.root, mount.inside, is_folder=mount.source.is_dir())
        words = self._view.arguments(self._variables, self._workdir, writable=False, dies_with_thread=False)
        held = start(self._view, [*words, "--as-pid-1"], HOLDER, [], subprocess.PIPE)
        if held.first is None:
            output = held.process.communicate()[0].decode(errors="replace")
            held.close()
            raise SandboxError(f"the box could not be opened: {output.strip()[:500]}")
        count_in(held, self._group)
        held.release()
        # An echo says that the holder runs in the box, with all namespaces set up.
        assert held.process.stdin is not None
        assert held.process.stdout is not None
        try:
            os.write(held.process.stdin.fileno(), b"\n")
        except BrokenPipeError:
            pass
        said = os.read(held.process.stdout.fileno(), 4096)
        if said != b"\n":
            held.close()
            raise SandboxError(f"the box could not be opened: {said.decode(errors='replace').strip()[:500]}")
        return held

    def run(self, command: Command) -> Completed:
        """Run `command`; what it leaves in the background lives on, unless a limit ended the command."""
        self._must_be_open()
        held = self._held
        if held is None or held.process.poll() is not None:
            raise SandboxError("the live box has ended")
        kills = self._prepare_group(command.limits)
        process = _enter(self._entry(command, held), has_stdin=bool(command.stdin))
        begun = _started_at(process.pid)
        try:
            seen = watch(
                process, command.stdin, command.limits, lambda: self._end_since(begun, process), until_exit=True
            )
        except BaseException:
            self._end_since(begun, process)
            raise
        finally:
            let_go(process)
        out_of_memory = self._group is not None and self._group.memory_kills() > kills
        code = process.returncode
        if code == EXIT_NOT_ENTERED and _ENTRY_FAILED.match(seen.output):
            raise SandboxError(f"the box could not be entered: {seen.output.strip()[:500]}")
        return completed(seen, 128 - code if code < 0 else code, out_of_memory)

    def _prepare_group(self, limits: Limits) -> int:
        if self._group is None:
            return 0
        try:
            self._group.limit(limits)
        except OSError:
            # What runs in the background already holds more than this command may: the old limit stays.
            pass
        return self._group.memory_kills()

    def _entry(self, command: Command, held: Started) -> list[str]:
        """Return the command line that enters the box: group, limits, namespaces, no capability, folder, command."""
        places = self._group.member_files() if self._group else []
        words = ["sh", "-c", JOIN, "sh", *places, "--", *limited(rlimits(command.limits, counted=bool(places)))]
        words += [*self._nsenter(held), *DROP_ALL]
        cwd = normal(command.cwd, self._workdir) if command.cwd else self._workdir
        # Set inside the box, not by us: a task's LD_PRELOAD must never reach a program of the host's.
        variables = {**self._variables, **command.variables}
        settings = [f"{name}={value}" for name, value in variables.items()]
        return [*words, "/usr/bin/env", "-i", "-C", cwd, "--", *settings, *command.argv]

    def _nsenter(self, held: Started) -> list[str]:
        """Return nsenter's command line. Without root one enters the user namespace that owns the mounts first."""
        inner = ["nsenter", "--preserve-credentials", "-t", str(held.first), "-U", "-m", "-p", "-i", "-u", "-n"]
        if Path(f"/proc/{held.first}/ns/cgroup").exists():
            inner += ["-C"]
        user = box_user()
        if (os.geteuid() == 0 and user is None) or version() < NESTED_SINCE:
            return inner
        owner = f"--user=/proc/{os.getpid()}/fd/{self._owner_handle(held)}"
        if user is None:
            return ["nsenter", "--preserve-credentials", owner, *inner]
        # As root: the group first, then into the namespace, then to its root, who is the box user.
        return ["/usr/bin/setpriv", f"--regid={user}", "--clear-groups", "nsenter", owner, "--setuid=0", *inner]

    def _owner_handle(self, held: Started) -> int:
        """Return a descriptor of the user namespace that owns the mounts and the network."""
        if self._owner is None:
            nested = os.open(f"/proc/{held.first}/ns/user", os.O_RDONLY | os.O_CLOEXEC)
            try:
                self._owner = fcntl.ioctl(nested, NS_GET_PARENT) if version() >= NESTED_SINCE else os.dup(nested)
            finally:
                os.close(nested)
        return self._owner

    def _end_since(self, begun: int, process: subprocess.Popen[bytes]) -> None:
        """End every process of the box that began with or after the command; earlier background work lives on.

        What entered the box goes first, while who let it in lives to reap it: an orphan of ours that nobody reaps (we
        are process 1 of a container, or adopt orphans) would keep the whole box from ending.
        """
        held = self._held
        if held is None or held.first is None:
            return
        _end_members(held.first, begun)
        try:
            process.kill()
        except ProcessLookupError:
            pass
        for orphan in _end_members(held.first, begun):
            try:
                os.waitpid(orphan, 0)
            except ChildProcessError:  # another's to reap
                continue

    @property
    def first(self) -> int | None:
        """Return the host id of the box's first process; None once the box has ended."""
        return self._held.first if self._held is not None else None

    @property
    def group(self) -> Group | None:
        """Return the control group in which all its processes are counted; None where there is none."""
        return self._group

    def listen(self, port: int) -> socket.socket:
        """Return a socket of ours that listens at 127.0.0.1:`port` inside the box.

        Nothing of ours runs there for it: who accepts its connections does so outside. Raise SandboxError where this
        machine does not let us.
        """
        held = self._held
        if held is None or held.first is None:
            raise SandboxError("the live box has ended")
        return listen_inside(held.first, self._owner_handle(held), port)

    def has_ended(self) -> bool:
        """Say whether nothing can run in it any more."""
        return self._held is None or self._held.process.poll() is not None

    def stop_all(self) -> None:
        """Kill every process but the first, so that the command that runs returns; from any thread."""
        if self._held is not None and self._held.first is not None:
            _end_members(self._held.first, 0)

    def end(self) -> None:
        """End every process; its files can still be taken."""
        self._end()

    def close(self) -> None:
        """End every process and remove the box."""
        self._end()
        super().close()

    def _end(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            held.close()
        owner, self._owner = self._owner, None
        if owner is not None:
            os.close(owner)
        group, self._group = self._group, None
        if group is not None:
            group.close()


def _enter(words: list[str], *, has_stdin: bool) -> subprocess.Popen[bytes]:
    """Start a command whose streams belong to the box user before it runs: it may open them again by name."""
    read, write = os.pipe()
    stdin_read, stdin_write = os.pipe() if has_stdin else (subprocess.DEVNULL, -1)
    output, fed = os.fdopen(read, "rb"), os.fdopen(stdin_write, "wb") if has_stdin else None
    give_stream(output)
    give_stream(fed)
    try:
        process = subprocess.Popen(
            words, stdin=stdin_read, stdout=write, stderr=subprocess.STDOUT, env=HOST_ENVIRONMENT,
            start_new_session=True,
        )  # fmt: skip
    except BaseException:
        output.close()
        if fed is not None:
            fed.close()
        raise
    finally:
        os.close(write)
        if has_stdin:
            os.close(stdin_read)
    process.stdout, process.stdin = output, fed
    return process


def _end_members(first: int, begun: int) -> list[int]:
    """Kill every process in the namespace of `first` that began at `begun` or later; return those that were there."""
    ended: list[int] = []
    for _ in range(50):
        members = [one for one in members_of(first) if _started_at(one) >= begun]
        if not members:
            break
        ended += members
        for one in members:
            try:
                os.kill(one, signal.SIGKILL)
            except ProcessLookupError:
                pass
    return list(dict.fromkeys(ended))


def members_of(first: int) -> list[int]:
    """Return the host ids of all processes in the process namespace of `first`, except itself."""
    try:
        space = Path(f"/proc/{first}/ns/pid").readlink()
    except OSError:
        return []
    found: list[int] = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal() and int(folder.name) != first:
            try:
                if (folder / "ns/pid").readlink() == space:
                    found.append(int(folder.name))
            except OSError:
                continue
    return found


def _started_at(process: int) -> int:
    """Return when a process began, in clock ticks since boot; -1 where it is gone or only waits to be reaped."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return -1
    words = stat.rpartition(")")[2].split()
    return -1 if words[0] in "ZX" else int(words[19])

"""Write bubblewrap's command line, and start it so that its limits hold before anything in the box runs.

The arguments go through a file descriptor: a box can read the command line of its first process, and must not read
host paths there. Its environment is our own too, never the caller's.
"""

from __future__ import annotations

import json
import os
import re
import resource
import select
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import IO

from fairtrial.records import Limits, SandboxError
from fairtrial.sandbox.box_user import as_box_user, give_stream
from fairtrial.sandbox.cgroups import Group
from fairtrial.sandbox.host_view import mount_arguments
from fairtrial.sandbox.overlay import HOST_PATH, Layer, bound, mounted
from fairtrial.sandbox.protocol import Mount

NAMESPACES = (
    "--unshare-user",
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-net",
    "--unshare-cgroup-try",
)
HOST_ENVIRONMENT = {"PATH": HOST_PATH}
LIMIT_NAMES = {
    resource.RLIMIT_FSIZE: "fsize",
    resource.RLIMIT_CORE: "core",
    resource.RLIMIT_DATA: "data",
    resource.RLIMIT_NPROC: "nproc",
}
NESTED_SINCE = (0, 8)
"""From this version on, bubblewrap can put the command in a user namespace that does not own the mounts."""


@cache
def version() -> tuple[int, ...]:
    """Return the version of bubblewrap; empty where there is none."""
    try:
        said = subprocess.run(
            ["bwrap", "--version"], env=HOST_ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
    except OSError:
        return ()
    return tuple(int(part) for part in re.findall(rb"\d+", said.stdout))


ENDING_SECONDS = 10.0
"""Time that bubblewrap has to end after its box was killed."""


@dataclass(frozen=True, slots=True)
class View:
    """What a box sees: its root, the layers over system folders, extra read-only mounts."""

    root: Path
    host_etc: Path
    layers: Mapping[Path, Layer] = field(default_factory=dict)
    """Host mount point -> layer."""
    mounts: Sequence[Mount] = ()
    binds: Mapping[Path, Path] = field(default_factory=dict)
    """Where the box user finds it -> host path, in a mount namespace that ends with the box."""

    def arguments(self, variables: Mapping[str, str], cwd: str, *, writable: bool, dies_with_thread: bool) -> list[str]:
        """Return bubblewrap's arguments, all but descriptors and the command."""
        words = [*NAMESPACES, "--hostname", "box", "--uid", "0", "--gid", "0", "--new-session", "--clearenv"]
        words += ["--cap-drop", "ALL"]
        if version() >= NESTED_SINCE:
            words += ["--disable-userns"]
        if dies_with_thread:
            words += ["--die-with-parent"]
        words += ["--bind", str(self.root), "/"]
        shown = {layer.name: at for at, layer in self.layers.items()}
        uppers = {layer.name: layer.upper for layer in self.layers.values()}
        words += mount_arguments(self.host_etc, shown, uppers, writable=writable)
        for mount in self.mounts:
            words += ["--ro-bind", str(mount.source.resolve()), mount.inside]
        # Read-only: whoever has the uid of the host's root may set kernel parameters below /proc, capability or not.
        words += ["--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"]
        for name, value in variables.items():
            words += ["--setenv", name, value]
        return [*words, "--chdir", cwd]


@dataclass(slots=True)
class Started:
    """A bubblewrap process whose box waits for `release`."""

    process: subprocess.Popen[bytes]
    status: IO[bytes]
    gate: int
    first: int | None
    """Host id of the first process in the box; all others die with it. None where it did not come so far."""
    handle: int | None

    def release(self) -> None:
        """Let the command run."""
        try:
            os.write(self.gate, b"x\n")  # a byte for bubblewrap, a line for what stands behind it
        except BrokenPipeError:
            pass

    def kill(self) -> None:
        """End every process in the box."""
        if self.handle is not None:
            try:
                signal.pidfd_send_signal(self.handle, signal.SIGKILL)
            except ProcessLookupError:
                pass
        else:
            self.process.kill()

    def wait_until_empty(self, seconds: float = 10.0) -> None:
        """Wait for the first process: the kernel lets it go only after all others in its namespace are gone."""
        if self.handle is not None and not select.select([self.handle], [], [], seconds)[0]:
            raise SandboxError("processes of a box did not end")

    def exit_code(self) -> int | None:
        """Return what the command returned (128 + signal where it was killed); None where it never ran."""
        for line in self.status.read().splitlines():
            said = json.loads(line)
            if "exit-code" in said:
                return int(said["exit-code"])
        return None

    def close(self) -> None:
        """End what is left and let go of descriptors."""
        self.kill()
        if self.process.poll() is None and self.handle is None:
            self.process.kill()
        try:
            self.process.wait(timeout=ENDING_SECONDS)
        except subprocess.TimeoutExpired:  # a process of the box waits for somebody else to reap it
            self.process.kill()
            self.process.wait()
        os.close(self.gate)
        self.status.close()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None and not stream.closed:
                stream.close()
        try:
            self.wait_until_empty()
        finally:
            if self.handle is not None:
                os.close(self.handle)


def start(
    view: View,
    arguments: Sequence[str],
    argv: Sequence[str],
    limits: Sequence[tuple[int, int]],
    stdin: int,
    *,
    dies_with_thread: bool = False,
) -> Started:
    """Start bubblewrap for `argv`; the box is set up and waits. Raise SandboxError where it cannot be started."""
    status_read, status_write = _lasting_pipe()
    gate_read, gate_write = os.pipe()
    again = os.dup(gate_read)
    told = os.memfd_create("arguments")
    words = [*arguments, "--json-status-fd", str(status_write), "--block-fd", str(gate_read)]
    os.write(told, b"".join(os.fsencode(word) + b"\0" for word in words))
    os.lseek(told, 0, os.SEEK_SET)
    try:
        process = subprocess.Popen(
            [
                *mounted(view.layers),
                *bound(view.binds),
                *limited(limits),
                *as_box_user(),
                "bwrap",
                "--args",
                str(told),
                "--",
                *(behind_gate(again) if dies_with_thread else ()),
                *argv,
            ],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=HOST_ENVIRONMENT,
            pass_fds=(told, status_write, gate_read, again),
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        os.close(status_read)
        os.close(gate_write)
        raise SandboxError(f"cannot start bubblewrap: {error}") from error
    finally:
        for descriptor in (told, status_write, gate_read, again):
            os.close(descriptor)
    give_stream(process.stdout)
    give_stream(process.stdin)
    return _introduced(process, os.fdopen(status_read, "rb"), gate_write)


def _lasting_pipe() -> tuple[int, int]:
    """Return a pipe to read, and to write to whoever is gone: its end is a reader of it too.

    Bubblewrap dies where it cannot write who its first process is, and that one would wait for it for ever.
    """
    read, write = os.pipe()
    try:
        return read, os.open(f"/proc/self/fd/{write}", os.O_RDWR)
    finally:
        os.close(write)


def behind_gate(gate: int) -> list[str]:
    """Return the start of a command line that goes on only where somebody let it.

    Bubblewrap takes the end of its pipe for leave to go on, and binds the box to its starter only then: one whose
    starter was killed meanwhile would run on for ever. A starter can also be killed between its leave and the binding:
    then its end of the pipe is closed by now, which can be read, and so nothing is run.
    """
    alive = f"read -r go <&{gate} || exit 125; read -t 0 -u {gate} && exit 125"
    return ["/bin/bash", "-p", "-c", f'{alive}; unset go SHLVL; exec "$@" {gate}<&-', "bash"]


def _introduced(process: subprocess.Popen[bytes], status: IO[bytes], gate: int) -> Started:
    """Read who the first process is. It waits at the gate, so its id cannot have passed to another."""
    line = status.readline()
    first = int(json.loads(line)["child-pid"]) if line else None
    handle = None
    if first is not None:
        try:
            handle = os.pidfd_open(first)
        except ProcessLookupError:
            first = None
    return Started(process, status, gate, first, handle)


def limited(limits: Sequence[tuple[int, int]]) -> list[str]:
    """Return the start of a command line that sets limits of each process."""
    if not limits:
        return []
    return ["prlimit", *(f"--{LIMIT_NAMES[kind]}={value}" for kind, value in limits), "--"]


def count_in(started: Started, group: Group | None) -> None:
    """Put the waiting box into its control group; what it starts is in it too."""
    if started.first is None or group is None:
        return
    try:
        group.add(started.first)
    except ProcessLookupError:
        return
    except OSError as error:
        raise SandboxError(f"cannot set the limits of a box: {error}") from error


def rlimits(limits: Limits, *, counted: bool) -> list[tuple[int, int]]:
    """Return limits of each process; memory and processes too where no control group counts them."""
    values = [(resource.RLIMIT_FSIZE, limits.file_mb << 20), (resource.RLIMIT_CORE, 0)]
    if not counted:
        values += [(resource.RLIMIT_DATA, limits.memory_mb << 20), (resource.RLIMIT_NPROC, limits.processes)]
    return values

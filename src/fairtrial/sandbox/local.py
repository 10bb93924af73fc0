"""Run commands straight on the host, in temporary folders: for machines where namespaces are not permitted.

Promises no isolation: a command has the network, sees the host's files and processes, and can write wherever this
user can. It is given no variable of this process, but can read them where they lie: in /proc, and keys in the home.
Inside paths (/app, /tests, /logs, ...) exist only by rewriting them in commands and text files. Limits: time, and for
each process memory and file size; leftover processes are found by their process group and by a variable, and one that
sheds both lives on. Use it for tasks you trust.
"""

from __future__ import annotations

import os
import re
import resource
import secrets
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fairtrial.records import Environment, SandboxError
from fairtrial.sandbox import deliverable
from fairtrial.sandbox.bubblewrap_command import limited, rlimits
from fairtrial.sandbox.cache import environment_key, new_box_folder, prepared
from fairtrial.sandbox.folder_box import FolderBox
from fairtrial.sandbox.host_view import system_place
from fairtrial.sandbox.inside import copy_plain, normal, put_into, remove_tree
from fairtrial.sandbox.layout import Layout
from fairtrial.sandbox.path_rewriting import HOST_FOLDERS, Rewriting
from fairtrial.sandbox.plan import Plan, Run, plan
from fairtrial.sandbox.protocol import Capability, Command, Completed, Mount, Prepared, Taken
from fairtrial.sandbox.variables import BASE_VARIABLES
from fairtrial.sandbox.watching import Watched, let_go, watch

LAYOUT_VERSION = "local-1"
MARK = "FAIRTRIAL_BOX"
"""Variable by which the processes of a box are found again."""
HARMLESS = frozenset(
    ("mkdir", "touch", "chmod", "echo", "printf", "cp", "mv", "ln", "cat", "true", "cd", "rm", "tar", "gzip", "gunzip",
     "unzip", "sqlite3", "sort", "seq", "head", "tail", "sed", "python3", "sh", "bash", "test", "set", "export", ":")
)  # fmt: skip
"""Commands of a RUN that are executed here, with their paths rewritten."""
OWN_FOLDERS = ("tmp", "root", "var/tmp")


@dataclass(frozen=True, slots=True)
class LocalPrepared:
    """An environment laid out in a folder of the cache."""

    environment: Environment
    folder: Path
    workdir: str
    variables: Mapping[str, str]
    notes: tuple[str, ...] = ()


class LocalBox(FolderBox):
    """One temporary folder on the host."""

    def __init__(self, folder: Path, root: Path, workdir: str, variables: Mapping[str, str], *, live: bool) -> None:
        super().__init__(folder, root, workdir)
        self._rewriting = Rewriting(root, [path.name for path in root.iterdir()])
        self._mark = secrets.token_hex(8)
        self._live = live
        own = {"HOME": str(root / "root"), "TMPDIR": str(root / "tmp"), MARK: self._mark}
        self._variables = {**BASE_VARIABLES, **self._rewritten(variables), **own}

    def _rewritten(self, variables: Mapping[str, str]) -> dict[str, str]:
        return {name: self._rewriting.forward(value) for name, value in variables.items()}

    def run(self, command: Command) -> Completed:
        """Run `command` on the host with inside paths rewritten; its process group is dead when this returns."""
        self._must_be_open()
        cwd = self.root / normal(command.cwd, self._workdir).lstrip("/")
        # Processes are not limited: the kernel counts all of a user's, ours too.
        limits = [one for one in rlimits(command.limits, counted=False) if one[0] != resource.RLIMIT_NPROC]
        argv = [self._rewriting.forward(word) for word in command.argv]
        try:
            process = subprocess.Popen(
                [*limited(limits), *argv],
                stdin=subprocess.PIPE if command.stdin else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                cwd=cwd,
                env={**self._variables, **self._rewritten(command.variables)},
                start_new_session=True,
            )
        except OSError as error:
            raise SandboxError(f"cannot start a command: {error.strerror}: {error.filename}") from error
        try:
            seen = watch(process, command.stdin, command.limits, lambda: self._end(process), until_exit=True)
        finally:
            if not self._live or process.poll() is None:
                self._end(process)
            let_go(process)
        return self._completed(seen, process.returncode)

    def _completed(self, seen: Watched, code: int) -> Completed:
        output = self._rewriting.back(seen.output)
        if seen.killed:
            return Completed(
                124 if seen.killed == "timeout" else 137, output, seen.seconds, seen.killed, seen.truncated
            )
        if code == 127 or (code == 1 and output.startswith("prlimit: failed to execute")):
            return Completed(127, output, seen.seconds, "", seen.truncated)
        if code < 0:
            return Completed(128 - code, output, seen.seconds, "signal", seen.truncated)
        return Completed(code, output, seen.seconds, "", seen.truncated)

    def put(self, source: Path, inside: str) -> None:
        """Copy a host file or folder to `inside`, with inside paths rewritten in its text files."""
        super().put(source, inside)
        self._rewriting.rewrite_tree(self.root / normal(inside, self._workdir).lstrip("/"))

    def take(self, inside: Sequence[str], into: Path, most_bytes: int) -> Taken:
        """Copy files of the box into `into`, with rewritten paths put back."""
        self._must_be_open()
        paths = [normal(path, self._workdir) for path in inside]
        return deliverable.take(self.root, paths, into, most_bytes, self._rewriting.back_bytes)

    def close(self) -> None:
        """End the processes that carry the box's mark, and remove the folder."""
        self._end(None)
        super().close()

    def _end(self, process: subprocess.Popen[bytes] | None) -> None:
        if process is not None:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        for _ in range(20):
            found = _marked(f"{MARK}={self._mark}".encode())
            if not found:
                return
            for one in found:
                try:
                    os.kill(one, signal.SIGKILL)
                except ProcessLookupError:
                    pass


class Local:
    """Runs commands on the host without isolation."""

    name = "local"

    def capability(self) -> Capability:
        """Say what is not isolated."""
        return Capability(
            available=True,
            isolated=False,
            memory_limit="rlimit",
            why="commands run on this machine with its network, files and processes in reach; nothing is isolated: "
            "they can read keys in the home and in the environment of other processes, this one's too",
        )

    def unsupported(self, environment: Environment) -> list[str]:
        """Name what cannot be honoured, and every RUN that could change the host."""
        read = plan(environment)
        return list(read.problems) + [_why_not(step) for step in read.steps if isinstance(step, Run) and _why_not(step)]

    def prepare(self, environment: Environment) -> LocalPrepared:
        """Lay out `environment` in the cache. Raise SandboxError naming what cannot be honoured."""
        problems = self.unsupported(environment)
        if problems:
            raise SandboxError("without isolation one cannot honour " + "; ".join(problems), path=environment.context)
        read = plan(environment)
        folder = prepared(environment_key(environment, LAYOUT_VERSION), lambda made: _lay_out(made, environment, read))
        return LocalPrepared(environment, folder, read.workdir, read.variables, tuple(read.notes))

    def open(self, prepared: Prepared, mounts: Sequence[Mount] = (), *, live: bool = False) -> LocalBox:
        """Open a temporary folder with a copy of the environment; mounts are copied."""
        if not isinstance(prepared, LocalPrepared):
            raise SandboxError("this environment was prepared by another sandbox")
        folder = new_box_folder()
        try:
            root = folder / "root"
            copy_plain(prepared.folder / "root", root)
            for mount in mounts:
                put_into(root, mount.source, mount.inside)
            Rewriting(root, [path.name for path in root.iterdir()]).rewrite_tree(root)
            return LocalBox(folder, root, prepared.workdir, prepared.variables, live=live)
        except BaseException:
            remove_tree(folder)
            raise


def _lay_out(made: Path, environment: Environment, read: Plan) -> None:
    root = made / "root"
    for name in OWN_FOLDERS:
        (root / name).mkdir(parents=True)
    staging = made / "staging"
    staging.mkdir()

    def execute(step: Run) -> None:
        box = LocalBox(made, root, step.workdir, step.variables, live=False)
        done = box.run(Command(step.argv, limits=environment.limits))
        if done.exit_code:
            said = done.output.strip()[-1500:]
            raise SandboxError(f"RUN {step.text} failed: {said}", path="Dockerfile", line=step.line)

    Layout(environment.context, _placer(root), execute, staging).take(read.steps)
    remove_tree(staging)
    Rewriting(root).restore_tree(root)


def _placer(root: Path) -> Callable[[str, int], tuple[Path, str]]:
    def place(inside: str, line: int) -> tuple[Path, str]:
        if system_place(inside) is not None:
            raise SandboxError(f"{inside} is a system folder of this machine", path="Dockerfile", line=line)
        return root, inside

    return place


def _why_not(step: Run) -> str:
    """Return why a RUN is not executed on the host; empty where it is."""
    script = step.argv[-1] if len(step.argv) == 3 and step.argv[1] == "-c" else " ".join(step.argv)
    where = f"Dockerfile:{step.line}: RUN {step.text[:80]}"
    touched = re.search(rf"(?<![\w.])/(?:{'|'.join(sorted(HOST_FOLDERS))})(?![\w])", script.replace("/dev/null", ""))
    if touched:
        return f"{where}: {touched[0]} is this machine's own"
    for part in re.split(r"&&|\|\||[;|\n&]", script):
        words = part.split()
        if words and words[0] not in HARMLESS:
            return f"{where}: `{words[0]}` could change this machine"
    return ""


def _marked(mark: bytes) -> list[int]:
    """Return the processes whose environment carries `mark`."""
    found: list[int] = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdecimal() or int(folder.name) == os.getpid():
            continue
        try:
            if mark in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
        except OSError:
            continue
    return found

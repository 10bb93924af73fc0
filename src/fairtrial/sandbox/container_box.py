"""One container as a box: files go in and out as tar streams, commands through `exec`.

Not live: the container is killed and started again after each command, so nothing but files is left. Live: what a
command leaves runs on; a command that passes its time limit ends everything in the container.
"""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from fairtrial.records import SandboxError
from fairtrial.sandbox import deliverable
from fairtrial.sandbox.container_engine import Engine
from fairtrial.sandbox.inside import normal, open_folder, remove_tree
from fairtrial.sandbox.protocol import Command, Completed, Killed, Taken
from fairtrial.sandbox.watching import let_go, watch


class ContainerBox:
    """One running container."""

    def __init__(self, engine: Engine, name: str, workdir: str, folder: Path, *, live: bool) -> None:
        self._engine = engine
        self._name = name
        self._workdir = workdir
        self._folder = folder
        self._live = live
        self._closed = False

    def run(self, command: Command) -> Completed:
        """Run `command` in the container."""
        self._must_be_open()
        cwd = normal(command.cwd, self._workdir) if command.cwd else self._workdir
        words = ["-w", cwd, *(["-i"] if command.stdin else [])]
        for name, value in command.variables.items():
            words += ["-e", f"{name}={value}"]
        process = subprocess.Popen(
            self._engine.command("exec", *words, self._name, *command.argv),
            stdin=subprocess.PIPE if command.stdin else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            seen = watch(process, command.stdin, command.limits, lambda: self._end(process), until_exit=True)
        finally:
            if process.poll() is None:
                self._end(process)
            let_go(process)
        killed: Killed = seen.killed
        exit_code = process.returncode
        if killed:
            exit_code = 124 if killed == "timeout" else 137
        elif exit_code == 137:
            killed = "memory" if self._ran_out_of_memory() else "signal"
        elif exit_code in (125, 126) and seen.output.startswith(("Error:", "OCI runtime", "Error response")):
            raise SandboxError(f"the container could not be entered: {seen.output.strip()[:500]}")
        if not self._live:
            self._restart()
        return Completed(exit_code, seen.output, seen.seconds, killed, seen.truncated)

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        self._engine.attempt("kill", "--signal", "KILL", self._name)
        process.kill()
        if self._live:
            self._engine.call("start", self._name)

    def _restart(self) -> None:
        """End every process; the files stay."""
        self._engine.attempt("kill", "--signal", "KILL", self._name)
        self._engine.attempt("wait", self._name)
        self._engine.call("start", self._name)

    def _ran_out_of_memory(self) -> bool:
        said = self._engine.attempt("inspect", "-f", "{{.State.OOMKilled}}", self._name)
        return said.stdout.strip() == b"true"

    def put(self, source: Path, inside: str) -> None:
        """Copy a host file or folder to `inside`, replacing what is there."""
        self._must_be_open()
        path = normal(inside, self._workdir)
        parent, _, name = path.rpartition("/")
        if not name:
            for child in source.iterdir():
                self.put(child, f"/{child.name}")
            return
        clear = 'rm -rf -- "$1/$2" && mkdir -p -- "$1"'
        self._engine.call("exec", "-u", "0", self._name, "sh", "-c", clear, "sh", parent or "/", name)
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w") as archive:
            archive.add(source.resolve(), arcname=name, filter=_as_root)
        self._engine.call("cp", "-", f"{self._name}:{parent or '/'}", stdin=packed.getvalue())

    def take(self, inside: Sequence[str], into: Path, most_bytes: int) -> Taken:
        """Copy files and folders of the container into `into`, following no link, up to a size cap."""
        self._must_be_open()
        paths = [normal(path, self._workdir) for path in inside]
        staging = Path(tempfile.mkdtemp(prefix="take-", dir=self._folder))
        left_out: list[tuple[str, str]] = []
        try:
            for path in paths:
                left_out += self._unpack(path, staging, most_bytes)
            taken = deliverable.take(staging, paths, into, most_bytes)
        finally:
            remove_tree(staging)
        return Taken(taken.folder, taken.hash, taken.files, taken.size, (*left_out, *taken.left_out))

    def _unpack(self, path: str, staging: Path, most_bytes: int) -> list[tuple[str, str]]:
        """Unpack the tar stream of `path` below `staging`; return what was left out."""
        process = subprocess.Popen(
            self._engine.command("cp", f"{self._name}:{path}", "-"),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert process.stdout is not None
        left_out: list[tuple[str, str]] = []
        parent = path.rpartition("/")[0]
        with process, tarfile.open(fileobj=process.stdout, mode="r|") as archive:
            try:
                for member in archive:
                    why = _lay_member(archive, member, staging, parent, most_bytes)
                    if why:
                        left_out.append((f"{parent}/{member.name}", why))
            except tarfile.TarError as error:
                raise SandboxError(f"cannot copy {path} out of the container: {error}") from error
        return left_out

    def close(self) -> None:
        """Remove the container."""
        if not self._closed:
            self._closed = True
            # `rm -f` alone asks first, and waits ten seconds: the first process of a container takes no such signal.
            self._engine.attempt("kill", "--signal", "KILL", self._name)
            self._engine.attempt("rm", "-f", "-v", self._name)
            remove_tree(self._folder)

    def _must_be_open(self) -> None:
        if self._closed:
            raise SandboxError("this box is closed")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _as_root(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = "root"
    return member


def _lay_member(archive: tarfile.TarFile, member: tarfile.TarInfo, staging: Path, parent: str, most: int) -> str:
    """Write one member of a stream below `staging`; return why it was left out, or nothing."""
    where, _, name = normal(f"{parent}/{member.name}").rpartition("/")
    if not name:
        return ""
    with open_folder(staging, where, make=True) as folder:
        try:
            if member.isdir():
                os.mkdir(name, 0o755, dir_fd=folder)
            elif member.issym():
                os.symlink(member.linkname, name, dir_fd=folder)
            elif member.isfile() and member.size <= most:
                _write_file(archive, member, name, folder)
            elif member.islnk():
                return "hard link"
            elif member.isfile():
                return f"over the cap of {most} bytes"
            else:
                return "not a file, folder or link"
        except FileExistsError:
            return ""
    return ""


def _write_file(archive: tarfile.TarFile, member: tarfile.TarInfo, name: str, folder: int) -> None:
    source = archive.extractfile(member)
    assert source is not None
    mode = 0o755 if member.mode & 0o111 else 0o644
    target = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode, dir_fd=folder)
    with os.fdopen(target, "wb") as file:
        while data := source.read(1 << 20):
            file.write(data)

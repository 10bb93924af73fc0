"""One live bubblewrap box behind calls that other frameworks make: run, read, write, copy in and out.

Standard error is kept apart by a file in the box, since a box has one stream. Not covered: users other than the box's
own (who is root in it), and the network, of which a box has none.
"""

from __future__ import annotations

import itertools
import posixpath
import shutil
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fairtrial.records import Environment, SandboxError
from fairtrial.sandbox import Bubblewrap, Command, Killed
from fairtrial.tasks import environment_of_dockerfile, load_task

MOST_FILE_BYTES = 1 << 30
NO_LIMIT_SECONDS = 24 * 3600.0
_SPLIT = 'error=$1; shift; exec "$@" 2>"$error"'


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    exit_code: int
    output: str
    errors: str
    killed: Killed = ""


def environment_at(path: Path | None) -> Environment:
    """Return the world that a Dockerfile, an `environment/` folder of a Harbor task, or nothing describes."""
    if path is None:
        return Environment()
    if path.is_dir() and (path.parent / "task.toml").is_file():
        return load_task(path.parent)[0].environment
    return environment_of_dockerfile(path / "Dockerfile" if path.is_dir() else path)


class HeldBox:
    """A box that lives until `close`; safe to call from several threads, one command at a time."""

    def __init__(self, environment: Environment, variables: Mapping[str, str] | None = None) -> None:
        self.environment = environment
        self._variables = dict(variables or {})
        sandbox = Bubblewrap()
        if why := sandbox.capability().why:
            raise SandboxError(f"bubblewrap does not work here: {why}")
        prepared = sandbox.prepare(environment)
        self.notes = prepared.notes
        self._box = sandbox.open(prepared, live=True)
        self._numbers = itertools.count()
        self._lock = threading.Lock()

    def run(
        self, argv: Sequence[str], *, cwd: str = "", variables: Mapping[str, str] | None = None,
        seconds: float | None = None, stdin: bytes = b"",
    ) -> Ended:  # fmt: skip
        """Run a command to its end, or to `seconds`; what it leaves in the background lives on."""
        limits = self.environment.limits
        limits = type(limits)(seconds or NO_LIMIT_SECONDS, limits.memory_mb, limits.processes, limits.file_mb,
                              limits.output_bytes)  # fmt: skip
        with self._lock:
            errors = f"/tmp/.stderr-{next(self._numbers)}"
            command = Command(
                ("sh", "-c", _SPLIT, "sh", errors, *argv),
                cwd=self.path(cwd) if cwd else "",
                variables={**self._variables, **(variables or {})},
                limits=limits,
                stdin=stdin,
            )
            completed = self._box.run(command)
            said = self._read(errors) or b""
            self._box.run(Command(("rm", "-f", errors), cwd="/"))
        return Ended(completed.exit_code, completed.output, said.decode(errors="replace"), completed.killed)

    def path(self, inside: str) -> str:
        """Return an inside path made absolute."""
        return posixpath.normpath(posixpath.join(self.environment.workdir, inside))

    def write(self, source: Path, inside: str) -> None:
        """Copy a host file to `inside`; a folder is laid over what is there, file by file."""
        with self._lock:
            if not source.is_dir():
                self._box.put(source, self.path(inside))
                return
            self._box.run(Command(("mkdir", "-p", self.path(inside)), cwd="/"))
            for path in sorted(source.rglob("*")):
                if path.is_file():
                    self._box.put(path, posixpath.join(self.path(inside), path.relative_to(source).as_posix()))

    def write_bytes(self, content: bytes, inside: str) -> None:
        """Write `content` to `inside`."""
        with tempfile.NamedTemporaryFile() as file:
            file.write(content)
            file.flush()
            Path(file.name).chmod(0o644)
            self.write(Path(file.name), inside)

    def read(self, inside: str) -> bytes | None:
        """Return a file's content; None where there is no file. No link is followed."""
        with self._lock:
            return self._read(self.path(inside))

    def copy_out(self, inside: str, target: Path) -> bool:
        """Copy a file or the content of a folder out; return False where there is neither."""
        with self._lock, tempfile.TemporaryDirectory() as scratch:
            taken = self._box.take([self.path(inside)], Path(scratch) / "taken", MOST_FILE_BYTES)
            found = taken.folder / self.path(inside).lstrip("/")
            if found.is_dir():
                shutil.copytree(found, target, symlinks=True, dirs_exist_ok=True)
            elif found.is_file():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(found, target)
            return found.exists()

    def _read(self, inside: str) -> bytes | None:
        with tempfile.TemporaryDirectory() as scratch:
            taken = self._box.take([inside], Path(scratch) / "taken", MOST_FILE_BYTES)
            found = taken.folder / inside.lstrip("/")
            return found.read_bytes() if found.is_file() and not found.is_symlink() else None

    def is_folder(self, inside: str) -> bool:
        """Say whether a folder is at `inside`."""
        return self.run(["test", "-d", self.path(inside)], cwd="/").exit_code == 0

    def close(self) -> None:
        """End every process and remove the box."""
        self._box.close()

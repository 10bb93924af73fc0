"""Where a grader's process runs: in bubblewrap, without network and with nothing but its own code in sight, or plain.

Covers isolation, limits and variables. What is said there and what it means is `harness`'s.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from fairtrial.prove.text.interpreter import Interpreter, outermost
from fairtrial.prove.text.target import GraderTarget
from fairtrial.records import Environment, Limits, SandboxError
from fairtrial.sandbox import Command, Mount, Sandbox, scratch_folder
from fairtrial.sandbox.watching import let_go, watch

SIDE = Path(__file__).parent / "grader_side"
INSIDE = "/opt/fairtrial"
WORKDIR = "/grading"
_START = (
    "import sys; sys.path[:] = [{folder!r}] + [one for one in sys.path if one]; "
    "import grader_side.__main__ as side; sys.path.remove({folder!r}); side.main()"
)
VARIABLES = {"PYTHONDONTWRITEBYTECODE": "1", "HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false",
             "PYTHONIOENCODING": "utf-8", "LANG": "C.UTF-8"}  # fmt: skip
MOST_SAID = 512 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What a grader's process said, and which limit ended it, where one did."""

    output: str
    killed: str = ""


class Place(Protocol):
    """Runs one job of the grader's side."""

    @property
    def is_isolated(self) -> bool:
        """Say whether the grader is kept from the host."""
        ...

    def run(self, job: bytes, seconds: float, hash_seed: int) -> Ran:
        """Run a job. Raise SandboxError where the place itself fails."""
        ...

    def limits(self) -> Mapping[str, int]:
        """Return limits that the process must set itself."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A bubblewrap box that shows the interpreter and the grader's folders, read-only."""

    sandbox: Sandbox
    interpreter: Interpreter
    target: GraderTarget
    memory_mb: int = 4096
    is_isolated: bool = True

    def run(self, job: bytes, seconds: float, hash_seed: int) -> Ran:
        """Run a job in a box of its own."""
        environment = Environment(workdir=WORKDIR)
        limits = Limits(seconds=seconds, memory_mb=self.memory_mb, output_bytes=MOST_SAID)
        folder = next(iter(self.target.folders), None)
        cwd = str(folder) if folder is not None and not is_too_wide(folder) else WORKDIR
        command = Command(
            argv=(str(self.interpreter.executable), "-c", _START.format(folder=INSIDE)), cwd=cwd, stdin=job,
            variables={**VARIABLES, "PYTHONHASHSEED": str(hash_seed)}, limits=limits,
        )  # fmt: skip
        with self.sandbox.open(self.sandbox.prepare(environment), self._mounts()) as box:
            done = box.run(command)
        return Ran(output=done.output, killed=done.killed)

    def _mounts(self) -> list[Mount]:
        wanted: list[Path] = [*self.interpreter.folders]
        for folder in self.target.folders:
            wanted += sorted(folder.glob("*.py")) if is_too_wide(folder) else [folder]
        is_open = all(is_readable_by_all(path) for path in (*self.target.folders, self.target.file) if path is not None)
        own = self.target.folders
        shown = [
            Mount(path, str(path), in_place=is_open or not any(path.is_relative_to(one) for one in own))
            for path in outermost(wanted)
        ]
        return [Mount(SIDE, f"{INSIDE}/grader_side"), *shown]

    def limits(self) -> Mapping[str, int]:
        """Return none: the box has them."""
        return {}


def is_readable_by_all(path: Path) -> bool:
    """Say whether every user may read a file, or enter a folder: where boxes run as another, the rest is copied."""
    wanted = 0o005 if path.is_dir() else 0o004
    return path.stat().st_mode & wanted == wanted


def is_too_wide(folder: Path) -> bool:
    """Say whether a folder holds much more than a grader: the root, or all of a user's home."""
    home = Path.home().resolve()
    return home.is_relative_to(folder.resolve())


@dataclass(frozen=True, slots=True, kw_only=True)
class Plain:
    """A process of this user, with limits and nothing else: network and files are in its reach."""

    interpreter: Interpreter
    target: GraderTarget
    memory_mb: int = 4096
    is_isolated: bool = False
    variables: Mapping[str, str] = field(default_factory=lambda: dict(VARIABLES))

    def run(self, job: bytes, seconds: float, hash_seed: int) -> Ran:
        """Run a job in a scratch folder that is removed."""
        with scratch_folder() as scratch:
            (scratch / "home").mkdir()
            (scratch / "grader_side").symlink_to(SIDE)
            folder = next((one for one in self.target.folders if one.is_dir()), scratch)
            variables = {**self.variables, "HOME": str(scratch / "home"), "TMPDIR": str(scratch),
                         "PATH": os.environ.get("PATH", os.defpath), "PYTHONHASHSEED": str(hash_seed)}  # fmt: skip
            argv = [str(self.interpreter.executable), "-c", _START.format(folder=str(scratch))]
            return _watched(argv, job, variables, folder, seconds)

    def limits(self) -> Mapping[str, int]:
        """Return what the process sets for itself and its children."""
        return {"RLIMIT_DATA": self.memory_mb << 20, "RLIMIT_CORE": 0, "RLIMIT_FSIZE": Limits().file_mb << 20}


def _watched(argv: Sequence[str], job: bytes, variables: Mapping[str, str], cwd: Path, seconds: float) -> Ran:
    try:
        process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   cwd=cwd, env=dict(variables), start_new_session=True)  # fmt: skip
    except OSError as error:
        raise SandboxError(f"cannot start {argv[0]}: {error.strerror}") from error

    def kill() -> None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    try:
        seen = watch(process, job, Limits(seconds=seconds, output_bytes=MOST_SAID), kill, until_exit=True)
    finally:
        kill()
        let_go(process)
    return Ran(output=seen.output, killed=seen.killed)

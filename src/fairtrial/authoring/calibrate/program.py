"""A family that is a program, run in a box of a sandbox with its folder read-only: it can do the host no harm.

The box has what the sandbox's plain world has, python3 among it, and no network. Its time is bounded.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from fairtrial.authoring.calibrate.family import TASK_FILE
from fairtrial.records import Environment, FormatError, InputError, Limits, digest
from fairtrial.sandbox import Command, Mount, Sandbox, credentials_beside

INSIDE, OUT = "/family", "/made"
SECONDS = 60.0
MOST_BYTES = 64_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramFamily:
    """A generator program."""

    program: Path
    sandbox: Sandbox
    identity: str = field(default="")

    @property
    def name(self) -> str:
        """Return the program's name without its ending."""
        return self.program.stem

    def make(self, difficulty: str, seed: int, into: Path) -> Path | Mapping[str, Any]:
        """Run the program and take what it left."""
        environment = Environment(hash="family", workdir="/work", limits=Limits(seconds=SECONDS))
        start = ("python3",) if self.program.suffix == ".py" else ()
        argv = (*start, f"{INSIDE}/{self.program.name}", "--difficulty", difficulty, "--seed", str(seed), "--out", OUT)
        prepared = self.sandbox.prepare(environment)
        with self.sandbox.open(prepared, (Mount(self.program.parent, INSIDE),)) as box:
            shell = f'mkdir -p {OUT} && exec "$@"'
            done = box.run(Command(("bash", "-c", shell, "bash", *argv), cwd="/",
                                   variables={"PYTHONDONTWRITEBYTECODE": "1"},
                                   limits=Limits(seconds=SECONDS)))  # fmt: skip
            if done.killed or done.exit_code:
                how = f"was ended ({done.killed})" if done.killed else f"ended with {done.exit_code}"
                said = done.output.strip()[-400:]
                raise InputError(f"{how} at difficulty {difficulty}, seed {seed}: {said}", path=self.program,
                                 field="FAMILY")  # fmt: skip
            shutil.rmtree(into, ignore_errors=True)
            taken = box.take([OUT], into, MOST_BYTES)
        return _found(taken.folder / OUT.lstrip("/"), self.program)


def _found(folder: Path, program: Path) -> Path | Mapping[str, Any]:
    if (folder / "task.toml").is_file():
        return folder
    text = folder / TASK_FILE
    if not text.is_file():
        raise FormatError(f"left neither {TASK_FILE} nor task.toml in --out", path=program, field="FAMILY")
    try:
        row = orjson.loads(text.read_bytes())
    except orjson.JSONDecodeError as error:
        raise FormatError(f"left a {TASK_FILE} that is not JSON: {error}", path=program, field="FAMILY") from error
    if not isinstance(row, dict):
        raise FormatError(f"left a {TASK_FILE} that is no object", path=program, field="FAMILY")
    return row


def program_family(program: Path, sandbox: Sandbox) -> ProgramFamily:
    """Return the family of a program. Raise InputError where there is none, or its folder would show credentials."""
    if not program.is_file():
        raise InputError("is no generator program", path=program, field="FAMILY",
                         hint="Name a program, or a function as `package.module:make`.")  # fmt: skip
    program = program.resolve()
    if held := credentials_beside(program.parent):
        raise InputError(f"its folder would be shown to the box, and holds `{held[0]}`", path=program, field="FAMILY",
                         hint="Lay the family in a folder of its own.")  # fmt: skip
    beside = sorted({program, *program.parent.glob("*.py")})
    total = digest(b"\0".join(path.name.encode() + b"\0" + path.read_bytes() for path in beside))
    return ProgramFamily(program=program, sandbox=sandbox, identity=total)

"""Ask a Python interpreter where it finds what it imports, so that a box can show just that."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from fairtrial.records import InputError

OLDEST = (3, 9)
SYSTEM = ("/usr", "/bin", "/lib", "/lib64", "/sbin")
"""Shown in every box."""
_QUESTION = (
    "import json, sys; print(json.dumps({'version': list(sys.version_info[:3]), 'executable': sys.executable,"
    " 'paths': [sys.prefix, sys.base_prefix, sys.exec_prefix, *sys.path]}))"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpreter:
    """A Python that runs graders."""

    executable: Path
    version: tuple[int, ...]
    folders: tuple[Path, ...]
    """What it reads outside the system's own folders; none lies in another."""


def look_at(name: str) -> Interpreter:
    """Return the interpreter `name` (a path, or found on PATH); our own where it is empty. Raise InputError."""
    found = sys.executable if not name else shutil.which(name)
    if not found:
        raise InputError(f"there is no interpreter `{name}`", field="--python", hint="Name a python executable.")
    executable = Path(found).absolute()
    variables = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    try:
        said = subprocess.run([str(executable), "-c", _QUESTION], env=variables, stdin=subprocess.DEVNULL, cwd="/",
                              capture_output=True, timeout=60, check=True).stdout  # fmt: skip
        answer = json.loads(said.splitlines()[-1])
    except (OSError, subprocess.SubprocessError, ValueError, IndexError) as error:
        raise InputError(f"`{executable}` cannot be asked where it imports from: {error}", field="--python") from error
    version = tuple(answer["version"])
    if version < OLDEST:
        said_version = ".".join(map(str, version))
        raise InputError(f"`{executable}` is Python {said_version}", field="--python", hint="3.9 or later is needed.")
    paths = [Path(one) for one in answer["paths"] if one]
    return Interpreter(executable=executable, version=version, folders=outermost(paths))


def outermost(paths: list[Path]) -> tuple[Path, ...]:
    """Return the existing absolute paths that lie neither in one another nor in the system's own folders.

    >>> outermost([Path("/usr/lib"), Path("/etc/ssl"), Path("/etc")])
    (PosixPath('/etc'),)
    """
    system = [Path(one) for one in SYSTEM]
    kept: list[Path] = []
    for path in sorted({one for one in paths if one.is_absolute() and one.exists()}):
        if not any(path.is_relative_to(one) for one in [*system, *kept]):
            kept.append(path)
    return tuple(kept)

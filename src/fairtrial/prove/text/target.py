"""Which grader is meant, and which folders its code lies in.

`module:path` is looked for from the current folder, then on PYTHONPATH, then where the interpreter finds modules;
`file.py:path` is that file, within the package around it if it lies in one.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairtrial.records import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class GraderTarget:
    """A grader by name, with all that importing it takes."""

    name: str
    """As the user said it."""
    module: str
    path: str
    """From the module to the grader: `accuracy`, `ZOO.3.reward`."""
    file: Path | None = None
    folders: tuple[Path, ...] = ()
    """Put in front of the interpreter's own places."""

    def document(self) -> dict[str, Any]:
        """Return what the grader's side needs."""
        return {"name": self.name, "module": self.module, "path": self.path, "file": str(self.file or ""),
                "folders": [str(folder) for folder in self.folders]}  # fmt: skip


def read_target(name: str, here: Path) -> GraderTarget:
    """Return the grader that `name` means, looked for from the folder `here`. Raise InputError where it cannot be one.

    >>> read_target("json:loads", Path("/nowhere")).module
    'json'
    """
    where, colon, path = name.rpartition(":")
    if not colon or not where or not path:
        hint = "Say module:function or path/to/file.py:function."
        raise InputError(f"`{name}` names no grader", field="--grader", hint=hint)
    if where.endswith(".py") or "/" in where:
        return _in_file(name, (here / where).absolute(), path)
    if not all(part.isidentifier() for part in where.split(".")):
        raise InputError(f"`{where}` is no module's name", field="--grader")
    first = where.split(".", maxsplit=1)[0]
    places = [here, *(Path(one) for one in os.environ.get("PYTHONPATH", "").split(os.pathsep) if one)]
    found = [place.absolute() for place in places if (place / first).is_dir() or (place / f"{first}.py").is_file()]
    return GraderTarget(name=name, module=where, path=path, folders=tuple(found[:1]))


def _in_file(name: str, file: Path, path: str) -> GraderTarget:
    if not file.is_file():
        raise InputError("there is no such file", path=file, field="--grader")
    parts, folder = [file.stem], file.parent
    while (folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    if parts[-1] == "__init__":
        parts.pop()
    return GraderTarget(name=name, module=".".join(parts), path=path, file=file, folders=(folder,))

"""Make the kit: one file that holds the checks of the box and runs on any Python from 3.11, with nothing installed.

It lies in a task's tests/, so the agent, who may have the run of the image, never could touch it. It holds the modules
that `fairtrial.checks.__main__` reaches, and packages that are asked for by name, pure Python alone. Same
source, same bytes. Not held: checks that need a trajectory or a judge.
"""

from __future__ import annotations

import importlib.metadata
import io
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from fairtrial.checks.checks_file import NAME as CHECKS_TOML
from fairtrial.checks.checks_file import read_checks
from fairtrial.checks.registry import OUTSIDE
from fairtrial.records.errors import InputError

NAME = "fairtrial.pyz"
SHEBANG = b"#!/usr/bin/env python3\n"
PACKAGES = ("checks", "compare")
LEFT_OUT = ("checks/fitting.py", "checks/kit.py", "checks/rewardkit/", *(f"checks/{family}/" for family in OUTSIDE))
SOURCE = Path(__file__).resolve().parent.parent
TEST_SH = """#!/bin/bash
export PATH=/usr/local/bin:/usr/bin:/bin
exec python3 -I -B -X pycache_prefix=/nowhere /tests/fairtrial.pyz /tests
"""
"""Isolated: neither the agent's working folder nor its variables reach the interpreter, and no cache is read."""
_LONG_AGO = (1980, 1, 1, 0, 0, 0)
_MAIN = "from fairtrial.checks.__main__ import main\n\nraise SystemExit(main())\n"


PACKAGES_OF_CHECKS: dict[str, tuple[str, ...]] = {
    "docx_text": ("mammoth",),
    "pdf_pages": ("pypdf",),
    "pdf_text": ("pypdf",),
    "postgres_changes": ("pg8000",),
    "postgres_rows": ("pg8000",),
    "xlsx_cell": ("openpyxl",),
    "yaml_value": ("ruamel.yaml",),
}
"""Checks -> packages without which they are broken, as far as a kit can carry them."""


def packages_for(tests: Path) -> list[str]:
    """Return the packages that the checks.toml in `tests` needs; none where there is no such file."""
    if not (tests / CHECKS_TOML).is_file():
        return []
    needed: dict[str, None] = {}
    for declared in read_checks(tests / CHECKS_TOML).checks:
        for package in PACKAGES_OF_CHECKS.get(declared.use, ()):
            needed[package] = None
    return list(needed)


def kit(packages: Sequence[str] = ()) -> bytes:
    """Return the kit, with the named installed `packages` and what they need inside.

    Raise InputError for a package that is not installed here or that holds compiled code.
    """
    files = _files(packages)
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, _LONG_AGO), files[name], zipfile.ZIP_DEFLATED)
    return SHEBANG + held.getvalue()


def is_current(path: Path, packages: Sequence[str] = ()) -> bool:
    """Say whether the kit at `path` holds what `kit` would, however it was packed (another zlib packs otherwise)."""
    try:
        with zipfile.ZipFile(path) as archive:
            held = {name: archive.read(name) for name in archive.namelist()}
    except (OSError, zipfile.BadZipFile, zlib.error):
        return False
    return held == _files(packages)


def _files(packages: Sequence[str]) -> dict[str, bytes]:
    files = dict(_ours()) | {"__main__.py": _MAIN.encode()}
    for package in packages:
        files |= dict(_installed(package))
    return files | dict.fromkeys(_bare_folders(files), b"")


def _bare_folders(files: Iterable[str]) -> set[str]:
    """Return the folders that hold packages and no __init__.py: Python finds them in a zip by an entry alone."""
    names = set(files)
    folders = {f"{parent}/" for name in names for parent in map(str, PurePosixPath(name).parents) if parent != "."}
    held = {folder for folder in folders if f"{folder}__init__.py" in names}
    return {folder for folder in folders - held if any(one.startswith(folder) for one in held)}


def _ours() -> Iterator[tuple[str, bytes]]:
    """Yield our modules. Two package roots are smaller than ours, whose ledger ids need a package."""
    from_version = f'"""fairtrial, the part that runs inside a task\'s tests."""\n\n__version__ = "{_version()}"\n'
    yield "fairtrial/__init__.py", from_version.encode()
    yield "fairtrial/records/__init__.py", b'"""Errors alone."""\n\nfrom fairtrial.records.errors import *\n'
    yield "fairtrial/records/errors.py", (SOURCE / "records/errors.py").read_bytes()
    for package in PACKAGES:
        for path in sorted((SOURCE / package).rglob("*.py")):
            name = path.relative_to(SOURCE).as_posix()
            if not name.startswith(LEFT_OUT):
                yield f"fairtrial/{name}", path.read_bytes()


def _version() -> str:
    return importlib.metadata.version("fairtrial")


def _installed(package: str) -> Iterator[tuple[str, bytes]]:
    for name in _with_needs([package]):
        try:
            files = importlib.metadata.distribution(name).files or []
        except importlib.metadata.PackageNotFoundError:
            raise InputError(f"`{name}` is not installed here", hint=f"pip install {name}") from None
        for file in files:
            if file.suffix in (".so", ".pyd"):
                raise InputError(f"`{name}` holds compiled code, which one file for every machine cannot carry")
            path = Path(str(file.locate()))
            inside = not file.as_posix().startswith(("../", "/"))
            if (
                inside
                and file.suffix != ".pyc"
                and file.name not in ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json")
            ):
                yield file.as_posix(), path.read_bytes()


def _with_needs(names: Iterable[str]) -> list[str]:
    """Return the packages and all that they require without extras, in the order met."""
    found: dict[str, None] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop(0)
        if name.lower() in found:
            continue
        found[name.lower()] = None
        try:
            required = importlib.metadata.requires(name) or []
        except importlib.metadata.PackageNotFoundError:
            continue
        waiting += [_bare(line) for line in required if ";" not in line]
    return list(found)


def _bare(requirement: str) -> str:
    return "".join(c if c.isalnum() or c in "-_." else " " for c in requirement).split()[0]

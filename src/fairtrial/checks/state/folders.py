"""Checks of folders: what lies in one, and that nothing in it changed but what may.

Owners, times and empty folders do not count; modes only where `modes` says so.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from fairtrial.checks.code.globs import matches
from fairtrial.checks.protocol import CheckError, Inside, Result
from fairtrial.checks.reading import WorkError, digest, key_text, many, named, of_the_work, said

MOST_FILES = 200_000
MOST_DEEP = 200
MOST_TOLD = 20


@of_the_work
def folder_lists(
    path: Inside,
    equals: list[str] | None = None,
    contains: list[str] | None = None,
    lacks: list[str] | None = None,
    least: int = 0,
    most: int | None = None,
) -> Result:
    """Check the files below a folder: exactly these, at least these, none that match `lacks`, how many.

    Names are paths from the folder. In `contains` and `lacks` patterns may stand: `*` within a name, `**` any folders.
    """
    found = sorted(_listed(path))
    if equals is not None and (strange := sorted(set(equals) ^ set(found))):
        how = "lacks" if strange[0] in equals else "holds besides"
        raise WorkError(f"{named(path)} {how} {said(strange[0])}: it should hold exactly {many(len(equals), 'file')}")
    for pattern in contains or ():
        if not any(matches(name, [pattern]) for name in found):
            raise WorkError(f"{named(path)} holds nothing called {said(pattern)}")
    for pattern in lacks or ():
        if hit := next((name for name in found if matches(name, [pattern])), None):
            raise WorkError(f"{named(path)} holds {said(hit)}, and should hold nothing called {said(pattern)}")
    if len(found) < least or (most is not None and len(found) > most):
        raise WorkError(
            f"{named(path)} holds {many(len(found), 'file')}, not {least} to {'any' if most is None else most}"
        )
    return Result(True, f"{named(path)} holds what it should, {many(len(found), 'file')}", float(len(found)))


@of_the_work
def files_unchanged(path: Inside, before: Inside, allow: list[str] | None = None, modes: bool = False) -> Result:
    """Check that a folder's files are those of `before`: none changed, added or gone but what `allow` matches.

    `before` is a copy of the folder as the agent found it, or what `sha256sum` printed there (paths from the folder).
    """
    found, expected = _listed(path), _before(before)
    allowed = allow or []
    wrong = [
        told
        for name in sorted(found.keys() | expected.keys())
        if not matches(name, allowed) and (told := _differs(name, found.get(name), expected.get(name), modes))
    ]
    if wrong:
        more = f", and {len(wrong) - 1} more" if len(wrong) > 1 else ""
        return Result(False, f"{wrong[0]}{more}", evidence={"changes": wrong[:MOST_TOLD], "count": len(wrong)})
    return Result(True, f"nothing but what may has changed in {named(path)}: {many(len(expected), 'file')}")


def _differs(name: str, found: Path | None, expected: Path | str | None, modes: bool) -> str:
    if found is None:
        return f"{said(name)} is gone"
    if expected is None:
        return f"{said(name)} is new"
    if isinstance(expected, str):
        return "" if _kind(found) == "file" and digest(found) == expected else f"{said(name)} has changed"
    if _kind(found) != _kind(expected):
        return f"{said(name)} is now a {_kind(found)}, not a {_kind(expected)}"
    if modes and stat.S_IMODE(found.lstat().st_mode) != stat.S_IMODE(expected.lstat().st_mode):
        return f"{said(name)} has another mode"
    if _kind(found) == "link":
        return "" if found.readlink() == expected.readlink() else f"{said(name)} links elsewhere"
    if _kind(found) != "file":
        return ""
    same = found.lstat().st_size == expected.lstat().st_size and digest(found) == digest(expected)
    return "" if same else f"{said(name)} has changed"


def _kind(path: Path) -> str:
    mode = path.lstat().st_mode
    return "file" if stat.S_ISREG(mode) else "link" if stat.S_ISLNK(mode) else "special file"


def _before(before: str) -> dict[str, Path] | dict[str, str]:
    """Return name -> path of a copy, or name -> hash of a `sha256sum` listing."""
    if Path(before).is_dir():
        try:
            return _listed(before)
        except WorkError as error:
            raise CheckError(f"the state before: {error}") from None
    sums: dict[str, str] = {}
    for line in key_text(before).splitlines():
        number, _, name = line.partition(" ")
        if len(number) != 64 or not name:
            raise CheckError(f"{named(before)} is neither a folder nor what `sha256sum` prints: {said(line)}")
        sums[name[1:].removeprefix("./")] = number.lower()
    return sums


def _listed(folder: str) -> dict[str, Path]:
    """Return path from the folder -> path, of all below that is no folder. Raise WorkError for what is no folder."""
    root = Path(folder)
    if "\0" in folder or root.is_symlink() or not root.is_dir():
        raise WorkError(f"there is no folder {named(folder)}")
    found: dict[str, Path] = {}
    for path in _walked(root, 0):
        found[os.fsencode(path.relative_to(root)).decode("utf-8", "backslashreplace")] = path
        if len(found) > MOST_FILES:
            raise WorkError(f"{named(folder)} holds more than {MOST_FILES} files")
    return found


def _walked(folder: Path, depth: int) -> Iterator[Path]:
    if depth > MOST_DEEP:
        raise WorkError(f"folders lie more than {MOST_DEEP} deep in one another")
    try:
        with os.scandir(folder) as listed:
            children = list(listed)
    except OSError as error:
        raise WorkError(f"the folder {named(folder)} cannot be read: {error.strerror}") from None
    for child in children:
        if child.is_dir(follow_symlinks=False):
            yield from _walked(Path(child.path), depth + 1)
        else:
            yield Path(child.path)

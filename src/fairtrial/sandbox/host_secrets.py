"""Settings of the host in folders that a box is shown, which may hold keys: left out of /etc, covered below /usr.

Covered: settings of package managers and of git by their names, wherever they hold a key or not, and other files of
`/usr/etc` and `/usr/local/etc` that set what is named like a credential. Not covered: keys inside programs.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from fairtrial.sandbox.variables import holds_secret

SETTINGS = ("npmrc", "pip.[a-z]*", "gitconfig", "condarc", ".condarc", "netrc", "wgetrc", "curlrc", "pypirc", "uv.toml",
            "auth.json", "config.json", "Renviron.site")  # fmt: skip
"""Patterns of names."""
FOLDERS = ("usr", "usr/etc", "usr/local", "usr/local/etc", "usr/lib/R/etc", "usr/local/lib/R/etc")
SEARCHED = ("usr/etc", "usr/local/etc")
"""Folders whose every file is looked at, small text files only."""
SAMPLES = frozenset({"openssl.cnf"})
"""Files that come with a secret in an example of theirs."""
MOST_FILES = 2000
MOST_BYTES = 256 << 10


def is_kept_back(path: Path) -> bool:
    """Say whether a file of /etc is not shown, because it sets what is named like a credential, or holds one."""
    try:
        return (
            path.name not in SAMPLES
            and path.stat().st_size <= MOST_BYTES
            and holds_secret(path.read_text("utf-8", "replace"))
        )
    except OSError:
        return True


@cache
def covered(base: Path = Path("/")) -> tuple[str, ...]:
    """Return the files below the shown system folders that a box must not read, without a leading slash."""
    named = (path for folder in FOLDERS for pattern in SETTINGS for path in (base / folder).glob(pattern))
    found = {str(path.relative_to(base)) for path in named if path.is_file()}
    found = {name for name in found if _is_real(base, name)}
    for folder in SEARCHED:
        for path in _small_files(base / folder):
            if is_kept_back(path) and _is_real(base, name := str(path.relative_to(base))):
                found.add(name)
    return tuple(sorted(found))


def cover_arguments(empty: Path, uppers: Mapping[str, Path]) -> list[str]:
    """Return bubblewrap's arguments that put `empty` over each covered file, but where an environment has its own.

    `uppers` are the written sides of layers over system folders, by the folder's name.
    """
    words: list[str] = []
    for name in covered():
        first, _, below = name.partition("/")
        if first not in uppers or shows_through(uppers[first], below):
            words += ["--ro-bind", str(empty), f"/{name}"]
    return words


def shows_through(upper: Path, below: str) -> bool:
    """Say whether a file of the host is seen through a layer: neither replaced, nor removed, nor below what is."""
    at = upper
    parts = below.split("/")
    for number, part in enumerate(parts):
        at = at / part
        try:
            found = at.lstat()
        except FileNotFoundError:
            return True
        if not stat.S_ISDIR(found.st_mode) or number == len(parts) - 1 or _is_opaque(at):
            return False
    return False


def _is_opaque(folder: Path) -> bool:
    for name in ("user.overlay.opaque", "trusted.overlay.opaque"):
        try:
            if os.getxattr(folder, name) == b"y":
                return True
        except OSError:
            continue
    return False


def _is_real(base: Path, name: str) -> bool:
    """Say whether no part of a path is a link: what a link leads to is covered where it lies, or is not shown."""
    path = base / name
    return not any(one.is_symlink() for one in (path, *path.parents) if one != base and base in one.parents)


def _small_files(folder: Path) -> Iterable[Path]:
    seen = 0
    for at, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            seen += 1
            path = Path(at, name)
            if seen > MOST_FILES:
                return
            if path.is_file() and not path.is_symlink():
                yield path

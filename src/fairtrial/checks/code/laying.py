"""Lay a tree out in a fresh folder to run something in it, with other files over it; what runs works on a copy.

Links are kept where they stay inside; pipes and devices are not laid. Files of a test runner's or interpreter's set-up
(CONTROL) come from layers alone, so the work cannot take the run over by them.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fairtrial.checks.alone import remove_tree
from fairtrial.checks.code.globs import matches
from fairtrial.checks.code.trees import Entry, Tree
from fairtrial.checks.protocol import CheckError
from fairtrial.checks.reading import WorkError

CONTROL = ("conftest.py", "pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "tox.ini", "sitecustomize.py",
           "usercustomize.py", "*.pth")  # fmt: skip
"""What starts by itself with a test run, or says how it goes."""

NAMES_OF_TESTS = (
    "test_*.py",
    "*_test.py",
    "conftest.py",
    "*_test.go",
    "*.test.js",
    "*.test.ts",
    "*.spec.js",
    "*.spec.ts",
)
"""Where tests lie between the code (`at` is `.`), the names that tell them from it."""


@dataclass(frozen=True, slots=True)
class Layer:
    """Files that are laid over a tree, and what of the tree they stand for."""

    files: Tree
    at: str = "."
    instead_of: tuple[str, ...] = ()
    """Patterns of what is taken away first."""


def tests_of(tree: Tree, at: str) -> Layer:
    """Return the tests of `tree` as a layer: the folder `at`, or what bears a test's name where `at` is `.`."""
    if in_place_of({}, at).at == ".":
        return Layer(
            {name: entry for name, entry in tree.items() if matches(name, NAMES_OF_TESTS)}, ".", NAMES_OF_TESTS
        )
    above = f"{Path(at).as_posix()}/"
    return in_place_of({name.removeprefix(above): one for name, one in tree.items() if name.startswith(above)}, at)


def controls_of(tree: Tree) -> Layer:
    """Return what `tree` sets a test run up with, as a layer."""
    return Layer({name: entry for name, entry in tree.items() if matches(name, CONTROL)})


def in_place_of(files: Tree, at: str) -> Layer:
    """Return the layer that puts `files` in place of the folder `at`; over the tree, file by file, if `at` is `.`."""
    place = Path(at)
    if place.is_absolute() or ".." in place.parts:
        raise CheckError(f"`at` is a folder in the code, not {at}")
    bare = place.as_posix()
    return Layer(files, bare, () if bare == "." else (f"{bare}/**", bare))


@contextlib.contextmanager
def laid(tree: Tree, layers: Sequence[Layer] = (), *, without: Sequence[str] = (), user: str = "") -> Iterator[Path]:
    """Yield a folder that holds `tree` but what `without` and the layers take away, and the layers over it."""
    top = Path(tempfile.mkdtemp(prefix="laid-")).resolve()
    try:
        gone = [*without, *(pattern for layer in layers for pattern in layer.instead_of)]
        _lay({name: entry for name, entry in tree.items() if not matches(name, gone)}, top)
        for layer in layers:
            _lay({str(Path(layer.at, name)): entry for name, entry in layer.files.items()}, top)
        if user:
            _give(top, user)
        yield top
    finally:
        remove_tree(top)


def _lay(tree: Tree, top: Path) -> None:
    for name, entry in tree.items():
        place = top / name
        try:
            _clear(place, top)
            place.parent.mkdir(parents=True, exist_ok=True)
            if entry.kind == "file":
                _copy(entry, place)
            elif entry.kind == "link" and _stays_inside(name, entry.target):
                place.symlink_to(entry.target)
        except (OSError, ValueError) as error:
            raise WorkError(f"{name} cannot be copied: {error}") from error


def _clear(place: Path, top: Path) -> None:
    """Take away what is in the way of `place`: links to folders on the way there, and what had its name."""
    for part in reversed(place.parents):
        if part.is_relative_to(top) and part != top and (part.is_symlink() or part.is_file()):
            part.unlink()
    if place.is_symlink() or place.is_file():
        place.unlink()
    elif place.is_dir():
        shutil.rmtree(place)


def _copy(entry: Entry, place: Path) -> None:
    place.write_bytes(entry.data())
    place.chmod(0o755 if entry.is_executable else 0o644)


def _stays_inside(name: str, target: str) -> bool:
    """Say whether a link called `name` points to a place in its tree, whatever other links lie on the way.

    >>> [_stays_inside("a/b", target) for target in ("../c", "c", "../../c", "/c", "c/../../d")]
    [True, True, False, False, False]
    """
    parts = Path(target).parts
    up = next((number for number, part in enumerate(parts) if part != ".."), len(parts))
    return not Path(target).is_absolute() and up < len(Path(name).parts) and ".." not in parts[up:]


def _give(top: Path, user: str) -> None:
    try:
        shutil.chown(top, user)
        for folder, folders, files in os.walk(top):
            for name in (*folders, *files):
                if not (place := Path(folder, name)).is_symlink():
                    shutil.chown(place, user)
    except (LookupError, PermissionError) as error:
        raise CheckError(f"nothing can be run as `{user}` here: {error}") from error

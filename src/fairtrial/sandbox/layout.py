"""Lay out an environment's root folder: the steps of its plan, one after the other, as a build would.

A Dockerfile is somebody else's text: nothing in it can make this write or read outside the root and the context.
RUN is executed by the caller's `execute`, in a sandbox.
"""

from __future__ import annotations

import os
import re
import stat
import tarfile
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from fairtrial.records import SandboxError
from fairtrial.sandbox.archive import ArchiveError, unpack
from fairtrial.sandbox.host_view import system_place
from fairtrial.sandbox.inside import FOLDER, copy_plain, make_writable, move_away, open_folder, remove_tree
from fairtrial.sandbox.plan import Copy, MakeFolder, Run, Step

Place = Callable[[str, int], tuple[Path, str]]
"""(inside path, Dockerfile line) -> the host root it lies below, and the path there."""


class Layout:
    """Takes the steps of a plan, in order."""

    def __init__(self, context: Path | None, place: Place, execute: Callable[[Run], None], staging: Path) -> None:
        self._context = context.resolve() if context is not None else None
        self._place = place
        self._execute = execute
        self._staging = staging
        self._ignored = _read_ignore(self._context) if self._context else []

    def take(self, steps: Sequence[Step]) -> None:
        """Lay out every step. Raise SandboxError naming the line of one that cannot be."""
        for step in steps:
            if isinstance(step, MakeFolder):
                self._make_folder(step.inside, 0)
            elif isinstance(step, Run):
                self._execute(step)
            else:
                self._copy(step)

    def _make_folder(self, inside: str, line: int) -> None:
        if system_place(inside) is not None and Path(inside).is_dir():
            return
        root, path = self._place(inside, line)
        try:
            with open_folder(root, path, make=True):
                pass
        except OSError as error:
            raise SandboxError(f"{inside} cannot be made a folder: {error.strerror}") from error

    def _copy(self, step: Copy) -> None:
        folder = Path(tempfile.mkdtemp(prefix="copy-", dir=self._staging))
        try:
            into_folder = step.target.endswith("/") or self._is_folder(step)
            for number, (source, name) in enumerate(self._sources(step, folder)):
                staged = folder / f"new-{number}"
                self._stage(source, staged, step)
                target = step.target.rstrip("/")
                if staged.is_dir():
                    self._merge_at(staged, target or "/", step)
                else:
                    self._merge_at(staged, f"{target}/{name}" if into_folder else target, step)
        finally:
            remove_tree(folder)

    def _is_folder(self, step: Copy) -> bool:
        root, path = self._place(step.target, step.line)
        try:
            with open_folder(root, path):
                return True
        except OSError:
            return system_place(step.target) is not None and Path(step.target).is_dir()

    def _sources(self, step: Copy, folder: Path) -> list[tuple[Path, str]]:
        if step.text is not None:
            (folder / "text").write_text(step.text)
            return [(folder / "text", step.sources[0])]
        found: list[tuple[Path, str]] = []
        for pattern in step.sources:
            if self._is_lost_folder(pattern):
                (folder / "empty").mkdir(exist_ok=True)
                found.append((folder / "empty", pattern))
            else:
                found += [(path, path.name) for path in self._matches(pattern, step.line)]
        return found

    def _is_lost_folder(self, pattern: str) -> bool:
        """Say whether `pattern` names a folder that is not there: version control keeps no empty ones.

        Where the whole context is gone, nothing is known of its folders, and an empty one would be a wrong environment.
        """
        if self._context is None or not pattern.endswith("/") or set(pattern) & set("*?["):
            return False
        return self._context.is_dir() and not os.path.lexists(self._context / os.path.normpath(pattern.lstrip("/")))

    def _matches(self, pattern: str, line: int) -> list[Path]:
        if self._context is None:
            raise SandboxError(f"COPY {pattern}: there is no folder to copy from", path="Dockerfile", line=line)
        plain = os.path.normpath(pattern.lstrip("/") or ".")
        if plain.startswith(".."):
            raise SandboxError(f"COPY {pattern}: leads out of the build context", path="Dockerfile", line=line)
        names = _matching(plain, self._context)
        paths = [self._context / name for name in sorted(names) if not _is_ignored(name, self._ignored)]
        for path in paths:
            if not path.resolve().is_relative_to(self._context):
                raise SandboxError(f"COPY {pattern}: a link leads out of the context", path="Dockerfile", line=line)
        if not paths or not all(path.exists() for path in paths):
            raise SandboxError(f"COPY {pattern}: no such file in the build context", path="Dockerfile", line=line)
        return paths

    def _stage(self, source: Path, staged: Path, step: Copy) -> None:
        """Copy a source beside the root, without what .dockerignore names."""
        if step.unpack and source.is_file() and tarfile.is_tarfile(source):
            staged.mkdir()
            try:
                unpack(source, staged)
            except ArchiveError as error:
                raise SandboxError(f"ADD {source.name}: {error}", path="Dockerfile", line=step.line) from error
            return
        copy_plain(source.resolve(), staged)
        make_writable(staged)
        if self._ignored and self._context and staged.is_dir():
            base = os.path.relpath(source, self._context)
            for path in _below(staged):
                name = os.path.normpath(os.path.join(base, os.path.relpath(path, staged)))  # noqa: PTH118
                if _is_ignored(name, self._ignored) and os.path.lexists(path) and not path.is_dir():
                    path.unlink()
        for path in [staged, *_below(staged)]:
            if not path.is_symlink():
                path.chmod(_mode(path, step.mode))

    def _merge_at(self, staged: Path, inside: str, step: Copy) -> None:
        root, path = self._place(inside, step.line)
        parent, _, name = path.rstrip("/").rpartition("/")
        try:
            if staged.is_dir():
                with open_folder(root, path, make=True) as folder:
                    self._merge_children(staged, folder)
            else:
                with open_folder(root, parent, make=True) as folder:
                    self._merge(staged, name, folder)
        except OSError as error:
            what = f"COPY to {inside}: {error.strerror or error}"
            raise SandboxError(what, path="Dockerfile", line=step.line) from error

    def _merge_children(self, staged: Path, folder: int) -> None:
        for child in sorted(staged.iterdir()):
            self._merge(child, child.name, folder)

    def _merge(self, staged: Path, name: str, folder: int) -> None:
        """Move one staged entry in; a folder is merged with one that is there, anything else is replaced."""
        if staged.is_dir() and not staged.is_symlink() and _is_real_folder(name, folder):
            below = os.open(name, FOLDER, dir_fd=folder)
            try:
                self._merge_children(staged, below)
            finally:
                os.close(below)
            return
        old = Path(tempfile.mkdtemp(prefix="old-", dir=self._staging))
        move_away(name, folder, old / "old")
        os.rename(staged, name, dst_dir_fd=folder)
        remove_tree(old)


def _matching(plain: str, context: Path) -> list[str]:
    if not re.search(r"[*?\[]", plain):
        return [plain]
    return [str(path.relative_to(context)) for path in context.glob(plain)]


def _is_real_folder(name: str, folder: int) -> bool:
    try:
        return stat.S_ISDIR(os.lstat(name, dir_fd=folder).st_mode)
    except FileNotFoundError:
        return False


def _below(folder: Path) -> list[Path]:
    """Return everything below a folder, deepest last, no link followed."""
    found: list[Path] = []
    for base, folders, files in os.walk(folder):
        found += [Path(base, name) for name in (*folders, *files)]
    return found


def _read_ignore(context: Path) -> list[tuple[bool, re.Pattern[str]]]:
    """Return the rules of .dockerignore: (keeps, pattern), later ones stronger."""
    file = context / ".dockerignore"
    if not file.is_file():
        return []
    rules: list[tuple[bool, re.Pattern[str]]] = []
    for line in file.read_text(errors="replace").splitlines():
        text = line.strip()
        if text and not text.startswith("#"):
            keeps = text.startswith("!")
            rules.append((keeps, _ignore_pattern(text.lstrip("!").strip().strip("/"))))
    return rules


def _ignore_pattern(text: str) -> re.Pattern[str]:
    """Return the pattern of one rule: `*` stays in its folder, `**` does not, and all below a match is matched too.

    >>> bool(_ignore_pattern("**/*.pyc").fullmatch("a/b/c.pyc")), bool(_ignore_pattern("*.pyc").fullmatch("a/c.pyc"))
    (True, False)
    """
    words = []
    for part in re.split(r"(\*\*/|\*\*|\*|\?)", os.path.normpath(text)):
        words.append({"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}.get(part, re.escape(part)))
    return re.compile("".join(words) + "(?:/.*)?")


def _is_ignored(name: str, rules: Sequence[tuple[bool, re.Pattern[str]]]) -> bool:
    ignored = False
    for keeps, pattern in rules:
        if pattern.fullmatch(name):
            ignored = not keeps
    return ignored


def _mode(path: Path, asked: int | None) -> int:
    """Return the mode of a copied path: as asked by --chmod, else its own with the owner's right to write.

    In an image root may write to a file of any mode; here the box's root has no such capability, so that a suite that
    was checked out read-only would hand agents a workspace in which nothing can be edited.
    """
    if asked is not None:
        return asked | (0o111 if path.is_dir() else 0)
    return stat.S_IMODE(path.stat().st_mode) | (0o700 if path.is_dir() else 0o200)

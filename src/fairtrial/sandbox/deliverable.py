"""Copy files out of a box for grading: no link is followed, sizes are capped, odd things are left out by name.

Links that stay inside are kept as links; hard links become files; sockets, pipes and devices are left out; setuid and
setgid bits are dropped. The hash covers path, kind, executable bit, size and content, never times or owners. A
process that writes while files are copied (in a live box) can tear a file, but cannot turn the copy to the host.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fairtrial.records import SandboxError, canonical_json, digest
from fairtrial.sandbox.inside import FOLDER, normal, open_folder, open_up
from fairtrial.sandbox.protocol import Taken

CHUNK = 1 << 20
MOST_ENTRIES = 200_000
MOST_DEPTH = 200
"""Deeper folders are left out: a descriptor is held open for each level."""
MOST_PATH_BYTES = 2048
"""Longer paths are left out: below a host folder they would pass the 4096 that the kernel takes in one path."""


@dataclass(slots=True)
class _Manifest:
    most_bytes: int
    restore: Callable[[bytes], bytes] | None = None
    entries: list[list[object]] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    size: int = 0
    files: int = 0

    def leave_out(self, path: str, why: str) -> None:
        self.left_out.append((_printable(path), why))


def take(
    root: Path,
    inside: Sequence[str],
    into: Path,
    most_bytes: int,
    restore: Callable[[bytes], bytes] | None = None,
) -> Taken:
    """Copy `inside` paths of the box at `root` below the host folder `into`, which mirrors the box.

    `restore` may change the content of files of up to 1 MB on the way.
    A path that is not there is left out by name. Raise SandboxError where the host cannot write.
    """
    manifest = _Manifest(most_bytes, restore)
    into.mkdir(parents=True, exist_ok=True)
    for path in _outermost(inside):
        parent, _, name = path.rpartition("/")
        try:
            _take_one(root, parent, name, into, manifest)
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EROFS, errno.EDQUOT, errno.EEXIST):
                raise SandboxError(f"cannot write the deliverable to {into}: {error.strerror}") from error
            manifest.leave_out(path, error.strerror or "cannot be read")
    manifest.entries.sort(key=lambda entry: str(entry[0]))
    return Taken(
        folder=into,
        hash=digest(canonical_json(manifest.entries)),
        files=manifest.files,
        size=manifest.size,
        left_out=tuple(manifest.left_out),
    )


def _outermost(inside: Sequence[str]) -> list[str]:
    """Return normal paths without those that lie in another one.

    >>> _outermost(["/app/x", "/logs", "/app/", "/apps"])
    ['/app', '/apps', '/logs']
    """
    kept: list[str] = []
    for path in sorted({normal(path) for path in inside}):
        if not any(path.startswith(f"{outer.rstrip('/')}/") for outer in kept):
            kept.append(path)
    return kept


def _take_one(root: Path, parent: str, name: str, into: Path, manifest: _Manifest) -> None:
    target = into / parent.lstrip("/")
    target.mkdir(parents=True, exist_ok=True)
    out = os.open(target, FOLDER)
    try:
        if not name:
            with open_folder(root, "/") as folder:
                _take_children(folder, out, "", manifest, 0)
            return
        with open_folder(root, parent) as folder:
            _take_entry(name, folder, out, f"{parent}/{name}", manifest, 0)
    finally:
        os.close(out)


def _take_entry(name: str, folder: int, out: int, path: str, manifest: _Manifest, depth: int) -> None:
    try:
        state = os.lstat(name, dir_fd=folder)
    except OSError as error:
        manifest.leave_out(path, error.strerror or "cannot be read")
        return
    if len(os.fsencode(path)) > MOST_PATH_BYTES:
        manifest.leave_out(path[:200], "path too long")
    elif len(manifest.entries) >= MOST_ENTRIES:
        if not manifest.left_out or manifest.left_out[-1][1] != "too many files":
            manifest.leave_out(path, "too many files")
    elif stat.S_ISDIR(state.st_mode):
        _take_folder(name, folder, out, path, manifest, depth)
    elif stat.S_ISREG(state.st_mode):
        _take_file(name, folder, out, path, manifest)
    elif stat.S_ISLNK(state.st_mode):
        _take_link(name, folder, out, path, manifest)
    else:
        manifest.leave_out(path, "not a file, folder or link")


def _take_folder(name: str, folder: int, out: int, path: str, manifest: _Manifest, depth: int) -> None:
    if depth >= MOST_DEPTH:
        manifest.leave_out(path, "too deep")
        return
    try:
        here = _open(name, folder, FOLDER)
    except OSError as error:
        manifest.leave_out(path, error.strerror or "cannot be read")
        return
    try:
        try:
            os.mkdir(name, 0o755, dir_fd=out)
        except FileExistsError:
            pass
        there = os.open(name, FOLDER, dir_fd=out)
        try:
            manifest.entries.append([_printable(path), "folder"])
            _take_children(here, there, path, manifest, depth + 1)
        finally:
            os.close(there)
    finally:
        os.close(here)


def _take_children(here: int, there: int, path: str, manifest: _Manifest, depth: int) -> None:
    for name in sorted(os.listdir(here)):
        _take_entry(name, here, there, f"{path}/{name}", manifest, depth)


def _take_file(name: str, folder: int, out: int, path: str, manifest: _Manifest) -> None:
    try:
        source = _open(name, folder, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        manifest.leave_out(path, error.strerror or "cannot be read")
        return
    try:
        state = os.fstat(source)
        if not stat.S_ISREG(state.st_mode):
            manifest.leave_out(path, "not a file, folder or link")
            return
        if manifest.size + state.st_size > manifest.most_bytes:
            manifest.leave_out(path, f"over the cap of {manifest.most_bytes} bytes")
            return
        mode = 0o755 if state.st_mode & 0o111 else 0o644
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        target = os.open(name, flags, mode, dir_fd=out)
        try:
            size, content = _copy(source, target, state.st_size, manifest.restore)
        finally:
            os.close(target)
        manifest.size += size
        manifest.files += 1
        manifest.entries.append([_printable(path), "file", mode == 0o755, size, content])
    finally:
        os.close(source)


def _copy(source: int, target: int, most: int, restore: Callable[[bytes], bytes] | None) -> tuple[int, str]:
    """Copy at most `most` bytes, the size when opened: a file that grows meanwhile does not pass the cap."""
    if restore is not None and most <= CHUNK:
        data = restore(os.read(source, most))
        _write(target, data)
        return len(data), hashlib.sha256(data).hexdigest()
    hashed = hashlib.sha256()
    size = 0
    while size < most:
        data = os.read(source, min(CHUNK, most - size))
        if not data:
            break
        hashed.update(data)
        size += len(data)
        if data.count(0) == len(data):  # a file of holes must not become one of blocks, and fill the disk
            os.lseek(target, len(data), os.SEEK_CUR)
        else:
            _write(target, data)
    os.ftruncate(target, size)
    return size, hashed.hexdigest()


def _write(target: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(target, view) :]


def _take_link(name: str, folder: int, out: int, path: str, manifest: _Manifest) -> None:
    target = os.readlink(name, dir_fd=folder)
    if target.startswith("/"):
        manifest.leave_out(path, f"link to an absolute path: {_printable(target)}")
        return
    if _leads_out(path, target):
        manifest.leave_out(path, f"link that leads out: {_printable(target)}")
        return
    os.symlink(target, name, dir_fd=out)
    manifest.entries.append([_printable(path), "link", _printable(target)])


def _leads_out(path: str, target: str) -> bool:
    """Say whether a relative link climbs above the top folder that it lies in.

    A `..` after a name counts as leading out: through links to `.` it could climb further than it seems.

    >>> _leads_out("/app/a/b", "../c"), _leads_out("/app/a", "../etc/passwd"), _leads_out("/app/a/b", "c/../d")
    (False, True, True)
    """
    parts = [part for part in target.split("/") if part not in ("", ".")]
    climbs = len(parts) - len([part for part in parts if part != ".."])
    return parts[:climbs] != [".."] * climbs or climbs > path.count("/") - 2


def _open(name: str, folder: int, flags: int) -> int:
    """Open an entry; where the agent took the permission away and the files are ours, give it back."""
    try:
        return os.open(name, flags, dir_fd=folder)
    except PermissionError:
        open_up(name, folder)
        return os.open(name, flags, dir_fd=folder)


def _printable(path: str) -> str:
    """Return a path with undecodable bytes written as escapes, so that it can be stored.

    >>> _printable("a\\udcff")
    'a\\\\xff'
    """
    return os.fsencode(path).decode("utf-8", "backslashreplace")

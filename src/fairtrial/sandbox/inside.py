"""Walk inside a box's root folder without ever leaving it, whatever links an agent has left there.

A link is read as the box would read it: an absolute one starts again at the box's root. Every step opens one name
with O_NOFOLLOW, so a link swapped in between leads to an error, not to the host.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from fairtrial.records import SandboxError
from fairtrial.sandbox.box_user import box_user, give
from fairtrial.sandbox.cloning import clone_small, is_small

MOST_LINKS = 40
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def normal(inside: str, workdir: str = "/") -> str:
    """Return `inside` as an absolute path without `.` and `..`, taken from `workdir` if it is relative.

    >>> normal("../data/./x", "/app/src")
    '/app/data/x'
    """
    parts: list[str] = []
    for part in (PurePosixPath(workdir) / inside).parts:
        if part == "..":
            parts = parts[:-1]
        elif part not in ("/", "//", "."):
            parts.append(part)
    return "/" + "/".join(parts)


@contextmanager
def open_folder(root: Path, inside: str, *, make: bool = False) -> Iterator[int]:
    """Open a folder of the box; yields its descriptor. Raise OSError if it is not one, SandboxError on a link ring."""
    descriptor = _walk(root, _parts(inside), make)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _parts(inside: str) -> list[str]:
    return [part for part in inside.split("/") if part not in ("", ".")]


def _walk(root: Path, parts: list[str], make: bool, owner: int | None = None) -> int:
    """Follow `parts` from the root; a stack of open folders stands for the way back that `..` takes."""
    stack = [os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)]
    links = 0
    todo = list(reversed(parts))
    try:
        while todo:
            name = todo.pop()
            if name == "..":
                if len(stack) > 1:
                    os.close(stack.pop())
                continue
            target = _link_target(name, stack[-1])
            if target is None:
                stack.append(_enter(name, stack[-1], make, owner))
                continue
            links += 1
            if links > MOST_LINKS:
                raise SandboxError(f"{'/'.join(parts)}: too many links inside the box")
            if target.startswith("/"):
                for descriptor in stack[1:]:
                    os.close(descriptor)
                del stack[1:]
            todo.extend(reversed(_parts(target)))
        return stack.pop()
    finally:
        for descriptor in stack:
            os.close(descriptor)


def _link_target(name: str, folder: int) -> str | None:
    try:
        return os.readlink(name, dir_fd=folder)
    except OSError:
        return None


def _enter(name: str, folder: int, make: bool, owner: int | None) -> int:
    if make:
        try:
            os.mkdir(name, 0o755, dir_fd=folder)
            if owner is not None:
                os.chown(name, owner, owner, dir_fd=folder, follow_symlinks=False)
        except FileExistsError:
            pass
    try:
        return os.open(name, FOLDER, dir_fd=folder)
    except PermissionError:
        open_up(name, folder)  # the agent took the permission away, and the folder is ours
        return os.open(name, FOLDER, dir_fd=folder)


def put_into(root: Path, source: Path, inside: str, *, for_box_user: bool = False) -> None:
    """Copy the host file or folder `source` to `inside` below `root`, replacing what is there.

    Links below `source` are copied as links. The copy is made beside the root and moved in by one rename, so that
    nothing alive in the box can turn it elsewhere half-way. Raise SandboxError where it cannot be laid there.
    """
    parts = _parts(normal(inside))
    if not parts and not source.is_dir():
        raise SandboxError(f"{source} cannot become the root of a box")
    try:
        if not parts:
            for child in source.iterdir():
                put_into(root, child, "/" + child.name, for_box_user=for_box_user)
            return
        with _open_for_put(root, "/".join(parts[:-1]), for_box_user=for_box_user) as folder:
            staging = Path(tempfile.mkdtemp(prefix="put-", dir=root.parent))
            try:
                copy_plain(source, staging / "new")
                make_writable(staging / "new")
                if for_box_user:
                    give(staging / "new")
                move_away(parts[-1], folder, staging / "old")
                os.rename(staging / "new", parts[-1], dst_dir_fd=folder)
            finally:
                remove_tree(staging)
    except OSError as error:
        raise SandboxError(f"cannot lay {source} at {inside} in the box: {error.strerror or error}") from error


@contextmanager
def _open_for_put(root: Path, inside: str, *, for_box_user: bool) -> Iterator[int]:
    """Open a folder to put into, made where it is not there; files and rings of links in the way are removed."""
    owner = box_user() if for_box_user else None
    try:
        descriptor = _walk(root, _parts(inside), make=True, owner=owner)
    except (OSError, SandboxError):
        clear_place(root, inside, is_folder=True)
        descriptor = _walk(root, _parts(inside), make=True, owner=owner)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def copy_plain(source: Path, target: Path, *, keep_owner: bool = False) -> None:
    """Copy a tree as files of ours: modes and times kept, links as links, blocks shared where possible.

    Owners are kept only if asked. `target` must not be within reach of a live box.
    """
    if source.is_file():
        shutil.copy2(source, target)
        target.chmod(stat.S_IMODE(source.stat().st_mode) & 0o777)
        return
    if is_small(source):
        clone_small(source, target, keep_owner=keep_owner)
        return
    kept = "mode,timestamps,links,ownership" if keep_owner else "mode,timestamps,links"
    copied = subprocess.run(
        ["cp", "-R", "-P", f"--preserve={kept}", "--reflink=auto", "-T", "--", str(source), str(target)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    if copied.returncode:
        raise SandboxError(f"cannot copy {source}: {copied.stdout.decode(errors='replace').strip()[:500]}")


def make_writable(path: Path) -> None:
    """Give the owner write permission below `path`: root in a container needs none, root in a box has no capability."""
    for folder in (path, *(Path(base, name) for base, folders, _ in os.walk(path) for name in folders)):
        if folder.is_dir() and not folder.is_symlink():
            folder.chmod(stat.S_IMODE(folder.stat().st_mode) | 0o700)
    for base, _, names in os.walk(path):
        for file in (Path(base, name) for name in names):
            _add_write(file)
    if not path.is_dir():
        _add_write(path)


def _add_write(file: Path) -> None:
    state = file.lstat()
    if stat.S_ISREG(state.st_mode) and not state.st_mode & 0o200:
        file.chmod(stat.S_IMODE(state.st_mode) | 0o600)


def move_away(name: str, folder: int, to: Path) -> None:
    """Move what stands at `name` in an open folder out of the box; nothing there is fine."""
    try:
        mode = os.lstat(name, dir_fd=folder).st_mode
    except FileNotFoundError:
        return
    if stat.S_ISDIR(mode) and mode & 0o700 != 0o700:
        open_up(name, folder)
    os.rename(name, to, src_dir_fd=folder)


def open_up(name: str, folder: int) -> None:
    """Give the owner every permission on an entry that is no link, without following one."""
    handle = os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    try:
        mode = os.fstat(handle).st_mode
        if not stat.S_ISLNK(mode):
            Path(f"/proc/self/fd/{handle}").chmod(stat.S_IMODE(mode) | 0o700)
    finally:
        os.close(handle)


def remove_tree(path: Path) -> None:
    """Remove a folder of ours with all that an agent left in it: folders without permissions, odd names, deep trees."""
    try:
        shutil.rmtree(path, ignore_errors=True)
    except RecursionError:
        pass  # it descends call by call; `rm` below does not
    if os.path.lexists(path):
        quiet = subprocess.DEVNULL
        subprocess.run(["chmod", "-R", "u+rwX", "--", str(path)], stdin=quiet, stderr=quiet, check=False)
        subprocess.run(["rm", "-rf", "--one-file-system", "--", str(path)], stdin=quiet, stderr=quiet, check=False)


def clear_place(root: Path, inside: str, *, is_folder: bool) -> None:
    """Make `inside` a real folder or file of the box to mount on; links and others in the way are removed."""
    parts = _parts(normal(inside))
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for number, name in enumerate(parts):
            wants_folder = is_folder or number < len(parts) - 1
            _replace_unless(name, folder, root.parent, wants_folder)
            if wants_folder:
                below = os.open(name, FOLDER, dir_fd=folder)
                os.close(folder)
                folder = below
    except OSError as error:
        raise SandboxError(f"cannot mount at {inside} in the box: {error.strerror or error}") from error
    finally:
        os.close(folder)


def _replace_unless(name: str, folder: int, beside: Path, wants_folder: bool) -> None:
    try:
        mode = os.lstat(name, dir_fd=folder).st_mode
    except FileNotFoundError:
        mode = 0
    if mode and (stat.S_ISDIR(mode) if wants_folder else stat.S_ISREG(mode)):
        if wants_folder and mode & 0o700 != 0o700:
            open_up(name, folder)
        return
    if mode:
        os.unlink(name, dir_fd=folder) if not stat.S_ISDIR(mode) else _discard(name, folder, beside)
    if wants_folder:
        os.mkdir(name, 0o755, dir_fd=folder)
    else:
        os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o644, dir_fd=folder))


def _discard(name: str, folder: int, beside: Path) -> None:
    staging = Path(tempfile.mkdtemp(prefix="old-", dir=beside))
    try:
        move_away(name, folder, staging / "old")
    finally:
        remove_tree(staging)

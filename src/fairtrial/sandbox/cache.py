"""Where prepared environments and open boxes lie on the host, and how both are made without anyone seeing a half.

Prepared roots are kept by key in the cache folder (FAIRTRIAL_CACHE, else XDG's); several processes may prepare the
same one at once: the first to finish is kept. Boxes lie in the temporary folder and name the process that owns them,
so that what a killed process left is removed later.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from fairtrial.records import Environment, SandboxError, canonical_json, digest
from fairtrial.sandbox.box_user import box_user
from fairtrial.sandbox.cgroups import sweep as sweep_groups
from fairtrial.sandbox.inside import remove_tree
from fairtrial.sandbox.orphans import end_orphans

BOX_PREFIX = "fairtrial-box-"
MEMORY_FOLDER = Path("/dev/shm")
MEMORY_ROOM = 2 << 30
"""Bytes that must be free there: containers often have a /dev/shm of 64 MB."""


def cache_folder() -> Path:
    """Return the folder for prepared environments, made if it is not there."""
    return kept_folder("environments")


def kept_folder(name: str) -> Path:
    """Return the folder of the cache that keeps `name`, made if it is not there, closed to other users."""
    folder = _cache_base() / name
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        hint = "Set FAIRTRIAL_CACHE to a folder that can be written."
        raise SandboxError(f"cannot make the cache folder: {error.strerror}", path=folder, hint=hint) from error
    return folder.resolve()


def _cache_base() -> Path:
    named, shared = os.environ.get("FAIRTRIAL_CACHE"), os.environ.get("XDG_CACHE_HOME")
    if named:
        return Path(named)
    if shared:
        return Path(shared) / "fairtrial"
    try:
        return Path.home() / ".cache/fairtrial"
    except RuntimeError:
        # A user without a home, as in many containers.
        return Path(tempfile.gettempdir()) / f"fairtrial-{os.geteuid()}-cache"


def prepared(key: str, lay_out: Callable[[Path], None]) -> Path:
    """Return the folder prepared under `key`, made by `lay_out(new empty folder)` where there is none yet."""
    base = cache_folder()
    final = base / key
    if final.is_dir():
        return final
    with _locked(base / f".{key}.lock"):
        if final.is_dir():
            return final
        made = Path(tempfile.mkdtemp(prefix=f".{key[:16]}-", dir=base))
        try:
            lay_out(made)
            made.rename(final)
        finally:
            remove_tree(made)
    return final


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold a lock that the kernel lets go of with the process."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def environment_key(environment: Environment, *others: str) -> str:
    """Return the cache key of an environment for a sandbox described by `others`."""
    identity = environment.hash or _content_hash(environment)
    return digest(canonical_json([identity, environment.workdir, *others])).removeprefix("sha256:")[:40]


def _content_hash(environment: Environment) -> str:
    """Hash what shapes an environment that carries no hash of its own."""
    steps = [[step.keyword, step.value, list(step.heredoc)] for step in environment.instructions]
    files: list[list[str]] = []
    if environment.context is not None:
        for base, folders, names in os.walk(environment.context):
            folders.sort()
            for name in sorted([*names, *folders]):
                files.append(_described(Path(base, name), environment.context))
    settings = [environment.image, environment.workdir, sorted(environment.variables)]
    return digest(canonical_json([steps, files, settings]))


def _described(path: Path, base: Path) -> list[str]:
    state = path.lstat()
    name = os.fsencode(path.relative_to(base)).decode("utf-8", "backslashreplace")
    if path.is_symlink():
        return [name, "link", os.fsencode(path.readlink()).decode("utf-8", "backslashreplace")]
    if path.is_file():
        return [name, oct(state.st_mode & 0o777), hashlib.sha256(path.read_bytes()).hexdigest()]
    return [name, oct(state.st_mode & 0o777)]


def new_box_folder(*, in_memory: bool = False) -> Path:
    """Make the folder of a new box, closed to other users; in a memory file system where that is asked and there."""
    base = box_folders()[-1 if in_memory else 0]
    sweep()
    try:
        return Path(tempfile.mkdtemp(prefix=f"{BOX_PREFIX}{os.getpid()}-", dir=base)).resolve()
    except OSError as error:
        raise SandboxError(f"cannot make a folder for a box: {error.strerror}", path=base) from error


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Lend a folder for one piece of work. Like a box, it is removed later if this process is killed."""
    folder = new_box_folder()
    try:
        yield folder
    finally:
        remove_tree(folder)


@cache
def box_folders() -> tuple[Path, ...]:
    """Return where boxes may lie: the temporary folder, and /dev/shm where it has room to spare.

    FAIRTRIAL_BOXES names one folder for all of them.
    """
    named = os.environ.get("FAIRTRIAL_BOXES")
    if named:
        return (Path(named),)
    disk = Path(tempfile.gettempdir())
    if not os.access(MEMORY_FOLDER, os.W_OK):
        return (disk,)
    room = os.statvfs(MEMORY_FOLDER)
    return (disk, MEMORY_FOLDER) if room.f_bavail * room.f_frsize >= MEMORY_ROOM else (disk,)


@cache
def shared_folder(name: str, fill: Callable[[Path], None]) -> Path:
    """Return a folder of ours in the temporary folder that others may read, filled once while the machine is up.

    `fill` makes the folder it is given. One that another user has put there is not trusted.
    """
    base = box_folders()[0]
    final = base / f"fairtrial-{os.geteuid()}-{name}"
    if not _is_ours(final):
        made = new_box_folder()
        try:
            fill(made / "new")
            (made / "new").chmod(0o755)
            (made / "new").rename(final)
        except OSError as error:
            if not _is_ours(final):
                raise SandboxError(f"cannot make a shared folder: {error.strerror}", path=final) from error
        finally:
            remove_tree(made)
    return final


def _is_ours(folder: Path) -> bool:
    try:
        state = folder.lstat()
    except FileNotFoundError:
        return False
    return stat.S_ISDIR(state.st_mode) and state.st_uid == os.geteuid() and not state.st_mode & 0o022


@cache
def sweep() -> None:
    """End and remove boxes, and remove control groups, of processes that are no more; once a process."""
    end_orphans()
    sweep_groups()
    for base in box_folders():
        for folder in base.glob(f"{BOX_PREFIX}*"):
            owner = re.match(rf"{BOX_PREFIX}(\d+)-", folder.name)
            try:
                is_ours = folder.lstat().st_uid in (os.geteuid(), box_user())
            except FileNotFoundError:
                continue
            if owner and is_ours and not Path("/proc", owner[1]).exists():
                remove_tree(folder)

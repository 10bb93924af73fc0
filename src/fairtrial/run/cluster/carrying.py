"""What a job takes along to another machine: itself as a pickle, and the files it names, by content.

A job says which files and folders it reads (`carries`). In its pickle a path below one of them is written as (content
hash, rest), so that a node may have the content elsewhere: at the very path, where the file system is shared, else in
its cache. Any other `Path` is written in full, for a node has a working directory of its own; a path within a box is
no `Path` but a string. Not covered: paths that a job does not name, which must be on shared storage; what a job writes
for others.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import stat
import tarfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from fairtrial.records import InputError, SandboxError
from fairtrial.sandbox.cache import prepared
from fairtrial.sandbox.inside import remove_tree

MOST_BYTES = 1 << 30
"""Of one file or folder that is sent to nodes; what is larger belongs on shared storage."""


@runtime_checkable
class Travels(Protocol):
    """A job that can say what it needs of the machine it is done on."""

    def carries(self) -> Iterable[Path]:
        """Return the files and folders that it reads."""
        ...

    def variables(self) -> Iterable[str]:
        """Return the names of the environment variables that it reads, such as those that hold keys."""
        ...

    def why_not_here(self) -> str:
        """Return why this machine cannot do it, empty where it can; asked where it would be done."""
        ...


@dataclass(frozen=True, slots=True)
class Root:
    """A file or folder that travels."""

    path: Path
    """Where it lies on the machine that sends."""
    hash: str


@dataclass(frozen=True, slots=True)
class Parcel:
    """A job ready to be sent; the contents of its roots are sent apart, once."""

    job: bytes
    roots: tuple[Root, ...]
    variables: tuple[str, ...] = ()
    """Names of variables that it reads and that are set where it was sent from; their values do not travel."""


def parcel_of(job: Any, hash_of: Callable[[Path], str] | None) -> Parcel:
    """Return `job` as bytes and the roots that its paths are told by; `hash_of` gives the hash of each.

    Without it there are no roots: paths stay as they are, for machines that share this one's files.

    Raise InputError for a job that cannot be pickled.
    """
    roots: tuple[Root, ...] = ()
    if hash_of is not None and isinstance(job, Travels):
        named = {_full(path) for path in job.carries() if path.exists()}
        outermost = sorted(path for path in named if not any(parent in named for parent in path.parents))
        roots = tuple(Root(path, hash_of(path)) for path in outermost)
    stream = io.BytesIO()
    try:
        _Writer(stream, None if hash_of is None else {root.path: root.hash for root in roots}).dump(job)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise InputError(f"a job cannot be sent to another process: {error}",
                         hint="Its classes and functions must stand at the top of a module.") from error  # fmt: skip
    variables = sorted(set(job.variables()) & set(os.environ)) if isinstance(job, Travels) else ()
    return Parcel(stream.getvalue(), roots, tuple(variables))


def job_of(parcel: Parcel, place_of: Callable[[Root], Path]) -> Callable[[], Any]:
    """Return the job, its paths below a root moved to where `place_of` has it on this machine."""
    places = {root.hash: place_of(root) for root in parcel.roots}
    job: Callable[[], Any] = _Reader(io.BytesIO(parcel.job), places).load()
    return job


class _Writer(pickle.Pickler):
    def __init__(self, stream: io.BytesIO, roots: Mapping[Path, str] | None) -> None:
        super().__init__(stream, protocol=pickle.HIGHEST_PROTOCOL)
        self._roots = roots

    def persistent_id(self, obj: Any) -> tuple[str, str] | None:
        """Return (root's hash, what follows) for a path below a root, ("", path) for another; None for all else."""
        if self._roots is None or not isinstance(obj, Path):
            return None
        full = _full(obj)
        for above in (full, *full.parents):
            if above in self._roots:
                return self._roots[above], str(full.relative_to(above))
        return "", str(full)


class _Reader(pickle.Unpickler):
    def __init__(self, stream: io.BytesIO, places: Mapping[str, Path]) -> None:
        super().__init__(stream)
        self._places = places

    def persistent_load(self, name: Any) -> Path:
        """Return the path on this machine."""
        place, rest = name
        if not place:
            return Path(rest)
        return self._places[place] / rest if rest != "." else self._places[place]


def content_hash(path: Path) -> str:
    """Return the hash of a file or folder: its name, and names, kinds, execute bits and bytes below it.

    Times and owners do not count.

    Raise InputError where it cannot be read.
    """
    found = hashlib.sha256(f"{path.name}\0\0".encode("utf-8", "surrogateescape"))
    try:
        for each in [path, *sorted(path.rglob("*"))] if path.is_dir() else [path]:
            state = each.lstat()
            name = str(each.relative_to(path)) if each != path else ""
            if stat.S_ISLNK(state.st_mode) and each != path:
                said = f"link\0{each.readlink()}"
            elif stat.S_ISDIR(state.st_mode) or each.is_dir():
                said = "folder"
            elif not each.is_file():
                raise InputError("is neither file, folder nor link, and cannot be sent to nodes", path=each)
            else:
                with each.open("rb") as stream:
                    said = f"{state.st_mode & 0o111:o}\0{hashlib.file_digest(stream, 'sha256').hexdigest()}"
            found.update(f"{name}\0{said}\0\0".encode("utf-8", "surrogateescape"))
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path) from error
    return found.hexdigest()


def packed(path: Path) -> bytes:
    """Return the file or folder as a tar. Raise InputError where it is larger than may be sent."""
    files = [each for each in (path.rglob("*") if path.is_dir() else [path]) if each.is_file()]
    if (size := sum(each.lstat().st_size for each in files)) > MOST_BYTES:
        raise InputError(f"holds {size >> 20:,} MB, more than is sent to nodes ({MOST_BYTES >> 20:,})", path=path,
                         hint="Put it on storage that every node sees under this path.")  # fmt: skip
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT, dereference=False) as tar:
        tar.add(path.resolve(), path.name)
    return raw.getvalue()


def laid_out(root: Root, fetch: Callable[[], bytes]) -> Path:
    """Return where this machine has the content of `root`: at its own path, else in the cache, fetched if need be.

    Raise SandboxError where what was fetched is not what was sent.
    """
    if _is(root.path, root):
        return root.path

    def lay(folder: Path) -> None:
        with tarfile.open(fileobj=io.BytesIO(fetch())) as tar:
            tar.extraction_filter = lambda member, _: member  # our own driver's, and checked below
            tar.extractall(folder)
        if content_hash(folder / root.path.name) != root.hash:
            raise SandboxError("what came from the driver is not what was sent", path=root.path)

    kept = prepared(f"carried-{root.hash}", lay) / root.path.name
    if _is(kept, root):
        return kept
    # Others clean folders of temporary files; a grader without some of its tests would fail right work.
    remove_tree(kept.parent)
    return prepared(f"carried-{root.hash}", lay) / root.path.name


def _is(path: Path, root: Root) -> bool:
    try:
        return path.exists() and content_hash(path) == root.hash
    except (InputError, OSError):
        return False  # there, and not readable by us: what was sent is


def _full(path: Path) -> Path:
    """Return the path from the root of this machine, without `..`, which not every machine can follow."""
    full = path.absolute()
    if ".." not in full.parts:
        return full
    after = len(full.parts) - full.parts[::-1].index("..")
    return Path(*full.parts[:after]).resolve().joinpath(*full.parts[after:])

"""The default sandbox: bubblewrap, with namespaces of its own and only the host's system folders shown, read-only.

Covers: no network, not even the host's loopback; no host process, file, variable or device beyond the allow list; no
capability, no new privilege; limits on time, memory, processes, file size and output. Does not cover: bugs of the
kernel; how much disk many files take together; timing between boxes that share the processor. The host's own /usr
stands for the base image, so what a task finds installed is what this machine has.
"""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import orjson

from fairtrial.records import Environment, SandboxError, digest
from fairtrial.sandbox.box_user import box_user, give
from fairtrial.sandbox.boxes import BubblewrapBox
from fairtrial.sandbox.bubblewrap_command import View, version
from fairtrial.sandbox.cache import environment_key, new_box_folder, prepared, shared_folder
from fairtrial.sandbox.cgroups import find_home
from fairtrial.sandbox.cloning import clone_small
from fairtrial.sandbox.host_view import EMPTY, copy_host_etc, lay_skeleton, state, system_folders, system_place
from fairtrial.sandbox.inside import copy_plain, remove_tree
from fairtrial.sandbox.layout import Layout
from fairtrial.sandbox.live_box import LiveBox
from fairtrial.sandbox.overlay import Layer, why_no_overlay
from fairtrial.sandbox.plan import Plan, Run, plan
from fairtrial.sandbox.protocol import Box, Capability, Command, Mount, Prepared

LAYOUT_VERSION = "bwrap-10"
"""Part of the cache key: raise it when the same environment would be laid out in another way."""
SMALL = 300
"""Entries of a root up to which it is copied without starting a process."""
OPENED = {
    "usr": ("bin", "include", "lib", "sbin", "share", "local", "local/bin", "local/etc", "local/include", "local/lib",
            "local/sbin", "local/share", "local/src"),
}  # fmt: skip
"""System folders in which a RUN may add, replace and remove files: there the box user owns the upper side. What lies
deeper is the host's root's, and stays as it is."""
MOST_IN_MEMORY = 32 << 20
"""Roots up to this size are copied to a memory file system, where a control group counts what a box writes as its
memory. Measured for 50 entries: 5 ms to copy and remove there, 16 ms on a busy disk."""
MOST_FILE_MB = 2048
"""Where larger files may be written (weights), boxes lie on the disk."""


@dataclass(frozen=True, slots=True)
class PreparedRoot:
    """An environment laid out in a folder of the cache."""

    environment: Environment
    folder: Path
    workdir: str
    variables: Mapping[str, str]
    layers: tuple[str, ...] = ()
    """System folders that the build wrote to."""
    notes: tuple[str, ...] = ()
    """What stands in for what, for reports."""
    size: int = 0
    """Bytes of the files in the root."""
    is_small: bool = False
    """Quicker copied by us than by starting `cp`."""


class Bubblewrap:
    """Runs commands in bubblewrap."""

    name = "bwrap"

    def capability(self) -> Capability:
        """Say whether bubblewrap works here, by starting it."""
        why = _why_not()
        return Capability(
            available=not why,
            isolated=not why,
            memory_limit="cgroup" if find_home() else "rlimit",
            why=why,
        )

    def unsupported(self, environment: Environment) -> list[str]:
        """Name every instruction that needs a container."""
        return list(plan(environment).problems)

    def prepare(self, environment: Environment) -> PreparedRoot:
        """Lay out `environment` in the cache. Raise SandboxError naming what cannot be honoured or which RUN failed."""
        read = plan(environment)
        if read.problems:
            raise SandboxError(
                "this sandbox cannot honour " + "; ".join(read.problems),
                path=environment.context,
                hint="Use --sandbox container (podman or docker).",
            )
        key = environment_key(environment, LAYOUT_VERSION, state(), ".".join(map(str, version())))
        folder = prepared(key, lambda made: _lay_out(made, environment, read))
        made = orjson.loads((folder / "prepared.json").read_bytes())
        return PreparedRoot(
            environment,
            folder,
            read.workdir,
            read.variables,
            layers=tuple(made["layers"]),
            notes=tuple(read.notes),
            size=made["size"],
            is_small=made["entries"] <= SMALL and made["size"] <= MOST_IN_MEMORY,
        )

    def open(self, prepared: Prepared, mounts: Sequence[Mount] = (), *, live: bool = False) -> Box:
        """Open a fresh box with a copy of the prepared root."""
        if not isinstance(prepared, PreparedRoot):
            raise SandboxError("this environment was prepared by another sandbox")
        for mount in mounts:
            if not mount.source.exists():
                raise SandboxError("is not there to be mounted", path=mount.source)
        folder = new_box_folder(in_memory=_fits_memory(prepared) and find_home() is not None)
        try:
            if prepared.is_small:
                clone_small(prepared.folder / "root", folder / "root")
            else:
                copy_plain(prepared.folder / "root", folder / "root", keep_owner=True)
            layers = {
                _mount_point(folder, name): Layer(name, prepared.folder / "layers" / name / "upper")
                for name in prepared.layers
            }
            shown, binds = _reachable(mounts, folder)
            view = View(folder / "root", _host_etc(), layers, shown, binds)
            _hand_over(folder)
            kind = LiveBox if live else BubblewrapBox
            return kind(folder, view, prepared.workdir, prepared.variables)
        except BaseException:
            remove_tree(folder)
            raise


def _fits_memory(prepared: PreparedRoot) -> bool:
    """Say whether a box is better off in memory: small, and not meant for files that would fill it."""
    return prepared.size <= MOST_IN_MEMORY and prepared.environment.limits.file_mb <= MOST_FILE_MB


def _hand_over(folder: Path) -> None:
    """Let the box user, who is not root, into the folder of a box; other users stay out."""
    user = box_user()
    if user is not None:
        os.chown(folder, user, user)


def _reachable(mounts: Sequence[Mount], folder: Path) -> tuple[tuple[Mount, ...], dict[Path, Path]]:
    """Return mounts that the box user can reach, and what must be bound for that.

    Where the box user is not us: copies beside the box's root, and places there at which the rest is shown.
    """
    if box_user() is None:
        return tuple(mounts), {}
    made: list[Mount] = []
    binds: dict[Path, Path] = {}
    for number, mount in enumerate(mounts):
        source, near = mount.source.resolve(), folder / f"mount-{number}"
        if not mount.in_place:
            copy_plain(source, near)
            give(near)
        else:
            near.mkdir() if source.is_dir() else near.touch()
            binds[near] = source
        made.append(Mount(near, mount.inside))
    return tuple(made), binds


def _host_etc() -> Path:
    """Return the shown part of the host's /etc, where the box user can reach it."""
    return shared_folder(f"etc-2-{digest(state().encode())[-16:]}", copy_host_etc)


def _mount_point(folder: Path, name: str) -> Path:
    point = folder / "merged" / name
    point.mkdir(parents=True)
    return point


def _lay_out(made: Path, environment: Environment, read: Plan) -> None:
    """Build where the box user may go, then move what was built to `made` in the cache."""
    place = new_box_folder()
    try:
        _hand_over(place)
        layers = _build(place, environment, read)
        root = place / "root"
        paths = list(root.rglob("*"))
        size = sum(path.lstat().st_size for path in paths)
        for name in ("root", *(f"layers/{layer}/upper" for layer in layers)):
            (made / name).parent.mkdir(parents=True, exist_ok=True)
            _move(place / name, made / name)
        (made / "prepared.json").write_bytes(orjson.dumps({"layers": layers, "size": size, "entries": len(paths)}))
    finally:
        remove_tree(place)


def _move(source: Path, target: Path) -> None:
    """Move a tree with owners and attributes, to another file system too."""
    try:
        source.rename(target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        copied = subprocess.run(["cp", "-a", "-T", "--", str(source), str(target)], capture_output=True, check=False)
        if copied.returncode:
            said = copied.stderr.decode(errors="replace").strip()[:500]
            raise SandboxError(f"cannot copy a prepared environment to the cache: {said}") from error


def _build(place: Path, environment: Environment, read: Plan) -> list[str]:
    """Lay out the root in `place`; what goes to /usr and its like goes to layers, whose names are returned."""
    root = place / "root"
    root.mkdir(mode=0o755)
    lay_skeleton(root, _host_etc())
    upper = {name: place / "layers" / name / "upper" for name in system_folders()[0]}
    for name, folder in upper.items():
        folder.mkdir(parents=True)
        (folder.parent / "work").mkdir()
        for below in OPENED.get(name, ()):
            if Path("/", name, below).is_dir() and not Path("/", name, below).is_symlink():
                (folder / below).mkdir(mode=0o755)
    staging = place / "staging"
    staging.mkdir()

    def locate(inside: str, line: int) -> tuple[Path, str]:
        system = system_place(inside)
        if system is None:
            return root, inside
        why = why_no_overlay(place.parent)
        if why or system[0] not in upper:
            raise SandboxError(f"{inside} is a system folder: {why}", path="Dockerfile", line=line)
        return upper[system[0]], system[1]

    def execute(step: Run) -> None:
        _execute(step, place, upper, environment)

    Layout(environment.context, locate, execute, staging).take(read.steps)
    _give_all(root, upper)
    return [name for name, folder in upper.items() if _is_written(name, folder)]


def _is_written(name: str, folder: Path) -> bool:
    """Say whether a layer holds more than the folders that were opened for the build."""
    opened = {folder / below for below in OPENED.get(name, ())}
    return any(path not in opened for path in folder.rglob("*"))


def _give_all(root: Path, upper: Mapping[str, Path]) -> None:
    for folder in (root, *upper.values()):
        give(folder)


def _execute(step: Run, place: Path, upper: Mapping[str, Path], environment: Environment) -> None:
    """Execute one RUN in a box over the root being built. Raise SandboxError with its line and output if it fails."""
    why = why_no_overlay(place.parent)
    layers: dict[Path, Layer] = {}
    for name, folder in upper.items() if not why else ():
        point = place / "merged" / name
        point.mkdir(parents=True, exist_ok=True)
        layers[point] = Layer(name, folder, folder.parent / "work")
    _give_all(place / "root", upper)
    view = View(place / "root", _host_etc(), layers)
    box = BubblewrapBox(place, view, step.workdir, step.variables, building=True)
    done = box.run(Command(step.argv, limits=environment.limits))
    if done.exit_code == 0:
        return
    said = done.output.strip()[-1500:]
    how = f"was ended ({done.killed})" if done.killed else f"failed with exit code {done.exit_code}"
    raise SandboxError(
        f"RUN {step.text}: {how}: {said}",
        path=(environment.context or Path()) / "Dockerfile",
        line=step.line,
        hint=f"System folders were read-only: {why}." if why else None,
    )


@cache
def _why_not() -> str:
    """Return why bubblewrap does not work here; empty where it does."""
    if not version():
        return "bubblewrap is not installed (apt-get install bubblewrap)"
    folder = new_box_folder()
    try:
        root = folder / "root"
        root.mkdir()
        (folder / "etc").mkdir()
        (folder / "etc" / EMPTY).touch()
        lay_skeleton(root, folder / "etc")
        give(folder)
        done = BubblewrapBox(folder, View(root, folder / "etc"), "/", {}).run(Command(("/bin/true",)))
    except SandboxError as error:
        return f"bubblewrap is refused by this machine: {error.what}"
    finally:
        remove_tree(folder)
    return "" if done.exit_code == 0 else f"bubblewrap failed: {done.output.strip()[:300]}"

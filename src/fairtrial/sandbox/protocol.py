"""The seam of every sandbox: run a command where it can do no harm.

A `Sandbox` lays out an `Environment` once (`prepare`), then opens as many boxes of it as asked. A `Box` is one private
copy of that world. In a box opened with `live=False`, every process is dead when `run` returns; with `live=True`
processes that a command leaves in the background stay until `close` (for agents with services, and for graders
that need them).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Literal, Protocol, Self

from fairtrial.records import Environment, Limits

Killed = Literal["", "timeout", "memory", "output", "signal"]


@dataclass(frozen=True, slots=True)
class Command:
    """What to run in a box. The environment is exactly `variables` over the box's own; nothing is inherited."""

    argv: tuple[str, ...]
    cwd: str = ""
    """Inside path; empty means the environment's workdir."""
    variables: Mapping[str, str] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    stdin: bytes = b""


@dataclass(frozen=True, slots=True)
class Completed:
    """How a command ended."""

    exit_code: int
    output: str
    """Standard output and error, interleaved, undecodable bytes replaced, capped at `limits.output_bytes`."""
    seconds: float
    killed: Killed = ""
    """Which limit ended it, where one did. `memory` is only told apart where a cgroup counts it."""
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class Mount:
    """A host path shown read-only in the box."""

    source: Path
    inside: str
    in_place: bool = False
    """Never copied, for what is large (an interpreter): the box user needs the right to read its files."""


@dataclass(frozen=True, slots=True)
class Taken:
    """Files copied out of a box, no link followed."""

    folder: Path
    """Mirrors the box: the file /app/x lies at folder/app/x."""
    hash: str
    """Content address of the manifest: path, mode bit x, size, digest or link target of every entry."""
    files: int
    size: int
    left_out: tuple[tuple[str, str], ...] = ()
    """(inside path, why): sockets, devices, links that lead out, files over the cap."""


@dataclass(frozen=True, slots=True)
class Capability:
    """What a sandbox can do on this machine."""

    available: bool
    isolated: bool
    """False: nothing is promised about network, files or processes, and pages must say so."""
    memory_limit: Literal["cgroup", "rlimit", "none"] = "rlimit"
    why: str = ""
    """Why it is not available, or what it does not isolate."""


class Box(Protocol):
    """One private copy of an environment."""

    def run(self, command: Command) -> Completed:
        """Run `command`. Raise SandboxError only if the sandbox itself fails."""
        ...

    def put(self, source: Path, inside: str) -> None:
        """Copy a host file or folder to `inside`, replacing what is there."""
        ...

    def take(self, inside: Sequence[str], into: Path, most_bytes: int) -> Taken:
        """Copy files and folders of the box into the host folder `into`, following no link, up to a size cap."""
        ...

    def close(self) -> None:
        """End every process and remove the box."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Prepared(Protocol):
    """An environment laid out by a sandbox, ready to be opened many times."""

    @property
    def environment(self) -> Environment:
        """Return what was laid out."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """Say what stands in for what (this host for a base image); empty where the environment is exact."""
        ...


class Sandbox(Protocol):
    """A way to run commands apart from the host."""

    name: str

    def capability(self) -> Capability:
        """Say what this sandbox can do here."""
        ...

    def unsupported(self, environment: Environment) -> list[str]:
        """Name every Dockerfile instruction or setting that it cannot honour; empty if it can be prepared."""
        ...

    def prepare(self, environment: Environment) -> Prepared:
        """Lay out `environment`, once per environment hash. Raise SandboxError naming what cannot be honoured."""
        ...

    def open(self, prepared: Prepared, mounts: Sequence[Mount] = (), *, live: bool = False) -> Box:
        """Open a fresh box."""
        ...

"""An environment: what a task says its world is, read from its Dockerfile and task.toml.

A noun only. `tasks` reads it, `sandbox` lays it out; what a sandbox cannot honour it must name.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Instruction:
    """One Dockerfile instruction after joining continuation lines."""

    keyword: str
    """Upper case: FROM, RUN, COPY, ENV, WORKDIR, USER, ..."""
    value: str
    """The rest of the line, with here-documents attached."""
    line: int
    heredoc: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Limits:
    """What a command in a sandbox may use at most."""

    seconds: float = 600.0
    memory_mb: int = 2048
    processes: int = 256
    file_mb: int = 512
    output_bytes: int = 4_000_000


@dataclass(frozen=True, slots=True)
class Environment:
    """Describe the world of a task."""

    context: Path | None = None
    """Folder that COPY reads from (the task's `environment/`); None for an empty world."""
    instructions: tuple[Instruction, ...] = ()
    image: str = ""
    """`docker_image` of task.toml, where it names one instead of a Dockerfile."""
    workdir: str = "/app"
    variables: tuple[tuple[str, str], ...] = ()
    """ENV of the Dockerfile and `env` of task.toml."""
    limits: Limits = field(default_factory=Limits)
    allow_internet: bool = False
    hash: str = ""
    """Content address of all that shapes it: Dockerfile, context with file modes, image, settings."""

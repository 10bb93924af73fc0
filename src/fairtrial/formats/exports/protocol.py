"""The seam of every export format: rows to files, and back.

An exporter is an object with four members. One brought by others is named by an entry point `fairtrial.exporter`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from fairtrial.formats.exports.rows import Kind, Row


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """One file that was written."""

    path: Path
    of: tuple[int, ...] = ()
    """For each of its rows the number of the row that it says; empty for a file that holds no rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What became of the rows."""

    files: tuple[File, ...]
    left_out: Mapping[int, str] = field(default_factory=dict)
    """Number of a row that the format cannot say -> why."""
    notes: tuple[str, ...] = ()
    """What a trainer has to be told, one sentence each."""


class Exporter(Protocol):
    """A format of training sets."""

    @property
    def name(self) -> str:
        """Name the format."""
        ...

    @property
    def kinds(self) -> Collection[Kind]:
        """Name the kinds of sets that it can say."""
        ...

    def write(self, rows: Sequence[Row], folder: Path) -> Written:
        """Write rows of one kind into `folder`, which is there and empty."""
        ...

    def read(self, path: Path) -> list[Row]:
        """Read what `write` wrote. Raise FormatError naming file, line and field where it is something else."""
        ...

"""What a reader of other people's files gives: batches of rollouts and verdicts, and the rows it had to skip.

A reader is `read(path, options) -> Iterator[Batch]`. It raises FormatError only where nothing can be read; a row that
is wrong is skipped with its place and the reason. Covers the shapes only; writing them is `importing`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from fairtrial.ledger import rows_of
from fairtrial.records import Rollout, Verdict


@dataclass(frozen=True, slots=True)
class Skipped:
    """A row that was not imported, and why."""

    where: str
    why: str


@dataclass(frozen=True, slots=True)
class Options:
    """What the user says about a file that the file does not say itself."""

    columns: Mapping[str, str] = field(default_factory=dict)
    """Our name of a column -> theirs (`table` only)."""
    as_recorded: bool = False
    """Keep a verdict that the source recorded although its grader was broken."""
    suite: str = ""
    """Suite of the rows that name none."""
    model: str = ""
    """Model of the rows that name none."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Some rows of a file, as ledger tables with their ids."""

    rollouts: pa.Table
    verdicts: pa.Table
    skipped: Sequence[Skipped] = ()
    blobs: Sequence[bytes] = ()
    """Contents that the rollouts refer to by digest."""
    done: float | None = None
    """Share of the file read so far, where it is known."""
    silent: Sequence[int] = ()
    """Rows of `rollouts` that have no verdict; the verdicts are those of the other rows, in order."""
    notes: Sequence[str] = ()
    """What the user should know of rows that were imported, and need do nothing about."""

    def rows_of_verdicts(self) -> npt.NDArray[np.intp]:
        """Return, for each verdict, the row of its rollout."""
        return np.delete(np.arange(self.rollouts.num_rows, dtype=np.intp), list(self.silent))


Reader = Callable[[Path, Options], Iterator[Batch]]


def batch_of(
    attempts: Sequence[tuple[Rollout, Verdict | None]],
    skipped: Sequence[Skipped] = (),
    blobs: Sequence[bytes] = (),
    done: float | None = None,
    notes: Sequence[str] = (),
) -> Batch:
    """Return a batch of records that were made one by one."""
    return Batch(
        rollouts=rows_of("rollouts", [rollout.row() for rollout, _ in attempts]),
        verdicts=rows_of("verdicts", [verdict.row() for _, verdict in attempts if verdict is not None]),
        skipped=skipped,
        blobs=blobs,
        done=done,
        silent=[row for row, (_, verdict) in enumerate(attempts) if verdict is None],
        notes=notes,
    )

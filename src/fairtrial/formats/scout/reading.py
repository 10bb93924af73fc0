"""Inspect Scout's transcripts in Parquet: a file, or a folder of them, as rollouts; row group by row group.

A transcript is a rollout: its messages are the trajectory, `task_id` is the task (else its prompt's hash), `task_set`
the suite, `task_repeat` the attempt. Verdicts are `verdicts`; what `fairtrial export --format scout` wrote is read back
as it was, with the trajectories that lie beside it. Scout's index files are no transcripts. Not covered: events (a
transcript without messages has no steps), and results of scans: what a scanner's value claims only its author knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from fairtrial.formats.batch import Batch, Options, Skipped, batch_of
from fairtrial.formats.scout.columns import MARK, SCOUT, TRAJECTORIES, VERSION
from fairtrial.formats.scout.rollouts import INSPECT, OURS, Making
from fairtrial.records import FormatError, InputError, Rollout, Verdict

ID = "transcript_id"
_SUFFIX = ".parquet"
_INDEX = "_index"
_ROWS = 32
_UNREAD = ("events", "events_data", "timelines")


def looks_like(path: Path) -> bool:
    """Say whether a Parquet file, or one in a folder, has transcripts."""
    files = transcript_files(path) if path.is_dir() else [path]
    return any(file.suffix == _SUFFIX and ID in (_columns(file) or ()) for file in files)


def transcript_files(folder: Path) -> list[Path]:
    """Return the Parquet files below a folder, those of Scout's index left out."""
    found = sorted(file for file in folder.rglob(f"*{_SUFFIX}") if file.is_file())
    return [file for file in found if not any(part.startswith(_INDEX) for part in file.relative_to(folder).parts)]


def read(path: Path, options: Options) -> Iterator[Batch]:
    """Yield the transcripts at `path`; a folder's file that holds none is skipped. Raise FormatError for one alone."""
    files = [path] if path.is_file() else transcript_files(path)
    if not files:
        raise FormatError("the folder has no Parquet file", path=path)
    if options.columns:
        raise InputError(
            "does not apply: the columns of Scout's transcripts have names of their own", field="--columns"
        )
    making = Making(suite=options.suite, model=options.model, as_recorded=options.as_recorded)
    for at, file in enumerate(files):
        try:
            for batch, share in _batches(file, making):
                yield Batch(batch.rollouts, batch.verdicts, batch.skipped, batch.blobs, (at + share) / len(files),
                            batch.silent)  # fmt: skip
        except FormatError as error:
            if path.is_file():
                raise
            yield batch_of([], [Skipped(error.where, error.what)])


def _columns(file: Path) -> list[str] | None:
    """Return the names of a file's columns, None where it is no Parquet file."""
    try:
        names: list[str] = pq.read_schema(file).names
    except (pa.ArrowException, OSError, UnicodeDecodeError):
        return None
    return names


def _batches(file: Path, making: Making) -> Iterator[tuple[Batch, float]]:
    names = _columns(file)
    if names is None:
        raise FormatError("is not a Parquet file that can be read", path=file)
    if ID not in names:
        raise FormatError(f"has no column `{ID}`, so it holds no transcripts", path=file, field=ID)
    beside = _Beside(file.parent / TRAJECTORIES) if MARK in names else None
    wanted = [name for name in names if name in {*SCOUT, *OURS, *INSPECT, MARK} and name not in _UNREAD]
    number = 0
    try:
        with pq.ParquetFile(file) as opened:
            total = max(1, opened.metadata.num_rows)
            for part in opened.iter_batches(batch_size=_ROWS, columns=wanted):
                yield _batch(file, number, part.to_pylist(), making, beside), (number + part.num_rows) / total
                number += part.num_rows
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        why = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise FormatError(f"cannot be read beyond row {number}: {why}", path=file) from error


def _batch(file: Path, before: int, rows: Sequence[dict[str, Any]], making: Making, beside: _Beside | None) -> Batch:
    attempts: list[tuple[Rollout, Verdict | None]] = []
    skipped: list[Skipped] = []
    blobs: list[bytes] = []
    for number, row in enumerate(rows, before + 1):
        try:
            ours = row.get(MARK) == VERSION
            kept = beside.of(row[ID]) if ours and beside is not None and row.get("trajectory") else b""
            made = making.of_ours(row, kept, file) if ours else making.of_theirs(row, file)
        except FormatError as error:
            field = f", field `{error.field}`" if error.field else ""
            skipped.append(Skipped(f"{file} row {number}{field}", error.what))
            continue
        attempts.append((made.rollout, made.verdict))
        blobs += made.blobs
        skipped += [Skipped(f"{file} row {number}", note) for note in made.notes]
    return batch_of(attempts, skipped, blobs)


@dataclass(slots=True)
class _Beside:
    """The trajectories that lie beside a file of ours, in the order of its rows."""

    path: Path
    _rows: Iterator[dict[str, Any]] | None = None
    _next: dict[str, Any] | None = None

    def of(self, transcript: str) -> bytes:
        """Return a rollout's trajectory, empty where it is not there; to be asked in the order of the rows."""
        if self._rows is None:
            self._rows = self._read()
            self._next = next(self._rows, None)
        found = self._next
        if found is None or found[ID] != transcript:
            return b""
        self._next = next(self._rows, None)
        return bytes(found["document"])

    def _read(self) -> Iterator[dict[str, Any]]:
        if self.path.is_file():
            with pq.ParquetFile(self.path) as opened:
                for part in opened.iter_batches(batch_size=_ROWS):
                    yield from part.to_pylist()

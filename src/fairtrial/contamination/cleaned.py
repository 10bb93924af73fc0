"""The training set without its flagged rows: other lines byte for byte as they were, in the format of the input.

JSONL, also compressed, is copied line by line; a compressed file is compressed again, so that its lines are the same
but not its bytes. Parquet is filtered batch by batch with its schema and metadata. Rows that could not be read were not
compared, so they are in no cleaned file: they go to a file of their own beside it. Blank lines stay where they are.
"""

from __future__ import annotations

import gzip
import io
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pyarrow as pa
import pyarrow.parquet as pq
import zstandard

from fairtrial.contamination.document import Scan
from fairtrial.contamination.rows import Unreadable, read_rows
from fairtrial.records import InputError

_GZIP, _ZSTANDARD, _PARQUET = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PAR1"
BATCH = 4096
"""Rows of Parquet filtered at once."""


@dataclass(frozen=True, slots=True)
class _Drop:
    """Lines of one file (rows, of Parquet), from 1."""

    flagged: frozenset[int]
    unreadable: frozenset[int]


@dataclass(frozen=True, slots=True)
class Cleaned:
    """Say what was written."""

    path: str
    kept: int
    flagged: int
    unreadable: int
    unreadable_path: str
    """Where the unreadable rows went; empty where there are none."""

    def document(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def unreadable_path(out: Path) -> Path:
    """Return where the unreadable rows of the cleaned file `out` go.

    >>> unreadable_path(Path("clean.jsonl.gz")).name
    'clean.unreadable.jsonl.gz'
    """
    stem, dot, endings = out.name.partition(".")
    return out.with_name(f"{stem}.unreadable{dot}{endings}")


def targets(files: Sequence[Path], roots: Sequence[Path], out: Path) -> Mapping[Path, Path]:
    """Return where the cleaned copy of each file goes: `out` itself for one file, else a folder of the same names.

    `roots` are the paths that the user named. Raise InputError where a target is an input, or two files have one.
    """
    if len(files) == 1 and files[0] in roots:
        found = {files[0]: out}
    else:
        found = {file: out / _below(file, roots) for file in files}
    inputs = {file.resolve() for file in files}
    taken: set[Path] = set()
    for target in found.values():
        if target.resolve() in inputs:
            raise InputError("would write over the training set", path=target, field="--cleaned",
                             hint="Name another file.")  # fmt: skip
        if target in taken:
            raise InputError("two training files have this name", path=target, field="--cleaned",
                             hint="Clean them one at a time.")  # fmt: skip
        taken.add(target)
    return found


def flagged_lines(scan: Scan, source: Path) -> frozenset[int]:
    """Return the lines of `source` that are flagged."""
    return frozenset(pair.line for pair in scan.flagged if pair.path == str(source))


def clean(source: Path, target: Path, flagged_lines: frozenset[int]) -> Cleaned:
    """Write `source` without the flagged lines to `target`, and what cannot be read to a file beside it.

    Raise InputError where it cannot be read or written; what was there before is then still there.
    """
    unreadable = frozenset(row.line for row in read_rows([source]) if isinstance(row, Unreadable))
    drop = _Drop(flagged_lines, unreadable)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with source.open("rb") as file:
            magic = file.read(4)
        writes = _clean_parquet if magic == _PARQUET else _clean_lines
        kept, flagged, lost = writes(source, target, drop)
    except (OSError, pa.ArrowException, zstandard.ZstdError) as error:
        why = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise InputError(f"the cleaned file could not be written: {why}", path=target) from error
    return Cleaned(str(target), kept, flagged, lost, str(unreadable_path(target)) if lost else "")


def _below(file: Path, roots: Sequence[Path]) -> Path:
    for root in roots:
        if root.is_dir() and file.is_relative_to(root):
            return file.relative_to(root)
    return Path(file.name)


def _clean_lines(source: Path, target: Path, drop: _Drop) -> tuple[int, int, int]:
    kept = flagged = unreadable = 0
    with ExitStack() as stack:
        lines = stack.enter_context(_lines_of(source))
        main = stack.enter_context(_written(target, source))
        apart: IO[bytes] | None = None
        for number, line in enumerate(lines, 1):
            if number in drop.unreadable:
                if apart is None:
                    apart = stack.enter_context(_written(unreadable_path(target), source))
                apart.write(line)
                unreadable += 1
            elif number in drop.flagged:
                flagged += 1
            else:
                main.write(line)
                kept += bool(line.strip())
    return kept, flagged, unreadable


@contextmanager
def _lines_of(path: Path) -> Iterator[IO[bytes]]:
    with path.open("rb") as raw:
        magic = raw.read(4)
        raw.seek(0)
        if magic[:2] == _GZIP:
            with gzip.open(raw) as opened:
                yield opened  # type: ignore[misc]  # a GzipFile reads as a binary file does
        elif magic == _ZSTANDARD:
            with zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True) as stream:
                yield io.BufferedReader(stream, 1 << 20)
        else:
            yield raw


@contextmanager
def _written(target: Path, source: Path) -> Iterator[IO[bytes]]:
    """Yield a file to write that is compressed as `source` is, and has its name only once it is whole."""
    with source.open("rb") as raw:
        magic = raw.read(4)
    with _whole(target) as temporary, temporary.open("wb") as out:
        if magic[:2] == _GZIP:
            with gzip.GzipFile("", "wb", fileobj=out, mtime=0) as packed:  # no name and time: same seed, same bytes
                yield packed  # type: ignore[misc]
        elif magic == _ZSTANDARD:
            with zstandard.ZstdCompressor().stream_writer(out, closefd=False) as packed:
                yield packed
        else:
            yield out


@contextmanager
def _whole(target: Path) -> Iterator[Path]:
    """Yield a temporary path that becomes `target` where nothing was raised."""
    temporary = target.with_name(f".{target.name}-{uuid.uuid4().hex}")
    try:
        yield temporary
        temporary.replace(target)
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()


def _clean_parquet(source: Path, target: Path, drop: _Drop) -> tuple[int, int, int]:
    kept = flagged = unreadable = number = 0
    with ExitStack() as stack:
        file = stack.enter_context(pq.ParquetFile(source))
        main = stack.enter_context(_parquet(target, file.schema_arrow))
        apart: pq.ParquetWriter | None = None
        for batch in file.iter_batches(batch_size=BATCH):
            numbers = range(number + 1, number + batch.num_rows + 1)
            number += batch.num_rows
            broken = [n in drop.unreadable for n in numbers]
            left_out = [n in drop.flagged and not lost for n, lost in zip(numbers, broken, strict=True)]
            rest = [not (a or b) for a, b in zip(broken, left_out, strict=True)]
            if any(broken):
                if apart is None:
                    apart = stack.enter_context(_parquet(unreadable_path(target), file.schema_arrow))
                apart.write_batch(batch.filter(pa.array(broken)))
            if any(rest):
                main.write_batch(batch if all(rest) else batch.filter(pa.array(rest)))
            kept, flagged, unreadable = kept + sum(rest), flagged + sum(left_out), unreadable + sum(broken)
    return kept, flagged, unreadable


@contextmanager
def _parquet(target: Path, schema: pa.Schema) -> Iterator[pq.ParquetWriter]:
    with _whole(target) as temporary, pq.ParquetWriter(temporary, schema, compression="zstd") as writer:
        yield writer

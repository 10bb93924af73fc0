"""The training set without its flagged rows: other lines byte for byte as they were, in the format of the input.

JSONL, also compressed, is copied line by line; a compressed file is compressed again, so that its lines are the same
but not its bytes. Parquet is filtered batch by batch with its schema and metadata. Rows that could not be read were not
compared, so they are in no cleaned file: they go to a file of their own beside it. Blank lines stay where they are.
"""

from __future__ import annotations

import gzip
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pyarrow as pa
import pyarrow.parquet as pq
import zstandard

from fairtrial.contamination.document import Scan
from fairtrial.contamination.reading import kind_of
from fairtrial.contamination.reading_compressed import BROKEN, gzip_reads, zstd_reads
from fairtrial.contamination.rows import Unreadable, read_rows
from fairtrial.records import InputError

BATCH = 4096
"""Rows of Parquet filtered at once."""


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


def targets(
    files: Sequence[Path], roots: Sequence[Path], out: Path, others: Sequence[Path] = ()
) -> Mapping[Path, Path]:
    """Return where the cleaned copy of each file goes: `out` itself for one file, else a folder of the same names.

    `roots` are the paths that the user named, `others` those of the other sides, files or folders. Raise InputError
    where a target, or the file of its unreadable rows, is an input, or two files have one.
    """
    if len(files) == 1 and files[0] in roots:
        found = {files[0]: out}
    else:
        found = {file: out / _below(file, roots) for file in files}
    train = {file.resolve() for file in files}
    taken: set[Path] = set()
    for target in found.values():
        for path in (target, unreadable_path(target)):
            if path.resolve() in train:
                raise InputError("would write over the training set", path=path, field="--cleaned",
                                 hint="Name another file.")  # fmt: skip
            if any(path.exists() and path.resolve().is_relative_to(other.resolve()) for other in others):
                raise InputError("would write over what the training set is compared with", path=path,
                                 field="--cleaned", hint="Name another file.")  # fmt: skip
            if path in taken:
                raise InputError("two training files have this name", path=path, field="--cleaned",
                                 hint="Clean them one at a time.")  # fmt: skip
            taken.add(path)
    return found


def flagged_lines(scan: Scan, source: Path) -> frozenset[int]:
    """Return the lines of `source` that are flagged."""
    return frozenset(pair.line for pair in scan.flagged if pair.path == str(source))


def clean(source: Path, target: Path, flagged_lines: frozenset[int]) -> Cleaned:
    """Write `source` without the flagged lines to `target`, and what cannot be read to a file beside it.

    Raise InputError where it cannot be read or written; what was there before is then still there.
    """
    lost = frozenset(row.line for row in read_rows([source]) if isinstance(row, Unreadable))
    apart = unreadable_path(target)
    with _told(target):
        counts = _copied(source, lambda line: apart if line in lost else None if line in flagged_lines else target,
                         (target,))  # fmt: skip
    return Cleaned(str(target), counts[target], counts[None], counts[apart], str(apart) if counts[apart] else "")


def copy_without(source: Path, target: Path, keep: frozenset[int]) -> int:
    """Write only the lines `keep` of `source` to `target`, return how many they are. Raise InputError as `clean`."""
    with _told(target):
        return _copied(source, lambda line: target if line in keep else None, (target,))[target]


def copy_but(source: Path, target: Path, leave_out: frozenset[int]) -> int:
    """Write all lines but `leave_out` of `source` to `target`, return how many. Raise InputError as `clean`."""
    with _told(target):
        return _copied(source, lambda line: None if line in leave_out else target, (target,))[target]


Where = Callable[[int], Path | None]
"""Where a line goes (a row, of Parquet), from 1; None: it is left out."""


def _below(file: Path, roots: Sequence[Path]) -> Path:
    for root in roots:
        if root.is_dir() and file.is_relative_to(root):
            return file.relative_to(root)
    return Path(file.name)


@contextmanager
def _told(target: Path) -> Iterator[None]:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        yield
    except (*BROKEN, pa.ArrowException) as error:
        why = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise InputError(f"could not be written: {why}", path=target) from error


def _copied(source: Path, where: Where, always: Sequence[Path]) -> Counter[Path | None]:
    """Copy the lines of `source` to where they go, and count them; the files `always` are made even if nothing does."""
    kind = kind_of(source)
    with ExitStack() as stack:
        if kind == "parquet":
            return _copied_rows(source, where, always, stack)
        out = {target: stack.enter_context(_written(target, kind)) for target in always}
        counts: Counter[Path | None] = Counter()
        for number, line in enumerate(_lines_of(source, kind), 1):
            target = where(number)
            if target is not None:
                if target not in out:
                    out[target] = stack.enter_context(_written(target, kind))
                out[target].write(line)
            counts[target] += bool(line.strip())
        return counts


def _lines_of(path: Path, kind: str) -> Iterator[bytes]:
    """Yield the lines with their ends. What follows a break in a compressed file is not there to be copied."""
    with path.open("rb") as raw:
        if kind == "jsonl":
            yield from raw
            return
        carried = b""
        try:
            for read in gzip_reads(raw) if kind == "gzip" else zstd_reads(raw):
                *whole, carried = (carried + read).split(b"\n")
                yield from (line + b"\n" for line in whole)
        except BROKEN:
            pass  # told by the line that it breaks off in, which is unreadable
        if carried:
            yield carried


@contextmanager
def _written(target: Path, kind: str) -> Iterator[IO[bytes]]:
    """Yield a file to write, compressed as its source is, that has its name only once it is whole."""
    with _whole(target) as temporary, temporary.open("wb") as out:
        if kind == "gzip":
            with gzip.GzipFile("", "wb", fileobj=out, mtime=0) as packed:  # no name and time: same seed, same bytes
                yield packed  # type: ignore[misc]  # it writes as a binary file does
        elif kind == "zstd":
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
        temporary.unlink(missing_ok=True)


def _copied_rows(source: Path, where: Where, always: Sequence[Path], stack: ExitStack) -> Counter[Path | None]:
    counts: Counter[Path | None] = Counter()
    file = stack.enter_context(pq.ParquetFile(source))
    out = {target: stack.enter_context(_parquet(target, file.schema_arrow)) for target in always}
    number = 0
    for batch in file.iter_batches(batch_size=BATCH):
        goes = [where(number + row) for row in range(1, batch.num_rows + 1)]
        number += batch.num_rows
        counts.update(goes)
        for target in dict.fromkeys(goes):
            if target is None:
                continue
            if target not in out:
                out[target] = stack.enter_context(_parquet(target, file.schema_arrow))
            mine = [one == target for one in goes]
            out[target].write_batch(batch if all(mine) else batch.filter(pa.array(mine)))
    return counts


@contextmanager
def _parquet(target: Path, schema: pa.Schema) -> Iterator[pq.ParquetWriter]:
    with _whole(target) as temporary, pq.ParquetWriter(temporary, schema, compression="zstd") as writer:
        yield writer

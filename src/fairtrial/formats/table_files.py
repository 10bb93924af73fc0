"""The three kinds of file that a table comes in (JSONL, CSV, Parquet), as chunks of columns under our names.

JSONL may be gzipped; CSV may use comma, semicolon or tab. A row that cannot be read (broken JSON, wrong number of
cells) is skipped with its line. Covers reading only; types are `fields`.
"""

from __future__ import annotations

import csv
import gzip
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import TextIOWrapper
from pathlib import Path
from typing import Any, BinaryIO, cast

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from fairtrial.formats.batch import Skipped
from fairtrial.formats.fields import FIELDS, REQUIRED, Values, from_text, shown
from fairtrial.records import FormatError, InputError

CHUNK_ROWS = 131_072
_CHUNK_BYTES = 32 << 20
_CSV_CELL_BYTES = (1 << 31) - 1


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some rows of a file: columns by our name, and the number of each row in the file."""

    columns: Mapping[str, Values]
    numbers: Sequence[int]
    skipped: Sequence[Skipped] = ()
    done: float | None = None
    separator: str = ":"
    """What stands between file name and number in a place: `:` before a line, ` row ` before a row."""


@dataclass(frozen=True, slots=True)
class Named:
    """Which of the file's columns are which of ours."""

    path: Path
    mapping: Mapping[str, str]
    """Our name -> theirs, as the user said."""
    given: frozenset[str] = field(default_factory=frozenset)
    """Required columns that the command line stands in for."""

    def theirs(self, present: Sequence[str]) -> dict[str, str]:
        """Return our name -> theirs for the columns present. Raise InputError naming what is missing."""
        held = set(present)
        for ours, theirs in self.mapping.items():
            if ours not in FIELDS:
                raise InputError(f"`{ours}` is not a column of ours", field="--columns",
                                 hint=f"Ours are: {', '.join(FIELDS)}.")  # fmt: skip
            if theirs not in held:
                raise self._missing(theirs, present)
        found = {ours: self.mapping.get(ours, ours) for ours in FIELDS if self.mapping.get(ours, ours) in held}
        twice = next((name for name in found.values() if present.count(name) > 1), None)
        if twice is not None:
            raise FormatError(f"has the column `{twice}` more than once", path=self.path, field=twice,
                              hint="Rename one of them: which one is meant cannot be told.")  # fmt: skip
        for ours in REQUIRED:
            if ours not in found and ours not in self.given:
                raise self._missing(ours, present)
        return found

    def _missing(self, name: str, present: Sequence[str]) -> InputError:
        listed = ", ".join(sorted(present)[:40]) or "none"
        return InputError(f"there is no column `{name}`; the file has: {listed}", path=self.path, field=name,
                          hint="Say which of them it is with --columns ours=theirs, for example "
                               "--columns task=problem_id,passed=correct.")  # fmt: skip


def chunks(named: Named) -> Iterator[Chunk]:
    """Read a table file by its suffix, .jsonl where that says nothing."""
    path = named.path
    if path.stat().st_size == 0:
        raise FormatError("is empty", path=path)
    suffix = path.suffixes[-2] if path.suffix == ".gz" and len(path.suffixes) > 1 else path.suffix
    if suffix in (".parquet", ".pq"):
        return _parquet(named)
    if suffix in (".csv", ".tsv"):
        return _csv(named)
    return _jsonl(named)


def _parquet(named: Named) -> Iterator[Chunk]:
    try:
        with pq.ParquetFile(named.path) as file:
            theirs = named.theirs(file.schema_arrow.names)
            first, total = 1, max(1, file.metadata.num_rows)
            for batch in file.iter_batches(batch_size=CHUNK_ROWS, columns=sorted(set(theirs.values()))):
                last = first + batch.num_rows
                columns = {ours: _whole(named, name, batch.column(name)) for ours, name in theirs.items()}
                yield Chunk(columns, range(first, last), done=(last - 1) / total, separator=" row ")
                first = last
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise FormatError(f"is not a Parquet file that can be read: {_first_line(error)}", path=named.path) from error


def _whole(named: Named, name: str, column: pa.Array) -> pa.Array:
    """Return a column once its texts are known to be UTF-8, as nobody enforces, and its dates ones that Python has."""
    try:
        column.validate(full=True)
        if _holds_dates(column.type):
            column.to_pylist()
    except (ValueError, OverflowError) as error:
        raise FormatError(f"cannot be read: {_first_line(error)}", path=named.path, field=name) from error
    return column


def _holds_dates(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        return _holds_dates(kind.value_type)
    inner = (kind.field(number).type for number in range(kind.num_fields))
    return bool(pa.types.is_temporal(kind)) or any(_holds_dates(one) for one in inner)


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__


def _opened(path: Path) -> BinaryIO:
    return cast(BinaryIO, gzip.open(path)) if path.suffix == ".gz" else path.open("rb")


def _jsonl(named: Named) -> Iterator[Chunk]:
    path, number, started = named.path, 0, False
    size = path.stat().st_size if path.suffix != ".gz" else None
    with _opened(path) as handle:
        while True:
            lines, broken = _lines(handle)
            if not lines and not broken:
                return
            if number == 0 and lines:
                lines[0] = _without_mark(path, lines[0])
            rows, numbers, skipped = _objects(path, lines, number + 1)
            number += len(lines)
            if broken:
                skipped.append(Skipped(f"{path}:{number + 1}", broken))
            if rows or not started:
                theirs = named.theirs(_keys(rows)) if rows and not started else _mapping(named)
                started = started or bool(rows)
                columns: dict[str, Values] = {ours: [row.get(name) for row in rows] for ours, name in theirs.items()}
                yield Chunk(columns, numbers, skipped, done=handle.tell() / size if size else None)
            else:
                yield Chunk({}, [], skipped)
            if broken:
                return


def _mapping(named: Named) -> dict[str, str]:
    """Return every column that a later row may have."""
    return {ours: named.mapping.get(ours, ours) for ours in FIELDS}


def _keys(rows: Sequence[dict[str, Any]]) -> list[str]:
    return sorted({key for row in rows for key in row})


def _lines(handle: BinaryIO) -> tuple[list[bytes], str]:
    """Read some whole lines; say why where a compressed file breaks off."""
    lines: list[bytes] = []
    size = 0
    try:
        for line in handle:
            lines.append(line)
            size += len(line)
            if len(lines) == CHUNK_ROWS or size > _CHUNK_BYTES:
                break
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        return lines, f"the compressed file breaks off here: {error}"
    return lines, ""


def _without_mark(path: Path, line: bytes) -> bytes:
    """Strip a UTF-8 byte order mark; refuse UTF-16 and a JSON array."""
    if line.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FormatError("is UTF-16, not UTF-8", path=path, hint=f"iconv -f utf-16 -t utf-8 {path.name} makes it so.")
    line = line.removeprefix(b"\xef\xbb\xbf")
    if line.lstrip().startswith(b"["):
        raise FormatError("is a JSON array, not one object a line", path=path, line=1,
                          hint=f"jq -c '.[]' {path.name} makes lines of it.")  # fmt: skip
    return line


def _objects(path: Path, lines: Sequence[bytes], first: int) -> tuple[list[dict[str, Any]], list[int], list[Skipped]]:
    rows: list[dict[str, Any]] = []
    numbers: list[int] = []
    skipped: list[Skipped] = []
    loads = orjson.loads
    for number, line in enumerate(lines, start=first):
        if line.isspace():
            continue
        try:
            row = loads(line)
        except orjson.JSONDecodeError as error:
            skipped.append(Skipped(f"{path}:{number}", f"not JSON: {error}"))
            continue
        if isinstance(row, dict):
            rows.append(row)
            numbers.append(number)
        else:
            skipped.append(Skipped(f"{path}:{number}", f"is {shown(row)}, not an object"))
    return rows, numbers, skipped


def _csv(named: Named) -> Iterator[Chunk]:
    path = named.path
    csv.field_size_limit(_CSV_CELL_BYTES)
    with path.open("rb") as raw:
        _without_mark(path, raw.read(4))
    with _opened(path) as plain, TextIOWrapper(plain, "utf-8-sig", "surrogateescape", newline="") as handle:
        header_line = handle.readline().encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        delimiter = max(",;\t", key=header_line.count)
        header = [name.strip() for name in next(csv.reader([header_line], delimiter=delimiter), [])]
        theirs = named.theirs(header)
        places = {ours: header.index(name) for ours, name in theirs.items()}
        reader = csv.reader(handle, delimiter=delimiter, strict=True)
        while True:
            rows, numbers, skipped, ended = _csv_rows(path, reader, len(header))
            columns: dict[str, Values] = {
                ours: from_text(ours, [row[at] for row in rows]) for ours, at in places.items()
            }
            yield Chunk(columns, numbers, skipped)
            if ended:
                return


def _csv_rows(path: Path, reader: Any, width: int) -> tuple[list[list[str]], list[int], list[Skipped], bool]:
    """Read some rows of `width` cells; the header is line 1, so the reader's line 1 is the file's line 2."""
    rows: list[list[str]] = []
    numbers: list[int] = []
    skipped: list[Skipped] = []
    while len(rows) < CHUNK_ROWS:
        try:
            row = next(reader)
        except StopIteration:
            return rows, numbers, skipped, True
        except csv.Error as error:
            skipped.append(Skipped(f"{path}:{reader.line_num + 1}", f"not CSV: {error}"))
            continue
        if len(row) == width:
            rows.append(row)
            numbers.append(reader.line_num + 1)
        elif row:
            skipped.append(
                Skipped(f"{path}:{reader.line_num + 1}", f"has {len(row)} cells where the header has {width}")
            )
    return rows, numbers, skipped, False

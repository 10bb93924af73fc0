"""Files of rows: JSONL written and read, with errors that name file and line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from fairtrial.records import FormatError, InputError


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file. Raise InputError where that cannot be done."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=path, field="--out") from error


def write_lines(path: Path, documents: Iterable[Mapping[str, Any]]) -> None:
    """Write one JSON object a line."""
    write_bytes(path, b"".join(orjson.dumps(document) + b"\n" for document in documents))


def read_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (line number, object) of a JSONL file. Raise FormatError for a line that is no object."""
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", path=path) from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            found = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise FormatError(f"is not JSON: {error}", path=path, line=number) from error
        if not isinstance(found, dict):
            raise FormatError("is not an object", path=path, line=number)
        yield number, found


def read_parquet(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a Parquet file. Raise FormatError where it is none."""
    try:
        rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        raise FormatError(f"is no Parquet file that can be read: {str(error).splitlines()[0]}", path=path) from error
    return rows

"""Parquet as documents: one object a row, nested columns as they are, a few hundred rows at a time.

pyarrow is loaded only where a file is Parquet: it takes as much memory as a whole scan of JSONL.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairtrial.records import FormatError

if TYPE_CHECKING:
    import pyarrow as pa

ROWS = 256
"""Rows that are held at once; a row may hold a long chat."""
_NO_VALUE = (ValueError, OverflowError)
"""What is raised for a value that Python has none for: a date beyond the year 9999, text that is no UTF-8."""


def row_groups(path: Path) -> int:
    """Return the number of row groups. Raise FormatError where the file is not whole."""
    return int(_opened(path).num_row_groups)


def parquet_chunks(path: Path, start: int, end: int) -> Iterator[tuple[list[Any], int, list[tuple[int, str]]]]:
    """Yield (documents, number of the first from 1 within these groups, unreadable) of the row groups [start, end).

    A row that cannot be read is None among the documents.
    """
    import pyarrow as pa

    groups = list(range(start, end))
    first = 1
    try:
        for batch in _opened(path).iter_batches(batch_size=ROWS, row_groups=groups):
            documents, unreadable = _documents(batch, first)
            yield documents, first, unreadable
            first += len(documents)
    except (pa.ArrowException, OSError) as error:
        yield [None], first, [(first, f"row group {start} breaks off here, what follows was not read: {error}")]


def _opened(path: Path) -> Any:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        return parquet.ParquetFile(path)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:  # the last: of a column's name
        raise FormatError(f"begins as Parquet but is none: {error}", path=path) from error


def _documents(batch: pa.RecordBatch, first: int) -> tuple[list[Any], list[tuple[int, str]]]:
    try:
        return batch.to_pylist(), []
    except _NO_VALUE:
        documents: list[Any] = []
        unreadable = []
        for number in range(batch.num_rows):
            try:
                documents += batch.slice(number, 1).to_pylist()
            except _NO_VALUE as error:
                documents.append(None)
                unreadable.append((first + number, f"cannot be read: {error}"))
        return documents, unreadable

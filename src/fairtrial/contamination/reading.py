"""Files of rows as chunks of documents: JSONL, plain or compressed by gzip or zstd, and Parquet, told by their content.

A file is read as one or more pieces (byte ranges of plain JSONL, row groups of Parquet), each by one process, a
megabyte at a time, so that memory does not grow with the file. A row that cannot be read is told with its line and
why, and the next is read. Not covered: what of a document is text (fields), and other formats (CSV, one big array).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from fairtrial.contamination.reading_compressed import BROKEN, gzip_reads, plain_reads, zstd_reads
from fairtrial.contamination.reading_lines import Block, blocks_of, line_start
from fairtrial.contamination.reading_parquet import parquet_chunks, row_groups
from fairtrial.records import InputError

PIECE = 1 << 24
"""Bytes of a piece of plain JSONL: 16 MiB, so that two processes end together. It does not change what is found."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Name a part of a file that is read by itself."""

    path: Path
    kind: str
    """`jsonl`, `gzip`, `zstd` or `parquet`."""
    start: int = 0
    end: int = -1
    """Bytes of plain JSONL, row groups of Parquet: [start, end); -1 is the end of the file."""


@dataclass(slots=True)
class Chunk:
    """Hold documents as they stand in a file, and what could not be read among them."""

    documents: list[Any] = field(default_factory=list)
    lines: Sequence[int] = ()
    """Line (of Parquet: row) of each document, from 1 in its piece."""
    unreadable: list[tuple[int, str]] = field(default_factory=list)
    """(line, why)."""
    last_line: int = 0
    """Lines of the piece read so far, blank ones too."""
    bytes: int = 0
    """As read, after decompression; 0 for Parquet."""


def kind_of(path: Path) -> str:
    """Return what the file is by its first bytes. Raise InputError where it cannot be opened."""
    try:
        with path.open("rb") as stream:
            head = stream.read(4)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path=path) from error
    if head[:2] == b"\x1f\x8b":
        return "gzip"
    return {b"\x28\xb5\x2f\xfd": "zstd", b"PAR1": "parquet"}.get(head, "jsonl")


def pieces_of(paths: Sequence[Path], piece: int = PIECE) -> list[Piece]:
    """Return the pieces of all files, in their order. Compressed JSONL is one piece: it cannot be entered midway."""
    pieces: list[Piece] = []
    for path in paths:
        kind = kind_of(path)
        if kind == "jsonl":
            size = max(path.stat().st_size, 1)
            pieces += [Piece(path, kind, start, min(start + piece, size)) for start in range(0, size, piece)]
        elif kind == "parquet":
            pieces += [Piece(path, kind, number, number + 1) for number in range(row_groups(path))]
        else:
            pieces.append(Piece(path, kind))
    return pieces


def chunks_of(piece: Piece) -> Iterator[Chunk]:
    """Yield the documents of a piece, in their order."""
    if piece.kind == "parquet":
        for documents, first, unreadable in parquet_chunks(piece.path, piece.start, piece.end):
            lines = range(first, first + len(documents)) if not unreadable else _left(first, documents, unreadable)
            kept = [document for document in documents if document is not None]
            yield Chunk(kept, lines, unreadable, first + len(documents) - 1)
        return
    with piece.path.open("rb") as raw:
        first = 1
        try:
            for block in _blocks(raw, piece):
                chunk = _parsed(block, first)
                first = chunk.last_line + 1
                yield chunk
        except BROKEN as error:
            why = f"the file breaks off here, what follows was not read: {error}"
            yield Chunk(unreadable=[(first, why)], last_line=first)


def _left(first: int, documents: list[Any], unreadable: list[tuple[int, str]]) -> list[int]:
    bad = {line for line, _ in unreadable}
    return [line for line in range(first, first + len(documents)) if line not in bad]


def _blocks(raw: BinaryIO, piece: Piece) -> Iterator[Block]:
    if piece.kind == "gzip":
        return blocks_of(gzip_reads(raw))
    if piece.kind == "zstd":
        return blocks_of(zstd_reads(raw))
    start = line_start(raw, piece.start)
    room = line_start(raw, piece.end) - start if piece.end >= 0 else float("inf")
    raw.seek(start)
    return blocks_of(plain_reads(raw, room))


def _parsed(block: Block, first: int) -> Chunk:
    """Return the documents of a block of whole lines; the quick way where every line is JSON."""
    if block.too_long:
        return Chunk(unreadable=[(first, block.too_long)], last_line=first, bytes=block.bytes)
    lines = block.lines
    last = first + len(lines) - 1
    try:
        return Chunk([*map(orjson.loads, lines)], range(first, last + 1), [], last, block.bytes)
    except orjson.JSONDecodeError:
        return _parsed_one_by_one(lines, first, block.bytes)


def _parsed_one_by_one(lines: list[bytes], first: int, size: int) -> Chunk:
    documents, numbers, unreadable = [], [], []
    for number, line in enumerate(lines, first):
        if not line or line.isspace():
            continue
        try:
            documents.append(orjson.loads(line))
        except orjson.JSONDecodeError as error:
            unreadable.append((number, _why(line, error)))
        else:
            numbers.append(number)
    return Chunk(documents, numbers, unreadable, first + len(lines) - 1, size)


def _why(line: bytes, error: orjson.JSONDecodeError) -> str:
    try:
        line.decode()
    except UnicodeDecodeError as broken:
        return f"not UTF-8 at byte {broken.start} of the line"
    return f"not JSON: {error.msg}"

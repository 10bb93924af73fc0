"""Rows of training and evaluation sets as they are read: an id, texts with their places, and where the row stands.

`read_rows` gives the same rows in the same order as the quick scan counts them: a row is readable where its JSON is and
where it holds any text. Not covered: two rows of one id, which are both read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairtrial.contamination.fields import texts_of
from fairtrial.contamination.reading import Piece, chunks_of, kind_of, pieces_of


@dataclass(frozen=True, slots=True)
class Row:
    """Hold one row of a file."""

    id: str
    """The row's `id`, else `FILE:LINE`."""
    texts: tuple[tuple[str, str], ...]
    """(place, text) in the order of the row, as `texts_of` yields them."""
    path: str
    line: int
    """From 1; of Parquet the number of the row."""

    @property
    def text(self) -> str:
        """Return all texts, each on a line of its own."""
        return "\n".join(text for _, text in self.texts)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Say where a row could not be read, and why. It was not compared, which is not clean."""

    path: str
    line: int
    why: str


def read_rows(paths: Sequence[Path]) -> Iterator[Row | Unreadable]:
    """Yield the rows of JSONL (plain, gzip, zstd) and Parquet files, in order.

    Raise InputError where a file cannot be opened, FormatError where one begins as Parquet and is none.
    """
    for path in paths:
        for one in read_documents(path):
            yield one if isinstance(one, Unreadable) else row_of(path, *one)


def read_documents(path: Path) -> Iterator[tuple[int, Any] | Unreadable]:
    """Yield (line, document) of one file, in order; the documents need not hold any text."""
    passed = 0
    kind = kind_of(path)
    for piece in pieces_of([path]) if kind == "parquet" else [Piece(path, kind)]:
        last = 0
        for chunk in chunks_of(piece):
            found: list[tuple[int, Any] | Unreadable] = [
                (passed + line, document) for line, document in zip(chunk.lines, chunk.documents, strict=True)
            ]
            found += [Unreadable(str(path), passed + line, why) for line, why in chunk.unreadable]
            yield from sorted(found, key=_line_of) if chunk.unreadable else found
            last = chunk.last_line
        passed += last


def _line_of(one: tuple[int, Any] | Unreadable) -> int:
    return one.line if isinstance(one, Unreadable) else one[0]


def row_of(path: Path, line: int, document: Any) -> Row | Unreadable:
    """Return what stands on a line as a row, or why it is none."""
    texts = tuple(texts_of(document))
    if not texts:
        return Unreadable(str(path), line, why_empty(document))
    named = id_of(document)
    return Row(f"{path.name}:{line}" if named is None else named, texts, str(path), line)


def id_of(document: Any) -> str | None:
    """Return the row's own id, None where it has none: a text or a whole number, not empty.

    >>> [id_of(row) for row in ({"id": "a"}, {"id": 7}, {"id": None}, {"id": {}}, ["a"])]
    ['a', '7', None, None, None]
    """
    named = document.get("id") if type(document) is dict else None
    if type(named) is str:
        return named or None
    return str(named) if type(named) is int else None


def why_empty(document: Any) -> str:
    """Say why a row without text is none.

    >>> why_empty(7), why_empty({"id": "a"})
    ('holds no text: is a number, not an object', 'holds no text')
    """
    if document is None or isinstance(document, (bool, int, float)):
        kind = "null" if document is None else "a truth value" if isinstance(document, bool) else "a number"
        return f"holds no text: is {kind}, not an object"
    return "holds no text"

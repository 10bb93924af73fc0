"""Rows of training and evaluation sets as they are read: an id, texts with their places, and where the row stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from fairtrial.contamination.fields import texts_of


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
    """Yield the rows of JSONL files, in order."""
    for path in paths:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                try:
                    document = orjson.loads(line)
                except orjson.JSONDecodeError as error:
                    yield Unreadable(str(path), number, f"not JSON: {error}")
                    continue
                texts = tuple(texts_of(document))
                named = document.get("id") if isinstance(document, dict) else None
                if texts:
                    yield Row(str(named) if named is not None else f"{path.name}:{number}", texts, str(path), number)
                else:
                    yield Unreadable(str(path), number, "holds no text")

"""One piece of a training set through the kernel: counts, what could not be read, and pairs to be weighed at the end.

What is held does not grow with the piece: pairs go to a file of the scratch folder. Not covered: what a pair means.
"""

from __future__ import annotations

import gc
import hashlib
import pickle
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from fairtrial.contamination.fields import plain_texts, texts_of
from fairtrial.contamination.index import BREAKS, ItemIndex
from fairtrial.contamination.kernel import MARKS, NEXT_ROW, PAIRS, scan_rows
from fairtrial.contamination.kernel_state import state_for
from fairtrial.contamination.kernel_words import State
from fairtrial.contamination.reading import Chunk, Piece, chunks_of
from fairtrial.contamination.rows import id_of, why_empty

LISTED = 200
"""Unreadable rows that a piece lists; all are counted."""
TRACKED = 1 << 22
"""Rows whose ids are held against each other."""
_AT_ONCE = 1 << 22
"""Characters that the kernel is given at once; a longer row is given in parts."""
_PART, _OVERLAP = 1 << 19, 1 << 14
"""Characters of such a part, and how far it reaches into the next, so that a passage of that length is whole in one."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Say where the row and the field of a pair stand."""

    row_id: str | None
    line: int
    place: str
    moved: int
    """Characters that lie before the part that was scanned."""


@dataclass(slots=True)
class Scanned:
    """Hold what a piece came to; rows and lines are those of the piece, rows from 0."""

    rows: int = 0
    lines: int = 0
    bytes: int = 0
    images: int = 0
    unreadable: int = 0
    listed: list[tuple[int, str]] = field(default_factory=list)
    pairs: int = 0
    ids: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    """A hash of each row's id, 0 where it has none."""
    id_lines: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    rows_holding: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    """Rows that hold each gram."""
    spool: Path | None = None
    """The file of its pairs, as `spooled` reads them; None where there are none."""


class PieceScan:
    """Scan pieces with one index; the room that the kernel needs is made once.

    With `far`, ids are hashed so that scans of other processes, wherever they are, hash them alike.
    """

    def __init__(self, index: ItemIndex, scratch: Path, *, far: bool = False) -> None:
        # What came from another process can be written, which to numba is another type, and is compiled by itself.
        index.arrays.data.flags.writeable = False
        self._index = index
        self.scratch = scratch
        self._id_hash = _far_id_hash if far else _id_hash
        self._state: State = state_for(_PART, index.arrays)
        self._room = _PART

    def scan(self, piece: Piece, number: int) -> Scanned:
        """Return what piece `number` comes to."""
        self._state.holding[:, :2] = 0, -1
        found = Scanned()
        left_out: list[str] = []
        ids, lines = array("q"), array("l")
        path = self.scratch / f"pairs-{number}"
        with path.open("wb") as spool, _uncollected():
            for chunk in chunks_of(piece):
                self._chunk(chunk, found, left_out, spool)
                if len(ids) < TRACKED:
                    ids.extend(map(self._id_hash, chunk.documents))
                    lines.extend(chunk.lines)
                found.images += len(left_out)
                left_out.clear()
        found.rows_holding = self._state.holding[:-1, 0].copy()
        found.ids, found.id_lines = np.array(ids, np.int64), np.array(lines, np.int64)
        found.spool = path if found.pairs else None
        if not found.pairs:
            path.unlink()
        return found

    def _chunk(self, chunk: Chunk, found: Scanned, left_out: list[str], spool: BinaryIO) -> None:
        rows = [plain_texts(document, left_out) for document in chunk.documents]
        kept = range(len(rows))
        unreadable = chunk.unreadable
        if not all(rows):
            kept = [number for number, texts in enumerate(rows) if texts]  # type: ignore[assignment]
            empty = [number for number, texts in enumerate(rows) if not texts]
            unreadable = unreadable + [(chunk.lines[n], why_empty(chunk.documents[n])) for n in empty]
            rows = [texts for texts in rows if texts]
        found.unreadable += len(unreadable)
        found.listed += sorted(unreadable)[: LISTED - len(found.listed)]
        for first, moved, data in _batches(rows):
            self._batch(data, found.rows + first, (chunk, found.rows, kept, moved), found, spool)
        found.rows += len(rows)
        found.lines, found.bytes = chunk.last_line, found.bytes + chunk.bytes

    def _batch(self, data: bytes, row: int, source: Any, found: Scanned, spool: BinaryIO) -> None:
        if len(data) > self._room:
            self._room = len(data) + len(data) // 4
            self._state = state_for(self._room, self._index.arrays, self._state)
        state, at = self._state, 0
        array = np.frombuffer(data, np.uint8)
        state.counts[NEXT_ROW] = row
        while at < len(data):
            at = scan_rows(self._index.arrays, state, array, at, int(state.counts[NEXT_ROW]))
            count, marks = int(state.counts[PAIRS]), int(state.counts[MARKS])
            if count:
                pairs = state.pairs[:count].copy()
                pickle.dump((pairs, state.marks[:marks].copy(), _places(pairs, *source)), spool)
                found.pairs += count
                state.marks[:marks] = 0
                state.counts[PAIRS] = state.counts[MARKS] = 0


def _batches(rows: list[list[str]]) -> Iterator[tuple[int, tuple[int, int], bytes]]:
    """Yield (first row, (text, character) at which the first of them begins, the rows' bytes)."""
    if not rows:
        return
    joined = "\x1e".join(["\x1d".join(texts) for texts in rows])
    if len(joined) > _AT_ONCE:
        yield from _parts(rows)
        return
    fields = sum(map(len, rows))
    if joined.count("\x1e") != len(rows) - 1 or joined.count("\x1d") != fields - len(rows):
        joined = "\x1e".join(["\x1d".join([text.translate(BREAKS) for text in texts]) for texts in rows])
    yield 0, (0, 0), joined.encode()


def _parts(rows: list[list[str]]) -> Iterator[tuple[int, tuple[int, int], bytes]]:
    for number, texts in enumerate(rows):
        group: list[str] = []
        begun = held = 0
        for text_number, text in enumerate(texts):
            for start in range(0, max(1, len(text) - _OVERLAP), _PART - _OVERLAP):
                part = text[start : start + _PART].translate(BREAKS)
                if len(text) > _PART or held + len(part) > _PART:
                    if group:
                        yield number, (begun, 0), "\x1d".join(group).encode()
                    group, held, begun = [], 0, text_number + (len(text) > _PART)
                if len(text) > _PART:
                    yield number, (text_number, start), part.encode()
                else:
                    group.append(part)
                    held += len(part)
        if group:
            yield number, (begun, 0), "\x1d".join(group).encode()


def _places(pairs: NDArray[np.int64], chunk: Chunk, first: int, kept: Any, moved: tuple[int, int]) -> list[Pair]:
    """Return where the pairs stand; the field of a pair counts from text `moved[0]` of the row."""
    places: list[Pair] = []
    names: list[str] = []
    known = -1
    for row, text in zip(pairs[:, 0].tolist(), pairs[:, 2].tolist(), strict=True):
        number = kept[row - first]
        if number != known:
            names, known = [place for place, _ in texts_of(chunk.documents[number])], number
        document = chunk.documents[number]
        places.append(Pair(id_of(document), chunk.lines[number], names[moved[0] + text], moved[1]))
    return places


def _id_hash(document: Any) -> int:
    """Return a hash of the row's id, 0 where it has none.

    Python's own, from a seed that the processes of a scan have in common: one does all of it, or forks of one server.
    """
    named = document.get("id") if type(document) is dict else None
    if type(named) is str:
        return (hash(named) or 1) if named else 0
    return hash(str(named)) if type(named) is int else 0


def _far_id_hash(document: Any) -> int:
    """Return a hash of the row's id that every machine makes alike, 0 where it has none."""
    named = document.get("id") if type(document) is dict else None
    if (type(named) is not str and type(named) is not int) or named == "":
        return 0
    data = str(named).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "big", signed=True) or 1


@contextmanager
def _uncollected() -> Iterator[None]:
    """Keep the collector of cycles from walking documents again and again: parsed JSON has none."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def spooled(path: Path | None) -> Iterator[tuple[NDArray[np.int64], NDArray[np.uint8], list[Pair]]]:
    """Yield the pairs of a piece as they were written: (pairs, marks, where they stand)."""
    if path is None:
        return
    with path.open("rb") as stream:
        while True:
            try:
                yield pickle.load(stream)
            except EOFError:
                return

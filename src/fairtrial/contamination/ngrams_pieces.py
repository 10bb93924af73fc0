"""The pieces of a training set, scanned in one process or several, and put together in their order.

The processes share nothing but the scratch folder. What they find is put together by the order of the pieces, so that
it is the same whatever their number.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fairtrial.contamination.far import scanned_far
from fairtrial.contamination.index import ItemIndex
from fairtrial.contamination.ngrams_piece import LISTED, TRACKED, PieceScan, Scanned
from fairtrial.contamination.reading import Piece
from fairtrial.contamination.rows import Unreadable
from fairtrial.run import Engine


@dataclass(frozen=True, slots=True)
class Placed:
    """A piece that was scanned, with what lies before it."""

    piece: Piece
    scanned: Scanned
    row: int
    """Number of its first row."""
    line: int
    """Lines of its file before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """What all pieces come to."""

    rows: int
    bytes: int
    images: int
    unreadable: int
    unreadable_listed: tuple[Unreadable, ...]
    repeated_ids: int
    repeated_ids_listed: tuple[Unreadable, ...]
    ids_compared: int
    rows_holding: NDArray[np.int64]


def scan_pieces(
    pieces: Sequence[Piece], index: ItemIndex, scratch: Path, workers: int, progress: Callable[[int, int], None],
    engine: Engine | None = None,
) -> list[Placed]:  # fmt: skip
    """Return each piece with what was found in it, in order; in processes of ours, or as jobs of `engine`."""
    scratch.mkdir()
    if engine is None:
        all_scanned = _scanned(pieces, index, scratch, min(workers, len(pieces)))
    else:
        all_scanned = scanned_far(engine, pieces, index, scratch)
    placed: list[Placed] = []
    row = line = 0
    holding = np.zeros(index.arrays.gram_at.size, np.int64)
    for number, scanned in enumerate(all_scanned):
        if number == 0 or pieces[number].path != pieces[number - 1].path or pieces[number].start == 0:
            line = 0
        # Added up at once, and ids let go beyond a bound: memory must not grow with the number of pieces.
        holding += scanned.rows_holding
        scanned.rows_holding = holding
        if row > TRACKED:
            scanned.ids, scanned.id_lines = scanned.ids[:0], scanned.id_lines[:0]
        placed.append(Placed(pieces[number], scanned, row, line))
        row += scanned.rows
        line += scanned.lines
        progress(number + 1, len(pieces))
    return placed


def _scanned(pieces: Sequence[Piece], index: ItemIndex, scratch: Path, workers: int) -> Iterator[Scanned]:
    if workers <= 1:
        scan = PieceScan(index, scratch)
        yield from (scan.scan(piece, number) for number, piece in enumerate(pieces))
        return
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_settle_in, initargs=(index, scratch)) as pool:
        yield from pool.map(_scan_piece, pieces, range(len(pieces)))


_settled: list[PieceScan] = []


def _settle_in(index: ItemIndex, scratch: Path) -> None:
    _settled[:] = [PieceScan(index, scratch)]


def _scan_piece(piece: Piece, number: int) -> Scanned:
    return _settled[0].scan(piece, number)


def total_of(placed: Sequence[Placed], index: ItemIndex) -> Total:
    """Return the sums, and the first of what is listed, by file and line."""
    none = np.zeros(index.arrays.gram_at.size, np.int64)
    listed: list[Unreadable] = []
    for each in placed:
        listed += [Unreadable(str(each.piece.path), each.line + line, why) for line, why in each.scanned.listed]
    repeated, repeats = _repeated(placed)
    return Total(
        rows=sum(each.scanned.rows for each in placed), bytes=sum(each.scanned.bytes for each in placed),
        images=sum(each.scanned.images for each in placed),
        unreadable=sum(each.scanned.unreadable for each in placed), unreadable_listed=tuple(listed[:LISTED]),
        repeated_ids=repeated, repeated_ids_listed=repeats,
        ids_compared=sum(int(np.count_nonzero(each.scanned.ids)) for each in placed),
        rows_holding=placed[-1].scanned.rows_holding if placed else none,
    )  # fmt: skip


def _repeated(placed: Sequence[Placed]) -> tuple[int, tuple[Unreadable, ...]]:
    """Return how many rows have the id of one before them, and the first of them."""
    ids = np.concatenate([each.scanned.ids for each in placed] or [np.empty(0, np.int64)])
    _, first = np.unique(ids, return_index=True)
    again = ids != 0
    again[first] = False
    places = np.flatnonzero(again)
    begins = np.cumsum([0, *(each.scanned.ids.size for each in placed)])
    listed = []
    for place in places[:LISTED].tolist():
        number = int(np.searchsorted(begins, place, "right")) - 1
        each = placed[number]
        line = each.line + int(each.scanned.id_lines[place - begins[number]])
        listed.append(Unreadable(str(each.piece.path), line, "a row before it has the same id"))
    return places.size, tuple(listed)

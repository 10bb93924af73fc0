"""Which rows of a training set hold items of an evaluation set word for word, or nearly: the scan for shared 5-grams.

One pass over the files, in as many processes as are asked for, then one over the pairs that were found. A row is
flagged where enough of one text of an item (its question, its answer, each for itself) stands in one of the row's
texts, in order and close by, boilerplate apart. Not covered: rewording (variants) and what the flags come to together.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fairtrial.contamination.index import index_of
from fairtrial.contamination.ngrams_flags import Common, common_passages, flags_of, weights_of
from fairtrial.contamination.ngrams_pieces import scan_pieces, total_of
from fairtrial.contamination.reading import PIECE, pieces_of
from fairtrial.contamination.result import Flag
from fairtrial.contamination.rows import Row, Unreadable
from fairtrial.run import Engine

Progress = Callable[[int, int], None]
"""Called with the pieces that are done, and with all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NgramOptions:
    """What counts as held word for word."""

    threshold: float = 0.42
    """Share of a text, its words weighed by rarity: half of a question is enough, a common phrase is not."""
    words: int = 9
    """Least words that are shared; of a text below 13 all of them."""
    piece: int = PIECE
    """Bytes of plain JSONL that one process reads at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NgramScan:
    """What the scan for shared 5-grams found, the same whatever the number of processes."""

    hits: tuple[Flag, ...]
    """By row, then by item as given; one for each pair of row and item, that of the best text. `detector` is
    `verbatim`; `train` and `item` are the passages, from the first to the last word that they share."""
    rows: int
    """Rows that were read and compared."""
    bytes: int
    """Read, after decompression; 0 for Parquet."""
    unreadable: int
    """Rows that could not be read, and were not compared."""
    unreadable_listed: tuple[Unreadable, ...]
    """The first of them."""
    repeated_ids: int
    """Rows whose id another row before them has. They were compared; `train_row` tells them apart."""
    repeated_ids_listed: tuple[Unreadable, ...]
    ids_compared: int
    """Rows whose ids were held against each other: all, up to some four million."""
    images: int
    """Texts left out as base64."""
    item_rows: NDArray[np.int64]
    """Shape (items,): rows flagged for each item."""
    too_short: tuple[str, ...]
    """Items that have no text of five words: whether they leaked cannot be told this way."""
    common: tuple[Common, ...]
    """Passages that were set aside, at most one a text of an item, most rows first."""


def scan(
    paths: Sequence[Path],
    items: Sequence[Row],
    options: NgramOptions | None = None,
    workers: int = 1,
    control: Sequence[Path] = (),
    progress: Progress = lambda *_: None,
    engine: Engine | None = None,
) -> NgramScan:
    """Scan the files at `paths` for the texts of `items`, in `workers` processes or as jobs of `engine`.

    Files: JSONL, plain or gzip or zstd, and Parquet, told by content. 5-grams that rows of `control` hold are known to
    be in clean text and are not counted. Raise InputError where a file cannot be opened, FormatError where one begins
    as Parquet and is none.
    """
    asked = options or NgramOptions()
    index = index_of(items)
    with tempfile.TemporaryDirectory(prefix="fairtrial-ngrams-") as folder:
        scratch = Path(folder)
        known = scan_pieces(pieces_of(control, asked.piece), index, scratch / "control", workers, lambda *_: None,
                            engine)  # fmt: skip
        found = scan_pieces(pieces_of(paths, asked.piece), index, scratch / "train", workers, progress, engine)
        total = total_of(found, index)
        weights = weights_of(index, total.rows_holding, total_of(known, index).rows_holding)
        hits = flags_of(found, items, index, weights, (asked.threshold, asked.words))
    item_rows = np.bincount([number for _, number in hits], minlength=len(items)).astype(np.int64)
    return NgramScan(
        hits=tuple(flag for flag, _ in hits), rows=total.rows, bytes=total.bytes, unreadable=total.unreadable,
        unreadable_listed=total.unreadable_listed, repeated_ids=total.repeated_ids,
        repeated_ids_listed=total.repeated_ids_listed, ids_compared=total.ids_compared, images=total.images,
        item_rows=item_rows, too_short=tuple(items[number].id for number in index.too_short),
        common=common_passages(index, items, weights, total.rows_holding),
    )  # fmt: skip

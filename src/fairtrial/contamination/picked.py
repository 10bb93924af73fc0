"""Rows of a training set picked by their number, without building those that are passed over.

Numbers are those of `read_rows` and of the scan for shared 5-grams: readable rows with text, from 0.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from fairtrial.contamination.fields import plain_texts
from fairtrial.contamination.rows import Row, Unreadable, read_documents, row_of


def picked_rows(paths: Sequence[Path], numbers: Collection[int]) -> Iterator[tuple[int, Row]]:
    """Yield (number, row) for each of `numbers` that there is, in order; nothing is read beyond the last of them."""
    last = max(numbers, default=-1)
    number = 0
    for path in paths:
        for one in read_documents(path):
            if number > last:
                return
            if isinstance(one, Unreadable):
                continue
            if number in numbers:
                row = row_of(path, *one)
                if isinstance(row, Row):
                    yield number, row
                    number += 1
            else:
                number += bool(plain_texts(one[1], []))

"""The rows of a training set against prepared items, chunk by chunk, in one process or several.

Chunks are of one size whatever the number of processes, and come back in their order, so that the result does not
depend on it. Processes are forked, so that what was prepared need not be sent; where that is not to be had, there is
one. Not covered: how near is told (`variants`).
"""

from __future__ import annotations

import gc
import multiprocessing
import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from fairtrial.contamination.far import in_order, left
from fairtrial.contamination.result import Nearness
from fairtrial.contamination.rows import Row
from fairtrial.contamination.variants import Near, Prepared
from fairtrial.run import Engine

CHUNK = 1024
"""Rows that one process looks at before it comes back."""


@dataclass(frozen=True, slots=True)
class Searched:
    """What a chunk of rows came to; `near` has pairs from the bar up, `row` counted from the first of the chunk."""

    rows: Sequence[Row]
    nearness: Nearness
    near: tuple[Near, ...]


def searched(
    prepared: Prepared, rows: Iterable[Row], bar: float, workers: int, engine: Engine | None = None
) -> Iterator[Searched]:
    """Yield what rows come to, in their order; in processes of ours, or as jobs of `engine`."""
    chunks = _chunked(rows)
    if engine is not None:
        yield from _searched_far(prepared, chunks, bar, engine)
        return
    if workers <= 1 or "fork" not in multiprocessing.get_all_start_methods():
        for chunk in chunks:
            yield Searched(chunk, *_search(prepared, chunk, bar))
        return
    _prepared[:] = [prepared]
    try:
        context = multiprocessing.get_context("fork")
        with ProcessPoolExecutor(workers, mp_context=context, initializer=gc.freeze) as pool:
            waiting: deque[tuple[list[Row], Future[tuple[Nearness, tuple[Near, ...]]]]] = deque()
            for chunk in chunks:
                waiting.append((chunk, pool.submit(_search_forked, chunk, bar)))
                if len(waiting) > 2 * workers:
                    first, future = waiting.popleft()
                    yield Searched(first, *future.result())
            for first, future in waiting:
                yield Searched(first, *future.result())
    finally:
        _prepared.clear()


def best_of_items(
    prepared: Prepared,
    rows: Sequence[Row],
    count: int,
    workers: int,
    bar: float,
    progress: Callable[[int, int], None],
    engine: Engine | None = None,
) -> NDArray[np.float32]:
    """Return how near each row lies to the first `count` of the prepared items.

    Where there are others, a row that lies nearer to one of these has 0, unless it has `bar` with one of the first too.
    """
    scores = []
    done = 0
    for one in searched(prepared, rows, bar, workers, engine):
        found = np.where(one.nearness.item < count, one.nearness.score, 0).astype(np.float32)
        for near in one.near:
            if near.item < count:
                found[near.row] = max(found[near.row], near.score)
        scores.append(found)
        done += len(found)
        progress(done, len(rows))
    return np.concatenate(scores) if scores else np.zeros(0, np.float32)


_prepared: list[Prepared] = []
"""What forked processes find in their memory."""


def _chunked(rows: Iterable[Row]) -> Iterator[list[Row]]:
    left = iter(rows)
    while chunk := list(islice(left, CHUNK)):
        yield chunk


@dataclass(frozen=True, slots=True)
class ChunkJob:
    """Look at one chunk of rows, which travel with the job."""

    prepared: Path
    """Pickle of the prepared items."""
    rows: tuple[Row, ...]
    bar: float

    def carries(self) -> tuple[Path, ...]:
        """Return the prepared items."""
        return (self.prepared,)

    def variables(self) -> tuple[str, ...]:
        """Return no variable: it reads none."""
        return ()

    def why_not_here(self) -> str:
        """Return nothing: every machine can."""
        return ""

    def __call__(self) -> tuple[Nearness, tuple[Near, ...]]:
        """Return what the rows come to."""
        return _search(_prepared_at(self.prepared), self.rows, self.bar)


@lru_cache(maxsize=1)
def _prepared_at(path: Path) -> Prepared:
    with path.open("rb") as stream:
        read: Prepared = pickle.load(stream)
    return read


def _searched_far(prepared: Prepared, chunks: Iterator[list[Row]], bar: float, engine: Engine) -> Iterator[Searched]:
    with TemporaryDirectory(prefix="fairtrial-prepared-") as folder:
        place = left(prepared, Path(folder), "prepared.pickle")
        sent: deque[list[Row]] = deque()

        def jobs() -> Iterator[ChunkJob]:
            for chunk in chunks:
                sent.append(chunk)
                yield ChunkJob(place, tuple(chunk), bar)

        for found in in_order(engine, jobs()):
            yield Searched(sent.popleft(), *found)


def _search_forked(rows: list[Row], bar: float) -> tuple[Nearness, tuple[Near, ...]]:
    return _search(_prepared[0], rows, bar)


def _search(prepared: Prepared, rows: Sequence[Row], bar: float) -> tuple[Nearness, tuple[Near, ...]]:
    item, score = [], []
    near: list[Near] = []
    for found in prepared.search(rows, bar):
        item.append(found.nearness.item)
        score.append(found.nearness.score)
        near += found.near
    return Nearness(item=np.concatenate(item), score=np.concatenate(score)), tuple(near)

"""Search training rows for reworded items: prepare the items once, then stream rows past them.

The background says which words, letters and likenesses are ordinary. It is a control where there is one, which is
clean; else the training rows themselves, which works while few of them are leaked; else the items alone. A sample of it
is kept, drawn by a fixed seed, so its length does not matter. Not covered: thresholds (`thresholds`), and the passages
that match (`aligned`).
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from fairtrial.contamination.result import Nearness, Span
from fairtrial.contamination.rows import Row
from fairtrial.contamination.variants.combination import Combination, combinations
from fairtrial.contamination.variants.index import FEATURES, Index, batches, build
from fairtrial.contamination.variants.kernels import Floats
from fairtrial.contamination.variants.scoring import SPREAD, Looked, Scale, detector, look, scales, score_of
from fairtrial.contamination.variants.units import Unit, passages_of, scales_of, windows_of
from fairtrial.contamination.variants.vectors import find_vectors
from fairtrial.contamination.variants.words import Words, number_of, spans_of
from fairtrial.records import InputError

SAMPLED = 20_000
"""Background rows that are counted at most."""
SCALED = 4_000
"""Background texts that set the scale at most."""
BATCH = 256
"""Texts compared at once."""
BAR = 0.3
"""Score from which pairs are told by `search`, unless asked otherwise: about one clean row in ten."""
FEW = 3
"""Items told of one row at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """One row, one item it looks made from, and what speaks for it."""

    row: int
    """Number of the row among those searched, from 0."""
    row_id: str
    item: int
    item_id: str
    score: float
    """In [0, 1)."""
    detector: str
    """`containment`, `characters`, `meaning` or `figures`: the part that speaks most for it."""
    parts: dict[str, float]
    """The likenesses that the score rests on, by name of `index.FEATURES`."""
    train: Span
    """The text, or the window of it, that is near."""
    item_place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What some rows in a row came to."""

    first: int
    """Number of the first of them."""
    nearness: Nearness
    near: tuple[Near, ...]
    """Pairs from the bar up, by row, nearest first."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """Hold items ready to be compared with."""

    items: tuple[Row, ...]
    index: Index
    ways: tuple[Combination, ...]
    scales: list[tuple[Scale, ...]]
    lengths: tuple[int, int, int]
    """Lengths of windows, in words, as `scales_of` gives them."""
    words: Words
    known: frozenset[int]
    """Numbers of the background's texts, to compare a row of it as if it had not been counted."""
    too_short: tuple[str, ...]
    """Items with too few words to tell a rewording from chance. They were not compared, which is not clean."""
    not_measured: tuple[str, ...] = field(default=())
    """What could not be looked at, in words."""

    def nearest(self, rows: Iterable[Row]) -> Nearness:
        """Return for each row the item it lies nearest to, and how near."""
        found = [each.nearness for each in self.search(rows, bar=2.0)]
        return Nearness(
            item=np.concatenate([each.item for each in found] or [np.zeros(0, np.int32)]),
            score=np.concatenate([each.score for each in found] or [np.zeros(0, np.float32)]),
        )

    def search(self, rows: Iterable[Row], bar: float = BAR) -> Iterator[Found]:
        """Yield what rows come to, some hundred at a time, in their order; pairs of score `bar` and above are told."""
        first = 0
        held: list[Row] = []
        units: list[Unit] = []
        for row in rows:
            held.append(row)
            units += windows_of(row, len(held) - 1, self.words, self.lengths)
            if len(units) >= BATCH or len(held) >= 4 * BATCH:
                yield self._batch(first, held, units, bar)
                first += len(held)
                held, units = [], []
        if held:
            yield self._batch(first, held, units, bar)

    def _batch(self, first: int, rows: list[Row], units: list[Unit], bar: float) -> Found:
        own = [number_of(row.text) in self.known for row in rows]
        tries = self._tries(units, len(rows))
        item = np.full(len(rows), -1, np.int32)
        score = np.zeros(len(rows), np.float32)
        pairs: list[_Pair] = []
        for part in batches(units, self.index.batch):
            owned = np.array([own[unit.row] for unit in part], dtype=np.int8)
            for number, looked in enumerate(look(self.index, part, owned, self.ways)):
                scored = self._scored(looked, number, part, tries)
                _keep_best(self.index, part, looked, scored, item, score)
                pairs += _above(part, looked, scored, number, bar)
        near = tuple(self._told(first, rows[pair.unit.row], pair) for pair in _few(pairs, self.index))
        return Found(first=first, nearness=Nearness(item=item, score=score), near=near)

    def _scored(self, looked: Looked, number: int, part: Sequence[Unit], tries: Floats) -> Floats:
        """Return the score of each text with each passage looked at, less what the best of many reaches by chance."""
        tens = np.max([scale.tens(sums) for scale, sums in zip(self.scales[number], looked.sums, strict=True)], axis=0)
        chances = np.array([tries[unit.row] for unit in part], dtype=np.float32)
        return score_of(tens - SPREAD * np.log10(chances)[:, None])

    def _tries(self, units: Sequence[Unit], rows: int) -> Floats:
        """Return how many stretches of a passage's length each row holds, times the fields of items."""
        words: dict[tuple[int, str], int] = {}
        for unit in units:
            key = (unit.row, unit.place)
            words[key] = max(words.get(key, 0), unit.last)
        stretches = np.zeros(rows, np.float32)
        for (row, _), last in words.items():
            stretches[row] += max(1, last / self.lengths[1])
        return np.asarray(np.maximum(1, stretches * len(self.index.fields)), dtype=np.float32)

    def _told(self, first: int, row: Row, pair: _Pair) -> Near:
        passage = self.index.passages[pair.passage]
        scales = self.scales[pair.number]
        parts = dict(zip(FEATURES, pair.likenesses.tolist(), strict=True))
        way = int(np.argmax([scale.tens(total) for scale, total in zip(scales, pair.sums, strict=True)]))
        return Near(
            row=first + pair.unit.row, row_id=row.id, item=passage.row, item_id=self.items[passage.row].id,
            score=pair.score, detector=detector(self.ways[way], scales[way], parts), parts=parts,
            train=_span(row, pair.unit), item_place=passage.place,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Pair:
    """Hold a text and a passage above the bar, before it is told."""

    score: float
    unit: Unit
    passage: int
    number: int
    """Of the field."""
    likenesses: Floats
    sums: Floats


def prepare(items: Sequence[Row], background: Iterable[Row] | None, vectors: bool | None = None) -> Prepared:
    """Prepare items against a background.

    A background that may hold many rows made from items counts their words as common and hides some of them; from some
    hundred items on, none (None: the items stand for it) finds more than the training rows themselves.
    `vectors`: True asks for word vectors and raises InputError where the extra is absent, False leaves them out, None
    takes them where they are. Raise InputError where no item has words enough to be compared.
    """
    words = Words()
    passages = [passage for number, item in enumerate(items) for passage in passages_of(item, number, words)]
    compared = {passage.row for passage in passages}
    too_short = tuple(item.id for number, item in enumerate(items) if number not in compared)
    if not passages:
        raise InputError("no item has words enough to be compared with", hint="Four words are the least.")
    lengths = scales_of([len(passage.words) for passage in passages])
    sample = _sampled(background or ())
    texts = [unit for number, row in enumerate(sample) for unit in windows_of(row, number, words, lengths)]
    known_vectors = find_vectors(vectors)
    ways = combinations(known_vectors is not None)
    index = build(passages, texts, known_vectors)
    not_measured = []
    if known_vectors is None:
        why = "left out as asked" if vectors is False else 'not installed: pip install "fairtrial[vectors]"'
        not_measured.append(f"meaning by word vectors: {why}")
    if too_short:
        not_measured.append(f"{len(too_short)} items of fewer than four words: nothing can be told of them")
    return Prepared(
        tuple(items), index, ways, scales(index, _spread(texts, SCALED), ways), lengths, words,
        frozenset(number_of(row.text) for row in sample), too_short, tuple(not_measured),
    )  # fmt: skip


def _sampled(rows: Iterable[Row]) -> list[Row]:
    """Return at most `SAMPLED` rows, each as likely as any other (reservoir sampling, fixed seed)."""
    draw = random.Random(0)
    kept: list[Row] = []
    for number, row in enumerate(rows):
        if number < SAMPLED:
            kept.append(row)
        elif (at := draw.randrange(number + 1)) < SAMPLED:
            kept[at] = row
    return kept


def _spread(units: Sequence[Unit], most: int) -> Sequence[Unit]:
    """Return at most `most` of the units, evenly spread."""
    return units if len(units) <= most else [units[at * len(units) // most] for at in range(most)]


def _keep_best(
    index: Index, part: Sequence[Unit], looked: Looked, scored: Floats, item: NDArray[np.int32], score: Floats
) -> None:
    best = scored.argmax(1)
    for at, unit in enumerate(part):
        if scored[at, best[at]] > score[unit.row]:
            score[unit.row] = scored[at, best[at]]
            item[unit.row] = index.items[looked.passages[at, best[at]]]


def _above(part: Sequence[Unit], looked: Looked, scored: Floats, number: int, bar: float) -> Iterator[_Pair]:
    for at, c in zip(*np.nonzero(scored >= bar), strict=True):
        yield _Pair(
            float(scored[at, c]), part[at], int(looked.passages[at, c]), number, looked.likenesses[at, c],
            looked.sums[:, at, c],
        )  # fmt: skip


def _few(pairs: Sequence[_Pair], index: Index) -> Iterator[_Pair]:
    """Keep the best pair of each row and item, and the nearest few items of each row."""
    best: dict[tuple[int, int], _Pair] = {}
    for each in pairs:
        key = (each.unit.row, int(index.items[each.passage]))
        if key not in best or each.score > best[key].score:
            best[key] = each
    told: dict[int, int] = {}
    for (row, _), each in sorted(best.items(), key=lambda each: (each[0][0], -each[1].score, each[0][1])):
        told[row] = told.get(row, 0) + 1
        if told[row] <= FEW:
            yield each


def _span(row: Row, unit: Unit) -> Span:
    text = dict(row.texts).get(unit.place, "")
    if unit.last < 0:
        return Span(unit.place, 0, len(text))
    spans = spans_of(text)
    return Span(unit.place, spans[unit.first][0], spans[min(unit.last, len(spans)) - 1][1])

"""Scan a training set against an evaluation set: word for word, reworded, and as a whole.

One function puts the parts together: files are found and addressed, items read, the training set scanned for shared
5-grams, its rows compared with reworded items by a threshold that a control sets, and, with decoys, the whole looked
at. What could not be measured is said in `abstained`. Not covered: how each part works, and what is shown of it.
"""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fairtrial.contamination import ngrams
from fairtrial.contamination.chance import alone_of
from fairtrial.contamination.clusters import Clusters, clusters_of
from fairtrial.contamination.controlled import Controlled, controlled
from fairtrial.contamination.distribution import Distribution, compare_decoys, distribution
from fairtrial.contamination.document import FlaggedPair, ItemFigure, Scan, SetThreshold
from fairtrial.contamination.evaluations import evaluations
from fairtrial.contamination.gaps import (
    gap_of_control,
    gaps_of_reading,
    gaps_of_verbatim,
    notes_of_control,
    notes_of_sides,
    notes_of_verbatim,
)
from fairtrial.contamination.given import Given, read_given
from fairtrial.contamination.ngrams import NgramOptions, NgramScan
from fairtrial.contamination.passages import passage_of
from fairtrial.contamination.picked import picked_rows
from fairtrial.contamination.reranking import Closer, Reranker, SecondLook, closer_of, near_of
from fairtrial.contamination.result import LEVEL, Flag, Nearness
from fairtrial.contamination.reworded import best_of_items, searched
from fairtrial.contamination.rows import Row, read_rows
from fairtrial.contamination.variants import (
    Near,
    Prepared,
    Threshold,
    default_threshold,
    passages,
    prepare,
    threshold_of_scores,
)
from fairtrial.records import InputError
from fairtrial.run import Engine

Progress = Callable[[str, int, int], None]
"""Called with what is done, how much of it, and of how much (0: not known)."""

SHOWN_PAIRS = 20_000
"""Pairs whose passages are held; of more, where they lie."""
CLUSTERED = 20_000
"""Flagged and near rows that are held to be clustered."""
LOW_BAR = 0.3
"""Score below which an item is not told apart from others; a threshold that low flags one clean row in ten."""
WHOLE = 0.9
"""Share of the items, each held to this share, from which on a file looks like the evaluation set itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanOptions:
    """What a scan is asked for."""

    fpr: float = 0.01
    """Share of clean rows that reworded items may flag."""
    level: float = LEVEL
    """How often each question may call a clean training set."""
    variants: bool = True
    """False: only what stands there word for word."""
    keys: bool = False
    """Of tasks, the solutions and tests too."""
    workers: int = 0
    """Processes; 0 for one a core. The result does not depend on it."""
    seed: int = 0
    rerank: Reranker | None = None
    """Function that looks again at the nearest pairs (`reranking`); it needs a control."""
    reranker: str = ""
    """What it is called."""
    engine: Engine | None = None
    """Does the work as jobs, on other machines too; None: processes of this one. The result does not depend on it."""

    @property
    def processes(self) -> int:
        """Return how many processes that is."""
        return self.workers or len(os.sched_getaffinity(0))


def scan(
    train: Sequence[Path],
    against: Sequence[Path],
    control: Sequence[Path] = (),
    decoys: Sequence[Path] = (),
    options: ScanOptions | None = None,
    progress: Progress = lambda *_: None,
) -> Scan:
    """Scan the files at `train` against the items at `against`.

    Raise InputError where a file is missing or unreadable, where two inputs are one file, or where nothing can be
    compared on the side of the evaluation set.
    """
    began = time.monotonic()
    asked = options or ScanOptions()
    read = read_given(train, against, control, decoys, keys=asked.keys)
    with ExitStack() as stack:
        clean = Controlled((), (), ())
        if read.control is not None:
            clean = stack.enter_context(controlled(control, read.control, read.items.rows, asked.processes,
                                                   asked.engine))  # fmt: skip
        verbatim = ngrams.scan(
            read.files.paths, read.items.rows, workers=asked.processes, control=clean.files,
            progress=lambda done, total: progress("verbatim, pieces", done, total), engine=asked.engine,
        )  # fmt: skip
        reworded = _Reworded.prepared(read, clean, asked, progress, verbatim.rows)
        looked = _look(read, verbatim, reworded, asked, progress)
    return _result(read, clean, verbatim, reworded, looked, asked, time.monotonic() - began)


@dataclass(frozen=True, slots=True)
class _Reworded:
    """What reworded rows are looked for with."""

    items: Prepared | None
    """Items, then decoys; None where reworded rows are not looked for."""
    threshold: Threshold | None
    why: tuple[str, ...]
    """What is not measured."""
    closer: Closer | None = None
    """The second look, where one was asked for."""
    alone: float | None = None
    """Score that chance alone does not explain."""

    @classmethod
    def prepared(cls, read: Given, clean: Controlled, asked: ScanOptions, progress: Progress, rows: int) -> _Reworded:
        """Prepare the items and set the threshold; `rows` is how many the training set has."""
        if not asked.variants:
            return cls(None, None, ("reworded items: left out as asked (--no-variants)",))
        decoys = read.decoys.rows if read.decoys else ()
        try:
            items = prepare([*read.items.rows, *decoys], clean.rows or _readable(read.files.paths))
        except InputError as error:  # no item has words enough: a gap of the result, not of what was handed in
            return cls(None, None, (f"reworded items: {error.what}",))
        why = tuple(f"reworded items: {one}" for one in items.not_measured)
        if not clean.rows:
            scores = np.zeros(0, np.float32)
            threshold = default_threshold(asked.fpr)
        else:
            scores = best_of_items(
                items, clean.rows, len(read.items.rows), asked.processes, LOW_BAR if decoys else 2.0,
                lambda done, total: progress("threshold, control rows", done, total), asked.engine,
            )  # fmt: skip
            threshold = threshold_of_scores(scores, [row.id for row in clean.rows], asked.fpr)
        if not threshold.promised:
            why += (f"threshold: {threshold.why}",)
        alone = alone_of(scores, rows, asked.level)
        closer = None
        if asked.rerank is not None:
            closer = closer_of(asked.rerank, asked.reranker, near_of(items, clean.rows, read.items.rows, asked.fpr),
                               len(clean.rows), asked.fpr)  # fmt: skip
        return cls(items, threshold, why, closer, alone)

    @property
    def bar(self) -> float:
        """Return the score above which a pair is flagged, or looked at again."""
        return self.first if self.closer is None else min(self.first, self.closer.bar)

    @property
    def first(self) -> float:
        """Return the threshold of the first look; 2 where there is none."""
        return 2.0 if self.threshold is None else max(0.0, min(self.threshold.value, 1.0))


@dataclass(slots=True)
class _Looked:
    """What a second reading of the training set came to."""

    pairs: list[FlaggedPair] = field(default_factory=list)
    held: dict[int, Row] = field(default_factory=dict)
    """Rows flagged or near, by number."""
    item: list[NDArray[np.int32]] = field(default_factory=list)
    score: list[NDArray[np.float32]] = field(default_factory=list)

    @property
    def nearness(self) -> Nearness | None:
        """Return the nearest item of each row; None where that was not looked for."""
        if not self.item:
            return None
        return Nearness(item=np.concatenate(self.item), score=np.concatenate(self.score))


def _look(read: Given, verbatim: NgramScan, reworded: _Reworded, asked: ScanOptions, progress: Progress) -> _Looked:
    """Read the training set once more: for reworded rows, and for the passages of what was found word for word."""
    looked = _Looked()
    hits: dict[int, list[Flag]] = defaultdict(list)
    for hit in verbatim.hits:
        hits[hit.train_row].append(hit)
    if reworded.items is None:
        for number, row in picked_rows(read.files.paths, hits):
            _flag(looked, read, row, hits[number])
        return looked
    passed = 0
    second = None if reworded.closer is None else SecondLook(reworded.closer, reworded.first)
    rows = _readable(read.files.paths)
    for one in searched(reworded.items, rows, reworded.bar, asked.processes, asked.engine):
        near: dict[int, list[Near]] = defaultdict(list)
        for each in one.near:
            if each.item < len(read.items.rows) and each.score > reworded.bar:
                near[each.row].append(each)
        for place in sorted({*near, *(number - passed for number in range(passed, passed + len(one.rows))
                                      if number in hits)}):  # fmt: skip
            row = one.rows[place]
            at_once = near[place]
            if second is not None:
                at_once = second.keep(passed + place, row, near[place])
            flags = [
                *hits.get(passed + place, ()),
                *(_flag_of(read, row, passed + place, each) for each in at_once),
            ]
            _flag(looked, read, row, flags)
        looked.item.append(one.nearness.item)
        looked.score.append(one.nearness.score)
        passed += len(one.rows)
        progress("reworded, rows", passed, verbatim.rows)
    _look_again(looked, read, second)
    return looked


def _look_again(looked: _Looked, read: Given, second: SecondLook | None) -> None:
    """Flag what the second look leaves, and what it had no room for and the first look flags."""
    if second is None:
        return
    for one in second.settled(read.items.rows):
        flag = _flag_of(read, one.row, one.number, one.near)
        if one.score is not None:
            flag = replace(flag, score=one.score, detector="reranked")
        _flag(looked, read, one.row, [flag])


def _flag_of(read: Given, row: Row, number: int, near: Near) -> Flag:
    mine, theirs = passages(row, read.items.rows[near.item])
    return Flag(train_id=row.id, train_row=number, item_id=near.item_id, score=near.score, detector=near.detector,
                train=mine or near.train, item=theirs)  # fmt: skip


def _flag(looked: _Looked, read: Given, row: Row, flags: Iterable[Flag]) -> None:
    """Add the flags of a row, with their passages as long as these are few enough to be read."""
    for flag in flags:
        shown = len(looked.pairs) < SHOWN_PAIRS
        looked.pairs.append(FlaggedPair(
            flag=flag, path=row.path, line=row.line,
            train=passage_of(row, flag.train) if shown else None,
            item=passage_of(read.by_id[flag.item_id], flag.item) if shown else None,
        ))  # fmt: skip
        if len(looked.held) < CLUSTERED:
            looked.held[flag.train_row] = row


def _result(
    read: Given,
    clean: Controlled,
    verbatim: NgramScan,
    reworded: _Reworded,
    looked: _Looked,
    asked: ScanOptions,
    seconds: float,
) -> Scan:
    pairs = sorted(looked.pairs, key=_best_first)
    whole = _distribution(read, reworded, looked, asked.level)
    clusters = _clusters(pairs, looked)
    sides = read.sides
    unlike = _unlike_control(read, reworded, looked)
    return Scan(
        train=read.train, against=read.items.sources,
        control=read.control.sources if read.control else (), decoys=read.decoys.sources if read.decoys else (),
        train_rows=verbatim.rows, unreadable_rows=verbatim.unreadable, unreadable=verbatim.unreadable_listed,
        n_items=len(read.items.rows), n_compared=_compared(read, verbatim, reworded),
        n_control=len(clean.rows), n_decoys=len(read.decoys.rows) if read.decoys else 0,
        fpr=asked.fpr, level=asked.level, thresholds=tuple(_thresholds(reworded, holds=not unlike)),
        flagged=tuple(pairs), items=_figures(pairs, whole),
        evaluations=evaluations(read.items.sources, read.items.rows, pairs),
        distribution=whole.shares, clusters=clusters,
        abstained=(
            *gaps_of_reading(verbatim, sides, read.files.passed_over), *gaps_of_verbatim(verbatim), *reworded.why,
            *((unlike,) if unlike else ()), *whole.abstained, *clusters.abstained,
        ),
        notes=(
            *read.notes, *notes_of_sides(sides), *notes_of_verbatim(verbatim),
            *notes_of_control(clean, reworded.threshold), *_notes_of_pairs(read, pairs),
        ),
        seed=asked.seed, versions=_versions(), seconds=seconds,
    )  # fmt: skip


def _unlike_control(read: Given, reworded: _Reworded, looked: _Looked) -> str:
    """Return why the control's rate does not hold for this training set."""
    near = looked.nearness
    if near is None:
        return ""
    return gap_of_control(reworded.threshold, near.score[near.item < len(read.items.rows)])


def _thresholds(reworded: _Reworded, *, holds: bool) -> Iterator[SetThreshold]:
    by = reworded.threshold
    if by is not None:
        yield SetThreshold(detector="reworded", value=by.value, how=by.how, n_control=by.n_control, low=by.low,
                           high=by.high, holds=holds and by.promised, alone=reworded.alone)  # fmt: skip
    if reworded.closer is not None:
        yield SetThreshold(detector="reranked", value=reworded.closer.value, how=reworded.closer.how,
                           n_control=0 if by is None else by.n_control, holds=holds)  # fmt: skip
    how = "fixed: this share of a text's words, weighed by rarity, in order and close by"
    yield SetThreshold(detector="verbatim", value=NgramOptions().threshold, how=how)


def _distribution(read: Given, reworded: _Reworded, looked: _Looked, level: float) -> Distribution:
    near = looked.nearness
    if reworded.threshold is None or near is None:
        lacking = (
            "reworded items, which were not looked for"
            if reworded.threshold is None
            else "training rows: none was read"
        )
        why = f"distribution: rests on {lacking}"
        return Distribution(items=(), shares=None, abstained=(why,))
    decoys = read.decoys.rows if read.decoys else ()
    fit = compare_decoys(read.items.rows, decoys) if decoys else None
    return distribution(near, [row.id for row in read.items.rows], [row.id for row in decoys],
                        reworded.threshold.value, fit, level)  # fmt: skip


def _clusters(pairs: Sequence[FlaggedPair], looked: _Looked) -> Clusters:
    item_of: dict[int, str] = {}
    for pair in pairs:  # best first
        item_of.setdefault(pair.flag.train_row, pair.flag.item_id)
    return clusters_of(looked.held, {number: item_of[number] for number in looked.held})


def _figures(pairs: Sequence[FlaggedPair], whole: Distribution) -> tuple[ItemFigure, ...]:
    """Return every item with a row near it or flagged with it, those with most rows first."""
    rows: dict[str, set[int]] = defaultdict(set)
    for pair in pairs:
        rows[pair.flag.item_id].add(pair.flag.train_row)
    figures = {one.item_id: one for one in whole.items}
    found = []
    for name in {*rows, *figures}:
        known = figures.get(name)
        found.append(ItemFigure(
            item_id=name, near_rows=max(len(rows[name]), known.near_rows if known else 0),
            expected=known.expected if known else None, q_value=known.q_value if known else None,
            flagged=bool(rows[name]) or (known is not None and known.flagged),
        ))  # fmt: skip
    return tuple(sorted(found, key=lambda one: (-one.near_rows, one.item_id)))


def _compared(read: Given, verbatim: NgramScan, reworded: _Reworded) -> int:
    """Return how many items at least one part could compare."""
    lost = set(verbatim.too_short)
    if reworded.items is not None:
        lost &= set(reworded.items.too_short)
    return sum(row.id not in lost for row in read.items.rows)


def _notes_of_pairs(read: Given, pairs: Sequence[FlaggedPair]) -> Iterator[str]:
    if len(pairs) > SHOWN_PAIRS:
        yield f"pairs: the passages of the first {SHOWN_PAIRS:,} by row are shown, of {len(pairs):,} where they lie"
    held: dict[str, set[str]] = defaultdict(set)
    for pair in pairs:
        if pair.flag.detector == "verbatim" and pair.flag.score >= WHOLE:
            held[pair.path].add(pair.flag.item_id)
    for path, items in sorted(held.items()):
        if len(items) >= WHOLE * len(read.items.rows) and len(items) > 1:
            yield (f"{path} holds {len(items):,} of {len(read.items.rows):,} items word for word: it looks like the "
                   "evaluation set itself, or a copy of it")  # fmt: skip


def _best_first(pair: FlaggedPair) -> tuple[float, int, str, str]:
    return (-pair.flag.score, pair.flag.train_row, pair.flag.item_id, pair.flag.detector)


def _readable(paths: Sequence[Path]) -> Iterator[Row]:
    return (row for row in read_rows(paths) if isinstance(row, Row))


def _versions() -> dict[str, str]:
    found = {}
    for package in ("fairtrial", "numpy", "numba", "wordllama"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = ""
    return found

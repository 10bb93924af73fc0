"""A closer look at the nearest pairs, by a function of the user's own: a sentence encoder, a cross-encoder, a model.

What is slow can see what is quick cannot, and a thousand pairs are few. The rate is loosened, pairs above the loosened
threshold are scored anew, of the control's rows and of the training set's alike, and a new threshold is set on the
control at the rate that was asked for. So the function may have any scale, and the rate stays what it was. Not covered:
what the quick look did not bring up.
"""

from __future__ import annotations

import heapq
import importlib
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import binom

from fairtrial.contamination.rows import Row
from fairtrial.contamination.variants import Near, Prepared, threshold_from
from fairtrial.records import InputError

Reranker = Callable[[Sequence[tuple[str, str]]], Sequence[float]]
"""Takes (passage of a training row, text of an item); returns a score each in [0, 1], higher where more alike."""

LOOSER = 5
"""Times the rate, from which on pairs are looked at again."""
MOST = 1000
"""Pairs of the training set that are looked at again, the best of them; the control's are at most so many too."""
HELD = 0.84
"""Certainty with which the rate is held, as for the first look: one standard error."""


@dataclass(frozen=True, slots=True)
class Closer:
    """What a second look needs: the function, the loosened bar, and the threshold that the control set."""

    rerank: Reranker
    name: str
    bar: float
    """Score of the first look from which on a pair is looked at again."""
    value: float
    """A pair stays flagged where the function gives it more."""
    how: str


def load_reranker(name: str) -> Reranker:
    """Return the function at `MODULE:FUNCTION`. Raise InputError where there is none."""
    module, _, attribute = name.partition(":")
    hint = "MODULE:FUNCTION, a module that Python finds (the current folder too)."
    if not module or not attribute:
        raise InputError(f"`{name}` names no function", field="--rerank", hint=hint)
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise InputError(f"`{name}` cannot be loaded: {error}", field="--rerank", hint=hint) from error
    if not callable(found):
        raise InputError(f"`{name}` is no function", field="--rerank", hint=hint)
    loaded: Reranker = found
    return loaded


@dataclass(frozen=True, slots=True)
class NearControl:
    """The pairs of a control that come nearest: the bar they lie above, and (row, passage, item) of each."""

    bar: float
    pairs: tuple[tuple[int, str, str], ...]


def near_of(prepared: Prepared, control: Sequence[Row], items: Sequence[Row], fpr: float) -> NearControl:
    """Return the pairs of `control` above the loosened threshold, the best `MOST`, with `items` alone (no decoys).

    Raise InputError where the control has too few rows for the rate: then nothing could say what new scores mean.
    """
    if len(control) * fpr < 1:
        had = f"{len(control)} control rows set no threshold at the rate {fpr:g}" if control else "has no control"
        raise InputError(had, field="--rerank",
                         hint=f"--control must hold {math.ceil(1 / fpr)} rows at least.")  # fmt: skip
    best = prepared.nearest(control)
    scores = np.where(best.item < len(items), best.score, 0)
    bar = min(threshold_from(scores, min(0.5, LOOSER * fpr)).value, 1.0)
    near = [each for found in prepared.search(control, bar) for each in found.near if each.item < len(items)]
    kept = sorted(near, key=lambda each: (-each.score, each.row, each.item))[:MOST]
    return NearControl(bar, tuple((one.row, *pair_of(one, control[one.row], items[one.item])) for one in kept))


def closer_of(rerank: Reranker, name: str, near: NearControl, count: int, fpr: float) -> Closer:
    """Return the second look; `count` is how many rows the control has."""
    best: dict[int, float] = {}
    for (row, _, _), score in zip(near.pairs, scored(rerank, name, [pair[1:] for pair in near.pairs]), strict=True):
        best[row] = max(score, best.get(row, 0.0))
    falling = sorted(best.values(), reverse=True)
    rank = max(1, int(binom.ppf(1 - HELD, count, fpr)))
    value = falling[rank - 1] if len(falling) >= rank else 0.0
    how = f"scored again by {name}: the {rank}th highest of {count} control scores"
    return Closer(rerank=rerank, name=name, bar=near.bar, value=value, how=how)


@dataclass(frozen=True, slots=True)
class Settled:
    """A pair that is flagged: by the second look with its score, or by the first alone (None)."""

    number: int
    row: Row
    near: Near
    score: float | None


class SecondLook:
    """Keep the best `MOST` pairs of a training set, and look at them again once all are there."""

    def __init__(self, closer: Closer, first: float) -> None:
        self._closer = closer
        self._first = first
        """Threshold of the first look, for what there is no room for."""
        self._heap: list[tuple[float, int, int, Near, Row]] = []
        self._pushed_out: list[Settled] = []

    def keep(self, number: int, row: Row, near: Sequence[Near]) -> list[Near]:
        """Keep the pairs of one row; return those that there is no room for and the first look flags."""
        flagged = []
        for each in near:
            entry = (each.score, -number, -each.item, each, row)
            if len(self._heap) < MOST:
                heapq.heappush(self._heap, entry)
                continue
            out = heapq.heappushpop(self._heap, entry)
            if out[0] > self._first:
                if out is entry:
                    flagged.append(each)
                else:
                    self._pushed_out.append(Settled(-out[1], out[4], out[3], None))
        return flagged

    def settled(self, items: Sequence[Row]) -> Iterator[Settled]:
        """Yield every pair that is flagged and was not returned at once."""
        yield from self._pushed_out
        kept = sorted(self._heap, key=lambda entry: entry[:3], reverse=True)
        pairs = [pair_of(near, row, items[near.item]) for _, _, _, near, row in kept]
        closer = self._closer
        for (_, number, _, near, row), score in zip(kept, scored(closer.rerank, closer.name, pairs), strict=True):
            if score > closer.value:
                yield Settled(-number, row, near, score)


def scored(rerank: Reranker, name: str, pairs: Sequence[tuple[str, str]]) -> list[float]:
    """Return the scores of `pairs`. Raise InputError where the function does not give one in [0, 1] for each."""
    if not pairs:
        return []
    found = [float(one) for one in rerank(pairs)]
    if len(found) != len(pairs):
        raise InputError(f"{name} gave {len(found)} scores for {len(pairs)} pairs", field="--rerank")
    for score in found:
        if not 0 <= score <= 1:
            raise InputError(f"{name} gave the score {score}", field="--rerank", hint="A score lies in [0, 1].")
    return found


def pair_of(near: Near, row: Row, item: Row) -> tuple[str, str]:
    """Return the two texts that are looked at: the window of the row that is near, and the item's text there.

    Where the window spans several texts of a row, the row's whole text stands for it.
    """
    texts, items = dict(row.texts), dict(item.texts)
    window = texts.get(near.train.place)
    passage = row.text if window is None else window[near.train.start : near.train.end]
    return passage or row.text, items.get(near.item_place, item.text)

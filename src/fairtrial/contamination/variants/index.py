"""The passages of all items, ready to be compared with: what they hold, what they mean, which of them are kin.

Every text is compared with every passage, so nothing near is lost on the way; of the few with the highest sums the
likenesses are told. Not covered: items by the hundred thousand, for the cost of
a row grows with the number of passages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.contamination.variants.counted import KINDS, Counted, Held, count, held_by
from fairtrial.contamination.variants.kernels import Floats, Numbers, choose, gather
from fairtrial.contamination.variants.units import Unit, field_of
from fairtrial.contamination.variants.vectors import Whitening, WordVectors, whitening_of

FEATURES = ("words_item", "words_row", "pairs_row", "letters_item", "vectors", "whitened", "figures", "rivals")
"""Likenesses in [0, 1] or [-1, 1], by name; `rivals` counts against a pair.

`words_item`, `words_row`: share of the passage's (of the row's) words that both hold, weighed by rarity; `pairs_row`:
of the row's pairs of words; `letters_item`: of the passage's runs of four letters; `vectors`, `whitened`: cosines;
`figures`: the root of both shares of figures;
`rivals`: how much the row shares with the nearest passages that are no kin of this one.
"""
KIN = 0.5
"""Words shared (the root of both shares) from which two passages are kin, and do not speak against each other."""
CHOSEN = 5
"""Passages of a field that are looked at closer, by each way of weighing."""
FIELDS = 4
"""Fields of items that are told apart at most; the rest counts as one."""
CELLS = 2_000_000
"""Texts times passages compared at once, six numbers each: about 50 MB."""
RIVALS = 10
"""Nearest other passages that are averaged."""


@dataclass(frozen=True, slots=True)
class Index:
    """Hold the passages, sorted by field, and what was counted."""

    passages: tuple[Unit, ...]
    fields: tuple[tuple[str, int, int], ...]
    """(field, first, last) of the passages."""
    counted: dict[str, Counted]
    vectors: WordVectors | None
    whitening: Whitening | None
    meant: Floats
    """Passages' vectors, at length 1."""
    whitened: Floats
    kin: NDArray[np.int32]
    kin_starts: Numbers
    items: NDArray[np.int32]
    """Number of each passage's item."""

    @property
    def batch(self) -> int:
        """Return how many texts to compare at once, so that memory does not grow with the number of passages."""
        return max(16, min(256, CELLS // len(self.passages)))

    def look(
        self, units: Sequence[Unit], own: NDArray[np.int8], weights: Floats, itself: Numbers | None = None
    ) -> Iterator[tuple[Numbers, Floats]]:
        """Yield, for each field, the passages nearest to each unit (units, chosen) and what they have in common.

        The latter is (units, chosen, features). `weights` are (ways, features); the nearest few by each way are chosen.
        `itself` numbers the passage that each unit is, and leaves its kin out. A passage of -1 is none.
        """
        values = self._values(units, own)
        nobody = np.full(len(units), -1, np.int64)
        skip = (nobody if itself is None else itself, self.kin, self.kin_starts)
        for _, first, last in self.fields:
            chosen, best, common = choose(values, weights[:, :-1].copy(), (first, last), CHOSEN, RIVALS + 30, skip)
            yield chosen, gather(values, chosen, best, common, self.kin, self.kin_starts, RIVALS)

    def pairs(self, units: Sequence[Unit], passages: Numbers) -> Floats:
        """Return the likenesses of each unit with one passage of the first field (units, features), to fit weights."""
        values = self._values(units, np.zeros(len(units), np.int8))
        nobody = np.full(len(units), -1, np.int64)
        _, first, last = self.fields[0]
        flat = np.zeros((1, len(FEATURES) - 1), np.float32)
        _, best, common = choose(values, flat, (first, last), CHOSEN, RIVALS + 30, (nobody, self.kin, self.kin_starts))
        found: Floats = gather(values, passages[:, None], best, common, self.kin, self.kin_starts, RIVALS)
        return found[:, 0]

    def _values(self, units: Sequence[Unit], own: NDArray[np.int8]) -> tuple[NDArray[Any], ...]:
        """Return what `kernels.likenesses` reads: weights shared with each passage, whole weights, and cosines."""
        held = held_by(units)
        shares, totals = zip(*(self.counted[kind].shared(held[kind], own) for kind in KINDS), strict=True)
        passage_totals = np.stack([self.counted[kind].totals for kind in KINDS])
        if self.vectors is not None and self.whitening is not None:
            sums = self.vectors.sums(units)
            cosines = (sums @ self.meant.T, self.whitening.of(sums) @ self.whitened.T)
        else:
            nothing = np.zeros((len(units), len(self.passages)), np.float32)
            cosines = (nothing, nothing)
        return (*shares, passage_totals, np.stack(totals), *cosines)


def build(passages: Sequence[Unit], background: Sequence[Unit], vectors: WordVectors | None) -> Index:
    """Build the index of passages against the texts of a background."""
    ordered, fields = _by_field(passages)
    held = held_by(ordered)
    parts = [held_by(part) for part in batches(background)]
    counted = {kind: count(held[kind], [part[kind] for part in parts]) for kind in KINDS}
    meant = whitened = np.zeros((len(ordered), 0), np.float32)
    whitening = None
    if vectors is not None:
        meant = vectors.sums(ordered)
        others = np.vstack([meant, *(vectors.sums(part) for part in batches(background))])
        whitening = whitening_of(others)
        whitened = whitening.of(meant)
    items = np.array([passage.row for passage in ordered], dtype=np.int32)
    kin, starts = _kin(counted["words"], held["words"], items)
    return Index(tuple(ordered), fields, counted, vectors, whitening, meant, whitened, kin, starts, items)


def batches(units: Sequence[Unit], size: int = 256) -> Iterator[Sequence[Unit]]:
    """Yield the units, `size` at a time."""
    for first in range(0, len(units), size):
        yield units[first : first + size]


def _shares(shares: Floats, totals: Floats) -> Floats:
    return np.minimum(1, shares / np.maximum(totals, 1e-6)).astype(np.float32)


def _by_field(passages: Sequence[Unit]) -> tuple[list[Unit], tuple[tuple[str, int, int], ...]]:
    """Sort by field, the commonest first; return where each begins and ends. Rare fields count as one."""
    names = [field_of(passage.place) for passage in passages]
    common = sorted(dict.fromkeys(names), key=lambda name: -names.count(name))
    rank = {name: min(at, FIELDS - 1) for at, name in enumerate(common)}
    order = sorted(range(len(passages)), key=lambda at: rank[names[at]])
    fields, first = [], 0
    for at in range(min(FIELDS, len(common))):
        last = first + sum(rank[name] == at for name in names)
        fields.append((common[at], first, last))
        first = last
    return [passages[at] for at in order], tuple(fields)


def _kin(words: Counted, held: Held, items: NDArray[np.int32]) -> tuple[NDArray[np.int32], Numbers]:
    """Return the kin of each passage: itself, its item's other passages, and those that share much with it."""
    kin: list[NDArray[np.intp]] = []
    bounds = np.concatenate([[0], held.ends])
    for first in range(0, len(items), 256):
        last = min(first + 256, len(items))
        part = Held(held.keys[bounds[first] : bounds[last]], held.ends[first:last] - bounds[first])
        shares, _ = words.shared(part, np.zeros(last - first, np.int8))
        common = np.sqrt(_shares(shares, words.totals[None, :]) * _shares(shares, words.totals[first:last, None]))
        common[items[first:last, None] == items[None, :]] = 1
        kin += [np.nonzero(row >= KIN)[0] for row in common]
    starts = np.concatenate([[0], np.cumsum([len(each) for each in kin])]).astype(np.int64)
    return np.concatenate(kin).astype(np.int32), starts

"""Which keys (words, pairs, letters, figures) stand in how many texts of the background, and in which passages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from fairtrial.contamination.variants.kernels import Floats, Keys, Numbers, couples, distinct, placed, runs, shared
from fairtrial.contamination.variants.units import Unit

KINDS = ("words", "pairs", "letters", "figures")
"""What is counted: stems, neighbouring stems, runs of four letters, figures."""
RUN = 4
"""Letters of a run; three or five did no better on the development half."""


@dataclass(frozen=True, slots=True)
class Held:
    """Hold the distinct keys of each of some units: keys of unit u end at ends[u]."""

    keys: Keys
    ends: Numbers


def held_by(units: Sequence[Unit]) -> dict[str, Held]:
    """Return what each unit holds, by kind."""
    stems, stem_ends = _flat([[stem for word in unit.words for stem in word.stems] for unit in units])
    figures, figure_ends = _flat([[word.figure for word in unit.words if word.figure] for unit in units])
    letters = [f" {' '.join(word.letters for word in unit.words if word.letters)} " for unit in units]
    codes = np.frombuffer("".join(letters).encode("utf-32-le", "surrogatepass"), np.uint32)
    code_ends = np.cumsum([len(text) for text in letters], dtype=np.int64)
    return {
        "words": Held(*distinct(stems, stem_ends)),
        "pairs": Held(*distinct(*couples(stems, stem_ends))),
        "letters": Held(*distinct(*runs(codes, code_ends, RUN))),
        "figures": Held(*distinct(figures, figure_ends)),
    }


def _flat(lists: list[list[int]]) -> tuple[Keys, Numbers]:
    keys = np.array([key for each in lists for key in each], dtype=np.uint64)
    return keys, np.cumsum([len(each) for each in lists], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Counted:
    """Hold how many of the background's texts and the passages hold each key, and which passages."""

    texts: int
    """Texts counted, the passages among them."""
    table: tuple[Keys, NDArray[np.int32], NDArray[np.int32], Numbers, NDArray[np.int32]]
    weights: Floats
    """Inverse document frequency by number of texts: log((texts + 1) / (n + 0.5)), never below 0."""
    passages: int
    totals: Floats = field(repr=False)
    """Weight of all keys of each passage."""

    def shared(self, held: Held, own: NDArray[np.int8]) -> tuple[Floats, Floats]:
        """Return the weight that each unit shares with each passage (units, passages), and each unit's own (units,)."""
        shares = np.zeros((len(held.ends), self.passages), np.float32)
        totals = np.zeros(len(held.ends), np.float32)
        shared(held.keys, held.ends, own, self.table, self.weights, shares, totals)
        return shares, totals


def count(passages: Held, background: Sequence[Held]) -> Counted:
    """Count the keys of the passages and the background."""
    every = [passages.keys, *(held.keys for held in background)]
    known, frequencies = np.unique(np.concatenate(every), return_counts=True)
    texts = len(passages.ends) + sum(len(held.ends) for held in background)
    at = np.searchsorted(known, passages.keys)
    holder = np.repeat(np.arange(len(passages.ends)), np.diff(passages.ends, prepend=0))
    order = np.lexsort((holder, at))
    starts = np.searchsorted(at[order], np.arange(len(known) + 1)).astype(np.int64)
    weights = np.maximum(0, np.log((texts + 1) / (np.arange(texts + 1) + 0.5))).astype(np.float32)
    totals = np.bincount(holder, weights[frequencies[at]], minlength=len(passages.ends)).astype(np.float32)
    table = (known, placed(known), frequencies.astype(np.int32), starts, holder[order].astype(np.int32))
    return Counted(texts, table, weights, len(passages.ends), totals)

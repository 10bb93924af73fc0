"""Are decoys fit to be compared with the items: of their kind, and none of them a copy of one?

The tests rest on one claim: had nobody built around the items, items and decoys could change places. It fails where
the two differ in length or in vocabulary (a simple reader can tell which is which), and then nothing is tested. Where
an item and a decoy are near copies of each other, a row near one is near the other: both are left out of the tests,
both, because leaving out the decoy alone would leave its item with the rows of two.

Does not cover: differences that words do not show, as of difficulty or of the year in which they were published.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.stats import rankdata

from fairtrial.contamination.rows import Row

ALIKE = 0.6
"""Cosine of tf-idf vectors over words and word pairs from which on two texts are near copies. Weighed by a larger
corpus, the nearest pairs of 7,458 school problems to 1,319 others reached 0.52; rewordings of an item 0.42 in the
middle, so most are not caught here; the same item asked backwards 0.84."""
UNLIKE = 0.1
"""How far the chance of telling item from decoy may lie from a half."""
_FOLDS = 5
_SURE = 3.29
"""Standard errors (two-sided 0.1%) by which it must also differ, so that few decoys are not refused by chance."""
_BLOCK = 512
_WORD = re.compile(r"\w+")

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Twin:
    """An item and a decoy that are near copies, by their numbers."""

    item: int
    decoy: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoys:
    """How decoys compare with the items."""

    twins: tuple[Twin, ...]
    """Pairs left out of the tests."""
    said: str
    """The pairs in one sentence; empty where there are none."""
    unlike: tuple[str, ...]
    """Why decoys and items cannot be exchanged; empty where nothing speaks against it."""
    length: float
    """Chance that a random item is longer than a random decoy, in words; ties count half."""
    vocabulary: float
    """Chance that a reader who learnt both vocabularies tells a random item from a random decoy."""


def compare_decoys(items: Sequence[Row], decoys: Sequence[Row]) -> Decoys:
    """Return how `decoys` compare with `items`; numbers of twins are places in the two."""
    ours, theirs = [_words(row) for row in items], [_words(row) for row in decoys]
    if not ours or not theirs:
        return Decoys(twins=(), said="", unlike=(), length=0.5, vocabulary=0.5)
    twins = _twins(ours, theirs)
    alone = {twin.item for twin in twins}, {twin.decoy for twin in twins}
    ours = [words for number, words in enumerate(ours) if number not in alone[0]]
    theirs = [words for number, words in enumerate(theirs) if number not in alone[1]]
    length, sure_length = _above(_lengths(ours), _lengths(theirs))
    vocabulary, sure_words = _told_apart(ours, theirs)
    unlike = []
    if sure_length and abs(length - 0.5) > UNLIKE:
        unlike.append(
            f"distribution: decoys are not like the items: a random item is {'longer' if length > 0.5 else 'shorter'} "
            f"than a random decoy with probability {max(length, 1 - length):.2f}, where exchangeable ones give 0.50"
        )
    if sure_words and vocabulary - 0.5 > UNLIKE:
        unlike.append(
            "distribution: decoys are not like the items: their words alone tell a random item from a random decoy "
            f"with probability {vocabulary:.2f}, where exchangeable ones give 0.50"
        )
    return Decoys(twins=twins, said=_said(twins, items, decoys), unlike=tuple(unlike), length=length,
                  vocabulary=vocabulary)  # fmt: skip


def _words(row: Row) -> list[str]:
    return _WORD.findall(row.text.lower())


def _lengths(texts: Sequence[Sequence[str]]) -> Floats:
    return np.array([len(words) for words in texts], dtype=np.float64)


def _said(twins: Sequence[Twin], items: Sequence[Row], decoys: Sequence[Row]) -> str:
    if not twins:
        return ""
    first = twins[0]
    ours, theirs = len({twin.item for twin in twins}), len({twin.decoy for twin in twins})
    return (
        f"distribution: {ours} of the items and {theirs} of the decoys are "
        f"near copies of each other ({items[first.item].id} and {decoys[first.decoy].id} for one) and were left out of "
        "the tests; their rows are counted"
    )


def _twins(ours: Sequence[list[str]], theirs: Sequence[list[str]]) -> tuple[Twin, ...]:
    vectors = _vectors([*ours, *theirs])
    mine, decoys = vectors[: len(ours)], vectors[len(ours) :].T.tocsc()
    found: list[tuple[int, int]] = []
    for start in range(0, len(ours), _BLOCK):
        likeness = (mine[start : start + _BLOCK] @ decoys).tocoo()
        alike = likeness.data >= ALIKE
        found += zip((likeness.row[alike] + start).tolist(), likeness.col[alike].tolist(), strict=True)
    return tuple(Twin(item, decoy) for item, decoy in sorted(found))


def _vectors(texts: Sequence[list[str]]) -> sparse.csr_matrix:
    """Return rows of length 1: words and word pairs that at least two texts share, under log tf and idf."""
    grams = [Counter([*words, *pairwise(words)]) for words in texts]
    seen = Counter(gram for counted in grams for gram in counted)
    column = {gram: number for number, gram in enumerate(gram for gram, times in seen.items() if times > 1)}
    rows, columns, values, norms = [], [], [], np.zeros(len(texts))
    for number, counted in enumerate(grams):
        for gram, times in counted.items():
            value = (1 + math.log(times)) * math.log((1 + len(texts)) / (1 + seen[gram]))
            norms[number] += value * value
            if gram in column:
                rows.append(number)
                columns.append(column[gram])
                values.append(value)
    norms[norms == 0] = 1.0
    made = sparse.csr_matrix((values, (rows, columns)), shape=(len(texts), max(1, len(column))))
    return sparse.diags(1 / np.sqrt(norms)) @ made


def _told_apart(ours: Sequence[list[str]], theirs: Sequence[list[str]]) -> tuple[float, bool]:
    """Return the area under the curve of a naive Bayes reader on texts it has not read, and whether that is sure."""
    texts, is_item = [frozenset(words) for words in (*ours, *theirs)], [True] * len(ours) + [False] * len(theirs)
    fold = [number % _FOLDS for number in (*range(len(ours)), *range(len(theirs)))]
    scores = np.zeros(len(texts))
    for held in range(_FOLDS):
        learnt = (Counter[str](), Counter[str]())
        sizes = [1, 1]
        for words, item, group in zip(texts, is_item, fold, strict=True):
            if group != held:
                learnt[item].update(words)
                sizes[item] += 1
        for number, words in enumerate(texts):
            if fold[number] == held:
                scores[number] = sum(
                    math.log((learnt[1][word] + 0.5) / sizes[1]) - math.log((learnt[0][word] + 0.5) / sizes[0])
                    for word in words
                ) / max(1, len(words))
    return _above(scores[: len(ours)], scores[len(ours) :])


def _above(ours: Floats, theirs: Floats) -> tuple[float, bool]:
    """Return P(ours > theirs) with ties half, and whether it differs from a half by more than chance (Mann-Whitney)."""
    n, m = len(ours), len(theirs)
    if n == 0 or m == 0:
        return 0.5, False
    ranks = rankdata(np.concatenate([ours, theirs]))
    area = (float(ranks[:n].sum()) - n * (n + 1) / 2) / (n * m)
    return area, abs(area - 0.5) > _SURE * math.sqrt((n + m + 1) / (12 * n * m))

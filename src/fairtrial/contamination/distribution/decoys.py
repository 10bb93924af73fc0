"""Are decoys fit to be compared with the items: of their kind, and none of them a copy of one?

The tests rest on one claim: had nobody built around the items, items and decoys could change places. It fails where
the two differ in length or in vocabulary (a simple reader can tell which is which), and then nothing is tested. Where
an item and a decoy are near copies of each other, a row near one is near the other: both are left out of the tests,
both, because leaving out the decoy alone would leave its item with the rows of two. Near copies on one side (five
variants of a task, kept together when decoys were drawn) share what draws rows, so that they are one draw and not five:
each such family counts once (`kin`), here and in the tests.

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
from scipy.sparse.csgraph import connected_components
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
    kin: tuple[tuple[int, ...], ...] = ()
    """Families of near copies on one side; numbers of items, then of decoys as they follow the items."""


def compare_decoys(items: Sequence[Row], decoys: Sequence[Row]) -> Decoys:
    """Return how `decoys` compare with `items`; numbers of twins are places in the two."""
    ours, theirs = [_words(row) for row in items], [_words(row) for row in decoys]
    if not ours or not theirs:
        return Decoys(twins=(), said="", unlike=(), length=0.5, vocabulary=0.5)
    twins, kin = _near_copies(ours, theirs)
    counted, sizes = _counted(twins, kin, len(ours), len(theirs))
    mine, others = counted[counted < len(ours)], counted[counted >= len(ours)]
    larger, sure_size = _above(sizes[mine], sizes[others])
    texts = [*ours, *theirs]
    ours, theirs = [texts[number] for number in mine], [texts[number] for number in others]
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
    if sure_size and abs(larger - 0.5) > UNLIKE:
        which = "items" if larger > 0.5 else "decoys"
        unlike.append(
            f"distribution: decoys are not like the items: near copies among the {which} come in larger families, "
            "which draw the rows of all their members"
        )
    return Decoys(twins=twins, said=_said(twins, items, decoys), unlike=tuple(unlike), length=length,
                  vocabulary=vocabulary, kin=kin)  # fmt: skip


def _counted(
    twins: Sequence[Twin], kin: Sequence[tuple[int, ...]], items: int, decoys: int
) -> tuple[NDArray[np.int64], Floats]:
    """Return the numbers that stand for themselves or for their family, twins left out, and family sizes of all."""
    sizes = np.ones(items + decoys)
    for family in kin:
        sizes[list(family)] = 0
        sizes[family[0]] = len(family)
    sizes[[twin.item for twin in twins] + [items + twin.decoy for twin in twins]] = 0
    return np.flatnonzero(sizes), sizes


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


def _near_copies(
    ours: Sequence[list[str]], theirs: Sequence[list[str]]
) -> tuple[tuple[Twin, ...], tuple[tuple[int, ...], ...]]:
    """Return near copies between the two sides, and families of them on one side that no twin belongs to."""
    vectors, n = _vectors([*ours, *theirs]), len(ours)
    turned = vectors.T.tocsc()
    found: list[tuple[int, int]] = []
    for start in range(0, vectors.shape[0], _BLOCK):
        likeness = (vectors[start : start + _BLOCK] @ turned).tocoo()
        first, second = likeness.row + start, likeness.col
        alike = (likeness.data >= ALIKE) & (first < second)
        found += zip(first[alike].tolist(), second[alike].tolist(), strict=True)
    twins = tuple(Twin(one, other - n) for one, other in sorted(found) if one < n <= other)
    left_out = {twin.item for twin in twins} | {n + twin.decoy for twin in twins}
    same = [(one, other) for one, other in found if (one < n) == (other < n) and not left_out & {one, other}]
    return twins, _families(same, vectors.shape[0])


def _families(pairs: Sequence[tuple[int, int]], number: int) -> tuple[tuple[int, ...], ...]:
    """Return what pairs join, each family in rising order.

    >>> _families([(0, 3), (3, 4)], 6)
    ((0, 3, 4),)
    """
    if not pairs:
        return ()
    first, second = zip(*pairs, strict=True)
    joined = sparse.coo_matrix((np.ones(len(pairs)), (first, second)), shape=(number, number))
    labels = connected_components(joined, directed=False)[1]
    members: dict[int, list[int]] = {}
    for at, label in enumerate(labels.tolist()):
        members.setdefault(label, []).append(at)
    return tuple(tuple(family) for family in members.values() if len(family) > 1)


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

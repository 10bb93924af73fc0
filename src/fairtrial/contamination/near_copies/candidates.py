"""Which pairs are worth comparing: all pairs of a hundred thousand texts are five thousand million.

Three ways in, for a pair that one misses another finds: MinHash over runs of three words (of four characters where the
text is short), the nearest by rare words, and the nearest by meaning. What comes out is only a list to look at:
whether two texts are near copies is `likeness`'s to say.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rensa import RMinHash

from fairtrial.contamination.near_copies.likeness import Likeness, Pairs
from fairtrial.contamination.near_copies.wording import Wording

SHORT = 12
"""Words below which runs of characters stand for runs of words."""
PERMUTATIONS, BANDS = 64, 16
"""Bands of four: half-shared runs meet with a chance of 1 - (1 - .5^4)^16 = 0.64, and .8 with 0.9998."""
NEAREST = 10
"""Texts looked at by rare words, and as many by meaning."""
COMMON = 400
"""A word in more texts than this, and in more than one of fifty, leads to none of them."""
BLOCK = 1024
"""Texts searched for at once."""
MOST_BY_MEANING = 200_000
"""Texts above which all against all by meaning takes minutes, and is left out."""


def by_minhash(wordings: Sequence[Wording]) -> Pairs:
    """Return pairs that share a band of MinHash; of a crowded band each with the next and with the first."""
    runs = [_runs(one) for one in wordings]
    digests = np.asarray(RMinHash.digests_from_token_sets(runs, PERMUTATIONS, 0), dtype=np.uint32)
    found: list[Pairs] = []
    width = PERMUTATIONS // BANDS
    for band in range(BANDS):
        part = np.ascontiguousarray(digests[:, band * width : (band + 1) * width])
        _, bucket = np.unique(part, axis=0, return_inverse=True)
        order = np.argsort(bucket.ravel(), kind="stable")
        same = bucket.ravel()[order]
        starts = np.flatnonzero(np.r_[True, same[1:] != same[:-1]])
        first = order[np.repeat(starts, np.diff(np.r_[starts, len(order)]))]
        follows = np.flatnonzero(same[1:] == same[:-1])
        found.append(np.stack([order[follows], order[follows + 1]], axis=1))
        found.append(np.stack([first, order], axis=1)[first != order])
    return ordered(np.concatenate(found))


def nearest(likeness: Likeness, rows: NDArray[np.int64], group: NDArray[np.int64]) -> Pairs:
    """Return each of `rows` with its nearest texts of other groups, by rare words and by meaning."""
    found = [*_nearest_by_words(likeness.parts["words"], rows, group)]
    if likeness.has_vectors and len(group) <= MOST_BY_MEANING:
        found += _nearest_by_meaning(likeness.parts["meaning"], rows, group)
    return ordered(np.concatenate(found)) if found else np.zeros((0, 2), np.int64)


def ordered(pairs: Pairs) -> Pairs:
    """Return the pairs once each, the smaller number first, in order.

    >>> ordered(np.array([[3, 1], [1, 3], [0, 2]])).tolist()
    [[0, 2], [1, 3]]
    """
    pairs = np.sort(pairs.astype(np.int64), axis=1)
    return np.unique(pairs[pairs[:, 0] != pairs[:, 1]], axis=0)


def _runs(wording: Wording) -> list[str]:
    words = wording.words
    if len(words) < SHORT:
        return sorted(wording.characters)
    return sorted({" ".join(words[i : i + 3]) for i in range(len(words) - 2)})


def _nearest_by_words(words: Any, rows: NDArray[np.int64], group: NDArray[np.int64]) -> Iterator[Pairs]:
    columns = np.asarray((words > 0).sum(axis=0)).ravel()
    rare = words[:, np.flatnonzero(columns <= max(COMMON, words.shape[0] // 50))].tocsr()
    turned = rare.T.tocsr()
    for start in range(0, len(rows), BLOCK):
        block = rows[start : start + BLOCK]
        scores = (rare[block] @ turned).tocsr()
        yield from (_best_of(scores, number, row, group) for number, row in enumerate(block))


def _best_of(scores: Any, number: int, row: int, group: NDArray[np.int64]) -> Pairs:
    start, end = scores.indptr[number], scores.indptr[number + 1]
    others, values = scores.indices[start:end], scores.data[start:end]
    apart = group[others] != group[row]
    others, values = others[apart], values[apart]
    if len(others) > NEAREST:
        others = others[np.lexsort((others, -values))[:NEAREST]]
    return np.stack([np.full(len(others), row, np.int64), others.astype(np.int64)], axis=1)


def _nearest_by_meaning(vectors: Any, rows: NDArray[np.int64], group: NDArray[np.int64]) -> Iterator[Pairs]:
    count = min(NEAREST, len(group) - 1)
    for start in range(0, len(rows) if count > 0 else 0, BLOCK):
        block = rows[start : start + BLOCK]
        scores = vectors[block] @ vectors.T
        scores[group[block][:, None] == group[None, :]] = -np.inf
        best = np.argpartition(-scores, count - 1, axis=1)[:, :count]
        pairs = np.stack([np.repeat(block, count), best.ravel()], axis=1)
        yield pairs[np.isfinite(np.take_along_axis(scores, best, axis=1)).ravel()]


def crowded(group: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the texts whose group is so large that it may have hidden their neighbours in other groups."""
    sizes: dict[int, int] = defaultdict(int)
    for one in group.tolist():
        sizes[one] += 1
    return np.array([i for i, one in enumerate(group.tolist()) if sizes[one] > NEAREST // 2], dtype=np.int64)

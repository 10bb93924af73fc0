"""Which texts are near copies of each other: equal but for their figures, or alike in most of their runs of words.

MinHash finds pairs to look at, the share of runs that both have (Jaccard) decides, and pairs join into groups. Figures
are kept apart or masked as asked. Not covered: rewordings, which share few runs (`contamination split` finds those).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rensa import RMinHash

ALIKE = 0.6
"""Share of runs that makes near copies. One word in twenty changed leaves 0.75 of runs of three, one in ten 0.57."""
PERMUTATIONS, BANDS = 64, 16
_FIGURE = re.compile(r"\d+(?:[.,:/-]\d+)*")
_WORD = re.compile(r"\w+|#")
_SHORT = 12
"""Words below which runs of four characters stand for runs of three words."""


def masked(text: str) -> str:
    """Return `text` with figures masked, in lower case, blanks as one.

    >>> masked("Sort 41 and  9.5, then 2024-01-02")
    'sort # and #, then #'
    """
    return " ".join(_FIGURE.sub("#", text.lower()).split())


def runs_of(text: str) -> frozenset[str]:
    """Return the runs of three words of `text`; of four characters where it is short."""
    words = _WORD.findall(text.lower())
    if len(words) >= _SHORT:
        return frozenset(" ".join(words[at : at + 3]) for at in range(len(words) - 2))
    plain = " ".join(text.lower().split())
    return frozenset(plain[at : at + 4] for at in range(max(1, len(plain) - 3)))


def groups_of(texts: Sequence[str], clusters: Sequence[str] = (), alike: float = ALIKE) -> NDArray[np.int64]:
    """Return the group of each text: near copies share one, and so do those of one named cluster.

    >>> groups_of(["add 3 and 4 to the sum of all the other numbers in it today"] * 2 + ["write a poem"]).tolist()
    [0, 0, 1]
    """
    runs = [runs_of(text) for text in texts]
    parent = list(range(len(texts)))

    def root(at: int) -> int:
        while parent[at] != at:
            parent[at] = parent[parent[at]]
            at = parent[at]
        return at

    first: dict[Any, int] = {}
    for at, own in enumerate(runs):
        for key in ((own,), clusters[at] if clusters else ""):
            if key:
                parent[root(at)] = root(first.setdefault(key, at))
    for one, other in _met(runs):
        if root(one) != root(other) and jaccard(runs[one], runs[other]) >= alike:
            parent[root(other)] = root(one)
    _, index = np.unique([root(at) for at in range(len(texts))], return_inverse=True)
    return index.astype(np.int64)


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of runs that both have, of those that either has."""
    return len(one & other) / len(one | other) if one | other else 1.0


def _met(runs: Sequence[frozenset[str]]) -> list[tuple[int, int]]:
    """Return pairs that share a band of MinHash; of a crowded band each with the next and with the first."""
    if len(runs) < 2:
        return []
    digests = np.asarray(RMinHash.digests_from_token_sets([sorted(each) for each in runs], PERMUTATIONS, 0))
    width = PERMUTATIONS // BANDS
    found: set[tuple[int, int]] = set()
    for band in range(BANDS):
        held: dict[bytes, list[int]] = {}
        part = np.ascontiguousarray(digests[:, band * width : (band + 1) * width])
        for at in range(len(runs)):
            held.setdefault(part[at].tobytes(), []).append(at)
        for members in held.values():
            found.update((members[0], each) for each in members[1:])
            found.update(itertools.pairwise(members))
    return sorted(found)

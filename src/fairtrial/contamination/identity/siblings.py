"""How much of a known model is in the submitted one: equal tensors, mixtures, further training, by least squares.

With s the submitted, b the base and k the known models, each matrix's change is fitted as

    s - b  =  c0 b  +  sum_j c_j (k_j - b)  +  rest.

c0 takes up another scale (and makes a model that is unrelated to all of them come out as c_j = 0). A linear merge with
weights w_j, task arithmetic and SLERP (its weights need not sum to one) all have rest = 0; a merge of own training has
c_j = w_j and its own training as rest; a sibling trained further has c_j = 1. Which of these it is, and whether it is
chance: own training on the known model's kind of data also points its way (cosine 0.7 between truly independent
trainings of the tests' tiny models on one language), but not equally in every matrix, while weights that were mixed are
mixed by one coefficient. So the spread of the coefficients over matrices is what tells, beside what the rest allows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fairtrial.contamination.identity.dtypes import Array
from fairtrial.contamination.identity.measuring import Sums

LEAST = 0.1
"""A coefficient below it is too little of a known model to matter, or chance."""
EXPLAINED = 0.95
"""Share of the change from which it is a mixture and nothing else. Independent trainings on the same batches in the
same order at another rate reach 0.80."""
POINTS_THERE = 0.25
"""Cosine of the changes from which a coefficient that is the same in all matrices is a mixture."""
DOUBTFUL = 0.2
"""Cosine from which a coefficient that is not the same everywhere cannot be told from a mixture."""
SEVERAL = 4
"""In fewer matrices a coefficient that is the same everywhere is no finding."""
SPREAD, ERRORS = 0.06, 3.0
"""Coefficients are one where they spread by less than this share, or by less than so many standard errors. Over
seven bases of the tests: siblings trained further 0.04 to 0.05, merges with own training 1.2 to 2.8 errors; trainings
apart on the sibling's language 0.07 to 0.7, and 4.1 to 8.3 errors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """How the submitted stands to one known model."""

    known: int
    same_as_base: bool
    """The known model holds the base's weights: nothing can be said by it."""
    equal: float
    """Share of all compared numbers that are the known's, after casting to the submitted's format."""
    own_tensors: int
    """Matrices that are the known's, number for number, and not the base's: training does not arrive there."""
    tensors_apart: int
    """Matrices in which the known is not the base."""
    distance: float
    """|s - k| / |k|, over matrices."""
    cosine: float
    """Of s - b and k - b, both without what is only another scale of b; with or without tables of tokens, whichever is
    less."""
    coefficient: float
    """c of the fit over all matrices together."""
    spread: float
    """Standard deviation of the coefficient over matrices, fitted each by itself."""
    error: float
    """The standard error that the rest allows, median over matrices."""
    matrices: int
    """In how many matrices the known's change has weight."""
    median: float
    """Of s and k, cosine per matrix: near 1 where s is k, trained."""

    @property
    def is_uniform(self) -> bool:
        """Say whether all matrices hold the same share of the known model, as a mixture's do."""
        return self.matrices >= SEVERAL and self.spread <= max(SPREAD * abs(self.coefficient), ERRORS * self.error)


@dataclass(frozen=True, slots=True)
class Mixture:
    """The fit by all known models together."""

    coefficients: tuple[float, ...]
    explained: float
    """Share of |s - b|² that known models explain, with coefficients for each matrix, once what another scale of the
    base explains is taken out: a rescaled model is no merge."""


def shares(found: Sequence[Sums], known: int) -> list[Share]:
    """Return how the submitted stands to each known model."""
    return [_share(found, at) for at in range(known)]


def _share(found: Sequence[Sums], at: int) -> Share:
    compared = [s for s in found if s.pair.known[at] is not None]
    matrices = [s for s in compared if s.pair.is_matrix]
    apart = [s for s in compared if s.apart[at] > 0 and s.pair.base is not None]
    both = [s for s in matrices if s.pair.base is not None and s.apart[at] > 0]
    inner = np.array([_without_scale(s.changes, at) for s in both]).reshape(-1, 3)
    _, product, theirs = (float(total) for total in inner.sum(0))
    is_heavy = inner[:, 2] > 1e-4 * theirs / max(len(both), 1)
    heavy, sizes = inner[is_heavy], np.array([s.pair.size for s in both], float)[is_heavy]
    each = heavy[:, 1] / heavy[:, 2]
    rest = np.maximum(heavy[:, 0] - heavy[:, 1] ** 2 / heavy[:, 2], 0)
    errors = np.sqrt(rest / heavy[:, 2] / sizes)
    k2, away = sum(float(s.known[at]) for s in matrices), sum(float(s.to_known[at]) for s in matrices)
    cosines = [s.with_known[at] / np.sqrt(s.own * s.known[at]) for s in matrices if s.own > 0 and s.known[at] > 0]
    return Share(
        known=at,
        same_as_base=not apart and any(s.pair.base is not None for s in compared),
        equal=sum(int(s.cast[1 + at]) for s in compared) / (sum(s.pair.size for s in compared) or 1),
        own_tensors=sum(_is_theirs(s, at) for s in apart),
        tensors_apart=sum(s.pair.is_matrix for s in apart),
        distance=float(np.sqrt(away / k2)) if k2 else 0.0,
        cosine=min((_cosine(each, at) for each in (both, _bodies(both))), key=abs),
        coefficient=product / theirs if theirs > 0 else 0.0,
        spread=float(np.std(each)) if len(each) else 0.0,
        error=float(np.median(errors)) if len(errors) else 0.0,
        matrices=len(each),
        median=float(np.median(cosines)) if cosines else 0.0,
    )


def _cosine(found: Sequence[Sums], at: int) -> float:
    own, product, theirs = (float(n) for n in np.sum([(0.0,) * 3, *(_without_scale(s.changes, at) for s in found)], 0))
    return product / math.sqrt(own * theirs) if own > 0 and theirs > 0 else 0.0


def _bodies(found: list[Sums]) -> list[Sums]:
    """Return `found` without tables of tokens, where enough is left: rows that anybody patches outweigh training."""
    bodies = [s for s in found if not s.pair.is_table]
    return bodies if len(bodies) >= SEVERAL else found


def _without_scale(changes: Array, at: int) -> tuple[float, float, float]:
    """Return |d|², d · e and |e|² of d = s - b and e = k - b, each less its projection on b."""
    own, base, theirs = 0, 1, 2 + at
    b2 = changes[base, base]
    if b2 <= 0:
        return float(changes[own, own]), float(changes[own, theirs]), float(changes[theirs, theirs])
    to_own, to_theirs = changes[own, base], changes[base, theirs]
    return (max(0.0, float(changes[own, own] - to_own**2 / b2)),
            float(changes[own, theirs] - to_own * to_theirs / b2),
            max(0.0, float(changes[theirs, theirs] - to_theirs**2 / b2)))  # fmt: skip


def _is_theirs(sums: Sums, at: int) -> bool:
    """Say whether a matrix is the known's in every number, where sixteen or more are not the base's.

    Of tables of tokens a twentieth: rows of unused tokens are set to zero, or to the mean of all, by anybody's program.
    """
    least = max(16, sums.pair.size // 20) if sums.pair.is_table else 16
    return bool(sums.pair.is_matrix and sums.cast[1 + at] == sums.pair.size > sums.cast[0] and sums.apart[at] >= least)


def mixture(found: Sequence[Sums], usable: Sequence[int]) -> Mixture:
    """Return the fit of the change by the base and the known models `usable`, by matrix and over all."""
    matrices = [s for s in found if s.pair.is_matrix and s.pair.base is not None
                and all(s.pair.known[at] is not None for at in usable)]  # fmt: skip
    matrices = _bodies(matrices)
    total = sum(_beyond_scale(s.changes) for s in matrices)
    if not usable or not matrices or not total:
        return Mixture((), 0.0)
    keep = [0, 1, *(2 + at for at in usable)]
    parts = [s.changes[np.ix_(keep, keep)] for s in matrices]
    rest = sum(_fitted(part)[1] for part in parts)
    overall, _ = _fitted(np.sum(parts, axis=0))
    return Mixture(tuple(float(c) for c in overall[1:]), max(0.0, 1 - rest / total))


def _beyond_scale(changes: Array) -> float:
    """Return |s - b|² less its projection on b."""
    own, product, base = float(changes[0, 0]), float(changes[0, 1]), float(changes[1, 1])
    return max(0.0, own - product**2 / base) if base > 0 else own


def _fitted(inner: Array) -> tuple[Array, float]:
    """Return the coefficients of the first vector in the others, and |rest|², from their inner products.

    Directions in which the others hardly differ (two siblings, one made of the other) get no coefficient.
    """
    sizes = np.sqrt(np.maximum(np.diag(inner)[1:], 1e-300))
    scaled = inner[1:, 1:] / np.outer(sizes, sizes)
    right = inner[1:, 0] / sizes
    coefficients = np.linalg.lstsq(scaled, right, rcond=1e-6)[0]
    rest = float(inner[0, 0] - 2 * coefficients @ right + coefficients @ scaled @ coefficients)
    return coefficients / sizes, max(0.0, rest)

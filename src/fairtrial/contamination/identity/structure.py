"""Does a change of weights look learned, or like noise? And has it low rank, as a merged LoRA adapter has?

Gradients are sums of few outer products, so the rows that training adds to a matrix point the same ways. The same
entries with signs drawn at random do not. The inner products of all pairs of rows, squared and added, are compared with
those of 16 copies with drawn signs: that keeps the size of every entry, so changes that are sparse, or larger where
weights are larger, are judged by their own measure. Over m matrices the standard deviations are added and divided by √m
(Stouffer): noise added by hand lies at 0 ± 1. The largest singular value sees one direction, this sees all: of a change
of rank 16 in bfloat16 that alters 2% of 512 by 512 numbers, 21 deviations over 12 matrices for 5. What is only another
scale of the base's rows and columns is taken out before: it would show the directions that the base has learned.

Not told apart: a change made to look learned (a random product of two thin matrices) from a learned one; and training
by random perturbation (evolution strategies) from noise, which it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from fairtrial.contamination.identity.dtypes import Array
from fairtrial.contamination.identity.grids import scaled
from fairtrial.contamination.identity.pairing import Pair
from fairtrial.contamination.identity.samples import Sample

COPIES = 16
MOST_DEVIATIONS, LEAST_SPREAD = 6.0, 0.001
"""A matrix counts by no more than so much: where one row outweighs all others, copies hardly differ, and a trifle would
weigh like a proof. For the same reason their standard deviation is at least this share of their mean."""
LEARNED, NOISE = 5.0, 3.0
"""Standard deviations above the copies, all matrices together: from the first learned, below the second noise."""
FEWEST_VECTORS = 4
_RANK_SIDE, RANK_HOLDS = 256, 0.99


@dataclass(frozen=True, slots=True)
class Structure:
    """What the sampled changes look like together."""

    deviations: float
    """Sum over matrices of (shared directions - mean of the copies') / their standard deviation, over √matrices."""
    ratio: float
    """Median of shared directions / mean of the copies'."""
    matrices: int
    rank: float
    """Median count of directions that hold 99% of the change."""
    side: float
    """Median of the smaller side of the sampled parts; a rank can be no more."""

    @property
    def is_low_rank(self) -> bool:
        """Say whether the change lies in few directions, as a merged LoRA adapter's does."""
        return self.is_learned and self.rank <= self.side / 4

    @property
    def is_learned(self) -> bool:
        """Say whether directions stand out that noise does not make."""
        return self.matrices > 0 and self.deviations >= LEARNED

    @property
    def is_noise(self) -> bool:
        """Say whether nothing stands out."""
        return self.matrices > 0 and self.deviations < NOISE


@dataclass(frozen=True, slots=True)
class Together:
    """How far the changes of vectors of one length point the same ways."""

    deviations: float
    """As of matrices; over all lengths together."""
    vectors: int

    @property
    def is_learned(self) -> bool:
        """Say whether they share what noise does not."""
        return self.vectors > 0 and self.deviations >= LEARNED


def structure_of(found: Iterable[Sample], seed: int = 0) -> Structure:
    """Return the structure of the changes in `found`; what is smaller than 8 by 8, or hardly changed, is left out."""
    rows = []
    for number, sample in enumerate(found):
        change = sample.change
        if min(change.shape) >= 8 and np.count_nonzero(change) >= min(change.shape):
            rest = sample.submitted - scaled(sample)
            rows.append(_looked_at(rest if rest.any() else change, np.random.default_rng((seed, number))))
    if not rows:
        return Structure(0.0, 0.0, 0, 0.0, 0.0)
    middle = [float(np.median([row[at] for row in rows])) for at in range(4)]
    together = sum(row[0] for row in rows) / np.sqrt(len(rows))
    return Structure(float(together), middle[1], len(rows), middle[2], middle[3])


def vectors_together(pairs: Sequence[Pair], seed: int = 0) -> Together:
    """Return how far the changes of vectors (norms, biases) point the same ways, those of one length together.

    Channels run through all layers, so what training does to a channel of one norm it does to others; noise does not.
    Another scale of a whole vector is taken out before.
    """
    groups: dict[int, list[Array]] = {}
    for pair in pairs:
        if pair.is_weight and not pair.is_matrix and pair.base is not None and pair.size >= 8:
            own, base = (view.numbers(0, pair.size).astype(np.float64) for view in (pair.submitted, pair.base))
            if np.isfinite(own).all() and np.isfinite(base).all() and (size := float(base @ base)):
                own = own - float(own @ base) / size * base if np.ptp(own - base) else own - own
            else:
                own = np.nan_to_num(own - base, posinf=0, neginf=0)
            if own.any():
                groups.setdefault(pair.size, []).append(own / np.sqrt(np.mean(own * own)))
    rng = np.random.default_rng((seed, len(groups)))
    found = [(_deviations(np.stack(rows).astype(np.float32), rng, 64), len(rows))
             for rows in groups.values() if len(rows) >= FEWEST_VECTORS]  # fmt: skip
    if not found:
        return Together(0.0, 0)
    together = sum(deviations for deviations, _ in found) / np.sqrt(len(found))
    return Together(float(together), sum(count for _, count in found))


def _deviations(rows: Array, rng: np.random.Generator, copies: int = COPIES) -> float:
    own = shared(rows)
    drawn = [shared(with_drawn_signs(rows, rng)) for _ in range(copies)]
    mean = float(np.mean(drawn))
    deviations = (own - mean) / max(float(np.std(drawn)), LEAST_SPREAD * mean, 1e-30)
    return float(max(-MOST_DEVIATIONS, min(MOST_DEVIATIONS, deviations)))


def _looked_at(change: Array, rng: np.random.Generator) -> tuple[float, float, float, float]:
    size = np.sqrt(np.mean(change * change))
    change = np.divide(change, size, dtype=np.float32, casting="same_kind")
    own = shared(change)
    copies = [shared(with_drawn_signs(change, rng)) for _ in range(COPIES)]
    mean = float(np.mean(copies))
    deviations = (own - mean) / max(float(np.std(copies)), LEAST_SPREAD * mean)
    values = _sizes(change[:_RANK_SIDE, :_RANK_SIDE])
    held = np.cumsum(values**2) / np.sum(values**2)
    rank = 1 + int(np.searchsorted(held, RANK_HOLDS))
    return max(-MOST_DEVIATIONS, min(MOST_DEVIATIONS, deviations)), own / mean, float(rank), float(len(values))


def _sizes(matrix: Array) -> Array:
    """Return the singular values, largest first, from the smaller of the two products: five times as fast."""
    wide = matrix.astype(np.float64)
    product = wide @ wide.T if wide.shape[0] <= wide.shape[1] else wide.T @ wide
    sizes: Array = np.sqrt(np.maximum(np.linalg.eigvalsh(product)[::-1], 0))
    return sizes


def with_drawn_signs(matrix: Array, rng: np.random.Generator) -> Array:
    """Return `matrix` with a drawn sign for each entry."""
    bits = np.unpackbits(np.frombuffer(rng.bytes(-(-matrix.size // 8)), np.uint8), count=matrix.size)
    signs = bits.astype(matrix.dtype).reshape(matrix.shape)
    signs *= 2
    signs -= 1
    signs *= matrix
    return signs


def shared(matrix: Array) -> float:
    """Return the sum of squared inner products of all pairs of different rows.

    >>> shared(np.array([[1.0, 0.0], [2.0, 0.0], [0.0, 3.0]]))
    8.0
    """
    products = matrix @ matrix.T
    np.fill_diagonal(products, 0)
    return float(np.vdot(products, products))


def part_of_known(found: Sequence[Sample], known: int) -> float:
    """Return how much of a low-rank change is what the known model's change is in the same directions; 1: all.

    For an adapter extracted from a sibling: the sibling's change, cut to its largest directions. Taken as 1 - |U'DV -
    U'KV|² / |U'DV|² over the matrices, with D and K the two changes and U, V the directions that hold 99% of D; 0 where
    D is not of low rank.
    """
    wanted = missed = 0.0
    for sample in found:
        other = sample.known[known]
        if other is None or min(sample.base.shape) < 8:
            continue
        change, theirs = (each[:_RANK_SIDE, :_RANK_SIDE] for each in (sample.change, other - sample.base))
        if not change.any():
            continue
        left, values, right = np.linalg.svd(change, full_matrices=False)
        held = 1 + int(np.searchsorted(np.cumsum(values**2), RANK_HOLDS * np.sum(values**2)))
        if held > len(values) / 4:
            return 0.0
        inside = left[:, :held].T @ theirs @ right[:held].T
        wanted += float(np.sum(values[:held] ** 2))
        missed += float(np.sum((np.diag(values[:held]) - inside) ** 2))
    return max(0.0, 1 - missed / wanted) if wanted else 0.0

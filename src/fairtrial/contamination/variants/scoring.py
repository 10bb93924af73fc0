"""From likenesses to a score: two weighted sums, each set against what the background comes to, the greater kept.

A sum is put on a scale of tens: 1 is what one background row in ten reaches with its nearest passage, and each further
step is a tenfold rarer row, were the tail exponential. Only the median and the highest tenth of the background are
used, so a few leaked rows among it change little. A score is 1 - 2^(-tens / 2): 0.5 for two tens, 0.75 for four.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairtrial.contamination.variants.combination import PARTS, Combination
from fairtrial.contamination.variants.index import FEATURES, Index, batches
from fairtrial.contamination.variants.kernels import Floats, Numbers
from fairtrial.contamination.variants.units import Unit

SPARSE = 200
"""Background texts below which the items themselves, each against the others, help to set the scale."""
ENOUGH = 50
"""Texts below which the shipped scale is used."""
SPREAD = 0.9
"""Tens by which the best of tenfold as many texts lies higher, measured on clean rows joined to long ones."""


@dataclass(frozen=True, slots=True)
class Scale:
    """What clean texts come to with their nearest passage of one field, under one combination."""

    median: float
    tenth: float
    means: dict[str, float]
    """Mean of each likeness over those best pairs."""

    def tens(self, sums: Floats) -> Floats:
        """Return sums as powers of ten of rarity."""
        step = max(self.tenth - self.median, 1e-3)
        return (0.301 + 0.699 * (sums - self.median) / step).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Looked:
    """What a closer look at some passages of one field gave."""

    passages: Numbers
    """Shape (units, chosen); -1 for none."""
    likenesses: Floats
    """Shape (units, chosen, features)."""
    sums: Floats
    """Shape (ways, units, chosen); minus infinity for no passage."""


def look(
    index: Index,
    units: Sequence[Unit],
    own: NDArray[np.int8],
    ways: Sequence[Combination],
    itself: Numbers | None = None,
) -> list[Looked]:
    """Return a closer look at the nearest passages of each field; `itself` as `Index.look` takes it."""
    weights = np.array([[way.weights.get(name, 0) for name in FEATURES] for way in ways], dtype=np.float32)
    looked = []
    for passages, found in index.look(units, own, weights, itself):
        sums = np.stack([found @ each for each in weights])
        looked.append(Looked(passages, found, np.where(passages[None] < 0, -np.inf, sums).astype(np.float32)))
    return looked


def scales(index: Index, background: Sequence[Unit], ways: Sequence[Combination]) -> list[tuple[Scale, ...]]:
    """Return, for each field, the scale of each combination: from the background, else from the items themselves."""
    looks = [look(index, part, np.ones(len(part), np.int8), ways) for part in batches(background)]
    if len(background) < SPARSE:
        numbered = np.arange(len(index.passages), dtype=np.int64)
        for first in range(0, len(numbered), 256):
            part = index.passages[first : first + 256]
            looks.append(look(index, part, np.ones(len(part), np.int8), ways, numbered[first : first + 256]))
    return [
        tuple(_scale([each[field] for each in looks], number, way) for number, way in enumerate(ways))
        for field in range(len(index.fields))
    ]


def _scale(looks: Sequence[Looked], number: int, way: Combination) -> Scale:
    """Return the scale from each text's best passage; the shipped one where there are few texts."""
    best = [each.sums[number].argmax(1) for each in looks]
    sums = np.concatenate([each.sums[number][np.arange(len(at)), at] for each, at in zip(looks, best, strict=True)])
    kept = np.isfinite(sums)
    if kept.sum() < ENOUGH:
        return Scale(way.median, way.tenth, {})
    pairs = np.concatenate([each.likenesses[np.arange(len(at)), at] for each, at in zip(looks, best, strict=True)])
    median, tenth = np.quantile(sums[kept], (0.5, 0.9))
    return Scale(float(median), float(tenth), dict(zip(FEATURES, pairs[kept].mean(0).tolist(), strict=True)))


def detector(way: Combination, scale: Scale, likenesses: dict[str, float]) -> str:
    """Return the part that speaks most for a pair: whose share of the sum lies furthest above the background's."""
    says = {
        part: sum(way.weights.get(name, 0) * (likenesses.get(name, 0) - scale.means.get(name, 0)) for name in names)
        for part, names in PARTS.items()
    }
    return max(says, key=lambda part: says[part])


def score_of(tens: Floats) -> Floats:
    """Return scores in [0, 1).

    >>> score_of(np.array([-1, 0, 2, 4], np.float32)).tolist()
    [0.0, 0.0, 0.5, 0.75]
    """
    return np.round(1 - np.exp2(-np.maximum(tens, 0) / 2), 5).astype(np.float32)

"""From likenesses to a score: two weighted sums, each set against what the background comes to, the greater kept.

A sum is put on a scale of tens: 1 is what one background row in ten reaches with its nearest passage, and each further
step is a tenfold rarer row, were the tail exponential. Only the median and the highest tenth of the background are
used, and held to what the items come to among themselves, so leaked rows in the background change little. A score is
1 - 2^(-tens / 2): 0.5 for two tens, 0.75 for four.
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

ITEMS = 1000
"""Passages that are compared with the others at most, to see what clean texts of their kind come to."""
ENOUGH = 50
"""Texts below which no scale is taken from them; as few rows set no threshold either, so that a fixed one meets it."""
WIDER = 1.2
"""Times the items' own step that a background's may have; of clean GSM8K it has 1.0 to 1.05."""
SHARPEST = 0.8
"""Times the shipped step that a scale's must have. Texts all alike, or all unlike, have a step near nothing, on which
whatever shares a word with an item is beyond all doubt."""
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
    """Return, for each field, the scale of each combination: from the background, held to that of the items."""
    looks = [look(index, part, np.ones(len(part), np.int8), ways) for part in batches(background, index.batch)]
    among = _among_items(index, ways)
    return [
        tuple(
            _held(_scale([each[field] for each in looks], number), _scale([each[field] for each in among], number), way)
            for number, way in enumerate(ways)
        )
        for field in range(len(index.fields))
    ]


def _among_items(index: Index, ways: Sequence[Combination]) -> list[list[Looked]]:
    """Look at passages as if they were rows, their kin left out: what one item comes to with the others."""
    count = len(index.passages)
    numbered = np.unique(np.linspace(0, count - 1, min(count, ITEMS)).astype(np.int64))
    looks = []
    for first in range(0, len(numbered), index.batch):
        part = numbered[first : first + index.batch]
        units = [index.passages[at] for at in part]
        looks.append(look(index, units, np.ones(len(units), np.int8), ways, part))
    return looks


def _held(background: Scale | None, items: Scale | None, way: Combination) -> Scale:
    """Return the scale of the background, unless rows made from items may have raised it.

    Where more than half of it lies nearer to items than nine in ten items lie to each other, it is no clean background,
    and the items' own scale stands. Its step is held to `WIDER` times theirs, for a tenth of it may be made from items.
    """
    shipped = Scale(way.median, way.tenth, {})
    trusted = items or shipped
    if background is None or background.median > trusted.tenth:
        return _wider(trusted, shipped)
    step = min(background.tenth - background.median, WIDER * (trusted.tenth - trusted.median))
    step = max(step, SHARPEST * (shipped.tenth - shipped.median))
    return Scale(background.median, background.median + step, background.means)


def _wider(one: Scale, other: Scale) -> Scale:
    """Return a scale on which no sum above one ten is rarer than on either: neither is known to fit the rows."""
    step = max(one.tenth - one.median, other.tenth - other.median)
    tenth = max(one.tenth, other.tenth)
    return Scale(tenth - step, tenth, one.means)


def _scale(looks: Sequence[Looked], number: int) -> Scale | None:
    """Return the scale from each text's best passage; None where there are few texts."""
    if not looks:
        return None
    best = [each.sums[number].argmax(1) for each in looks]
    sums = np.concatenate([each.sums[number][np.arange(len(at)), at] for each, at in zip(looks, best, strict=True)])
    kept = np.isfinite(sums)
    if kept.sum() < ENOUGH:
        return None
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

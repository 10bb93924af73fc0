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

CHOSEN = 5
"""Passages of a field that are looked at closer, by each combination."""
ENOUGH = 50
"""Background texts below which the shipped scale is used."""
SPREAD = 0.75
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
    """Shape (units, chosen)."""
    likenesses: dict[str, Floats]
    """Shape (units, chosen), by name."""
    sums: tuple[Floats, ...]
    """Shape (units, chosen), by combination."""


def look(
    index: Index, units: Sequence[Unit], own: NDArray[np.int8], ways: Sequence[Combination], skip: bool = False
) -> list[Looked]:
    """Return a closer look at the nearest passages of each field. Where the units are passages, `skip` leaves out kin."""
    found = index.compare(units, own)
    common = np.sqrt(found["words_item"] * found["words_row"])
    quick = [_sum(way, found) for way in ways]
    if skip:
        _set_aside_kin(index, units, quick, common)
    looked = []
    for _, first, last in index.fields:
        width = min(CHOSEN, last - first)
        best = [np.argpartition(-each[:, first:last], width - 1, axis=1)[:, :width] + first for each in quick]
        chosen = np.sort(np.concatenate(best, axis=1), axis=1).astype(np.int64)
        rivals = index.rivals(common, chosen, first, last)
        near = {name: np.take_along_axis(found[name], chosen, 1) for name in FEATURES if name in found}
        near["rivals"] = rivals
        sums = tuple(
            np.take_along_axis(each, chosen, 1) + np.float32(way.weights.get("rivals", 0)) * rivals
            for way, each in zip(ways, quick, strict=True)
        )
        looked.append(Looked(chosen, near, sums))
    return looked


def _sum(way: Combination, found: dict[str, Floats]) -> Floats:
    total = np.zeros_like(found["words_item"])
    for name, weight in way.weights.items():
        if name != "rivals" and weight:
            total += np.float32(weight) * found[name]
    return total


def _set_aside_kin(index: Index, units: Sequence[Unit], quick: list[Floats], common: Floats) -> None:
    """Keep each passage, compared as if it were a row, from being near itself and its kin."""
    places = {id(passage): at for at, passage in enumerate(index.passages)}
    for row, unit in enumerate(units):
        at = places[id(unit)]
        mine = index.kin[index.kin_starts[at] : index.kin_starts[at + 1]]
        common[row, mine] = 0
        for each in quick:
            each[row, mine] = -1e6


def scales(index: Index, background: Sequence[Unit], ways: Sequence[Combination]) -> list[tuple[Scale, ...]]:
    """Return, for each field, the scale of each combination: from the background, else from the items themselves."""
    looks = [look(index, part, np.ones(len(part), np.int8), ways) for part in batches(background)]
    if len(background) < 200:
        looks += [look(index, part, np.ones(len(part), np.int8), ways, skip=True) for part in batches(index.passages)]
    if sum(len(each[0].passages) for each in looks) < ENOUGH:
        return [tuple(Scale(way.median, way.tenth, {}) for way in ways) for _ in index.fields]
    return [
        tuple(_scale([each[field] for each in looks], number, way) for number, way in enumerate(ways))
        for field in range(len(index.fields))
    ]


def _scale(looks: Sequence[Looked], number: int, way: Combination) -> Scale:
    best = [each.sums[number].argmax(1)[:, None] for each in looks]
    sums = np.concatenate([np.take_along_axis(each.sums[number], at, 1) for each, at in zip(looks, best, strict=True)])
    kept = sums > -1e5
    if kept.sum() < ENOUGH:
        return Scale(way.median, way.tenth, {})
    pairs = list(zip(looks, best, strict=True))
    means = {
        name: float(
            np.concatenate([np.take_along_axis(each.likenesses[name], at, 1) for each, at in pairs])[kept].mean()
        )
        for name in way.weights
    }
    median, tenth = np.quantile(sums[kept], (0.5, 0.9))
    return Scale(float(median), float(tenth), means)


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

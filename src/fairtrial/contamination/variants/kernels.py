"""The loops: counting what two texts share, and what else a text is near to. Compiled on first use, kept after."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.contamination.kernel_cache import compiled, inlined

Keys = NDArray[np.uint64]
Numbers = NDArray[np.int64]
Floats = NDArray[np.float32]


@compiled
def distinct(keys: Keys, ends: Numbers) -> tuple[Keys, Numbers]:
    """Return the distinct keys of each unit, sorted, and where each unit ends."""
    kept = np.empty(len(keys), np.uint64)
    stops = np.empty(len(ends), np.int64)
    begin, used = 0, 0
    for unit in range(len(ends)):
        mine = np.sort(keys[begin : ends[unit]])
        for i in range(len(mine)):
            if i == 0 or mine[i] != mine[i - 1]:
                kept[used] = mine[i]
                used += 1
        stops[unit] = used
        begin = ends[unit]
    return kept[:used].copy(), stops


@compiled
def runs(codes: NDArray[np.uint32], ends: Numbers, width: int) -> tuple[Keys, Numbers]:
    """Return a key for each run of `width` characters inside a unit."""
    kept = np.empty(len(codes), np.uint64)
    stops = np.empty(len(ends), np.int64)
    begin, used = 0, 0
    for unit in range(len(ends)):
        for i in range(begin, ends[unit] - width + 1):
            key = np.uint64(1469598103934665603)
            for j in range(width):
                key = (key ^ np.uint64(codes[i + j])) * np.uint64(1099511628211)
                key ^= key >> np.uint64(29)
            kept[used] = key
            used += 1
        stops[unit] = used
        begin = ends[unit]
    return kept[:used].copy(), stops


@compiled
def couples(keys: Keys, ends: Numbers) -> tuple[Keys, Numbers]:
    """Return a key for each pair of neighbouring keys inside a unit."""
    kept = np.empty(len(keys), np.uint64)
    stops = np.empty(len(ends), np.int64)
    begin, used = 0, 0
    for unit in range(len(ends)):
        for i in range(begin, ends[unit] - 1):
            key = keys[i] * np.uint64(0x9E3779B97F4A7C15)
            key = ((key << np.uint64(27)) | (key >> np.uint64(37))) ^ keys[i + 1]
            kept[used] = key * np.uint64(0xBF58476D1CE4E5B9)
            used += 1
        stops[unit] = used
        begin = ends[unit]
    return kept[:used].copy(), stops


@compiled
def placed(keys: Keys) -> NDArray[np.int32]:
    """Return an open-addressed table of where each of the distinct `keys` stands; -1 is free."""
    size = 16
    while size < 3 * len(keys):
        size *= 2
    table = np.full(size, -1, np.int32)
    mask = np.uint64(size - 1)
    for i in range(len(keys)):
        slot = (keys[i] ^ (keys[i] >> np.uint64(32))) & mask
        while table[slot] >= 0:
            slot = (slot + np.uint64(1)) & mask
        table[slot] = i
    return table


@compiled
def shared(
    keys: Keys, ends: Numbers, own: NDArray[np.int8], table: Any, weights: Floats, shares: Floats, totals: Floats
) -> None:
    """Add to `shares` (units, passages) the weight of the keys that both hold, to `totals` (units) that of all keys.

    `table` is (keys, slots, frequencies, starts of postings, postings). A unit of the background itself (`own`) is
    weighed as if it had not been counted there, or its own words would pass for more common than those of new rows.
    """
    known, slots, frequencies, starts, postings = table
    mask = np.uint64(len(slots) - 1)
    begin = 0
    for unit in range(len(ends)):
        total = np.float32(0)
        for i in range(begin, ends[unit]):
            key = keys[i]
            slot = (key ^ (key >> np.uint64(32))) & mask
            at = slots[slot]
            while at >= 0 and known[at] != key:
                slot = (slot + np.uint64(1)) & mask
                at = slots[slot]
            if at < 0:
                total += weights[0]
                continue
            weight = weights[max(0, frequencies[at] - own[unit])]
            total += weight
            for j in range(starts[at], starts[at + 1]):
                shares[unit, postings[j]] += weight
        totals[unit] = total
        begin = ends[unit]


@inlined
def likenesses(values: Any, unit: int, passage: int, out: Floats) -> None:
    """Fill `out` with the likenesses of a unit and a passage, in the order of `index.FEATURES`, but for `rivals`."""
    words, pairs, letters, figures, passage_totals, unit_totals, vectors, whitened = values
    both = words[unit, passage]
    out[0] = min(np.float32(1), both / max(passage_totals[0, passage], np.float32(1e-6)))
    out[1] = min(np.float32(1), both / max(unit_totals[0, unit], np.float32(1e-6)))
    out[2] = min(np.float32(1), pairs[unit, passage] / max(unit_totals[1, unit], np.float32(1e-6)))
    out[3] = min(np.float32(1), letters[unit, passage] / max(passage_totals[2, passage], np.float32(1e-6)))
    out[4] = vectors[unit, passage]
    out[5] = whitened[unit, passage]
    product = passage_totals[3, passage] * unit_totals[3, unit]
    out[6] = min(np.float32(1), figures[unit, passage] / np.sqrt(product)) if product > 0 else np.float32(0)


@inlined
def keep(values: Floats, places: Numbers, value: float, place: int) -> None:
    """Put a value among the highest, which fall, where it belongs; the least drops out."""
    at = len(values) - 1
    if value <= values[at]:
        return
    while at > 0 and values[at - 1] < value:
        values[at] = values[at - 1]
        places[at] = places[at - 1]
        at -= 1
    values[at] = value
    places[at] = place


@compiled
def choose(
    values: Any, weights: Floats, field: tuple[int, int], most: int, rivals: int, skip: Any
) -> tuple[Numbers, Numbers, Floats]:
    """Return the passages of a field with the highest sums, and those that share most words with the unit.

    Shapes (units, ways * most), (units, rivals), (units, rivals). -1 where there are fewer. `skip` is (passage of each
    unit or -1, kin, starts of kin): kin of a unit that is a passage itself is left out.
    """
    first, last = field
    itself, kin, starts = skip
    units, ways = len(itself), weights.shape[0]
    chosen = np.full((units, ways * most), -1, np.int64)
    best = np.full((units, rivals), -1, np.int64)
    common = np.zeros((units, rivals), np.float32)
    out = np.zeros(weights.shape[1], np.float32)
    left_out = np.zeros(last - first, np.bool_)
    for unit in range(units):
        left_out[:] = False
        if itself[unit] >= 0:
            for k in range(starts[itself[unit]], starts[itself[unit] + 1]):
                if first <= kin[k] < last:
                    left_out[kin[k] - first] = True
        sums = np.full((ways, most), -np.inf, np.float32)
        for passage in range(first, last):
            if left_out[passage - first]:
                continue
            likenesses(values, unit, passage, out)
            keep(common[unit], best[unit], float(np.sqrt(out[0] * out[1])), passage)
            for way in range(ways):
                total = np.float32(0)
                for f in range(len(out)):
                    total += weights[way, f] * out[f]
                keep(sums[way], chosen[unit, way * most : (way + 1) * most], float(total), passage)
    return chosen, best, common


@compiled
def gather(
    values: Any, chosen: Numbers, best: Numbers, common: Floats, kin: NDArray[np.int32], starts: Numbers, most: int
) -> Floats:
    """Return the likenesses of each unit with its chosen passages (units, chosen, features), `rivals` last.

    `rivals` is the mean of what the unit has in common with the `most` nearest passages that are no kin of the chosen.
    """
    found = np.zeros((chosen.shape[0], chosen.shape[1], 8), np.float32)
    for unit in range(chosen.shape[0]):
        for c in range(chosen.shape[1]):
            passage = chosen[unit, c]
            if passage < 0:
                continue
            likenesses(values, unit, passage, found[unit, c])
            total, count = np.float32(0), 0
            for b in range(best.shape[1]):
                if best[unit, b] < 0 or count == most:
                    break
                related = False
                for k in range(starts[passage], starts[passage + 1]):
                    if kin[k] == best[unit, b]:
                        related = True
                        break
                if not related:
                    total += common[unit, b]
                    count += 1
            if count:
                found[unit, c, 7] = total / count
    return found

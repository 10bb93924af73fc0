"""The loops: counting what two texts share, and what else a text is near to. Compiled on first use, kept after."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.contamination.kernel_cache import compiled

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


@compiled
def rivalry(
    best: NDArray[np.int64], values: Floats, chosen: NDArray[np.int64], kin: NDArray[np.int32], kin_starts: Numbers,
    most: int,
) -> Floats:  # fmt: skip
    """Return, for each unit and chosen passage, the mean of the `most` nearest passages that are no kin of it.

    `best` (units, n) are passages by falling `values`; kin of passage p are kin[kin_starts[p]:kin_starts[p + 1]].
    """
    means = np.zeros(chosen.shape, np.float32)
    for unit in range(chosen.shape[0]):
        for c in range(chosen.shape[1]):
            passage = chosen[unit, c]
            total, count = np.float32(0), 0
            for b in range(best.shape[1]):
                other = best[unit, b]
                related = False
                for k in range(kin_starts[passage], kin_starts[passage + 1]):
                    if kin[k] == other:
                        related = True
                        break
                if not related:
                    total += values[unit, b]
                    count += 1
                    if count == most:
                        break
            if count:
                means[unit, c] = total / count
    return means

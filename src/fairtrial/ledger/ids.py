"""Sets of record ids that stay small: 16 bytes an id, in sorted arrays, so that ten million ids take 160 MB.

An id is 32 hex digits, 128 bits: two unsigned 64-bit numbers. Membership is exact (both halves are compared). Covers
ids in memory only; reading them from parts is `store`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

Words = npt.NDArray[np.uint64]
Mask = npt.NDArray[np.bool_]

_DIGITS = np.frombuffer(b"0123456789abcdef", dtype=np.uint8)
_VALUES = np.full(256, 255, dtype=np.uint8)
_VALUES[_DIGITS] = np.arange(16, dtype=np.uint8)
_ID_BYTES = 16


@dataclass(frozen=True, slots=True)
class Keys:
    """Ids as two columns of 64-bit words, in the order given."""

    high: Words
    low: Words

    def __len__(self) -> int:
        return len(self.high)

    def take(self, chosen: npt.NDArray[np.intp] | Mask) -> Keys:
        """Return the keys at positions `chosen`, or where a mask is true."""
        return Keys(self.high[chosen], self.low[chosen])


def keys_of(column: pa.Array | pa.ChunkedArray) -> Keys:
    """Return the keys of a string column of 32-digit ids. Raise ValueError if one is null or not 32 hex digits."""
    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if isinstance(array, pa.ChunkedArray):
        array = pa.concat_arrays(array.chunks) if array.num_chunks else pa.array([], pa.string())
    count = len(array)
    if count == 0:
        return Keys(np.empty(0, np.uint64), np.empty(0, np.uint64))
    width = np.int32 if array.type == pa.string() else np.int64
    _, offsets_buffer, data = array.buffers()
    offsets = np.frombuffer(offsets_buffer, dtype=width)[array.offset : array.offset + count + 1]
    if array.null_count or data is None or not bool((np.diff(offsets) == 2 * _ID_BYTES).all()):
        raise ValueError("an id is not 32 hex digits")
    digits = np.frombuffer(data, dtype=np.uint8)[offsets[0] : offsets[-1]]
    values = _VALUES[digits].reshape(-1, 2)
    if bool((values == 255).any()):
        raise ValueError("an id is not 32 hex digits")
    return keys_from_bytes(((values[:, 0] << 4) | values[:, 1]).tobytes())


def keys_from_bytes(data: bytes) -> Keys:
    """Return the keys of ids that are concatenated as 16 bytes each."""
    words = np.frombuffer(data, dtype=">u8").reshape(-1, 2).astype(np.uint64)
    return Keys(np.ascontiguousarray(words[:, 0]), np.ascontiguousarray(words[:, 1]))


def hex_column(keys: Keys) -> pa.Array:
    """Return the keys as a string column of 32 hex digits each."""
    data = np.stack([keys.high, keys.low], axis=1).astype(">u8").view(np.uint8).reshape(-1)
    digits = np.empty(len(data) * 2, dtype=np.uint8)
    digits[0::2] = _DIGITS[data >> 4]
    digits[1::2] = _DIGITS[data & 15]
    offsets = np.arange(len(keys) + 1, dtype=np.int32) * (2 * _ID_BYTES)
    return pa.Array.from_buffers(pa.string(), len(keys), [None, pa.py_buffer(offsets), pa.py_buffer(digits)])


class IdSet(Collection[str]):
    """A growing set of ids. Kept as a few sorted runs, merged so that each is at most half the one before it."""

    def __init__(self, keys: Keys | None = None) -> None:
        self._runs: list[Keys] = []
        if keys is not None:
            self.add_new(keys)

    def __len__(self) -> int:
        return sum(len(run) for run in self._runs)

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str) or len(name) != 2 * _ID_BYTES:
            return False
        try:
            key = keys_from_bytes(bytes.fromhex(name))
        except ValueError:
            return False
        return bool(self.holds(key)[0])

    def __iter__(self) -> Iterator[str]:
        for run in self._runs:
            yield from hex_column(run).to_pylist()

    def holds(self, keys: Keys) -> Mask:
        """Return, for each key, whether the set holds it."""
        found = np.zeros(len(keys), dtype=np.bool_)
        for run in self._runs:
            found |= _in_run(run, keys)
        return found

    def add_new(self, keys: Keys) -> Mask:
        """Add the keys that are not there yet; return which they were, the first of equals only."""
        order = np.lexsort((keys.low, keys.high))
        ordered = keys.take(order)
        fresh = np.ones(len(keys), dtype=np.bool_)
        fresh[1:] = (ordered.high[1:] != ordered.high[:-1]) | (ordered.low[1:] != ordered.low[:-1])
        fresh &= ~self.holds(ordered)
        added = ordered.take(fresh)
        if len(added):
            self._runs.append(added)
            self._merge()
        mask = np.zeros(len(keys), dtype=np.bool_)
        mask[order[fresh]] = True  # lexsort is stable, so the first of equals in the order given is the one kept
        return mask

    def _merge(self) -> None:
        while len(self._runs) > 1 and 2 * len(self._runs[-1]) > len(self._runs[-2]):
            last, before = self._runs.pop(), self._runs.pop()
            both = Keys(np.concatenate([before.high, last.high]), np.concatenate([before.low, last.low]))
            # equal high halves may lie in any order; a stable sort merges two sorted runs in linear time
            self._runs.append(both.take(np.argsort(both.high, kind="stable")))


def _in_run(run: Keys, keys: Keys) -> Mask:
    """Compare halves at the place where the high half would lie; equal high halves are walked, and are rare."""
    place = np.searchsorted(run.high, keys.high)
    found = np.zeros(len(keys), dtype=np.bool_)
    pending = np.flatnonzero(place < len(run))
    while len(pending):
        at = place[pending]
        same = run.high[at] == keys.high[pending]
        found[pending[same]] |= run.low[at[same]] == keys.low[pending[same]]
        pending = pending[same & ~found[pending]]
        place[pending] += 1
        pending = pending[place[pending] < len(run)]
    return found

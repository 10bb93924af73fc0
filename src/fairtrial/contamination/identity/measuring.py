"""What comparing one tensor comes to: counts of equal numbers, and the sums from which distances and merges follow.

With s the submitted, b the base and k a known model, the inner products of (s - b, b, k - b) hold all that is asked
later: distances, cosines of changes, and the least-squares fit of s - b by the others. Sums are made of float32 in
blocks and added up in float64. Every number is read once; nothing is sampled here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from fairtrial.contamination.identity.dtypes import WEIGHTS, Array, decoded, grid_of, is_cast_of
from fairtrial.contamination.identity.pairing import Pair
from fairtrial.contamination.identity.views import View

BLOCK = 1 << 18
"""Numbers that are compared at once: 1 MB of float32, which stays in the processor's cache."""
WORKERS = 2

Tell = Callable[[str, int, int], None]
"""Called with the phase, what is done, and of how much."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sums:
    """The comparison of one tensor. Indices of known models are those of the call."""

    pair: Pair
    equal: Array
    """Shape (1 + known,): numbers whose bits (or values, across formats) are those of base, then of each known."""
    cast: Array
    """The same, where the other cast to the submitted's format counts as equal too."""
    apart: Array
    """Shape (known,): numbers in which that known model is not the base."""
    changes: Array
    """Shape (2 + known, 2 + known): inner products of s - b, b, and each k - b. Zero where a counterpart is missing."""
    own: float
    """s · s."""
    known: Array
    """Shape (known,): k · k."""
    to_known: Array
    """Shape (known,): |s - k|², made of the differences themselves."""
    with_known: Array
    """Shape (known,): s · k."""
    with_base: float
    """s · b."""
    zeroed: int
    """Numbers of the submitted that are zero, and the base's are not."""
    not_finite: int
    """Numbers of the submitted that are infinite or not a number."""


def measured(pairs: Sequence[Pair], known: int, tell: Tell) -> list[Sums]:
    """Return the sums of every pair, in order; two threads, for numpy lets go of the interpreter."""
    found: list[Sums] = []
    done, total = 0, sum(pair.size for pair in pairs)
    with ThreadPoolExecutor(WORKERS) as pool:
        for sums in pool.map(lambda pair: measure(pair, known), pairs):
            found.append(sums)
            done += sums.pair.size
            tell("numbers compared", done, total)
    return found


def measure(pair: Pair, known: int) -> Sums:
    """Return the sums of one pair, read block by block."""
    total = _Total(pair, known)
    with np.errstate(over="ignore", invalid="ignore"):
        for start in range(0, pair.size, BLOCK):
            total.add(start, min(start + BLOCK, pair.size))
    return total.sums()


class _Total:
    """Adds up the blocks of one pair."""

    def __init__(self, pair: Pair, known: int) -> None:
        self.pair = pair
        self.others: list[View | None] = [pair.base, *pair.known]
        self.equal, self.cast = np.zeros(1 + known, np.int64), np.zeros(1 + known, np.int64)
        self.apart = np.zeros(known, np.int64)
        self.changes = np.zeros((2 + known, 2 + known))
        self.known, self.to_known, self.with_known = np.zeros(known), np.zeros(known), np.zeros(known)
        self.own = self.with_base = 0.0
        self.not_finite = self.zeroed = 0

    def add(self, start: int, stop: int) -> None:
        """Read one block of every tensor and add it."""
        raws = [None if view is None else view.raw(start, stop) for view in (self.pair.submitted, *self.others)]
        views: list[View | None] = [self.pair.submitted, *self.others]
        if not self.pair.is_weight:
            self._count_bits(raws)
            return
        numbers = [None if view is None else _numbers(view, raw, start, stop)
                   for view, raw in zip(views, raws, strict=True)]  # fmt: skip
        own = numbers[0]
        assert own is not None  # the submitted's own tensor is there
        self._count(own, raws[0], numbers[1:], raws[1:])
        self._multiply(own, numbers[1:])

    def _count_bits(self, raws: Sequence[Array | None]) -> None:
        own = raws[0]
        for at, raw in enumerate(raws[1:]):
            if own is not None and raw is not None and raw.dtype == own.dtype and raw.size == own.size:
                self.equal[at] += int(np.count_nonzero(raw == own))
        self.cast[:] = self.equal

    def _count(self, own: Array, own_raw: Array | None, numbers: Sequence[Array | None],
               raws: Sequence[Array | None]) -> None:  # fmt: skip
        """Count what is equal as it is stored, and what is equal once the other is cast to the submitted's format."""
        dtype = self.pair.submitted.dtype
        grid = grid_of(own_raw, dtype) if own_raw is not None else dtype
        narrow = _narrowed(own, grid) if own_raw is not None and grid != dtype else own_raw
        for at, (other, raw, view) in enumerate(zip(numbers, raws, self.others, strict=True)):
            if other is None or view is None:
                continue
            is_same = raw is not None and own_raw is not None and view.dtype == dtype
            equal = raw == own_raw if is_same else other == own
            count = int(np.count_nonzero(equal))
            self.equal[at] += count
            if count < own.size and narrow is not None and (grid != dtype or not is_same):
                count = int(np.count_nonzero(equal | is_cast_of(narrow, grid, other)))
            self.cast[at] += count
            if at == 0 and count < own.size:
                self.zeroed += int(np.count_nonzero((own == 0) & (other != 0)))
            if at and numbers[0] is not None:
                self.apart[at - 1] += int(np.count_nonzero(other != numbers[0]))

    def _multiply(self, own: Array, others: Sequence[Array | None]) -> None:
        finite = np.isfinite(np.dot(own, own)) and all(o is None or np.isfinite(np.dot(o, o)) for o in others)
        if not finite:  # too large for float32, or no numbers at all
            self.not_finite += int(np.count_nonzero(~np.isfinite(own)))
            own = np.nan_to_num(own.astype(np.float64), posinf=0, neginf=0)
            others = [o if o is None else np.nan_to_num(o.astype(np.float64), posinf=0, neginf=0) for o in others]
        base = others[0]
        self.own += float(np.dot(own, own))
        vectors: dict[int, Array] = {}
        if base is not None:
            vectors = {0: own - base, 1: base}
            self.with_base += float(np.dot(own, base))
        for at, other in enumerate(others[1:]):
            if other is None:
                continue
            away = own - other
            self.to_known[at] += float(np.dot(away, away))
            self.with_known[at] += float(np.dot(own, other))
            self.known[at] += float(np.dot(other, other))
            if base is not None:
                vectors[2 + at] = other - base
        for one, left in vectors.items():
            for two, right in vectors.items():
                if one <= two:
                    product = float(np.dot(left, right))
                    self.changes[one, two] += product
                    if one != two:
                        self.changes[two, one] += product

    def sums(self) -> Sums:
        """Return what the blocks came to."""
        return Sums(pair=self.pair, equal=self.equal, cast=self.cast, apart=self.apart, changes=self.changes,
                    own=self.own, known=self.known, to_known=self.to_known, with_known=self.with_known,
                    with_base=self.with_base, not_finite=self.not_finite, zeroed=self.zeroed)  # fmt: skip


def _numbers(view: View, raw: Array | None, start: int, stop: int) -> Array | None:
    if view.dtype not in WEIGHTS:
        return None
    return view.numbers(start, stop) if raw is None else decoded(raw, view.dtype)


def _narrowed(numbers: Array, grid: str) -> Array:
    """Return float32 numbers that lie on the values of `grid` as its bits."""
    if grid == "BF16":
        narrow: Array = (numbers.view(np.uint32) >> 16).astype(np.uint16)
        return narrow
    return numbers.astype(np.float16).view(np.uint16)

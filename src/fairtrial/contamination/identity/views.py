"""A tensor as it is compared: a stored one, some rows of it, or one with a LoRA adapter's change added. Read in blocks.

Never whole: a block of some thousand rows is read, compared and forgotten, so that memory does not grow with the model.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from fairtrial.contamination.identity.dtypes import BITS, Array, decoded, raw_type
from fairtrial.contamination.identity.header import Tensor, shown
from fairtrial.records import FormatError


class View(Protocol):
    """Read numbers of a tensor by their place in it, rows one after another."""

    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> str: ...
    def raw(self, start: int, stop: int) -> Array | None:
        """Return the stored bits of numbers [start, stop); None where they are stored nowhere."""

    def numbers(self, start: int, stop: int) -> Array:
        """Return numbers [start, stop) as floats."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A tensor of a file, or a run of its rows."""

    tensor: Tensor
    first_row: int = 0
    rows: int | None = None
    """None: to the last."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the shape, of the rows that are seen."""
        shape = self.tensor.shape
        return shape if self.rows is None else (self.rows, *shape[1:])

    @property
    def dtype(self) -> str:
        """Return the format as the header names it."""
        return self.tensor.dtype

    def raw(self, start: int, stop: int) -> Array:
        """Return the stored bits of numbers [start, stop)."""
        bits = BITS[self.dtype]
        offset = self.first_row * row_size(self.tensor.shape)
        first, last = (offset + start) * bits // 8, -(-(offset + stop) * bits // 8)
        descriptor = os.open(self.tensor.path, os.O_RDONLY)
        try:
            data = os.pread(descriptor, last - first, self.tensor.start + first)
        finally:
            os.close(descriptor)
        if len(data) != last - first:
            raise FormatError("ended while it was read", path=self.tensor.path, field=shown(self.tensor.name))
        return np.frombuffer(data, raw_type(self.dtype))

    def numbers(self, start: int, stop: int) -> Array:
        """Return numbers [start, stop) as floats."""
        return decoded(self.raw(start, stop), self.dtype)


@dataclass(frozen=True, slots=True)
class Adapted:
    """A matrix of the base with the change of a LoRA adapter: W + scale · B A."""

    base: View
    a: Array
    """Shape (rank, columns)."""
    b: Array
    """Shape (rows, rank)."""
    scale: float
    is_transposed: bool = False
    """The base keeps (columns, rows), as GPT-2's do."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the base's shape."""
        return self.base.shape

    @property
    def dtype(self) -> str:
        """Return float32, in which the sum is made."""
        return "F32"

    def raw(self, _start: int, _stop: int) -> None:
        """Return None: the sum is stored nowhere."""
        return

    def numbers(self, start: int, stop: int) -> Array:
        """Return numbers [start, stop) of the sum."""
        columns = self.shape[1]
        first, last = start // columns, -(-stop // columns)
        left, right = (self.a.T, self.b.T) if self.is_transposed else (self.b, self.a)
        change = (left[first:last] * np.float32(self.scale)) @ right
        result: Array = (
            self.base.numbers(start, stop) + change.ravel()[start - first * columns : stop - first * columns]
        )
        return result


def row_size(shape: tuple[int, ...]) -> int:
    """Return how many numbers one row has: all dimensions but the first.

    >>> row_size((8, 3, 2)), row_size((8,)), row_size(())
    (6, 1, 1)
    """
    size = 1
    for part in shape[1:]:
        size *= part
    return size


def first_rows(view: View, rows: int) -> View:
    """Return the view of its first `rows` rows."""
    if view.shape[:1] == (rows,):
        return view
    if isinstance(view, Stored):
        return replace(view, rows=rows)
    if isinstance(view, Adapted) and not view.is_transposed:
        return replace(view, base=first_rows(view.base, rows), b=view.b[:rows])
    raise FormatError("an adapter's matrix has other rows than the one it is compared with")


def slices(view: Stored, rows: tuple[int, ...]) -> list[Stored]:
    """Return the parts of `view`, one below the other, of so many rows each."""
    parts, first = [], view.first_row
    for count in rows:
        parts.append(replace(view, first_row=first, rows=count))
        first += count
    return parts

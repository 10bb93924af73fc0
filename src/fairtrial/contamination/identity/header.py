"""The header of a safetensors file, read without trust: which tensors it holds, and where their bytes lie.

A file whose header lies (offsets past the end, overlapping or with gaps, sizes that do not fit the shape, a name twice)
is refused, for two programs could read two models from it. Only the header is read here, never the tensors.
Source: the format's own description, github.com/huggingface/safetensors.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeGuard

from fairtrial.contamination.identity.dtypes import BITS
from fairtrial.records import FormatError

MOST_HEADER_BYTES = 25_000_000
"""The format allows 100 MB; the largest models' shards take less than 1. Names of 200,000 tensors fit."""


MOST_DIMENSIONS = 16


def shown(name: str) -> str:
    """Return a name that somebody chose so that a terminal can print it: one line, no control characters, 80 at most.

    >>> shown("a" + chr(27) + "b").isprintable(), len(shown("b" * 100))
    (True, 80)
    """
    plain = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in name)
    return plain if len(plain) <= 80 else f"{plain[:79]}…"


@dataclass(frozen=True, slots=True)
class Tensor:
    """Say where one tensor lies in a file."""

    path: Path
    name: str
    dtype: str
    shape: tuple[int, ...]
    start: int
    """Of its bytes, from the start of the file."""
    end: int

    @property
    def size(self) -> int:
        """Return how many numbers it holds."""
        return math.prod(self.shape)


def read_header(path: Path) -> list[Tensor]:
    """Return the tensors of `path` in the order of their bytes. Raise FormatError where the header lies."""
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(8)
        if len(head) < 8:
            raise FormatError(f"is no safetensors file: it has {size} bytes", path=path)
        length = int.from_bytes(head, "little")
        if length > size - 8:
            raise FormatError(f"says that its header has {length:,} bytes; the file has {size:,}", path=path,
                              hint="The file was cut off, or is no safetensors file.")  # fmt: skip
        if length > MOST_HEADER_BYTES:
            raise FormatError(
                f"has a header of {length:,} bytes; more than {MOST_HEADER_BYTES:,} are not read", path=path
            )
        text = file.read(length)
    entries = _parsed(path, text)
    tensors = [
        _tensor(path, name, entry, 8 + length, size) for name, entry in entries.items() if name != "__metadata__"
    ]
    tensors.sort(key=lambda tensor: (tensor.start, tensor.end, tensor.name))
    _check_contiguous(path, tensors, 8 + length, size)
    return tensors


def _parsed(path: Path, text: bytes) -> dict[str, Any]:
    def once(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
        seen: dict[str, Any] = {}
        for name, value in pairs:
            if name in seen:
                raise FormatError(f"names `{shown(name)}` twice in its header", path=path,
                                  hint="Two programs would read two models from it.")  # fmt: skip
            seen[name] = value
        return seen

    try:
        entries = json.loads(text.decode("utf-8"), object_pairs_hook=once)
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise FormatError(f"has a header that is not JSON: {str(error)[:120]}", path=path) from error
    if not isinstance(entries, dict):
        raise FormatError("has a header that is no JSON object", path=path)
    return entries


def _tensor(path: Path, name: str, entry: Any, base: int, size: int) -> Tensor:
    """Return one entry, checked by itself."""
    if not isinstance(entry, dict):
        raise FormatError("is no object", path=path, field=shown(name))
    dtype, shape, offsets = entry.get("dtype"), entry.get("shape"), entry.get("data_offsets")
    if not isinstance(dtype, str) or dtype not in BITS:
        raise FormatError(f"has the unknown number format {shown(str(dtype))}", path=path, field=shown(name),
                          hint=f"Known: {', '.join(BITS)}.")  # fmt: skip
    if not _are_counts(shape) or not _are_counts(offsets):
        raise FormatError(
            "`shape` and `data_offsets` must be lists of whole numbers from 0", path=path, field=shown(name)
        )
    if len(shape) > MOST_DIMENSIONS or len(offsets) != 2:
        raise FormatError(f"has {len(shape)} dimensions and {len(offsets)} offsets", path=path, field=shown(name))
    start, end = offsets
    if not start <= end <= size - base:
        raise FormatError(
            f"lies at bytes {start:,} to {end:,}; the file holds {size - base:,}", path=path, field=shown(name)
        )
    bits = math.prod(shape) * BITS[dtype]
    if bits % 8 or bits // 8 != end - start:
        raise FormatError(f"has {end - start:,} bytes, and its shape {shape} of {dtype} needs {bits / 8:,g}",
                          path=path, field=shown(name))  # fmt: skip
    return Tensor(path, name, dtype, tuple(shape), base + start, base + end)


def _are_counts(value: Any) -> TypeGuard[list[int]]:
    return isinstance(value, list) and all(type(part) is int and 0 <= part < 2**63 for part in value)


def _check_contiguous(path: Path, tensors: list[Tensor], base: int, size: int) -> None:
    at = base
    for tensor in tensors:
        if tensor.start != at:
            what = "overlaps the one before it" if tensor.start < at else "leaves bytes before it that belong to none"
            raise FormatError(what, path=path, field=shown(tensor.name), hint="A safetensors file has neither.")
        at = tensor.end
    if at != size:
        raise FormatError(f"has {size - at:,} bytes after its last tensor that belong to none", path=path,
                          hint="A safetensors file has none.")  # fmt: skip

"""The number formats of safetensors: how many bits each takes, and how stored bytes become numbers of numpy.

bfloat16 is the upper half of float32; the two 8-bit floats are looked up in tables of 256. Formats below 8 bits and
8-bit exponents (F8_E8M0) are scales and packed blocks whose meaning a quantisation scheme holds elsewhere: their bytes
are compared, their numbers are not.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

BITS = {
    "BOOL": 8, "U8": 8, "I8": 8, "I16": 16, "U16": 16, "F16": 16, "BF16": 16, "I32": 32, "U32": 32, "F32": 32,
    "I64": 64, "U64": 64, "F64": 64, "C64": 64, "F8_E5M2": 8, "F8_E4M3": 8, "F8_E5M2FNUZ": 8, "F8_E4M3FNUZ": 8,
    "F8_E8M0": 8, "F6_E2M3": 6, "F6_E3M2": 6, "F4": 4,
}  # fmt: skip
"""Bits of one number, by the format's name in a header."""

WEIGHTS = frozenset(("F64", "F32", "F16", "BF16", "F8_E5M2", "F8_E4M3", "F8_E5M2FNUZ", "F8_E4M3FNUZ"))
"""Formats whose numbers are weights. The rest are masks, positions, or packed blocks."""

FRACTION_BITS = {
    "F64": 52, "F32": 23, "F16": 10, "BF16": 7, "F8_E5M2": 2, "F8_E4M3": 3, "F8_E5M2FNUZ": 2, "F8_E4M3FNUZ": 3,
}  # fmt: skip
"""Bits after the point: a number is rounded by at most 2^-(bits + 1) of itself."""

_PLAIN = {"F64": "<f8", "F32": "<f4", "F16": "<f2"}
_RAW: dict[int, np.dtype[Any]] = {8: np.dtype("u1"), 16: np.dtype("<u2"), 32: np.dtype("<u4"), 64: np.dtype("<u8")}
_FLOAT8 = {"F8_E5M2": (2, 15, False), "F8_E4M3": (3, 7, False), "F8_E5M2FNUZ": (2, 16, True),
           "F8_E4M3FNUZ": (3, 8, True)}  # fmt: skip
"""Bits after the point, bias, and whether it has neither infinities nor a negative zero."""


def raw_type(dtype: str) -> np.dtype[Any]:
    """Return the unsigned integer in which the bits of one `dtype` lie; single bytes below 8 bits."""
    return _RAW.get(BITS[dtype], _RAW[8])


def decoded(raw: Array, dtype: str) -> Array:
    """Return the numbers in `raw` (unsigned integers) as float32, or float64 where they were so stored.

    >>> decoded(np.array([0x3F80, 0xC000], "<u2"), "BF16").tolist()
    [1.0, -2.0]
    """
    if dtype == "BF16":
        wide = raw.astype(np.uint32)
        np.left_shift(wide, 16, out=wide)
        numbers: Array = wide.view(np.float32)
        return numbers
    if dtype in _PLAIN:
        numbers = raw.view(_PLAIN[dtype])
        return numbers if dtype == "F64" else numbers.astype(np.float32, copy=False)
    table: Array = float8_table(dtype)[raw]
    return table


@cache
def float8_table(dtype: str) -> Array:
    """Return the 256 values of an 8-bit float, by its bits.

    Source: Micikevicius et al. 2022, "FP8 Formats for Deep Learning"; the FNUZ kinds after LLVM's `Float8E4M3FNUZ`.

    >>> float(float8_table("F8_E4M3")[0x7E]), float(float8_table("F8_E5M2")[0x7B])
    (448.0, 57344.0)
    """
    fraction_bits, bias, is_fnuz = _FLOAT8[dtype]
    codes = np.arange(256)
    fraction = codes & ((1 << fraction_bits) - 1)
    exponent = (codes & 0x7F) >> fraction_bits
    scaled = np.where(exponent > 0, (1 << fraction_bits) + fraction, fraction)
    values = np.ldexp(scaled.astype(np.float64), np.maximum(exponent, 1) - bias - fraction_bits)
    values = np.where(codes & 0x80, -values, values)
    if is_fnuz:
        values[0x80] = np.nan
    elif dtype == "F8_E4M3":
        values[[0x7F, 0xFF]] = np.nan
    else:
        top = exponent == 31
        values[top] = np.where(fraction[top] > 0, np.nan, np.copysign(np.inf, values[top]))
    table: Array = values.astype(np.float32)
    return table


def is_cast_of(stored: Array, dtype: str, source: Array) -> Array:
    """Say of each number whether `stored` (bits of `dtype`) is what `source` (floats) becomes when cast to `dtype`.

    Rounded to nearest; of bfloat16 also cut off, as some programs do.

    >>> is_cast_of(np.array([0x3F80, 0x3F80], "<u2"), "BF16", np.array([1.001, 1.1], np.float32)).tolist()
    [True, False]
    """
    same: Array
    if dtype == "BF16":
        bits = source.astype(np.float32, copy=False).view(np.uint32)
        same = stored == (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
        same |= stored == bits >> 16
    elif dtype in _PLAIN:
        with np.errstate(over="ignore"):
            same = stored.view(_PLAIN[dtype]) == source.astype(_PLAIN[dtype])
    else:
        numbers = decoded(stored, dtype)
        half_step = np.ldexp(1.0, np.frexp(numbers)[1] - 2 - FRACTION_BITS[dtype])
        smallest = np.ldexp(1.0, -_FLOAT8[dtype][1] - _FLOAT8[dtype][0])
        same = np.abs(numbers - source) <= np.maximum(half_step, smallest)
    return same


def grid_of(raw: Array, dtype: str) -> str:
    """Return the coarser format (BF16, F16) on whose values all numbers in `raw` lie; else `dtype` itself.

    A model that was cast down and saved wide again is no more than its narrow values.

    >>> grid_of(np.array([1.0, 0.5], "<f4").view("<u4"), "F32"), grid_of(np.array([0.1], "<f4").view("<u4"), "F32")
    ('BF16', 'F32')
    """
    if dtype == "F16" and raw.size and not np.any(raw & 0x7):
        return "BF16"
    if dtype != "F32" or not raw.size:
        return dtype
    if not np.any(raw & 0xFFFF):
        return "BF16"
    if np.any(raw & 0x1FFF):
        return dtype
    numbers = raw.view("<f4")
    with np.errstate(over="ignore"):
        return "F16" if np.array_equal(numbers.astype(np.float16).astype(np.float32), numbers) else dtype

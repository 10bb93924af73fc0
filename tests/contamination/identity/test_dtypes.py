"""Numbers are what their bits say, in every format, and a cast is recognised in both directions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contamination.identity.handed_in import bf16, widened
from fairtrial.contamination.identity.dtypes import decoded, float8_table, grid_of, is_cast_of

FLOATS = st.lists(
    st.floats(width=32, allow_nan=False, allow_infinity=False, min_value=-(2.0**90), max_value=2.0**90), min_size=1
)


@given(st.integers(0, 0xFFFF))
def test_bfloat16_is_the_upper_half_of_float32(bits: int) -> None:
    sign, exponent, fraction = bits >> 15, (bits >> 7) & 0xFF, bits & 0x7F
    found = float(decoded(np.array([bits], "<u2"), "BF16")[0])
    if exponent == 0xFF:
        assert math.isnan(found) if fraction else math.isinf(found)
    else:
        size = math.ldexp(128 + fraction, exponent - 134) if exponent else math.ldexp(fraction, -133)
        assert found == (-size if sign else size)


@pytest.mark.parametrize(
    ("dtype", "bits", "value"),
    [
        ("F8_E4M3", 0b0_0000_001, 2**-9),
        ("F8_E4M3", 0b0_1111_110, 448.0),
        ("F8_E4M3", 0b1_0111_000, -1.0),
        ("F8_E5M2", 0b0_00000_01, 2**-16),
        ("F8_E5M2", 0b0_11110_11, 57344.0),
        ("F8_E5M2", 0b1_01111_10, -1.5),
        ("F8_E5M2", 0b0_11111_00, math.inf),
        ("F8_E4M3FNUZ", 0b0_1111_111, 240.0),
        ("F8_E4M3FNUZ", 0b0_1000_000, 1.0),
        ("F8_E5M2FNUZ", 0b0_11111_11, 57344.0),
    ],
)
def test_eight_bit_floats_hold_the_published_values(dtype: str, bits: int, value: float) -> None:
    assert float(float8_table(dtype)[bits]) == value


@pytest.mark.parametrize(("dtype", "count"), [("F8_E4M3", 2), ("F8_E5M2", 6), ("F8_E4M3FNUZ", 1), ("F8_E5M2FNUZ", 1)])
def test_eight_bit_floats_have_as_many_nans_as_published(dtype: str, count: int) -> None:
    assert int(np.isnan(float8_table(dtype)).sum()) == count


@given(FLOATS)
def test_a_cast_down_is_recognised(values: list[float]) -> None:
    source = np.array(values, np.float32)
    assert is_cast_of(bf16(source), "BF16", source).all()
    assert is_cast_of((source.view(np.uint32) >> 16).astype(np.uint16), "BF16", source).all()  # cut off
    with np.errstate(over="ignore"):
        assert is_cast_of(source.astype("<f2").view("<u2"), "F16", source).all()
    moved = bf16(source) ^ 2  # two steps away
    assert not is_cast_of(moved, "BF16", source).any()


@pytest.mark.parametrize("dtype", ["F8_E4M3", "F8_E5M2"])
def test_a_cast_to_eight_bits_is_the_nearest_value(dtype: str) -> None:
    table = float8_table(dtype)
    usable = np.flatnonzero(np.isfinite(table))
    source = np.random.default_rng(0).normal(0, 2, 500).astype(np.float32)
    nearest = usable[np.argmin(np.abs(table[usable][:, None] - source), axis=0)].astype(np.uint8)
    assert is_cast_of(nearest, dtype, source).all()
    others = np.where((nearest & 0x7F) < 0x70, nearest + 2, nearest - 2).astype(np.uint8)
    assert not is_cast_of(others, dtype, source).any()


@given(FLOATS)
def test_the_grid_is_the_coarsest_that_holds_all(values: list[float]) -> None:
    source = widened(np.array(values, np.float32))
    assert grid_of(source.view("<u4"), "F32") == "BF16"
    half = np.array([1.0 + 2**-10], np.float32)
    assert grid_of(half.view("<u4"), "F32") == "F16"
    assert grid_of(np.array([1.0 + 2**-12], np.float32).view("<u4"), "F32") == "F32"
    assert grid_of(half.astype("<f2").view("<u2"), "F16") == "F16"
    assert grid_of(np.array([1.5], "<f2").view("<u2"), "F16") == "BF16"

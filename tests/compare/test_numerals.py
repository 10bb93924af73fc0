"""Numbers are read exactly or not at all, whatever their size; tolerances are what they were written as."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.compare import Stated
from fairtrial.compare.arithmetic import MOST_BITS, worked_out
from fairtrial.compare.number_words import in_words
from fairtrial.compare.numerals import agree, plain, shown


@given(st.integers())
def test_whole_numbers_are_read_with_and_without_separators(number: int) -> None:
    assert plain(str(number)) == plain(f"{number:,}") == plain(f"{number:_}") == number
    assert plain(f"{number:,}".replace(",", "."), decimal_comma=True) == number


@given(st.decimals(allow_nan=False, allow_infinity=False))
def test_decimals_are_read_exactly(number: Decimal) -> None:
    assert plain(str(number)) == number
    assert plain(format(number, "f").replace(".", ","), decimal_comma=True) == number


@pytest.mark.parametrize(
    "text", ["1,5", "1.234,5", "1,2345", "1,23,4", "12,34", "1.2.3", "", ".", "-", "e5", "1e", "0x1"]
)
def test_what_can_be_read_in_two_ways_is_not_read(text: str) -> None:
    assert plain(text) is None


@given(st.fractions(), st.fractions())
def test_arithmetic_is_that_of_fractions(one: Fraction, other: Fraction) -> None:
    left, right = (f"({n.numerator}/{n.denominator})" for n in (one, other))
    assert worked_out(f"{left} + {right}") == one + other
    assert worked_out(f"{left} * {right}") == one * other
    assert worked_out(f"{left} / {right}") == (one / other if other else None)
    assert worked_out(f"\\frac{{{one.numerator}}}{{{one.denominator}}}") == one


@pytest.mark.parametrize(
    "text",
    ["9^9^9^9", f"2^{MOST_BITS + 1}", "(" * 500 + "1" + ")" * 500, "2^" * 900 + "2", "√" * 900 + "1", "1/0", "0^-1",
     "3-4", "2026-03-04", "4/3/2026", "2 3", "x + 1", "1 +", "--3", "√2", "\\sqrt{-1}", "-" * 900 + "1"],
)  # fmt: skip
def test_what_is_too_large_or_no_arithmetic_is_not_worked_out(text: str) -> None:
    assert worked_out(text) is None


def test_words_count_up_to_a_million_and_back() -> None:
    assert in_words("nine hundred and ninety-nine thousand nine hundred and ninety-nine") == 999_999
    assert in_words("three hundred forty-two") == 342
    assert in_words("minus seven") == -7
    assert [in_words(text) for text in ("five six", "hundred", "one thousand million", "and", "twenty ten")] == [
        None
    ] * 5


def test_a_tolerance_is_the_decimal_that_was_written() -> None:
    assert agree(Fraction(1), Fraction(11, 10), Stated(absolute=0.1))
    assert not agree(Fraction(1), Fraction(11, 10) + Fraction(1, 10**30), Stated(absolute=0.1))
    assert agree(Fraction(-100), Fraction(-101), Stated(relative=0.01))
    assert not agree(Fraction(0), Fraction(1, 10**9), Stated(relative=0.5))
    assert not agree(Fraction(0), Fraction(1), Stated(absolute=float("nan")))


def test_a_tolerance_reaches_numbers_that_are_not_written_out() -> None:
    assert agree(Decimal("1e999999"), Decimal("1.001e999999"), Stated(relative=0.01))
    assert not agree(Decimal("1e999999"), Fraction(1), Stated(relative=0.01))


@given(st.fractions())
def test_what_is_shown_of_a_number_is_that_number(number: Fraction) -> None:
    assert worked_out(shown(number)) == number

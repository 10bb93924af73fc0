"""Numbers read the same everywhere: half up, thousands apart, never more digits than the interval supports."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.records import Estimate
from fairtrial.report import numbers

shares = st.floats(min_value=0, max_value=1)


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.3125, "31.3%"),
        (0.0005, "0.1%"),
        (0.00049, "0.0%"),
        (0.99951, "100.0%"),
        (0.1285, "12.9%"),
        (1.0, "100.0%"),
        (sum([0.1] * 3), "30.0%"),
        (0.12849999999999998, "12.9%"),
    ],
)
def test_halves_round_up_whatever_the_float_holds(share: float, text: str) -> None:
    assert numbers.percent(share) == text


@given(shares)
def test_a_percentage_is_within_half_a_tenth_of_its_share(share: float) -> None:
    shown = Decimal(numbers.percent(share).removesuffix("%"))
    assert abs(shown - Decimal(repr(share)) * 100) <= Decimal("0.0500001")


@given(shares, shares)
def test_rounding_never_reverses_an_interval(a: float, b: float) -> None:
    low, high = sorted((a, b))
    shown = numbers.percent_interval(low, high).strip("[]").split(", ")
    assert float(shown[0]) <= float(shown[1])


@given(st.integers(min_value=0, max_value=10**12))
def test_thousands_parse_back(number: int) -> None:
    assert int(numbers.count(number).replace(",", "")) == number


@given(st.floats(min_value=-1e9, max_value=1e9), st.integers(min_value=0, max_value=4))
def test_no_number_is_minus_zero(value: float, decimals: int) -> None:
    text = numbers.rounded(value, decimals)
    assert not (text.startswith("−") and not text.strip("−0.,"))


@given(st.floats(min_value=1e-4, max_value=1e4), st.floats(min_value=0.01, max_value=0.5))
def test_money_keeps_its_value_inside_the_interval_it_prints(value: float, spread: float) -> None:
    estimate = Estimate(value=value, low=value * (1 - spread), high=value * (1 + spread), n=10, method="m")
    text, interval = numbers.money_parts(estimate)
    low, high = (float(end.replace(",", "")) for end in interval.strip("[]").split(", "))
    assert low <= float(text.removeprefix("$").replace(",", "")) <= high


def test_money_never_shows_one_decimal() -> None:
    estimate = Estimate(value=1.5, low=1.0, high=2.0, n=10, method="m")
    assert numbers.money_parts(estimate) == ("$1.50", "[1.00, 2.00]")


def test_what_was_not_measured_is_never_a_number() -> None:
    nothing = Estimate(value=None, low=None, high=None, n=0, method="no attempt")
    assert numbers.share_with_interval(nothing) == "not measured"
    assert numbers.points(nothing) == "not measured"
    assert numbers.money_parts(nothing) == ("not measured", "")
    assert numbers.tokens_parts(nothing) == ("not measured", "")


def test_a_bound_has_no_estimate() -> None:
    bound = Estimate(value=0.0, low=0.0, high=0.0487, n=60, method="exact", one_sided=True)
    assert numbers.share_with_interval(bound) == "≤ 4.9% one-sided 95%"


def test_an_interval_without_width_does_not_break_money() -> None:
    assert numbers.money_parts(Estimate(value=0.0, low=0.0, high=0.0, n=4, method="m")) == ("$0", "[0, 0]")


@pytest.mark.parametrize(("p", "text"), [(0.0004, "< 0.001"), (0.0005, "0.001"), (0.5, "0.500"), (1.0, "1.000")])
def test_p_has_three_decimals(p: float, text: str) -> None:
    assert numbers.p_value(p) == text

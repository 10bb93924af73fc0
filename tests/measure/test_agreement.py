"""Agreement, consistency of reported figures, and advantages: known values and edges."""

from __future__ import annotations

from decimal import ROUND_HALF_DOWN, ROUND_HALF_UP, Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.measure.advantages import EPSILON_TRL, EPSILON_VERL, Convention, advantages
from fairtrial.measure.agreement import cohen_kappa, krippendorff_alpha
from fairtrial.measure.grim import possible_counts, possible_denominators

TABLE = [["y", "y"]] * 60 + [["y", "n"]] * 6 + [["n", "y"]] * 6 + [["n", "n"]] * 33


def test_kappa_and_alpha_have_the_known_values() -> None:
    assert cohen_kappa([[60, 6], [6, 33]]) == pytest.approx(0.75524, abs=5e-6)
    assert krippendorff_alpha(TABLE) == pytest.approx(0.75641, abs=5e-6)


def test_both_are_undefined_where_all_labels_are_equal() -> None:
    assert cohen_kappa([[10, 0], [0, 0]]) is None
    assert krippendorff_alpha([["y", "y"], ["y", "y"]]) is None
    assert krippendorff_alpha([["y", None], [None, "n"]]) is None


def test_alpha_takes_missing_labels_and_many_raters() -> None:
    """Krippendorff's worked example (2011), four raters, nominal: .743."""
    raters = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    ]
    assert krippendorff_alpha(list(zip(*raters, strict=True))) == pytest.approx(0.743, abs=5e-4)


@pytest.mark.parametrize("table", [[], [[1, 2]], [[1, -1], [0, 1]], [[0, 0], [0, 0]]])
def test_kappa_refuses_what_is_no_table(table: list[list[int]]) -> None:
    with pytest.raises(ValueError):
        cohen_kappa(table)


def test_grim_has_the_known_values() -> None:
    assert possible_counts("73.1", 432) == (316,)
    assert possible_counts("64.3", 432) == ()
    assert possible_counts("35.6", 368) == (131,)
    assert possible_counts("47.8", 368) == (176,)


@settings(deadline=None, max_examples=50)
@given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.integers(0, 3))
def test_grim_never_refuses_a_figure_that_was_rounded_right(case: tuple[int, int], decimals: int) -> None:
    passes, n = case
    exact = Decimal(passes) / n * 100
    for rounding in (ROUND_HALF_UP, ROUND_HALF_DOWN):
        reported = str(exact.quantize(Decimal(1).scaleb(-decimals), rounding=rounding))
        assert passes in possible_counts(reported, n)
        assert n in possible_denominators(reported, n)


def test_grim_refuses_no_figure() -> None:
    with pytest.raises(ValueError):
        possible_counts("nan", 10)
    with pytest.raises(ValueError):
        possible_counts("50", 0)


@pytest.mark.parametrize(
    ("convention", "success", "failure"),
    [("population", 3.8730, -0.2582), ("sample", 3.75, -0.25), ("none", 0.9375, -0.0625)],
)
def test_advantages_have_the_known_values(convention: Convention, success: float, failure: float) -> None:
    found = advantages([1.0] + [0.0] * 15, convention)
    assert (found[0], found[1]) == pytest.approx((success, failure), abs=5e-5)


def test_epsilon_goes_on_the_standard_deviation() -> None:
    for epsilon in (EPSILON_TRL, EPSILON_VERL):
        assert advantages([1.0, 0.0], "sample", epsilon)[0] == pytest.approx(0.5 / (0.5**0.5 + epsilon))


@pytest.mark.parametrize("convention", ["population", "sample", "none"])
def test_an_all_equal_group_gives_nothing(convention: Convention) -> None:
    assert np.array_equal(advantages([0.3] * 8, convention), np.zeros(8))


def test_advantages_refuse_what_is_no_group() -> None:
    for rewards in ([1.0], [1.0, float("nan")]):
        with pytest.raises(ValueError):
            advantages(rewards, "none")
    with pytest.raises(ValueError):
        advantages([1.0, 0.0], "other")  # type: ignore[arg-type]

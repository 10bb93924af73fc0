"""A threshold holds the rate that it is set for, on clean rows that it has not seen; where it cannot, it says so."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.contamination.variants import default_threshold, threshold_from
from fairtrial.contamination.variants.scoring import score_of
from fairtrial.contamination.variants.thresholds import DEFAULT
from fairtrial.records import InputError


def scores(tens: np.ndarray) -> np.ndarray:
    return score_of(tens.astype(np.float32))


def rate_above(value: float) -> float:
    """Return the true rate above a score where tens are exponential with mean 0.4."""
    return float(np.exp(2 * np.log2(1 - value) / 0.4))


@pytest.mark.parametrize(("count", "fpr"), [(3700, 0.01), (3700, 0.001), (500, 0.01), (120, 0.01)])
def test_the_rate_is_held_five_times_in_six(count: int, fpr: float) -> None:
    draw = np.random.default_rng(0)
    rates = []
    inside = 0
    for _ in range(300):
        made = threshold_from(scores(draw.exponential(0.4, count)), fpr)
        rates.append(rate_above(made.value))
        exact = float(scores(np.array([-0.4 * np.log(fpr)]))[0])
        inside += made.low - 1e-4 <= exact <= made.high + 1e-4
        assert made.promised
    assert np.mean(np.array(rates) <= fpr) >= 0.76  # 84% nominal; the tail's start adds a little
    assert np.mean(rates) <= fpr
    assert np.mean(rates) >= 0.3 * fpr  # nor is it bought by flagging nothing
    assert inside >= 0.9 * 300


def test_a_lighter_tail_is_held_too() -> None:
    draw = np.random.default_rng(1)
    rates = []
    for _ in range(100):
        made = threshold_from(scores(np.abs(draw.normal(0, 0.8, 3700))), 0.001)
        clean = scores(np.abs(draw.normal(0, 0.8, 40_000)))
        rates.append((clean > made.value).mean())
    assert np.mean(rates) <= 0.001


def test_too_few_rows_for_the_rate_are_said() -> None:
    draw = np.random.default_rng(2)
    made = threshold_from(scores(draw.exponential(0.4, 300)), 0.001)
    assert not made.promised
    assert "cannot promise 0.001" in made.why
    few = threshold_from(scores(draw.exponential(0.4, 20)), 0.01)
    assert not few.promised
    assert few.value >= DEFAULT
    assert "20 control rows" in few.why


def test_without_a_control_the_threshold_is_fixed_and_promises_nothing() -> None:
    made = threshold_from(np.zeros(0, np.float32), 0.01)
    assert made == default_threshold(0.01)
    assert (made.value, made.promised, made.n_control) == (DEFAULT, False, 0)
    assert "no control" in made.why


@pytest.mark.parametrize("fpr", [0.0, 1.0, -0.1, float("nan"), 2.0])
def test_what_is_no_rate_is_refused(fpr: float) -> None:
    with pytest.raises(InputError, match="no rate"):
        threshold_from(np.zeros(10, np.float32), fpr)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.floats(0, 0.99), min_size=1, max_size=400),
    st.floats(0.0005, 0.2),
)
def test_any_control_gives_a_threshold_inside_its_interval(values: list[float], fpr: float) -> None:
    made = threshold_from(np.array(values, np.float32), fpr)
    assert 0 <= made.low <= made.value <= made.high <= 1
    assert made.n_control == len(values)


def test_a_smaller_rate_never_lowers_the_threshold() -> None:
    clean = scores(np.random.default_rng(3).exponential(0.4, 3000))
    values = [threshold_from(clean, fpr).value for fpr in (0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0001)]
    assert values == sorted(values)

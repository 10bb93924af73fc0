"""Attacks contrasts over seeds and tasks: the plain t, coverage by simulation, no degenerate interval."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from fairtrial.train.price.paired import contrast, mean_over


def test_one_seed_and_one_group_is_the_t_test_of_a_mean() -> None:
    values = np.random.default_rng(1).normal(0.1, 0.2, size=(1, 25))
    found = contrast(values, np.arange(25), mean_over(np.ones(25, dtype=bool)))
    assert found.p_value == pytest.approx(stats.ttest_1samp(values[0], 0).pvalue)


def test_a_difference_of_two_groups_covers_its_truth_about_as_often_as_it_says() -> None:
    generator, hits = np.random.default_rng(2), 0
    first = np.arange(40) < 20
    weight = mean_over(first) - mean_over(~first)
    for _ in range(400):
        luck = generator.normal(0, 0.05, size=(6, 2))
        values = np.where(first, 0.2 + luck[:, :1], 0.05 + luck[:, 1:]) + generator.normal(0, 0.15, size=(6, 40))
        found = contrast(values, np.arange(40), weight)
        hits += found.low <= 0.15 <= found.high
    assert 0.92 <= hits / 400 <= 0.995


def test_near_copies_count_once() -> None:
    values = np.random.default_rng(3).normal(0.1, 0.2, size=(1, 10))
    copies, every = np.repeat(values, 5, axis=1), mean_over(np.ones(50, dtype=bool))
    alone = contrast(values, np.arange(10), mean_over(np.ones(10, dtype=bool)))
    together = contrast(copies, np.repeat(np.arange(10), 5), every)
    assert (together.low, together.high) == pytest.approx((alone.low, alone.high))


@given(st.floats(-1, 1), st.integers(1, 30), st.integers(1, 4))
def test_where_nothing_varies_the_interval_is_no_point_and_there_is_no_p(level: float, tasks: int, seeds: int) -> None:
    found = contrast(np.full((seeds, tasks), level), np.arange(tasks), mean_over(np.ones(tasks, dtype=bool)))
    assert found.p_value is None
    assert found.low < found.high
    assert found.low - 1e-9 <= found.value <= found.high + 1e-9


def test_the_p_value_and_the_interval_say_the_same() -> None:
    """Also where the spread between few seeds makes the interval wider than its own degrees of freedom would."""
    generator, seen = np.random.default_rng(3), set()
    for _ in range(200):
        values = np.clip(generator.normal(0.08, 0.1, (3, 1)) + generator.normal(0.0, 0.3, (3, 24)), -1, 1)
        found = contrast(values, np.arange(24), np.full(24, 1 / 24))
        assert found.p_value is not None
        holds_zero = found.low <= 0 <= found.high
        assert holds_zero is (found.p_value >= 0.05)
        seen.add(holds_zero)
    assert seen == {True, False}

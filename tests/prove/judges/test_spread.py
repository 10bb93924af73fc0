"""σ and shifts: intervals that cover, tests that keep their level."""

from __future__ import annotations

import numpy as np
import pytest

from fairtrial.prove.judges.shifts import shift
from fairtrial.prove.judges.spread import sight, sigma


@pytest.mark.parametrize("shape", ["normal", "whole numbers", "two kinds of rollout"])
def test_the_interval_of_sigma_covers(shape: str) -> None:
    chance = np.random.default_rng(7)
    covered, times = 0, 400
    for _ in range(times):
        spreads = np.where(chance.random(12) < 0.5, 0.5, 1.5) if shape == "two kinds of rollout" else np.full(12, 1.0)
        groups = [chance.normal(5, spread, 8) for spread in spreads]
        truth = 1.0 if shape != "two kinds of rollout" else float(np.sqrt((0.25 + 2.25) / 2))
        if shape == "whole numbers":
            groups = [chance.choice([4, 5, 6], 8) for _ in range(12)]
            truth = float(np.sqrt(2 / 3))
        found = sigma([list(map(float, group)) for group in groups], gap=2)
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= truth <= found.high
    assert covered / times >= 0.9


def test_sigma_of_nothing_repeated_is_not_measured() -> None:
    assert sigma([[3.0], []], gap=1).value is None
    assert sight(sigma([], 1), 1, 1, is_difference=False).needed is None


def test_steady_verdicts_are_bounded_and_more_of_them_bound_closer() -> None:
    few, many = sigma([[5.0] * 4] * 2, gap=1), sigma([[5.0] * 8] * 20, gap=1)
    assert few.high is not None
    assert many.high is not None
    assert 0 < many.high < few.high


@pytest.mark.parametrize("defect", ["moves", "rises", "falls"])
def test_a_shift_test_keeps_its_level_where_nothing_moves(defect: str) -> None:
    chance = np.random.default_rng(3)
    called = 0
    for seed in range(100):
        pairs = [(list(chance.normal(5, 1, 6)), list(chance.normal(5, 1, 3))) for _ in range(3)]
        called += shift(pairs, defect, seed).p_value <= 0.05  # type: ignore[arg-type]
    assert called <= 12


def test_a_shift_is_seen_in_its_own_direction_only() -> None:
    pairs = [([3.0, 4.0, 3.0, 4.0], [6.0, 7.0, 6.0])] * 3
    assert shift(pairs, "rises").p_value < 0.01
    assert shift(pairs, "moves").p_value < 0.01
    assert shift(pairs, "falls").p_value > 0.9
    assert shift([], "moves").cases == 0

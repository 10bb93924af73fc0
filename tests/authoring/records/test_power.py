"""What it takes to be seen above noise: known answers, and the same by brute force."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom, norm

from fairtrial.authoring.records.power import (
    decisions_above_labels,
    decisions_needed,
    gradient_moments,
    label_error,
    rollouts_above_noise,
    smallest_gain,
)


@pytest.mark.parametrize(("base", "rate", "n"), [(0.5, 0.6, 194), (0.5, 0.7, 47), (0.1, 0.2, 86), (0.5, 0.5, None)])
def test_decisions_needed_are_those_of_the_textbook(base: float, rate: float, n: int | None) -> None:
    assert decisions_needed(base, rate) == n


@pytest.mark.parametrize(("base", "rate"), [(0.5, 0.6), (0.25, 0.4), (0.6, 0.75)])
def test_so_many_decisions_have_the_power_that_was_asked_for(base: float, rate: float) -> None:
    n = decisions_needed(base, rate)
    assert n is not None
    bound = base + float(norm.ppf(0.975)) * np.sqrt(base * (1 - base) / n)
    assert float(binom.sf(np.floor(bound * n), n, rate)) == pytest.approx(0.8, abs=0.05)


@pytest.mark.parametrize("base", [0.1, 0.35, 0.6, 0.9])
@pytest.mark.parametrize("n", [20, 100, 1000])
def test_the_smallest_gain_is_the_one_that_takes_so_many(base: float, n: int) -> None:
    gain = smallest_gain(base, n)
    if gain is None:
        least = decisions_needed(base, 1.0)
        assert least is not None
        assert least > n
    else:
        needed = decisions_needed(base, base + gain)
        assert needed is not None
        assert needed <= n
        assert (decisions_needed(base, base + 0.98 * gain) or 0) >= n


@pytest.mark.parametrize(("rate", "flips"), [(0.25, 0.0), (0.25, 0.2), (0.1, 0.1), (0.7, 0.3)])
def test_mean_and_variance_of_the_gradient_are_those_of_a_simulation(rate: float, flips: float) -> None:
    draw = np.random.default_rng(3)
    chosen = draw.random(400_000) < rate
    reward = chosen ^ (draw.random(400_000) < flips)
    baseline = rate * (1 - flips) + (1 - rate) * flips
    gradient = (chosen - rate) * (reward - baseline)
    mean, variance = gradient_moments(rate, flips)
    assert gradient.mean() == pytest.approx(mean, abs=0.002)
    assert gradient.var() == pytest.approx(variance, rel=0.03)


@pytest.mark.parametrize(("rate", "flips"), [(0.5, 0.0), (0.25, 0.0), (0.25, 0.2), (0.7, 0.1)])
def test_so_many_rollouts_and_no_fewer_stand_out_against_the_mean_of_their_own_group(rate: float, flips: float) -> None:
    draw = np.random.default_rng(4)
    needed = rollouts_above_noise(rate, flips)
    assert needed is not None
    stands = []
    for n in (needed - 1, needed):
        chosen = draw.random((200_000, n)) < rate
        paid = chosen ^ (draw.random(chosen.shape) < flips)
        gradient = ((chosen - rate) * (paid - paid.mean(axis=1, keepdims=True))).mean(axis=1)
        stands.append(gradient.mean() / gradient.std())
    assert stands[0] < 2.01
    assert stands[1] > 1.99


@pytest.mark.parametrize(("error", "actions"), [(0.2, 4), (0.2, 2), (0.4, 3), (0.3, 9)])
def test_wrong_labels_are_drowned_by_so_many_decisions_and_by_no_fewer(error: float, actions: int) -> None:
    draw = np.random.default_rng(5)
    needed = decisions_above_labels(error, actions)
    assert needed is not None
    is_wrong = draw.random(400_000) < error
    label = np.where(is_wrong, draw.integers(1, actions, 400_000), 0)
    p = np.full(actions, 1 / actions)
    of_label = np.array([p[0] * ((one == 0) - p[one]) for one in range(actions)])  # of the right action's logit, exact
    gradient = of_label[label]
    stands = gradient.mean() / gradient.std()
    assert stands * np.sqrt(needed) > 1.98
    assert stands * np.sqrt(needed - 1) < 2.02
    assert decisions_above_labels((actions - 1) / actions, actions) is None


def test_noise_in_the_labels_only_ever_takes_more_rollouts() -> None:
    taken = [rollouts_above_noise(0.25, flips / 20) for flips in range(10)]
    numbers = [one for one in taken if one is not None]
    assert len(numbers) == 10
    assert numbers == sorted(numbers)
    assert rollouts_above_noise(0.25, 0.5) is None


@pytest.mark.parametrize("actions", [2, 3, 4, 9])
@pytest.mark.parametrize("error", [0.0, 0.05, 0.2, 0.4])
def test_the_error_of_one_expert_is_recovered_from_the_agreement_of_two(actions: int, error: float) -> None:
    agreement = (1 - error) ** 2 + error**2 / (actions - 1)
    assert label_error(agreement, actions) == pytest.approx(error)

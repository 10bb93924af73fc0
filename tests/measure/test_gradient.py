"""Does it give gradient: known values, brute force, and honesty where the data say nothing."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.measure.cells import CellTable, Tally, cell_table
from fairtrial.measure.gradient import (
    gradient,
    informative,
    informative_posterior,
    informative_unbiased,
    posterior_by_size,
)
from fairtrial.measure.options import Options
from fairtrial.measure.prior import fit_prior, log_marginal
from fairtrial.measure.result import Gradient

KNOWN = [
    (0.01, 0.1485),
    (0.02, 0.2762),
    (0.05, 0.5599),
    (0.1, 0.8147),
    (0.3, 0.9967),
    (0.5, 1.0),
    (0.7, 0.9967),
    (0.9, 0.8147),
]


def cells_of(n: list[int], c: list[int]) -> CellTable:
    return cell_table(Tally(n=np.array(n), c=np.array(c), cluster=np.arange(len(n))))


def gradient_of(n: list[int], c: list[int], group_size: int = 16) -> Gradient:
    cells, generator = cells_of(n, c), np.random.default_rng(0)
    options = Options(group_size=group_size, replicates=200)
    return gradient(cells, cells.resampled(200, generator), fit_prior(cells), options, 0, generator)


@pytest.mark.parametrize(("rate", "value"), KNOWN)
def test_the_formula_has_the_known_values(rate: float, value: float) -> None:
    assert informative(rate, 16) == pytest.approx(value, abs=5e-5)


def test_the_three_illustrative_suites() -> None:
    assert np.mean([informative(p, 16) for p in (0.0, 1.0)]) == 0.0
    assert informative(0.01, 16) == pytest.approx(0.149, abs=5e-4)
    rates = np.linspace(0.05, 0.70, 200_001)
    assert np.mean([informative(p, 16) for p in rates[::100]]) == pytest.approx(0.962, abs=5e-4)


@settings(deadline=None, max_examples=50)
@given(st.integers(2, 8).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(2, n))))
def test_unbiased_counts_every_mixed_subset(case: tuple[int, int, int]) -> None:
    n, c, size = case
    subsets = [sum(i < c for i in subset) for subset in combinations(range(n), size)]
    assert informative_unbiased(n, c, size) == pytest.approx(np.mean([0 < passes < size for passes in subsets]))


def test_unbiased_is_refused_below_the_group() -> None:
    with pytest.raises(ValueError):
        informative_unbiased(15, 3, 16)
    assert gradient_of([15] * 20, [3] * 20).unbiased is None
    assert gradient_of([16] * 20, [1] * 20).unbiased == pytest.approx(1.0)


def test_posterior_without_data_under_a_uniform_prior() -> None:
    assert informative_posterior(0, 0, 16) == pytest.approx(1 - 2 / 17)


def test_posterior_is_the_integral_over_the_posterior() -> None:
    generator = np.random.default_rng(1)
    rates = generator.beta(0.5 + 2, 1.5 + 6, size=400_000)
    simulated = float(np.mean(1 - rates**16 - (1 - rates) ** 16))
    assert informative_posterior(8, 2, 16, 0.5, 1.5) == pytest.approx(simulated, abs=2e-3)
    table = posterior_by_size(np.array([8.0]), np.array([2.0]), 0.5, 1.5, 16)
    assert table[0, 15] == pytest.approx(informative_posterior(8, 2, 16, 0.5, 1.5))
    assert table[0, 0] == pytest.approx(0.0)


def test_the_prior_is_where_the_marginal_likelihood_is_largest() -> None:
    generator = np.random.default_rng(2)
    passes = generator.binomial(12, generator.beta(1.0, 3.0, size=400))
    cells = cells_of([12] * 400, passes.tolist())
    prior = fit_prior(cells)
    best = log_marginal(cells, np.array([prior.a]), np.array([prior.b]))[0]
    for factor in (0.9, 0.98, 1.02, 1.1):
        around = log_marginal(cells, np.array([prior.a * factor, prior.a]), np.array([prior.b, prior.b * factor]))
        assert (around < best).all()
    assert prior.a / (prior.a + prior.b) == pytest.approx(0.25, abs=0.04)


@pytest.mark.parametrize("passes", [0, 8])
def test_a_suite_that_is_all_alike_gets_a_stated_hyperprior_and_no_point(passes: int) -> None:
    found = gradient_of([8] * 30, [passes] * 30)
    assert found.plug_in == 0.0
    assert min(found.prior) > 0
    assert "hyperprior" in found.posterior.method
    assert found.posterior.value is not None
    assert found.posterior.high is not None
    assert 0 < found.posterior.value < found.posterior.high


def test_one_attempt_a_task_says_next_to_nothing() -> None:
    found = gradient_of([1] * 80, [1, 0] * 40)
    assert found.posterior.low is not None
    assert found.posterior.high is not None
    assert found.posterior.high - found.posterior.low > 0.8


def test_the_interval_covers_the_population_it_was_drawn_from() -> None:
    generator = np.random.default_rng(3)
    rates = generator.beta(0.4, 0.6, size=200_000)
    truth = float(np.mean(1 - rates**16 - (1 - rates) ** 16))
    covered = 0
    for _ in range(60):
        passes = generator.binomial(5, generator.beta(0.4, 0.6, size=60))
        found = gradient_of([5] * 60, passes.tolist()).posterior
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= truth <= found.high
    assert covered >= 51


def test_the_curve_over_group_sizes_rises_and_holds_its_value() -> None:
    rows = np.array(gradient_of([6] * 40, [0, 1, 3, 6] * 10).by_size)
    assert rows[:, 0].tolist() == list(range(2, 65))
    assert (np.diff(rows[:, 1]) > 0).all()
    assert ((rows[:, 2] <= rows[:, 1]) & (rows[:, 1] <= rows[:, 3])).all()

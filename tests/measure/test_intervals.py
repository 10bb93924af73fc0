"""Every interval has its known values and none degenerates."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.measure.coverage import self_check
from fairtrial.measure.intervals import (
    Strata,
    clustered_mean,
    clustered_ratio,
    stratified,
    stratified_zero_bound,
    upper_bound,
    wilson,
    zero_bound,
)

KNOWN_WILSON = [
    (2, 50, 0.01104, 0.13460),
    (48, 50, 0.86540, 0.98896),
    (0, 50, 0.0, 0.07135),
    (15, 20, 0.53130, 0.88814),
    (0, 10, 0.0, 0.27753),
]
REFERENCE = Strata(population=(600, 300, 100), drawn=(40, 40, 40), seen=(2, 6, 0))


@pytest.mark.parametrize(("passes", "n", "low", "high"), KNOWN_WILSON)
def test_wilson_has_the_known_values(passes: int, n: int, low: float, high: float) -> None:
    assert wilson(passes, n) == pytest.approx((low, high), abs=5e-6)


@pytest.mark.parametrize(("passes", "n"), [(0, 0), (3, 2), (-1, 2)])
def test_wilson_refuses_what_is_no_count(passes: int, n: int) -> None:
    with pytest.raises(ValueError):
        wilson(passes, n)


def test_zero_in_n_is_the_exact_one_sided_bound() -> None:
    assert zero_bound(50) == pytest.approx(0.05816, abs=5e-6)
    assert zero_bound(300) == pytest.approx(0.00994, abs=5e-6)
    assert zero_bound(0) == 1.0
    above = [n for n in range(1, 40) if wilson(0, n)[1] > 3 / n]
    assert above[0] == 14


@settings(deadline=None, max_examples=50)
@given(st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n - 1), st.just(n))))
def test_the_upper_bound_leaves_five_per_cent_below(case: tuple[int, int]) -> None:
    seen, n = case
    bound = upper_bound(seen, n)
    generator = np.random.default_rng(0)
    tail = float((generator.binomial(n, bound, size=20_000) <= seen).mean())
    assert tail == pytest.approx(0.05, abs=0.01)


def test_the_stratified_zero_bound_is_the_worst_case() -> None:
    assert stratified_zero_bound([0.6, 0.3, 0.1], [40, 40, 40]) == pytest.approx(0.0433, abs=5e-5)
    assert stratified_zero_bound([1.0], [50]) == pytest.approx(zero_bound(50))
    weights, n = np.array([0.5, 0.3, 0.2]), np.array([10, 25, 60])
    bound = stratified_zero_bound(weights.tolist(), n.tolist())
    budget = np.random.default_rng(0).dirichlet(np.ones(3), size=200_000) * -np.log(0.05)
    shares = 1 - np.exp(-budget / n)
    assert (shares @ weights).max() <= bound + 1e-9
    assert (shares @ weights).max() == pytest.approx(bound, abs=1e-3)


def test_a_stratum_that_was_not_sampled_may_be_anything() -> None:
    assert stratified_zero_bound([0.9, 0.1], [100, 0]) == pytest.approx(0.1 + 0.9 * zero_bound(100))


def test_stratified_has_the_known_values() -> None:
    found = stratified(REFERENCE)
    assert (found.value, found.standard_error, found.n_effective) == pytest.approx((0.075, 0.027068, 94.685), rel=1e-4)
    assert (found.low, found.high) == pytest.approx((0.03699, 0.14615), abs=5e-6)
    finite = stratified(REFERENCE, finite=True)
    assert (finite.standard_error, finite.n_effective) == pytest.approx((0.025773, 104.444), rel=1e-4)
    assert (finite.low, finite.high) == pytest.approx((0.03823, 0.14193), abs=5e-6)


def test_stratified_uses_the_worst_case_where_nothing_was_seen() -> None:
    found = stratified(Strata(population=(600, 300, 100), drawn=(40, 40, 40), seen=(0, 0, 0)))
    assert (found.low, found.high, found.one_sided) == (0.0, pytest.approx(0.0433, abs=5e-5), True)
    mixed = stratified(Strata(population=(600, 300, 100), drawn=(40, 40, 40), seen=(0, 40, 0)))
    assert mixed.low < 0.3 < mixed.high
    assert not mixed.one_sided


def test_clustered_does_not_degenerate() -> None:
    half = clustered_mean(np.array([0.5, 0.5]), np.array([0, 1]))
    assert (half.low, half.high) == pytest.approx(wilson(1, 2))
    none = clustered_mean(np.zeros(2), np.array([0, 1]))
    assert (none.low, none.high) == (0.0, pytest.approx(wilson(0, 2)[1]))
    single = clustered_mean(np.array([1.0, 0.0, 1.0]), np.zeros(3, dtype=np.int64))
    assert single.low < 0.2
    assert single.high > 0.9


def test_near_copies_widen_the_interval() -> None:
    values = np.repeat([1.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0], 4)
    alone = clustered_mean(values, np.arange(40))
    copies = clustered_mean(values, np.repeat(np.arange(10), 4))
    assert copies.high - copies.low > 1.7 * (alone.high - alone.low)
    assert copies.clusters == 10


def test_a_mean_of_no_task_is_refused() -> None:
    with pytest.raises(ValueError):
        clustered_mean(np.zeros(0), np.zeros(0, dtype=np.int64))


def test_every_interval_covers_on_the_fixed_grid() -> None:
    found = self_check(replicates=60, seed=1)
    assert len(found) == 7
    for coverage in found:
        if coverage.replicates == 0:
            assert coverage.holds, coverage
        assert coverage.mean >= (0.95 if coverage.one_sided else 0.935), coverage
        assert coverage.least >= (0.95 if coverage.one_sided else 0.75), coverage


def test_a_ratio_over_clusters_is_wider_where_what_is_counted_sits_in_few_tasks() -> None:
    whole, cluster = np.full(20, 10), np.arange(20)
    spread, packed = np.full(20, 2), np.array([10] * 4 + [0] * 16)
    even = clustered_ratio(spread, whole, cluster)
    heavy = clustered_ratio(packed, whole, cluster)
    assert even.value == heavy.value == 0.2
    low, high = wilson(40, 200)
    assert heavy.high - heavy.low > 2 * (high - low)
    assert 0 < heavy.low < 0.2 < heavy.high < 1
    nothing = clustered_ratio(np.zeros(20, dtype=np.int64), whole, cluster)
    assert nothing.low == 0 < nothing.high


def test_a_ratio_equals_the_mean_where_all_tasks_are_equally_large() -> None:
    part, cluster = np.array([0, 1, 4, 2, 3, 4]), np.array([0, 0, 1, 2, 3, 3])
    ratio = clustered_ratio(part, np.full(6, 4), cluster)
    mean = clustered_mean(part / 4, cluster)
    assert ratio.value == pytest.approx(mean.value)
    assert (ratio.low, ratio.high) == (pytest.approx(mean.low), pytest.approx(mean.high))


def test_a_share_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="share of"):
        clustered_ratio(np.zeros(3, dtype=np.int64), np.zeros(3, dtype=np.int64), np.arange(3))

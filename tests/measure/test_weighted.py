"""A weighted share has its known values, agrees with sums done by hand, and never degenerates."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.measure.intervals import (
    Strata,
    Weighted,
    clustered_ratio,
    difference,
    effective_wilson,
    finite_share,
    stratified,
    stratified_zero_bound,
    weighted_share,
    wilson,
    zero_bound,
)


def rows(hit: list[float], cluster: list[int], weight: list[float] | None = None, stratum: list[int] | None = None):
    n = len(hit)
    return Weighted(
        hit=np.array(hit, dtype=np.float64), cluster=np.array(cluster, dtype=np.int64),
        weight=np.array(weight if weight is not None else [1.0] * n, dtype=np.float64),
        stratum=np.array(stratum if stratum is not None else [0] * n, dtype=np.int64),
    )  # fmt: skip


@st.composite
def some_rows(draw: st.DrawFn) -> Weighted:
    n = draw(st.integers(1, 30))
    column = lambda element: draw(st.lists(element, min_size=n, max_size=n))  # noqa: E731
    return rows(column(st.sampled_from([0.0, 1.0])), column(st.integers(0, 8)),
                column(st.sampled_from([0.5, 1.0, 3.0, 40.0])), column(st.integers(0, 3)))  # fmt: skip


def test_the_variance_is_that_of_a_ratio_over_clusters_summed_by_hand() -> None:
    hit = [1, 0, 0, 1, 0, 0, 1, 0, 0, 0] * 4
    cluster = [i // 2 for i in range(40)]
    weight = [1.0, 3.0, 2.0, 5.0] * 10
    found = weighted_share(rows(hit, cluster, weight))
    total = sum(weight)
    share = sum(w * y for w, y in zip(weight, hit, strict=True)) / total
    sums = [sum(weight[i] * (hit[i] - share) for i in range(40) if cluster[i] == g) for g in range(20)]
    variance = 20 / 19 * sum(s * s for s in sums) / total**2
    assert found.value == pytest.approx(share)
    assert found.standard_error == pytest.approx(math.sqrt(variance))
    assert found.clusters == 20


def test_equal_weights_give_the_clustered_ratio_of_measure() -> None:
    hit = [1.0] * 7 + [0.0] * 53
    cluster = [i % 24 for i in range(60)]
    found = weighted_share(rows(hit, cluster))
    per_task = [sum(h for h, c in zip(hit, cluster, strict=True) if c == g) for g in range(24)]
    sizes = [cluster.count(g) for g in range(24)]
    ratio = clustered_ratio(np.array(per_task, dtype=np.int64), np.array(sizes, dtype=np.int64), np.arange(24))
    assert (found.value, found.standard_error) == pytest.approx((ratio.value, ratio.standard_error))


def test_independent_rows_give_wilson() -> None:
    found = weighted_share(rows([1.0] * 15 + [0.0] * 35, list(range(50))))
    assert (found.low, found.high) == pytest.approx(wilson(15, 50), abs=2e-3)
    assert found.n_effective <= 50


def test_clusters_that_happen_to_agree_buy_no_precision() -> None:
    """Each task has one hit in two: the clustered variance is nothing, which is an accident, not knowledge."""
    found = weighted_share(rows([1.0, 0.0] * 25, [i // 2 for i in range(50)]))
    assert found.high - found.low > 0.25


def test_one_hit_never_bounds_a_share_lower_than_none() -> None:
    cluster = [i // 8 for i in range(240)]
    none, one = (weighted_share(rows([1.0] * hits + [0.0] * (240 - hits), cluster)) for hits in (0, 1))
    assert one.high >= none.high
    assert one.upper >= none.upper


def test_nothing_seen_is_bounded_by_the_strata_at_their_worst() -> None:
    weight = [15.0] * 40 + [7.5] * 40 + [2.5] * 40
    found = weighted_share(rows([0.0] * 120, list(range(120)), weight, [0] * 40 + [1] * 40 + [2] * 40))
    assert found.upper == pytest.approx(stratified_zero_bound([0.6, 0.3, 0.1], [40, 40, 40]))
    assert found.upper == pytest.approx(0.0433, abs=5e-5)
    assert (found.value, found.low) == (0.0, 0.0)
    assert found.high >= found.upper


def test_nothing_seen_in_repeats_of_few_tasks_is_bounded_by_the_tasks() -> None:
    found = weighted_share(rows([0.0] * 80, [i // 8 for i in range(80)]))
    assert found.upper == pytest.approx(zero_bound(10))
    assert found.high == pytest.approx(max(effective_wilson(0.0, 10)[1], 1 - 0.025 ** (1 / 10)))


def test_a_task_in_two_strata_counts_once_for_the_bound() -> None:
    apart = weighted_share(rows([0.0] * 20, list(range(20)), stratum=[0] * 10 + [1] * 10))
    same = weighted_share(rows([0.0] * 20, [*range(10), *range(10)], stratum=[0] * 10 + [1] * 10))
    assert same.upper == pytest.approx(zero_bound(10))
    assert apart.upper == pytest.approx(zero_bound(20))


def test_one_row_says_almost_nothing() -> None:
    found = weighted_share(rows([1.0], [0]))
    assert found.value == 1.0
    assert found.low < 0.21
    assert found.upper == 1.0


def test_no_row_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one row"):
        weighted_share(rows([], []))
    with pytest.raises(ValueError, match="above 0"):
        weighted_share(rows([1.0], [0], [0.0]))


@settings(max_examples=150)
@given(some_rows())
def test_the_interval_holds_the_value_within_zero_and_one(some: Weighted) -> None:
    found = weighted_share(some)
    assert 0 <= found.low <= found.value + 1e-12
    assert found.value <= found.high + 1e-12 <= 1 + 1e-9
    assert found.value <= found.upper + 1e-12 <= 1 + 1e-9
    assert found.high - found.low > 0.01


@settings(max_examples=60)
@given(some_rows(), st.randoms(use_true_random=False))
def test_order_scale_and_names_of_clusters_change_nothing(some: Weighted, random) -> None:
    order = list(range(len(some.hit)))
    random.shuffle(order)
    shuffled = Weighted(hit=some.hit[order], weight=some.weight[order] * 7, cluster=100 - some.cluster[order],
                        stratum=9 - some.stratum[order])  # fmt: skip
    one, other = weighted_share(some), weighted_share(shuffled)
    for name in ("value", "low", "high", "upper", "n_effective"):
        assert getattr(one, name) == pytest.approx(getattr(other, name), abs=1e-9)


def test_a_finite_population_has_the_known_interval() -> None:
    found = finite_share(Strata(population=(600, 300, 100), drawn=(40, 40, 40), seen=(2, 6, 0)))
    assert found.value == pytest.approx(0.075)
    assert found.standard_error == pytest.approx(0.025773, abs=5e-7)
    assert found.n_effective == pytest.approx(104.444, abs=5e-4)
    assert (found.low, found.high) == pytest.approx((0.03823, 0.14193), abs=5e-6)


def test_a_finite_population_that_was_read_whole_is_known() -> None:
    whole = finite_share(Strata(population=(84,), drawn=(84,), seen=(16,)))
    assert (whole.low, whole.value, whole.high, whole.upper) == (16 / 84,) * 4
    none = finite_share(Strata(population=(50, 10), drawn=(50, 5), seen=(0, 0)))
    assert none.upper == pytest.approx(10 / 60 * zero_bound(5))
    assert none.high < stratified(Strata(population=(50, 10), drawn=(50, 5), seen=(0, 0))).high + 0.1


def test_finite_variance_is_that_of_all_samples_there_are() -> None:
    """Every sample of 4 of 8, 3 of them hits: the mean is the share, and v is unbiased for its variance."""
    shares, variances = [], []
    for chosen in itertools.combinations(range(8), 4):
        found = finite_share(Strata(population=(8,), drawn=(4,), seen=(sum(i < 3 for i in chosen),)))
        shares.append(found.value)
        variances.append(found.standard_error**2)
    assert np.mean(shares) == pytest.approx(3 / 8)
    assert np.mean(variances) == pytest.approx(np.var(shares))


def test_a_difference_on_shared_tasks_is_sharper_than_on_others() -> None:
    generator = np.random.default_rng(0)
    level = generator.random(30)
    first = [float(generator.random() < x) for x in level]
    second = [float(x > 0.3) if generator.random() < 0.8 else 0.0 for x in first]
    paired = difference(rows(first, list(range(30))), rows(second, list(range(30))))
    apart = difference(rows(first, list(range(30))), rows(second, list(range(30, 60))))
    assert paired.value == pytest.approx(apart.value)
    assert (paired.shared, apart.shared, apart.correlation) == (30, 0, 0.0)
    assert paired.high - paired.low < 0.8 * (apart.high - apart.low)
    assert paired.low <= paired.value <= paired.high


def test_a_difference_of_two_that_saw_nothing_is_not_known_to_be_nothing() -> None:
    found = difference(rows([0.0] * 12, list(range(12))), rows([0.0] * 20, list(range(20))))
    assert found.value == 0.0
    assert found.low < -0.1
    assert found.high > 0.2

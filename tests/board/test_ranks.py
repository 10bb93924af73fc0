"""Attacks: ranks say no more than the paired intervals do, in any order of rows, with near copies as one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.board.ranks import TrackRates, ranks, separated
from fairtrial.measure.comparison import paired_interval

SETTING = {"seed": 0, "replicates": 400, "confidence": 0.95}
RATES = st.integers(2, 6).flatmap(
    lambda tasks: st.lists(
        st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=tasks, max_size=tasks), min_size=1, max_size=5
    )
)


def track(rates: list[list[float]], cluster: list[int] | None = None, weight: float = 1.0) -> TrackRates:
    held = np.array(rates)
    return TrackRates(rates=held, cluster=np.array(cluster or range(held.shape[1])), weight=weight)


@settings(deadline=None, max_examples=60)
@given(RATES)
def test_rank_is_one_plus_the_rows_above_and_the_best_row_is_first(rates: list[list[float]]) -> None:
    above = separated([track(rates)], **SETTING)  # type: ignore[arg-type]
    found = ranks([track(rates)], **SETTING)  # type: ignore[arg-type]
    means = np.mean(rates, axis=1)
    assert not (above & above.T).any()
    assert found.first[int(np.argmax(means))] == 1
    for row in range(len(rates)):
        assert found.first[row] == 1 + sum(above[other, row] for other in range(len(rates)))
        assert found.first[row] <= found.last[row] <= len(rates)
        assert all(means[other] > means[row] for other in range(len(rates)) if above[other, row])


@settings(deadline=None, max_examples=40)
@given(RATES, st.randoms(use_true_random=False))
def test_ranks_do_not_depend_on_the_order_of_rows(rates: list[list[float]], chance: object) -> None:
    order = list(range(len(rates)))
    chance.shuffle(order)  # type: ignore[attr-defined]
    straight = ranks([track(rates)], **SETTING)  # type: ignore[arg-type]
    mixed = ranks([track([rates[i] for i in order])], **SETTING)  # type: ignore[arg-type]
    assert [straight.first[i] for i in order] == list(mixed.first)
    assert [straight.last[i] for i in order] == list(mixed.last)


@pytest.mark.parametrize("seed", range(6))
def test_pairs_separate_where_the_paired_interval_of_measure_leaves_out_zero(seed: int) -> None:
    generator = np.random.default_rng(seed)
    first, second = generator.integers(0, 5, size=(2, 40)) / 4
    first = np.minimum(1.0, first + generator.choice([0.0, 0.25], size=40, p=[0.6, 0.4]))
    cluster = np.arange(40) // (1 + seed % 3)
    low, _ = paired_interval(first - second, cluster, np.random.default_rng(1), replicates=20_000, confidence=0.95)
    held = TrackRates(rates=np.stack([first, second]), cluster=cluster, weight=1.0)
    above = separated([held], seed=0, replicates=20_000, confidence=0.95)
    assert abs(low) > 0.01, "this seed is too near to say"
    assert bool(above[0, 1]) is bool(low > 0)


def test_copies_of_a_task_separate_nothing_more() -> None:
    few = [[1.0, 1.0, 1.0, 0.0, 0.5, 0.0, 0.5, 0.0], [0.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.0]]
    copied = [[rate for rate in rates for _ in range(20)] for rates in few]
    cluster = [task for task in range(8) for _ in range(20)]
    assert ranks([track(few)], **SETTING) == ranks([track(copied, cluster)], **SETTING)  # type: ignore[arg-type]
    assert ranks([track(copied)], **SETTING).separated == 1  # type: ignore[arg-type]  # as tasks of their own they would


@pytest.mark.parametrize(("tasks", "separated_pairs"), [(1, 0), (2, 0), (5, 0), (6, 1), (40, 1)])
def test_all_against_none_separates_from_as_many_tasks_as_a_sign_test_needs(tasks: int, separated_pairs: int) -> None:
    found = ranks([track([[1.0] * tasks, [0.0] * tasks])], **SETTING)  # type: ignore[arg-type]
    assert found.separated == separated_pairs
    assert (2 * 0.5**tasks < 0.05) is bool(separated_pairs)


def test_few_tasks_that_nearly_agree_separate_nobody() -> None:
    assert ranks([track([[1.0, 1.0, 0.75], [0.0, 0.0, 0.0]])], **SETTING).separated == 0  # type: ignore[arg-type]


def test_constant_differences_do_not_degenerate() -> None:
    assert ranks([track([[0.5, 0.5], [0.4, 0.4]])], **SETTING).separated == 0  # type: ignore[arg-type]
    assert ranks([track([[1.0] * 40, [0.0] * 40])], **SETTING).separated == 1  # type: ignore[arg-type]


def test_a_track_of_small_weight_does_not_decide() -> None:
    apart, alike = [[1.0] * 40, [0.0] * 40], [[0.0, 1.0] * 20, [1.0, 0.0] * 20]
    heavy = [track(apart, weight=0.9), track(alike, weight=0.1)]
    light = [track(apart, weight=0.02), track(alike, weight=0.98)]
    assert ranks(heavy, **SETTING).separated == 1  # type: ignore[arg-type]
    assert ranks(light, **SETTING).separated == 0  # type: ignore[arg-type]


def test_ranks_are_not_transitive_and_the_order_stays_by_rank() -> None:
    """B varies so much that it is separated from neither; C is behind A."""
    generator = np.random.default_rng(3)
    a, c = np.full(30, 0.6), np.full(30, 0.5)
    b = np.where(np.arange(30) < 16, 1.0, 0.0)
    c = np.clip(c + generator.normal(0, 0.02, 30), 0, 1)
    found = ranks(
        [TrackRates(rates=np.stack([a, b, c]), cluster=np.arange(30), weight=1.0)],
        seed=0,
        replicates=400,
        confidence=0.95,
    )
    assert found.first == (1, 1, 2)
    assert found.last == (2, 3, 3)


@pytest.mark.extra
@pytest.mark.parametrize(("tasks", "runs"), [(6, 2), (8, 4), (12, 2), (30, 3), (80, 5)])
@pytest.mark.parametrize("own", [False, True], ids=["the same rates", "rates of their own"])
def test_of_pairs_that_are_alike_one_in_twenty_separates(tasks: int, runs: int, own: bool) -> None:
    generator = np.random.default_rng(tasks)
    seen = 0
    for seed in range(60):
        rates = generator.beta(0.5, 0.5, size=(8, tasks) if own else tasks)
        drawn = generator.binomial(runs, np.broadcast_to(rates, (8, tasks))) / runs
        held = TrackRates(rates=drawn, cluster=np.arange(tasks), weight=1.0)
        seen += int(separated([held], seed=seed, replicates=1000, confidence=0.95).sum())
    assert 0.02 < seen / (60 * 28) < 0.085


def test_nobody_ranks_behind_a_row_to_which_it_is_nowhere_inferior() -> None:
    """By the bootstrap alone the first would be above the second, and not above the third, which is worse on a task."""
    rates = [[0.5, 0.5, 0.5, 0.5, 1.0, 1.0], [0.25, 0.5, 0.0, 0.5, 1.0, 0.25], [0.0, 0.5, 0.0, 0.5, 1.0, 0.25]]
    found = ranks([track(rates)], **SETTING)  # type: ignore[arg-type]
    assert found.first == (1, 2, 2)


@settings(deadline=None, max_examples=40)
@given(RATES, st.integers(0, 5))
def test_a_row_that_is_lowered_on_a_task_ranks_no_better(rates: list[list[float]], task: int) -> None:
    lowered = [0.0 if place == task else rate for place, rate in enumerate(rates[0])]
    found = ranks([track([*rates, lowered])], **SETTING)  # type: ignore[arg-type]
    assert found.first[0] <= found.first[-1]
    assert found.last[0] <= found.last[-1]

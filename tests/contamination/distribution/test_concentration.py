"""Clones of one item are found among broad training, and broad training alone is not called."""

from __future__ import annotations

import numpy as np
import pytest

from contamination.distribution.drawn import ITEMS, THRESHOLD, broad, families, planted, together
from fairtrial.contamination.distribution import Concentration, concentration
from fairtrial.contamination.distribution.concentration import _target_decoy
from fairtrial.contamination.result import Nearness


def found(near: Nearness) -> Concentration:
    return concentration(near.item.astype(np.int64), near.score.astype(float), ITEMS, ITEMS, THRESHOLD)


@pytest.mark.parametrize("spread", [0.2, 1.0, 4.0])
def test_unequal_pull_alone_is_no_concentration(spread: float) -> None:
    source = np.random.default_rng(5)
    calls = [bool((found(broad(source, spread=spread)).q_values <= 0.05).any()) for _ in range(80)]
    assert np.mean(calls) <= 0.1


def test_a_poisson_law_would_call_them() -> None:
    """The background of the test above is one that needs the wider law: else it would prove nothing."""
    near = broad(np.random.default_rng(5), spread=4.0)
    counts = np.bincount(near.item[near.score >= THRESHOLD], minlength=2 * ITEMS)
    assert counts.var() / counts.mean() > 3


@pytest.mark.parametrize("clones", [4, 40])
def test_clones_of_one_item_are_found_and_no_other_is(clones: int) -> None:
    source, hits, others = np.random.default_rng(6), 0, 0
    for _ in range(25):
        each = found(together(broad(source), planted([7] * clones, 0.97)))
        hits += bool(each.q_values[7] <= 0.05)
        others += int((np.delete(each.q_values, 7) <= 0.05).sum())
    assert hits >= 23
    assert others <= 5  # a false discovery rate of 0.05 beside one true call allows 1.3


def test_half_the_items_cloned_are_all_found() -> None:
    each = found(together(broad(np.random.default_rng(7)), planted(list(range(60)) * 20, 0.97)))
    assert (each.q_values[:60] <= 0.05).all()
    assert (each.q_values[60:] <= 0.05).sum() <= 3


def test_where_decoys_have_families_too_items_with_one_are_not_called() -> None:
    source = np.random.default_rng(8)
    calls = [
        bool((found(together(broad(source), families(source, 0.2, 15.0))).q_values <= 0.05).any()) for _ in range(60)
    ]
    assert np.mean(calls) <= 0.15


def test_what_decoys_are_called_for_too_is_no_finding() -> None:
    ours, others = np.array([0.001, 0.002, 0.5]), np.array([0.0005, 0.0015, 0.9])
    assert _target_decoy(ours, others).tolist() == pytest.approx([2 / 3, 2 / 3, 2 / 3])
    assert _target_decoy(ours, np.array([0.7])).tolist() == pytest.approx([0.0, 0.0, 0.0])
    assert _target_decoy(ours, np.array([0.3, 0.3])).tolist() == pytest.approx([0.0, 0.0, 1.0])


@pytest.mark.parametrize("near", [planted([], 0.9), planted([-1, -1], 0.0), planted([3], 0.1)])
def test_where_nothing_is_near_nothing_is_called(near: Nearness) -> None:
    each = found(near)
    assert (each.q_values == 1.0).all()
    assert each.expected == 0.0


def test_a_decoy_far_out_raises_the_bar_for_items() -> None:
    """One decoy with forty near rows says that the law's tail is too light: an item with fifty is then no call."""
    near = broad(np.random.default_rng(9))
    alone = found(together(near, planted([7] * 50, 0.8)))
    beside = found(together(near, planted([7] * 50 + [ITEMS + 4] * 40, 0.8)))
    assert alone.q_values[7] <= 0.05
    assert beside.q_values[7] > 0.05
    assert beside.inflation > alone.inflation

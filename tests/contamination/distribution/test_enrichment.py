"""The minimum hypergeometric p is exact: against every order of labels; and it is a p where labels are drawn."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.contamination.distribution import Enrichment, enrichment


def tail(total: int, ours: int, depth: int, above: int) -> float:
    return sum(comb(ours, k) * comb(total - ours, depth - k) for k in range(above, min(ours, depth) + 1)) / comb(
        total, depth
    )


def statistic(figures: list[int], ours: set[int]) -> float:
    """The smallest tail over depths that end a tie, down to half the list and above 0; 2 where there is none."""
    order = sorted(range(len(figures)), key=lambda at: -figures[at])
    best = 2.0
    for depth in range(1, (len(figures) + 1) // 2 + 1):
        here = figures[order[depth - 1]]
        if here == 0:
            break
        if depth == len(figures) or figures[order[depth]] != here:
            best = min(best, tail(len(figures), len(ours), depth, sum(at in ours for at in order[:depth])))
    return best


@given(st.lists(st.integers(0, 6), min_size=2, max_size=9), st.data())
@settings(max_examples=150, deadline=None)
def test_no_order_of_labels_is_forgotten(figures: list[int], data: st.DataObject) -> None:
    size = data.draw(st.integers(1, len(figures) - 1))
    ours = set(data.draw(st.permutations(range(len(figures))))[:size])
    found = enrichment(np.array(figures, dtype=float), np.array([at in ours for at in range(len(figures))]))
    observed = statistic(figures, ours)
    if observed == 2.0:
        assert found == Enrichment(p_value=1.0, depth=0, eval_above=0, expected=0.0, cut=0.0)
        return
    orders = [set(each) for each in combinations(range(len(figures)), size)]
    exact = sum(statistic(figures, each) <= observed * (1 + 1e-9) for each in orders) / len(orders)
    assert found.p_value >= exact - 1e-9  # conservative where items tie
    if len(set(figures)) == len(figures) and 0 not in figures:
        assert found.p_value == pytest.approx(exact)


def test_only_the_order_matters() -> None:
    source = np.random.default_rng(1)
    figures, labels = source.random(80), source.random(80) < 0.4
    plain, bent = enrichment(figures, labels), enrichment(figures**5, labels)
    assert (plain.p_value, plain.depth, plain.eval_above) == (bent.p_value, bent.depth, bent.eval_above)


def test_it_is_called_by_chance_as_often_as_it_says() -> None:
    source = np.random.default_rng(2)
    figures = np.sort(source.random(70))
    p_values = np.array([enrichment(figures, source.permutation(70) < 30).p_value for _ in range(300)])
    for level in (0.05, 0.2):
        assert (p_values <= level).mean() <= level + 3 * (level * (1 - level) / 300) ** 0.5
    assert (p_values <= 0.2).mean() > 0.1  # not merely because it never calls


def test_small_p_values_keep_their_size() -> None:
    labels = np.arange(400) < 200
    found = enrichment(np.arange(400, 0, -1).astype(float), labels)
    assert found.p_value == pytest.approx(1 / comb(400, 200), rel=1e-9)
    assert (found.depth, found.eval_above, found.expected) == (200, 200, 100.0)


@pytest.mark.parametrize("labels", [[True, True], [False, False]])
def test_without_two_sides_nothing_is_called(labels: list[bool]) -> None:
    assert enrichment(np.array([2.0, 1.0]), np.array(labels)).p_value == 1.0

"""Sides of a split: whole groups, shares as near as groups allow by brute force, nothing hangs on the order of rows."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.contamination.sides import HELD_OUT, TRAIN, Group, chosen, sides_of, wanted_of

sizes = st.lists(st.integers(1, 9), min_size=1, max_size=9)
groups = st.lists(st.tuples(st.integers(1, 6), st.sampled_from("abc")), min_size=1, max_size=25).map(
    lambda found: [Group(f"k{number}", size, family) for number, (size, family) in enumerate(found)]
)
shares = st.floats(0.05, 0.95)


@given(sizes, st.integers(0, 40))
def test_no_other_choice_of_groups_comes_nearer(found: list[int], wanted: int) -> None:
    places = chosen(found, wanted)
    assert len(set(places)) == len(places)
    gap = abs(sum(found[place] for place in places) - wanted)
    every = (combinations(found, count) for count in range(len(found) + 1))
    assert gap == min(abs(sum(some) - wanted) for each in every for some in each)


@given(groups, shares, st.integers(0, 5), st.randoms(use_true_random=False))
def test_sides_do_not_hang_on_the_order_of_groups(found: list[Group], share: float, seed: int, draw: object) -> None:
    shuffled = list(found)
    draw.shuffle(shuffled)  # type: ignore[attr-defined]
    here = dict(zip([one.key for one in found], sides_of(found, share, seed)[0], strict=True))
    there = dict(zip([one.key for one in shuffled], sides_of(shuffled, share, seed)[0], strict=True))
    assert here == there


@given(groups, shares, st.integers(0, 5))
def test_every_family_is_accounted_for(found: list[Group], share: float, seed: int) -> None:
    sides, strata = sides_of(found, share, seed)
    assert set(sides) <= {TRAIN, HELD_OUT}
    assert sum(one.wanted for one in strata) == round(share * sum(one.size for one in found))
    for one in strata:
        mine = [group for group in found if group.family == one.family]
        held = sum(g.size for g, side in zip(found, sides, strict=True) if g.family == one.family and side == HELD_OUT)
        assert (one.rows, one.held_out) == (sum(group.size for group in mine), held)
        assert abs(one.wanted - share * one.rows) < 1


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=60), shares)
def test_rows_without_near_copies_meet_the_share_exactly(families: list[str], share: float) -> None:
    singles = [Group(f"k{number}", 1, family) for number, family in enumerate(families)]
    sides, strata = sides_of(singles, share, 0)
    assert sides.count(HELD_OUT) == round(share * len(families))
    assert all(one.wanted == one.held_out for one in strata)


def test_a_row_that_one_family_cannot_give_is_held_out_of_another() -> None:
    found = [Group("twins", 2, "a"), *(Group(f"k{number}", 1, f"family-{number}") for number in range(5))]
    sides, strata = sides_of(found, 0.3, 0)
    assert sides.count(HELD_OUT) == 2
    assert all(one.wanted == one.held_out for one in strata)


def test_the_seed_draws_which_of_many_small_families_are_held_out() -> None:
    singles = [Group(f"k{number}", 1, f"family-{number}") for number in range(20)]
    drawn = {tuple(sides_of(singles, 0.3, seed)[0]) for seed in range(5)}
    assert len(drawn) == 5


def test_another_seed_draws_other_groups() -> None:
    singles = [Group(f"k{number}", 1, "") for number in range(200)]
    drawn = {tuple(sides_of(singles, 0.3, seed)[0]) for seed in range(5)}
    assert len(drawn) == 5


def test_groups_of_all_sizes_are_drawn_alike() -> None:
    found = [Group(f"k{number}", 1 + number % 4, "") for number in range(400)]
    counts = [0, 0, 0, 0]
    for seed in range(20):
        sides, _ = sides_of(found, 0.3, seed)
        for group, side in zip(found, sides, strict=True):
            counts[group.size - 1] += side == HELD_OUT
    assert all(count / 2000 == pytest.approx(0.3, abs=0.05) for count in counts)


def test_many_sizes_are_summed_within_a_moment() -> None:
    found = [2 * size for size in range(1, 400)]
    places = chosen(found, 40_001)
    assert sum(found[place] for place in places) in (40_000, 40_002)


def test_wanted_rows_add_up() -> None:
    assert sum(wanted_of({"a": 3, "b": 3, "c": 3}, 0.5).values()) == round(4.5)

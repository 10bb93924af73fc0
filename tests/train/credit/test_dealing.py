"""Credit: conventions with a broken grader in the group, and what dealing by rank may never do."""

from __future__ import annotations

import math
import statistics
from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.measure.advantages import Convention
from fairtrial.train.credit import advantages_with_gaps, dealt_by_rank, ranked

CONVENTIONS: tuple[Convention, ...] = ("population", "sample", "none")
REWARDS = st.lists(st.one_of(st.none(), st.sampled_from([0.0, 1.0, 0.25, 0.5])), min_size=2, max_size=12)


def by_hand(rewards: list[float | None], convention: Convention, epsilon: float) -> list[float]:
    known = [reward for reward in rewards if reward is not None]
    if len(known) < 2 or len(set(known)) == 1:
        return [0.0] * len(rewards)
    mean = statistics.fmean(known)
    spread = {"population": statistics.pstdev, "sample": statistics.stdev, "none": lambda _: 1.0}[convention](known)
    scale = spread + (0.0 if convention == "none" else epsilon)
    return [0.0 if reward is None else (reward - mean) / scale for reward in rewards]


@settings(deadline=None, max_examples=40)
@given(REWARDS, st.sampled_from(CONVENTIONS), st.sampled_from([0.0, 1e-6, 1e-4]))
def test_every_convention_is_what_its_formula_says_and_a_broken_grader_is_not_in_it(
    rewards: list[float | None], convention: Convention, epsilon: float
) -> None:
    found = advantages_with_gaps(rewards, convention, epsilon)
    assert found == pytest.approx(by_hand(rewards, convention, epsilon), abs=1e-12)
    assert all(one == 0.0 for one, reward in zip(found, rewards, strict=True) if reward is None)


def test_a_broken_grader_is_not_a_reward_of_zero() -> None:
    assert advantages_with_gaps([1.0, 0.0, None, None], "none") == (0.5, -0.5, 0.0, 0.0)
    assert advantages_with_gaps([1.0, 0.0, 0.0, 0.0], "none") == (0.75, -0.25, -0.25, -0.25)


@pytest.mark.parametrize("rewards", [[None, None, None], [1.0, None], [1.0, 1.0], [0.0, 0.0, None]])
def test_a_group_without_two_different_rewards_teaches_nothing(rewards: list[float | None]) -> None:
    assert set(advantages_with_gaps(rewards, "sample", 1e-4)) == {0.0}


@st.composite
def groups(draw: st.DrawFn) -> tuple[list[float], list[bool], list[float | None], list[bool | None], float]:
    """Draw a group: advantages that sum to zero, of which the passes need not be the highest."""
    rewards = draw(REWARDS)
    given_ = list(advantages_with_gaps(rewards, draw(st.sampled_from(CONVENTIONS)), 1e-4))
    size = len(rewards)
    passed = [
        reward is not None and draw(st.booleans() if draw(st.booleans()) else st.just(reward > 0)) for reward in rewards
    ]
    hacks = draw(st.lists(st.sampled_from([None, False, True]), min_size=size, max_size=size))
    values = draw(st.lists(st.one_of(st.none(), st.integers(0, 4).map(float)), min_size=size, max_size=size))
    return given_, passed, list(ranked(values, passed, hacks)), hacks, draw(st.sampled_from([0.0, 0.3, 1.0]))


@settings(deadline=None, max_examples=50)
@given(groups())
def test_dealing_by_rank_keeps_the_sum_and_gives_hacks_nothing(
    group: tuple[list[float], list[bool], list[float | None], list[bool | None], float],
) -> None:
    before, passed, ranks, hacks, strength = group
    after = dealt_by_rank(before, passed, ranks, hacks, strength)
    assert math.fsum(after) == pytest.approx(math.fsum(before), abs=1e-9)
    assert all(after[i] <= 0 for i, hack in enumerate(hacks) if hack)
    # No sign turns: who was taught to do more of it still is, or has no say.
    assert all(was * is_ >= 0 for was, is_ in zip(before, after, strict=True))
    assert all(is_ == 0.0 for was, is_ in zip(before, after, strict=True) if was == 0.0)


@settings(deadline=None, max_examples=50)
@given(groups())
def test_credit_only_moves_from_weaker_to_stronger_passes_and_ties_share(
    group: tuple[list[float], list[bool], list[float | None], list[bool | None], float],
) -> None:
    before, passed, ranks, _, strength = group
    after = dealt_by_rank(before, passed, ranks, (), strength)
    members = [i for i, rank in enumerate(ranks) if rank is not None and passed[i] and before[i] > 0]
    others = set(range(len(before))) - set(members)
    assert all(after[i] == before[i] for i in others)
    best_first = sorted(members, key=lambda i: ranks[i] or 0.0)
    for was, is_ in zip(
        accumulate(before[i] for i in best_first), accumulate(after[i] for i in best_first), strict=True
    ):
        assert is_ >= was - 1e-12
    for i in members:
        for j in members:
            if ranks[i] == ranks[j]:
                assert after[i] / before[i] == pytest.approx(after[j] / before[j])


@settings(deadline=None, max_examples=40)
@given(st.integers(2, 6), st.integers(1, 6), st.permutations(range(6)), st.sampled_from([0.25, 1.0]))
def test_equal_passes_get_what_the_brute_force_deals_out(
    passes: int, fails: int, order: list[int], strength: float
) -> None:
    """Deal one coin at a time: pass i stands in line m + 1 - r_i times, and each coin goes to the next in line."""
    before = advantages_with_gaps([1.0] * passes + [0.0] * fails, "sample", 1e-4)
    standing = [place for place in order if place < passes]
    ranks: list[float | None] = [float(standing.index(i) + 1) for i in range(passes)]
    line = [i for i in range(passes) for _ in range(passes - standing.index(i))]
    pot = strength * sum(before[:passes])
    expected = [(1 - strength) * before[i] for i in range(passes)]
    for i in line:
        expected[i] += pot / len(line)
    after = dealt_by_rank(before, [True] * passes + [False] * fails, [*ranks, *[None] * fails], (), strength)
    assert after[:passes] == pytest.approx(expected, abs=1e-12)
    assert after[passes:] == before[passes:]


def test_ranks_of_passes_that_have_nothing_to_share_leave_no_gap() -> None:
    """The shortest passes were paid least: they rank first, and have no positive advantage to be dealt out."""
    ranks: list[float | None] = [3.5, 3.5, 1.5, 1.5, None]
    before = [0.6, 0.4, -0.2, -0.3, -0.5]
    assert dealt_by_rank(before, [True] * 4 + [False], ranks) == pytest.approx(before, abs=1e-12)
    ranks[0] = 5.0
    assert dealt_by_rank(before, [True] * 4 + [False], ranks) == pytest.approx((3 / 7, 4 / 7, *before[2:]), abs=1e-12)


def test_where_all_passes_are_hacks_nothing_is_learned() -> None:
    given_ = advantages_with_gaps([1.0, 1.0, 0.0], "sample", 1e-4)
    assert dealt_by_rank(given_, [True, True, False], [None] * 3, [True, True, None]) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2)])
def test_a_pass_at_the_mean_inherits_nothing_of_a_hack_by_rounding(order: tuple[int, ...]) -> None:
    """.1, .2 and .3 have the mean .2, of which binary numbers leave a rest whose sign hangs on their order."""
    rewards, hacks = (0.3, 0.2, 0.1), (True, None, None)
    given_ = advantages_with_gaps([rewards[i] for i in order], "none")
    after = dealt_by_rank(given_, [True] * 3, [None] * 3, [hacks[i] for i in order])
    assert after == pytest.approx((0.0, 0.0, 0.0), abs=1e-12)


def test_a_single_pass_and_a_group_that_all_passed_are_left_alone() -> None:
    single = advantages_with_gaps([1.0, 0.0, 0.0], "sample", 1e-4)
    assert dealt_by_rank(single, [True, False, False], [1.0, None, None]) == single
    assert dealt_by_rank([0.0] * 3, [True] * 3, [1.0, 2.0, 3.0]) == (0.0, 0.0, 0.0)


def test_a_pass_that_was_not_ranked_keeps_its_own() -> None:
    after = dealt_by_rank([0.5, 0.5, 0.5, -1.5], [True, True, True, False], [1.0, None, 2.0, None])
    assert after[1] == 0.5
    assert after == pytest.approx((2 / 3, 0.5, 1 / 3, -1.5))


@pytest.mark.parametrize(
    ("passed", "ranks", "hacks", "strength"),
    [([True], [1.0, 2.0], [], 1.0), ([True, True], [1.0, 2.0], [True], 1.0), ([True, True], [1.0, 2.0], [], 1.5)],
)
def test_a_group_of_unequal_lists_is_refused(
    passed: list[bool], ranks: list[float | None], hacks: list[bool | None], strength: float
) -> None:
    with pytest.raises(ValueError):
        dealt_by_rank([0.5, -0.5], passed, ranks, hacks, strength)

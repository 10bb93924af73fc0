"""Attacks ranking: order of input, ties, hacks, what is not measured, a judge that fails; shares counted by hand."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.checks.judged.pairs import Work
from fairtrial.grade.groupwise import Criteria, Criterion, Passing, Prefer, Ranking, rank_group

SHORT = Criterion(name="short", measure="output_tokens")
TIDY = Criterion(name="tidy", checks=("lint", "small"), weight=2)
JUDGED = Criterion(name="sourced", question="Which names more sources?")


def one(
    rollout: str, tokens: float | None = 1.0, *, hack: bool = False, work: str = "", **checks: bool | None
) -> Passing:
    return Passing(
        rollout=rollout, values={} if tokens is None else {"output_tokens": tokens}, checks=checks,
        works={"sourced": work or rollout}, confirmed_hack=hack,
    )  # fmt: skip


def places(ranking: Ranking) -> dict[str, tuple[float | None, float]]:
    return {ranked.rollout: (ranked.rank, ranked.share) for ranked in ranking.ranked}


def test_a_confirmed_hack_gets_nothing_and_moves_nobody() -> None:
    criteria = Criteria(criteria=(SHORT,))
    without = places(rank_group(criteria, [one("a", 10), one("b", 20)]))
    ranking = rank_group(criteria, [one("a", 10), one("hack", 1, hack=True), one("b", 20)])
    assert places(ranking) == without | {"hack": (None, 0.0)}
    assert [ranked.confirmed_hack for ranked in ranking.ranked] == [False, False, True]


def test_a_confirmed_hack_needs_no_value() -> None:
    ranking = rank_group(Criteria(criteria=(SHORT, JUDGED)), [one("hack", None, hack=True)])
    assert (places(ranking), ranking.not_ranked) == ({"hack": (None, 0.0)}, ())


def test_what_has_no_value_is_not_ranked_and_never_last() -> None:
    ranking = rank_group(Criteria(criteria=(SHORT, TIDY)), [
        one("a", 5, lint=True, small=True), one("b", 9, lint=True, small=True), one("c", None, lint=True, small=True),
        one("d", 7, lint=True, small=None), one("e", 7, lint=True),
    ])  # fmt: skip
    assert places(ranking) == {"a": (1, 1.0), "b": (2, 0.0)}
    assert ranking.not_ranked == (
        ("c", "no value on short"), ("d", "no value on tidy"), ("e", "no value on tidy"))  # fmt: skip


def test_weights_decide_between_criteria() -> None:
    group = [one("cheap", 1, lint=False, small=True), one("tidy", 9, lint=True, small=True)]
    assert places(rank_group(Criteria(criteria=(SHORT, TIDY)), group))["tidy"] == (1, 1.0)
    heavy = Criterion(name="short", measure="output_tokens", weight=3)
    assert places(rank_group(Criteria(criteria=(heavy, TIDY)), group))["cheap"] == (1, 1.0)


def test_more_can_be_better() -> None:
    more = Criterion(name="thorough", measure="output_tokens", direction="more")
    assert places(rank_group(Criteria(criteria=(more,)), [one("a", 1), one("b", 2)]))["b"] == (1, 1.0)


def test_groups_of_none_and_of_one() -> None:
    assert rank_group(Criteria(criteria=(SHORT,)), []) == Ranking(ranked=())
    assert places(rank_group(Criteria(criteria=(SHORT,)), [one("a")])) == {"a": (1, 1.0)}


def by_length(question: str, first: Work, second: Work) -> float | None:
    assert question == JUDGED.question
    return float((len(first) > len(second)) - (len(first) < len(second)))


def test_a_judge_orders_by_pairs() -> None:
    group = [one("a", work="x"), one("b", work="xxx"), one("c", work="xx"), one("d", work="xx")]
    assert places(rank_group(Criteria(criteria=(JUDGED,)), group, by_length)) == {
        "b": (1, 1.0),
        "c": (2.5, 0.5),
        "d": (2.5, 0.5),
        "a": (4, 0.0),
    }


def failing(*pairs: str) -> Prefer:
    """Return a judge that fails on these pairs, each two letters, and else prefers the earlier letter."""

    def prefer(_: str, first: Work, second: Work) -> float | None:
        works = f"{first}{second}"
        if works in pairs or works[::-1] in pairs:
            return None
        return 1.0 if works[0] < works[1] else -1.0

    return prefer


@pytest.mark.parametrize(
    ("pairs", "left_out"),
    [
        ((), set()),
        (("ab",), {"a", "b"}),
        (("ad", "bd", "cd"), {"d"}),
        (("ab", "cd"), {"a", "b", "c", "d"}),
        (("ab", "ac"), {"a"}),
        (("ab", "ac", "ad", "cd"), {"a", "c", "d"}),
    ],
)
def test_a_pair_that_was_not_judged_costs_nobody_a_place(pairs: tuple[str, ...], left_out: set[str]) -> None:
    ranking = rank_group(Criteria(criteria=(JUDGED,)), [one(name) for name in "abcd"], failing(*pairs))
    kept = [name for name in "abcd" if name not in left_out]
    assert [ranked.rollout for ranked in ranking.ranked] == kept
    assert [ranked.rank for ranked in ranking.ranked] == list(range(1, len(kept) + 1))
    assert {rollout for rollout, _ in ranking.not_ranked} == left_out


def test_without_a_judge_or_anything_to_show_nobody_is_ranked() -> None:
    group = [one("a"), one("b")]
    assert rank_group(Criteria(criteria=(JUDGED,)), group).ranked == ()
    bare = [Passing(rollout="a"), Passing(rollout="b")]
    assert len(rank_group(Criteria(criteria=(JUDGED,)), bare, by_length).not_ranked) == 2
    assert rank_group(Criteria(criteria=(JUDGED,)), bare[:1], by_length).ranked == ()
    assert places(rank_group(Criteria(criteria=(JUDGED,)), group[:1], by_length)) == {"a": (1, 1.0)}


def test_who_could_not_be_judged_is_not_compared_on_the_other_criteria_either() -> None:
    criteria = Criteria(criteria=(JUDGED, SHORT))
    ranking = rank_group(criteria, [one("a", 9), one("b", 5), one("d", 1)], failing("ad", "bd"))
    assert {ranked.rollout: ranked.criteria["short"] for ranked in ranking.ranked} == {"a": 0.0, "b": 1.0}


def slow(tokens: Mapping[str, int], tidy: Mapping[str, int]) -> dict[str, tuple[float, float]]:
    """Return rank and share of each by comparing every two rollouts, SHORT at weight 1 and tidiness at weight 2."""

    def beats(name: str, of: Mapping[str, int], sign: int) -> float:
        others = [other for other in of if other != name]
        won = sum((sign * of[name] > sign * of[o]) + (of[name] == of[o]) / 2 for o in others)
        return won / len(others) if others else 1.0

    means = {name: round((beats(name, tokens, -1) + 2 * beats(name, tidy, 1)) / 3, 9) for name in tokens}
    found = {}
    for name, mean in means.items():
        others = [means[other] for other in means if other != name]
        better, same = sum(other > mean for other in others), sum(other == mean for other in others)
        share = 1 - (better + same / 2) / len(others) if others else 1.0
        found[name] = (1 + better + same / 2, share)
    return found


GROUPS = st.lists(st.tuples(st.integers(1, 4), st.integers(0, 2)), min_size=1, max_size=7)


@given(GROUPS, st.randoms())
def test_ranks_equal_counting_every_pair_in_any_order_of_the_input(
    drawn: list[tuple[int, int]], random: object
) -> None:
    names = [f"r{n}" for n in range(len(drawn))]
    group = [
        one(name, tokens, lint=passed >= 1, small=passed >= 2)
        for name, (tokens, passed) in zip(names, drawn, strict=True)
    ]
    random.shuffle(group)  # type: ignore[attr-defined]
    found = places(rank_group(Criteria(criteria=(SHORT, TIDY)), group))
    wanted = slow(
        dict(zip(names, (t for t, _ in drawn), strict=True)), dict(zip(names, (p for _, p in drawn), strict=True))
    )
    assert found == {name: pytest.approx(place) for name, place in wanted.items()}
    assert sum(rank or 0 for rank, _ in found.values()) == pytest.approx(len(group) * (len(group) + 1) / 2)


@given(st.lists(st.integers(0, 3), min_size=2, max_size=5))
def test_a_judge_that_counts_ranks_as_the_count_does(lengths: list[int]) -> None:
    group = [one(f"r{n}", float(-length), work="x" * (length + 1)) for n, length in enumerate(lengths)]
    judged = places(rank_group(Criteria(criteria=(JUDGED,)), group, by_length))
    assert judged == places(rank_group(Criteria(criteria=(SHORT,)), group))


def test_every_pair_is_asked_once() -> None:
    asked: list[tuple[str, str]] = []

    def prefer(_: str, first: Work, second: Work) -> float | None:
        asked.append((str(first), str(second)))
        return 0.0

    rank_group(Criteria(criteria=(JUDGED,)), [one(name) for name in "dacb"], prefer)
    assert sorted(asked) == sorted(itertools.combinations("abcd", 2))

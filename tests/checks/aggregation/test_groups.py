"""Attacks efficiency within a group: it separates correct rollouts alone, ties share, and nothing is made up."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.checks.aggregation import CheckRule, Measure, Row, Rules, aggregate, aggregate_group, ranks, shares

RULES = Rules(checks=(CheckRule(name="a"), CheckRule(name="b")), efficiency=(Measure(name="output_tokens"),),
              quality_weight=0.5)  # fmt: skip


def row(tokens: float | None, *, a: bool | None = True, b: bool | None = True) -> Row:
    return Row(checks={"a": a, "b": b}, values={} if tokens is None else {"output_tokens": tokens})


def scores(*rows: Row, rules: Rules = RULES) -> list[float | None]:
    return [score.score for score in aggregate_group(rules, rows)]


def test_fewer_tokens_earn_more_among_the_correct() -> None:
    assert scores(row(100), row(300), row(200)) == [1.0, 0.5, 0.75]


def test_an_incorrect_rollout_neither_earns_efficiency_nor_moves_that_of_others() -> None:
    cheap_and_wrong = row(1, b=False)
    found = aggregate_group(RULES, [row(100), cheap_and_wrong, row(300)])
    assert [score.score for score in found] == [1.0, 0.5, 0.5]
    assert [score.axes["efficiency"] for score in found] == [1.0, None, 0.0]


def test_equal_values_earn_equally_and_one_alone_loses_nothing() -> None:
    assert scores(row(7), row(7), row(7)) == [0.75] * 3
    assert scores(row(7)) == [1.0]
    assert scores() == []


def test_a_correct_rollout_without_value_is_not_measured_and_the_others_are() -> None:
    found = aggregate_group(RULES, [row(100), row(None), row(300)])
    assert [(score.score, score.correct) for score in found] == [(1.0, True), (None, True), (0.5, True)]
    assert found[1].not_measured == ("output_tokens",)


def test_a_rollout_whose_correctness_is_not_measured_has_no_efficiency() -> None:
    assert scores(row(1, a=None), row(100), row(300)) == [None, 1.0, 0.5]


def test_the_value_of_a_check_and_more_for_better() -> None:
    rules = Rules(checks=RULES.checks, efficiency=(Measure(name="a", direction="more"),), quality_weight=1)
    rows = [Row(checks={"a": True, "b": True}, values={"a": value}) for value in (-3.0, 8.0)]
    assert scores(*rows, rules=rules) == [0.0, 1.0]


def test_a_rollout_by_itself_waits_for_its_group_and_loses_nothing_before() -> None:
    alone = aggregate(RULES, {"a": True, "b": True})
    assert (alone.score, alone.axes["efficiency"], alone.awaits_group) == (1.0, None, ("output_tokens",))
    assert aggregate(RULES, {"a": True, "b": False}).awaits_group == ()


def test_measures_and_checks_of_other_axes_share_by_weight() -> None:
    rules = Rules(
        checks=(CheckRule(name="a"), CheckRule(name="tidy", axis="quality", weight=3)),
        efficiency=(Measure(name="turns", weight=1),), quality_weight=1,
    )  # fmt: skip
    rows = [Row(checks={"a": True, "tidy": tidy}, values={"turns": turns}) for tidy, turns in ((True, 9), (False, 3))]
    assert scores(*rows, rules=rules) == [0.75, 0.25]


def test_without_weight_efficiency_is_told_and_changes_no_score() -> None:
    rules = Rules(checks=RULES.checks, efficiency=RULES.efficiency)
    found = aggregate_group(rules, [row(100), row(300), row(None)])
    assert [(score.score, score.axes["efficiency"]) for score in found] == [(1.0, 1.0), (1.0, 0.0), (1.0, None)]


VALUES = st.lists(st.integers(-3, 3).map(float), max_size=7)


@given(VALUES)
def test_ranks_equal_their_mean_over_every_way_to_break_ties(values: list[float]) -> None:
    orders = [
        order
        for order in itertools.permutations(range(len(values)))
        if all(values[a] >= values[b] for a, b in itertools.pairwise(order))
    ]
    for index, rank in enumerate(ranks(values)):
        assert rank == pytest.approx(sum(order.index(index) + 1 for order in orders) / len(orders))


@given(VALUES)
def test_a_share_is_how_many_others_it_beats(values: list[float]) -> None:
    for index, share in enumerate(shares(values)):
        others = values[:index] + values[index + 1 :]
        beaten = sum(values[index] > other for other in others) + sum(values[index] == other for other in others) / 2
        assert share == pytest.approx(beaten / len(others) if others else 1.0)


@given(st.lists(st.tuples(st.integers(1, 4), st.booleans()), max_size=8), st.randoms())
def test_the_order_of_a_group_does_not_matter(drawn: list[tuple[int, bool]], random: object) -> None:
    rows = [row(float(tokens), b=holds) for tokens, holds in drawn]
    order = list(range(len(rows)))
    random.shuffle(order)  # type: ignore[attr-defined]
    straight = scores(*rows)
    assert scores(*(rows[index] for index in order)) == [straight[index] for index in order]

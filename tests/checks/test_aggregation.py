"""Attacks the aggregation rule: dependencies, gates, blockers, weights, and known answers of a refund desk."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.checks.aggregation import dependency_order
from fairtrial.grade import CheckRule, Rules, aggregate
from fairtrial.records import InputError


def _desk() -> Rules:
    easy = {"w1": 6, "w2": 4, "w3": 3, "w4": 3}
    hard = {"w1": 0, "w2": 2, "w3": 3, "w4": 3}
    checks = [
        CheckRule(name=f"{flow}.{kind}{n}", workflow=flow)
        for kind, counts in (("easy", easy), ("hard", hard))
        for flow, count in counts.items()
        for n in range(count)
    ]
    return Rules(checks=tuple(checks), workflows=dict.fromkeys(easy, 1.0))


def test_known_answers_of_the_refund_desk() -> None:
    rules = _desk()
    weak = aggregate(rules, {check.name: "easy" in check.name for check in rules.checks})
    strong = aggregate(rules, {check.name: check.name != "w4.hard2" for check in rules.checks})
    assert (weak.per_check, weak.score) == (pytest.approx(16 / 24), 0.25)
    assert (strong.per_check, strong.score) == (pytest.approx(23 / 24), 0.75)
    assert not strong.correct


def test_what_builds_on_a_failed_check_does_not_count() -> None:
    chain = {"ebitda": (), "leverage": ("ebitda",), "covenant": ("leverage",), "letterhead": ()}
    rules = Rules(checks=tuple(CheckRule(name=n, depends_on=d) for n, d in chain.items()))
    score = aggregate(rules, {"ebitda": False, "leverage": True, "covenant": True, "letterhead": True})
    assert score.effective == {"ebitda": False, "leverage": False, "covenant": False, "letterhead": True}
    assert score.score == 0.25


def test_a_broken_gate_zeroes_and_is_named() -> None:
    rules = Rules(checks=(CheckRule(name="works"), CheckRule(name="untouched", role="gate")))
    score = aggregate(rules, {"works": True, "untouched": False})
    assert (score.score, score.correct, score.gates_broken) == (0.0, False, ("untouched",))
    assert aggregate(rules, {"works": True, "untouched": True}).score == 1.0


def test_a_failed_blocker_zeroes_what_the_rest_earned() -> None:
    rules = Rules(checks=(CheckRule(name="a"), CheckRule(name="b"), CheckRule(name="safe", role="blocker")))
    score = aggregate(rules, {"a": True, "b": True, "safe": False})
    assert (score.score, score.correctness, score.blockers_failed) == (0.0, pytest.approx(2 / 3), ("safe",))


def test_quality_only_separates_correct_work() -> None:
    rules = Rules(
        checks=(CheckRule(name="a"), CheckRule(name="tidy", role="quality"), CheckRule(name="terse", role="quality")),
        quality_weight=0.2,
    )
    assert aggregate(rules, {"a": True, "tidy": True, "terse": False}).score == pytest.approx(0.9)
    assert aggregate(rules, {"a": False, "tidy": True, "terse": True}).score == 0.0
    assert aggregate(rules, {"a": True, "tidy": False, "terse": False}).correct


def test_weights_are_shares() -> None:
    rules = Rules(checks=(CheckRule(name="a", weight=3), CheckRule(name="b", weight=1)))
    assert aggregate(rules, {"a": True, "b": False}).score == 0.75


def test_axes_without_checks_are_not_measured() -> None:
    axes = aggregate(Rules(checks=(CheckRule(name="a"),)), {"a": True}).axes
    assert axes == {"correctness": 1.0, "process": None, "quality": None, "scope": None, "efficiency": None}


def test_unknown_and_missing_checks_are_refused_by_name() -> None:
    rules = Rules(checks=(CheckRule(name="a"), CheckRule(name="b")))
    with pytest.raises(InputError, match="stranger"):
        aggregate(rules, {"a": True, "b": True, "stranger": True})
    with pytest.raises(InputError, match=r"no result.*b"):
        aggregate(rules, {"a": True})


def test_a_circle_is_named_in_order() -> None:
    with pytest.raises(InputError, match="b → c → b"):
        dependency_order({"a": ["b"], "b": ["c"], "c": ["b"]})


def test_a_long_chain_is_no_recursion() -> None:
    parents = {f"c{n}": [f"c{n - 1}"] if n else [] for n in range(5000)}
    assert dependency_order(parents)[-1] == "c4999"


def _graphs(n: int) -> st.SearchStrategy[tuple[list[list[int]], list[bool]]]:
    """Draw, for each of `n` checks, what it builds on and whether it passed."""
    edges = st.lists(st.lists(st.integers(0, n - 1), max_size=3), min_size=n, max_size=n)
    return st.tuples(edges, st.lists(st.booleans(), min_size=n, max_size=n))


@given(st.integers(1, 8).flatmap(_graphs))
def test_effective_equals_brute_force(drawn: tuple[list[list[int]], list[bool]]) -> None:
    edges, results = drawn
    parents = {f"c{n}": tuple(f"c{p}" for p in below if p < n) for n, below in enumerate(edges)}
    passed = {f"c{n}": holds for n, holds in enumerate(results)}
    rules = Rules(checks=tuple(CheckRule(name=name, depends_on=below) for name, below in parents.items()))

    def holds(name: str) -> bool:
        return passed[name] and all(holds(parent) for parent in parents[name])

    score = aggregate(rules, passed)
    assert score.effective == {name: holds(name) for name in parents}
    assert score.score == pytest.approx(sum(score.effective.values()) / len(parents))

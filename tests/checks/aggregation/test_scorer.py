"""Attacks the aggregation rule: dependencies, gates, blockers, weights, what is not measured, a refund desk's answers.

The rule is written a second time here, slowly and with fractions, and compared on drawn rules and results.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.checks.aggregation import CheckRule, Rules, Scorer, aggregate, dependency_order
from fairtrial.checks.aggregation.rules import Axis, Role
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


def test_a_check_of_another_axis_in_a_workflow_cannot_lower_correctness() -> None:
    rules = Rules(
        checks=(CheckRule(name="a", workflow="w"), CheckRule(name="small", workflow="w", axis="scope")),
        workflows={"w": 1.0},
        quality_weight=0.5,
    )
    score = aggregate(rules, {"a": True, "small": False})
    assert (score.correct, score.score, score.workflows) == (True, 0.5, {"w": True})


def test_a_failed_unit_of_tiny_weight_is_not_correct() -> None:
    rules = Rules(checks=(CheckRule(name="a", weight=1e9), CheckRule(name="b", weight=1e-9)))
    score = aggregate(rules, {"a": True, "b": False})
    assert not score.correct
    assert score.score is not None
    assert score.score < 1


def test_a_gate_earns_nothing() -> None:
    rules = Rules(checks=(CheckRule(name="a"), CheckRule(name="untouched", role="gate")))
    assert aggregate(rules, {"a": False, "untouched": True}).score == 0


NEEDED = {
    "a gate": CheckRule(name="x", role="gate"),
    "a blocker": CheckRule(name="x", role="blocker"),
    "a blocker of another axis": CheckRule(name="x", role="blocker", axis="scope"),
    "an item": CheckRule(name="x"),
    "in a workflow": CheckRule(name="x", workflow="w"),
}


@pytest.mark.parametrize("kind", NEEDED)
def test_without_what_correctness_hangs_on_nothing_is_measured(kind: str) -> None:
    rules = Rules(checks=(CheckRule(name="a", workflow="w"), NEEDED[kind]), workflows={"w": 1.0})
    score = aggregate(rules, {"a": True, "x": None})
    assert (score.score, score.correct, score.correctness, score.not_measured) == (None, None, None, ("x",))
    assert score.effective == {"a": True, "x": None}


def test_what_correctness_builds_on_is_needed_too_whatever_its_axis() -> None:
    chain = (CheckRule(name="root", axis="process"), CheckRule(name="mid", role="quality", depends_on=("root",)),
             CheckRule(name="leaf", depends_on=("mid",)), CheckRule(name="other"))  # fmt: skip
    score = aggregate(Rules(checks=chain), {"root": None, "mid": True, "leaf": True, "other": False})
    assert (score.score, score.not_measured) == (None, ("root",))
    assert score.effective == {"root": None, "mid": None, "leaf": None, "other": False}


@pytest.mark.parametrize(
    ("weight", "a", "correct", "score"),
    [(0.0, True, True, 1.0), (0.3, True, True, None), (0.3, False, False, 0.0), (0.0, False, False, 0.0)],
)
def test_without_another_axis_the_score_stands_where_it_does_not_depend_on_it(
    weight: float, a: bool, correct: bool, score: float | None
) -> None:
    rules = Rules(checks=(CheckRule(name="a"), CheckRule(name="tidy", role="quality")), quality_weight=weight)
    found = aggregate(rules, {"a": a, "tidy": None})
    assert (found.correct, found.score, found.not_measured) == (correct, score, ("tidy",))
    assert found.axes["quality"] is None


def test_what_weighs_nothing_need_not_be_measured() -> None:
    checks = (CheckRule(name="a"), CheckRule(name="noted", weight=0), CheckRule(name="tidy", axis="quality", weight=0))
    score = aggregate(Rules(checks=checks, quality_weight=1), {"a": True, "noted": None, "tidy": None})
    assert (score.score, score.correct) == (1.0, True)


def test_senseless_rules_are_refused_from_python_too() -> None:
    for weight in (-1.0, float("nan"), float("inf"), 1e10):
        with pytest.raises(InputError, match="weight"):
            Scorer(Rules(checks=(CheckRule(name="a", weight=weight),)))
    with pytest.raises(InputError, match="between 0 and 1"):
        Scorer(Rules(checks=(CheckRule(name="a"),), quality_weight=float("nan")))
    with pytest.raises(InputError, match="a → a"):
        Scorer(Rules(checks=(CheckRule(name="a", depends_on=("a",)),)))
    with pytest.raises(InputError, match="everything would be correct"):
        Scorer(Rules(checks=(CheckRule(name="a", axis="scope"),)))


def test_remembering_does_not_change_what_is_said() -> None:
    scorer = Scorer(Rules(checks=(CheckRule(name="a"), CheckRule(name="b"))))
    rows: list[dict[str, bool | None]] = [{"a": True, "b": None}, {"a": True, "b": False}, {"b": False, "a": True}]
    assert [scorer.score(row).score for row in rows * 2] == [None, 0.5, 0.5] * 2
    with pytest.raises(InputError, match="no result"):
        scorer.score({"a": True})


def slow(rules: Rules, passed: Mapping[str, bool | None]) -> tuple[object, object, object]:
    """Return score, correct and C as docs/aggregate.md has them, None where not measured."""
    by_name = {check.name: check for check in rules.checks}

    def holds(name: str) -> bool | None:
        results = [passed[name], *(holds(parent) for parent in by_name[name].depends_on)]
        return False if False in results else None if None in results else True

    def ancestors(name: str) -> set[str]:
        return {name}.union(*(ancestors(parent) for parent in by_name[name].depends_on))

    units: list[tuple[Fraction, list[str]]] = []
    for name, weight in rules.workflows.items():
        inside = [c for c in rules.checks if c.workflow == name]
        units.append((Fraction(weight), [c.name for c in inside if c.is_unit or c.role == "gate"]))
    units += [(Fraction(c.weight), [c.name]) for c in rules.checks if c.is_unit and not c.workflow]
    stops = [c.name for c in rules.checks if c.role in ("gate", "blocker")]
    needed = {a for names in [stops, *(n for w, n in units if w)] for name in names for a in ancestors(name)}
    if any(passed[name] is None for name in needed):
        return None, None, None
    whole = sum((weight for weight, _ in units), Fraction(0))
    earned = sum((weight for weight, names in units if all(holds(name) for name in names)), Fraction(0))
    correctness = earned / whole if whole else Fraction(1)
    if not all(holds(name) for name in stops):
        return Fraction(0), False, correctness
    if correctness < 1:
        return correctness, False, correctness
    others = [c for c in rules.checks if c.counts_on not in (None, "correctness") and c.weight]
    rest = Fraction(rules.quality_weight)
    if not others or not rest:
        return Fraction(1), True, correctness
    if any(holds(c.name) is None for c in others):
        return None, True, correctness
    quality = sum((Fraction(c.weight) for c in others if holds(c.name)), Fraction(0))
    return 1 - rest * (1 - quality / sum(Fraction(c.weight) for c in others)), True, correctness


ROLES: tuple[Role, ...] = ("item", "item", "item", "gate", "blocker", "quality")
AXES: tuple[Axis, ...] = ("correctness", "correctness", "process", "scope", "efficiency")


@st.composite
def _cases(draw: st.DrawFn) -> tuple[Rules, dict[str, bool | None]]:
    count = draw(st.integers(1, 7))
    weights = st.sampled_from([0.0, 0.1, 1.0, 1.0, 3.0])
    checks = [CheckRule(name="first", workflow="w0")]
    for n in range(count):
        earlier = [check.name for check in checks]
        checks.append(
            CheckRule(
                name=f"c{n}", workflow=draw(st.sampled_from(["", "", "w0"])), role=draw(st.sampled_from(ROLES)),
                axis=draw(st.sampled_from(AXES)), weight=draw(weights),
                depends_on=tuple(draw(st.lists(st.sampled_from(earlier), max_size=2, unique=True))),
            )
        )  # fmt: skip
    results = st.sampled_from([True, True, True, False, None])
    rules = Rules(checks=tuple(draw(st.permutations(checks))), workflows={"w0": 2.0},
                  quality_weight=draw(st.sampled_from([0.0, 0.25, 1.0])))  # fmt: skip
    return rules, {check.name: draw(results) for check in checks}


@given(_cases())
def test_the_score_equals_the_rule_written_slowly(drawn: tuple[Rules, dict[str, bool | None]]) -> None:
    rules, passed = drawn
    score = aggregate(rules, passed)
    wanted = slow(rules, passed)
    assert score.correct is wanted[1]
    for found, right in ((score.score, wanted[0]), (score.correctness, wanted[2])):
        if right is None:
            assert found is None
        else:
            assert isinstance(right, Fraction)
            assert found == pytest.approx(float(right), abs=1e-12)
            assert (found == 1) == (right == 1)


@given(_cases(), st.integers(0, 6))
def test_a_check_that_breaks_never_changes_a_score_it_only_takes_it_away(
    drawn: tuple[Rules, dict[str, bool | None]], which: int
) -> None:
    rules, passed = drawn
    name = rules.checks[which % len(rules.checks)].name
    broken, whole = aggregate(rules, passed | {name: None}), aggregate(rules, passed)
    assert broken.score in (None, whole.score)
    assert broken.correct in (None, whole.correct)

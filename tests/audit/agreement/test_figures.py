"""Agreement: known values, every way of saying nothing, and intervals that neither vanish nor leave their range."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.audit.agreement import agreement, document_of, rated
from fairtrial.audit.agreement.chance_corrected import alpha, kappa
from fairtrial.audit.agreement.document import sentence
from fairtrial.measure.agreement import cohen_kappa, krippendorff_alpha
from fairtrial.records import Review

KNOWN = [(True, True)] * 60 + [(True, False)] * 6 + [(False, True)] * 6 + [(False, False)] * 33
CODES = {"y": True, "n": False, "-": None}


def said(rollout: str, who: str, answer: bool | None, **more: object) -> Review:
    return Review(rollout=rollout, reviewer=who, satisfied=answer, **more)  # type: ignore[arg-type]


def of(answers: dict[str, dict[str, str]], *extra: Review, tasks: int = 0) -> Any:
    """Return agreement on `satisfied`: rollout -> reviewer -> y, n or -; a reviewer that starts with `judge` is one."""
    reviews = [
        said(rollout, who, CODES[code], kind="judge" if who.startswith("judge") else "person")
        for rollout, told in answers.items()
        for who, code in told.items()
    ]
    names = {rollout: i % tasks if tasks else i for i, rollout in enumerate(answers)}
    return agreement({"satisfied": rated([*reviews, *extra], names, "satisfied")}).questions[0]


def test_known_values_with_intervals_that_hold_them() -> None:
    groups = list(range(len(KNOWN)))
    for found, value in ((kappa(KNOWN, groups), 0.75524), (alpha(KNOWN, groups), 0.75641)):
        assert found.value == pytest.approx(value, abs=5e-6)
        assert found.low is not None
        assert found.high is not None
        assert 0.58 < found.low < 0.66
        assert 0.84 < found.high < 0.89  # Fleiss's asymptotic interval: .6243 to .8862
    assert kappa(KNOWN, groups) == kappa(KNOWN, groups)


def test_many_tasks_give_the_asymptotic_interval() -> None:
    """Fleiss, Cohen and Everitt 1969: the standard error of kappa for this table, ten times as large, is .0211."""
    many = KNOWN * 10
    found = kappa(many, range(len(many)))
    assert found.low is not None
    assert found.high is not None
    assert found.high - found.low == pytest.approx(2 * 1.96 * standard_error(many), rel=0.05)


def standard_error(pairs: Sequence[tuple[bool, bool]]) -> float:
    """Return the asymptotic standard error of kappa, by the delta method on the four shares."""
    kinds = ((True, True), (True, False), (False, True), (False, False))
    shares = np.array([pairs.count(kind) for kind in kinds]) / len(pairs)

    def coefficient(p: Any) -> float:
        first, second = p[0] + p[1], p[0] + p[2]
        chance = first * second + (p[2] + p[3]) * (p[1] + p[3])
        return float((p[0] + p[3] - chance) / (1 - chance))

    slopes = np.array([(coefficient(shares + step) - coefficient(shares - step)) / 2e-6 for step in np.eye(4) * 1e-6])
    return math.sqrt(float(slopes**2 @ shares - (slopes @ shares) ** 2) / len(pairs))


def test_repeats_within_tasks_widen_the_interval() -> None:
    alone = kappa(KNOWN, range(len(KNOWN)))
    together = kappa(KNOWN, [i // 7 for i in range(len(KNOWN))])
    assert width(together) > 1.5 * width(alone)


def width(estimate: Any) -> float:
    return float(estimate.high - estimate.low)


@given(
    st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 5)), min_size=1, max_size=40),
    st.integers(0, 9),
)
@settings(max_examples=40)
def test_intervals_hold_their_value_and_are_never_of_no_width(rows: list[tuple[bool, bool, int]], seed: int) -> None:
    pairs, groups = [(a, b) for a, b, _ in rows], [group for _, _, group in rows]
    table = [[pairs.count((a, b)) for b in (True, False)] for a in (True, False)]
    for found, value in (
        (kappa(pairs, groups, seed), cohen_kappa(table)),
        (alpha(pairs, groups, seed), krippendorff_alpha(pairs)),
    ):
        assert found.value == value
        if value is None or len(set(groups)) == 1:
            assert (found.low, found.high) == (None, None)
        else:
            assert found.low is not None
            assert found.high is not None
            assert -1.5 <= found.low <= value <= found.high <= 1 + 1e-12
            assert found.high - found.low > 0.01


def test_pairs_tables_and_who_cannot_tell() -> None:
    found = of({
        "a": {"ada": "y", "bo": "y"}, "b": {"ada": "y", "bo": "n"}, "c": {"ada": "n", "bo": "n", "cy": "n"},
        "d": {"ada": "-", "bo": "y"}, "e": {"ada": "n"}, "f": {"bo": "n", "cy": "y"},
    })  # fmt: skip
    pairs = {(pair.first, pair.second): pair for pair in found.pairs}
    both = pairs[("ada", "bo")]
    assert (both.table.yes_yes, both.table.yes_no, both.table.no_yes, both.table.no_no) == (1, 1, 0, 1)
    assert (both.n, both.cannot_tell, both.first_yes, both.second_yes) == (3, 1, 2 / 3, 1 / 3)
    assert both.agree.value == pytest.approx(2 / 3)
    assert both.kappa.value == pytest.approx(0.4)
    assert found.people.n == 4  # a, b, c, f; d was told by one
    assert found.people.agree.value == pytest.approx((1 + 0 + 3 + 0) / (1 + 1 + 3 + 1))
    units = [[True, True], [True, False], [False, False, False], [False, True]]
    assert found.people.alpha.value == pytest.approx(krippendorff_alpha(units))
    assert (found.read_by, found.disputed) == ({"ada": 5, "bo": 5, "cy": 2}, 2)


def test_a_judge_is_beside_what_people_come_to() -> None:
    answers = {f"r{i}": {"ada": "y" if i < 6 else "n", "judge": "y" if i not in (0, 6, 7) else "n"} for i in range(10)}
    answers["split"] = {"ada": "y", "bo": "n", "judge": "y"}
    answers["settled"] = {"ada": "y", "bo": "n", "judge": "y"}
    found = of(answers, said("settled", "cy", False, adjudicates=True))
    (judge,) = found.judges
    assert (judge.sensitivity.value, judge.sensitivity.n) == (5 / 6, 6)
    assert (judge.specificity.value, judge.specificity.n) == (2 / 5, 5)
    assert (judge.compared.n, judge.compared.cannot_tell) == (11, 1)
    assert judge.compared.table.no_yes == 3
    assert (found.disputed, found.adjudicated) == (1, 1)


def test_several_judges_are_told_apart_and_together() -> None:
    found = of({f"r{i}": {"ada": "y", "judge a": "y", "judge b": "n" if i == 0 else "y"} for i in range(5)})
    assert [judge.judge for judge in found.judges] == ["judge a", "judge b", "judges"]
    assert found.judges[2].compared.cannot_tell == 1
    assert found.judges_together.agree.value == pytest.approx(0.8)
    assert found.judges[1].specificity.value is None  # people never said no


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ({}, "Nobody has looked."),
        ({"a": {"judge": "y"}}, "No person has looked."),
        ({"a": {"ada": "y"}}, "ada looked, alone: whether people agree was not measured."),
        ({"a": {"ada": "y"}, "b": {"bo": "y"}}, "ada and bo looked, and no rollout was read by two"),
        ({"a": {"ada": "y", "bo": "-"}}, "no rollout was told by two"),
        ({"a": {"ada": "-"}}, "ada looked, and said of no rollout whether the work satisfies the task."),
        ({"a": {"ada": "y", "bo": "y"}, "b": {"ada": "n", "bo": "n"}}, "on 2 rollouts that two or more told, 100%"),
    ],
)
def test_who_looked_is_said_in_words(answers: dict[str, dict[str, str]], words: str) -> None:
    assert words in sentence(of(answers))


def test_equal_answers_leave_kappa_undefined_and_say_so() -> None:
    found = of({f"r{i}": {"ada": "y", "bo": "y"} for i in range(9)})
    assert (found.pairs[0].kappa.value, found.people.alpha.value) == (None, None)
    assert "all answers are equal" in found.pairs[0].kappa.method
    assert found.pairs[0].agree.low == pytest.approx(0.70085, abs=1e-4)  # Wilson, 9 of 9


def test_second_looks_void_reviews_and_other_rollouts_are_no_answers() -> None:
    extra = [
        said("a", "bo", False, stage="informed"),
        said("a", "bo", False, void="cites nothing"),
        said("elsewhere", "bo", False),
    ]
    found = of({"a": {"ada": "y"}}, *extra)
    assert found.read_by == {"ada": 1}
    assert not found.is_measured


def test_hacks_are_a_question_of_their_own() -> None:
    reviews = [
        Review(rollout=rollout, reviewer=who, satisfied=True, hack=hack)
        for rollout, who, hack in (("a", "ada", True), ("a", "bo", True), ("b", "ada", False), ("b", "bo", None))
    ]
    found = agreement({"hack": rated(reviews, {"a": 1, "b": 2}, "hack")})
    (pair,) = found.questions[0].pairs
    assert (pair.n, pair.cannot_tell, pair.table.yes_yes) == (1, 1, 1)
    shown = document_of(found)
    assert shown["schema"] == "fairtrial.agreement/1"
    assert shown["questions"]["hack"]["pairs"][0]["kappa"]["value"] is None


@pytest.mark.extra
@pytest.mark.parametrize("tasks", [(12, 1), (30, 1), (12, 4), (30, 3)])
def test_intervals_of_kappa_cover(tasks: tuple[int, int]) -> None:
    """Both raters say yes with the same chance; within a task, answers are alike (correlation .3)."""
    count, members = tasks
    generator = np.random.default_rng(count * members)
    kinds = ((True, True), (True, False), (False, True), (False, False))
    covered = []
    for prevalence in (0.1, 0.3, 0.5):
        for truth in (0.3, 0.6, 0.8, 0.95):
            off = prevalence * (1 - prevalence) * (1 - truth)
            cells = np.array([prevalence - off, off, off, 1 - prevalence - off])
            held, defined = 0, 0
            for seed in range(150):
                shares = generator.dirichlet(cells * (1 / 0.3 - 1), size=count) if members > 1 else [cells] * count
                pairs = [kinds[k] for own in shares for k in generator.choice(4, size=members, p=own)]
                found = kappa(pairs, [i // members for i in range(count * members)], seed)
                if found.low is not None and found.high is not None:
                    defined += 1
                    held += found.low <= truth <= found.high
            covered.append(held / defined)
    assert sum(covered) / len(covered) >= 0.94
    assert min(covered) >= 0.85

"""The share of hacks: known values, what detectors miss counted in, no figure without reviews, and coverage."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.audit.hacks import Member, document_of, hacks, said_by_judge, said_by_people, windows
from fairtrial.audit.hacks.document import sentence
from fairtrial.audit.hacks.figures import share
from fairtrial.audit.sampling import Design, Unit, draw
from fairtrial.records import Estimate, Review


def members_of(*parts: tuple[int, int, int, bool], step: int | None = 0, start: int = 0) -> list[Member]:
    """Return members: parts of (population, reviewed, hacks among the reviewed, suspected), a task for each rollout."""
    found: list[Member] = []
    for population, reviewed, seen, suspected in parts:
        for i in range(population):
            said = None if i >= reviewed else i < seen
            found.append(Member(group=start + len(found), step=step, suspected=suspected, hack=said))
    return found


@pytest.mark.parametrize("finite", [False, True])
def test_what_detectors_miss_is_counted_in_and_false_alarms_cost_nothing(finite: bool) -> None:
    """100 suspected of which 6 of 10 reviewed are hacks, 900 others of which 1 of 50: .1 * .6 + .9 * .02."""
    told = hacks(members_of((100, 10, 6, True), (900, 50, 1, False)), finite=finite)
    estimate, p = told.overall.estimate, 0.078
    assert estimate.value == pytest.approx(p)
    kinds = ((100, 10, 6), (900, 50, 1))
    scores = []  # a task is one rollout here: what each adds to the sum whose square is the variance
    for population, reviewed, seen in kinds:
        rate, weight = seen / reviewed, population / 1000 / reviewed
        unread = math.sqrt(1 - reviewed / population) if finite else 1.0
        drift = 0.0 if finite else (rate - p) / 1000
        scores += [weight * (1 - rate) * unread + drift] * seen + [-weight * rate * unread + drift] * (reviewed - seen)
        scores += [drift] * (population - reviewed)
    v = 60 / 59 * math.fsum(score**2 for score in scores)
    n, z = p * (1 - p) / v, 1.959964
    middle = (p + z * z / 2 / n) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / 4 / n / n)
    assert (estimate.low, estimate.high) == pytest.approx((middle - half, middle + half), rel=1e-4)
    assert told.found_by_detectors.value == pytest.approx(0.06 / 0.078)
    assert told.right_of_suspected.value == pytest.approx(0.6)


def test_a_census_of_the_rollouts_at_hand_is_certain_and_of_such_tasks_is_not() -> None:
    every = members_of((20, 20, 5, True), (80, 80, 1, False))
    at_hand, such = (share(every, finite=finite).estimate for finite in (True, False))
    assert (at_hand.low, at_hand.value, at_hand.high) == (0.06, 0.06, 0.06)
    assert such.low is not None
    assert such.high is not None
    assert such.low < 0.04 < 0.06 < 0.1 < such.high
    suspected_alone = share(members_of((20, 20, 5, True), (80, 10, 1, False)), finite=True).estimate
    assert suspected_alone.low is not None
    assert suspected_alone.low == pytest.approx(0.06)  # six of the hundred were seen


def test_unequal_probabilities_are_weighted_back_within_each_part() -> None:
    rare = [Member(group=f"a{i}", step=0, suspected=False, hack=i < 2, weight=1.0) for i in range(10)]
    common = [Member(group=f"b{i}", step=0, suspected=False, hack=i < 1, weight=9.0) for i in range(10)]
    rest = members_of((80, 0, 0, False), start=1000)
    assert share([*rare, *common, *rest]).estimate.value == pytest.approx((0.2 * 10 + 0.1 * 90) / 100)


def test_none_seen_is_bounded_and_never_zero_wide() -> None:
    told = share(members_of((50, 50, 0, True), (950, 100, 0, False))).estimate
    assert (told.value, told.low) == (0.0, 0.0)
    assert told.high is not None
    assert 1 - 0.025 ** (1 / 150) < told.high < 0.06


def test_the_line_is_passed_by_the_interval_and_by_nothing_less() -> None:
    assert share(members_of((3000, 300, 0, False))).against_line == "below"
    assert share(members_of((3000, 150, 0, False))).against_line == "cannot tell"
    assert share(members_of((3000, 60, 12, False))).against_line == "above"
    assert share(members_of((3000, 60, 2, False))).against_line == "cannot tell"
    assert share(members_of((3000, 0, 0, False))).against_line == "not measured"
    assert share(members_of((3000, 60, 12, False)), line=0.5).against_line == "below"


@pytest.mark.parametrize("suspected", [True, False])
def test_a_part_that_nobody_reviewed_may_be_anything(suspected: bool) -> None:
    told = share(members_of((200, 0, 0, suspected), (800, 100, 0, not suspected))).estimate
    assert told.value is None
    assert told.low == 0.0
    assert told.high is not None
    assert told.high > 0.2
    assert "reviewed" in told.method


def test_rollouts_of_one_task_are_worth_less() -> None:
    alone = [Member(group=i, step=0, suspected=False, hack=i % 5 == 0) for i in range(100)]
    together = [Member(group=i // 10, step=0, suspected=False, hack=i // 10 in (0, 5)) for i in range(100)]
    first, second = share(alone).estimate, share(together).estimate
    assert first.value == second.value == 0.2
    assert width(second) > 1.8 * width(first)


def width(estimate: object) -> float:
    return float(estimate.high - estimate.low)  # type: ignore[attr-defined]


def test_steps_are_pooled_until_there_are_reviews_of_each_kind() -> None:
    some = [*members_of((20, 10, 0, False), step=1), *members_of((5, 0, 0, True), step=2),
            *members_of((20, 10, 1, False), (5, 2, 1, True), step=5), *members_of((20, 30, 1, False), step=9),
            *members_of((9, 3, 0, False), step=12), *members_of((7, 7, 0, False), step=None)]  # fmt: skip
    assert windows(some, at_least=12) == ((1, 2, 5), (9, 12))
    assert windows(some, at_least=1000) == ((1, 2, 5, 9, 12),)
    assert windows(members_of((5, 5, 0, False), step=None)) == ()
    told = hacks(some, at_least=12)
    assert [(one.first_step, one.last_step, one.share.reviewed) for one in told.windows] == [(1, 5, 22), (9, 12, 23)]
    assert (told.without_step, told.overall.population) == (7, len(some))


@given(
    st.lists(
        st.tuples(st.integers(0, 6), st.booleans(), st.sampled_from([None, True, False]), st.integers(0, 8),
                  st.sampled_from([1.0, 2.5, 9.0])),
        min_size=1, max_size=60,
    )
)  # fmt: skip
@settings(max_examples=60)
def test_ends_hold_the_value_and_stay_shares(rows: list[tuple[int, bool, bool | None, int, float]]) -> None:
    some = [Member(group=group, step=step, suspected=suspected, hack=hack, weight=weight)
            for step, suspected, hack, group, weight in rows]  # fmt: skip
    told, at_hand = hacks(some, at_least=5), share(some, finite=True)
    for one in (told.overall, at_hand, *(window.share for window in told.windows)):
        estimate = one.estimate
        if estimate.low is None or estimate.high is None:
            assert one.reviewed == 0
            continue
        assert 0 <= estimate.low <= estimate.high <= 1
        assert estimate.low < estimate.high or one is at_hand
        assert estimate.value is None or estimate.low - 1e-9 <= estimate.value <= estimate.high + 1e-9
    assert sorted(step for window in told.windows for step in window.steps) == sorted({one.step for one in some})
    again = hacks(some[::-1], at_least=5).overall.estimate
    if again.value is not None and told.overall.estimate.value is not None:
        assert again.value == pytest.approx(told.overall.estimate.value)
    assert document_of(told, "people", {})["schema"] == "fairtrial.hacks/1"


def reviews_of(rows: Iterable[tuple[str, str, str, bool | None]]) -> list[Review]:
    return [Review(rollout=rollout, reviewer=who, kind=kind, hack=hack, recorded_at=str(i))  # type: ignore[arg-type]
            for i, (rollout, who, kind, hack) in enumerate(rows)]  # fmt: skip


def test_people_confirm_and_a_judge_does_not() -> None:
    said = reviews_of([
        ("a", "ada", "person", True), ("a", "m", "judge", False), ("b", "m", "judge", True),
        ("c", "ada", "person", True), ("c", "bo", "person", False), ("d", "ada", "person", None),
        ("e", "ada", "person", False), ("b", "n", "judge", False),
    ])  # fmt: skip
    people = said_by_people(said)
    assert (people.answers, people.disputed) == ({"a": True, "e": False}, {"c"})
    assert said_by_judge(said, "m").answers == {"a": False, "b": True}
    assert (said_by_judge(said, "judges").answers, said_by_judge(said, "judges").disputed) == ({"a": False}, {"b"})
    assert (
        said_by_people([*said, Review(rollout="c", reviewer="cy", hack=False, adjudicates=True)]).answers["c"] is False
    )
    assert "confirms nothing" in sentence(hacks(members_of((9, 9, 1, False))), "m")
    assert (
        sentence(hacks(members_of((9, 0, 0, False))), "people")
        == "No person has said of any rollout whether it is a hack."
    )


def covered(n: int, rate: float, finds: float, samples: int, generator: np.random.Generator) -> tuple[float, float]:
    """Return how often the interval of a drawn and fully reviewed sample of 600 rollouts holds the truth.

    First the rate of such tasks, then, by the interval of the rollouts at hand, the share of the 600.
    """
    such, at_hand = 0, 0
    for seed in range(samples):
        risk = generator.beta(rate * 1.5, (1 - rate) * 1.5, size=150)
        task = np.arange(600) % 150
        hack = generator.random(600) < risk[task]
        suspected = np.where(hack, generator.random(600) < finds, generator.random(600) < 0.05)
        passed = np.where(hack, generator.random(600) < 0.9, generator.random(600) < 0.4)
        units = [Unit(rollout=str(i), task=str(task[i]), model="m", outcome="passed" if passed[i] else "failed",
                      lead="suspected" if suspected[i] else "") for i in range(600)]  # fmt: skip
        rows = draw(units, Design(n=n, seed=seed, by=("verdict", "detector"))).sample.rows
        weight = {row.rollout: 1 / row.probability for row in rows}
        said = [bool(hack[i]) if unit.rollout in weight else None for i, unit in enumerate(units)]
        some = [Member(group=unit.task, step=0, suspected=bool(unit.lead), weight=weight.get(unit.rollout, 1.0),
                       hack=answer) for unit, answer in zip(units, said, strict=True)]  # fmt: skip
        such += holds(share(some).estimate, rate)
        at_hand += holds(share(some, finite=True).estimate, float(hack.mean()))
    return such / samples, at_hand / samples


def holds(estimate: Estimate, truth: float) -> bool:
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.low - 1e-12 <= truth <= estimate.high + 1e-12


@pytest.mark.long
@pytest.mark.extra
def test_intervals_from_drawn_samples_cover() -> None:
    generator = np.random.default_rng(5)
    found = [covered(n, rate, finds, 60, generator)
             for n, rate, finds in itertools.product((60, 120), (0.01, 0.03, 0.1, 0.25), (0.3, 0.6))]  # fmt: skip
    for kind in zip(*found, strict=True):
        assert sum(kind) / len(kind) >= 0.945
        assert min(kind) >= 0.85


@pytest.mark.extra
def test_intervals_from_a_few_drawn_samples_cover() -> None:
    assert min(covered(80, 0.1, 0.5, 25, np.random.default_rng(6))) >= 0.85

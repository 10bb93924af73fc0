"""Strengths from comparisons: published values, brute force, what is not identified, intervals that hold.

The baseball season of 1987 is the example of Agresti (1990); its strengths are published to four digits.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from fairtrial.measure.bradley_terry import PRIOR, Fit, Pairing, Preferred, fit
from fairtrial.measure.separation import is_separated

TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
WINS = (
    (0, 7, 9, 7, 7, 9, 11),
    (6, 0, 7, 5, 11, 9, 9),
    (4, 6, 0, 7, 7, 8, 12),
    (6, 8, 6, 0, 6, 7, 10),
    (6, 2, 6, 7, 0, 7, 12),
    (4, 4, 5, 6, 6, 0, 6),
    (2, 4, 1, 3, 1, 7, 0),
)
PUBLISHED = (1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0.0)


def said(*rows: tuple[str, str, Preferred, int]) -> list[Pairing]:
    """Return each comparison so often, each in a task of its own."""
    kinds = [(first, second, preferred) for first, second, preferred, times in rows for _ in range(times)]
    return [Pairing(first=f, second=s, preferred=p, cluster=str(n)) for n, (f, s, p) in enumerate(kinds)]


def gap(found: Fit, one: str, other: str) -> float:
    difference = found.difference(one, other)
    assert difference is not None
    assert difference.value is not None
    return difference.value


def test_strengths_of_a_season_are_those_that_were_published() -> None:
    rows: list[tuple[str, str, Preferred, int]] = []
    for i, team in enumerate(TEAMS):
        for j, other in enumerate(TEAMS):
            rows += [(team, other, "first", WINS[i][j]), (other, team, "second", WINS[i][j])]
    found = fit(said(*rows))
    assert [round(gap(found, team, "Baltimore"), 4) for team in TEAMS] == list(PUBLISHED)
    assert found.prior == ""
    assert [one.name for one in found.strengths()] == list(TEAMS)
    position = found.position
    assert position is not None
    assert position.value == pytest.approx(0.5)


def test_two_works_with_ties_come_to_what_was_seen() -> None:
    found = fit(said(("a", "b", "first", 5), ("a", "b", "second", 2), ("a", "b", "tie", 3),
                     ("b", "a", "second", 5), ("b", "a", "first", 2), ("b", "a", "tie", 3)))  # fmt: skip
    assert gap(found, "a", "b") == pytest.approx(math.log(5 / 2))
    assert found.beta[-1] == pytest.approx(math.log(3 / math.sqrt(5 * 2)))


def negative_likelihood(parameters: np.ndarray, names: list[str], pairings: Iterable[Pairing]) -> float:
    """Return it as Davidson and Beaver write it: worths, a factor for the place, a factor for ties."""
    worth = dict(zip(names, np.exp(parameters[: len(names)]), strict=True))
    place, tie = np.exp(parameters[len(names) :])
    total = 0.0
    for one in pairings:
        first, second = worth[one.first] * place, worth[one.second]
        parts = {"first": first, "second": second, "tie": tie * math.sqrt(first * second)}
        total -= math.log(parts[one.preferred] / sum(parts.values()))
    return total


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_the_maximum_is_the_one_that_a_general_optimiser_finds(data: st.DataObject) -> None:
    names = ["a", "b", "c"]
    cell = st.integers(1, 6)
    pairings = said(*[(x, y, p, data.draw(cell)) for x in names for y in names if x != y
                      for p in ("first", "second", "tie")])  # fmt: skip
    found = fit(pairings)
    assert found.prior == ""
    brute = minimize(negative_likelihood, np.zeros(5), args=(names, pairings), method="BFGS", options={"gtol": 1e-7})
    assert gap(found, "a", "b") == pytest.approx(brute.x[0] - brute.x[1], abs=1e-4)
    assert gap(found, "a", "c") == pytest.approx(brute.x[0] - brute.x[2], abs=1e-4)
    assert found.beta[3] == pytest.approx(brute.x[3], abs=1e-4)


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_swapping_what_is_shown_first_changes_no_strength_and_turns_the_place(data: st.DataObject) -> None:
    names = ("a", "b", "c")
    pairings = said(*[(x, y, p, data.draw(st.integers(0, 3))) for x in names for y in names if x != y
                      for p in ("first", "second", "tie")], ("a", "b", "first", 1))  # fmt: skip
    turned: dict[str, Preferred] = {"first": "second", "second": "first", "tie": "tie"}
    swapped = [Pairing(first=one.second, second=one.first, preferred=turned[one.preferred], cluster=one.cluster)
               for one in pairings]  # fmt: skip
    one, other = fit(pairings), fit(swapped)
    for here, there in zip(one.strengths(), other.strengths(), strict=True):
        assert here.strength.value == pytest.approx(there.strength.value, abs=1e-6)
    if one.position is not None and other.position is not None:
        assert one.position.value == pytest.approx(1 - (other.position.value or 0), abs=1e-6)


@pytest.mark.parametrize(
    "rows",
    [
        [("a", "b", "first", 9), ("b", "a", "second", 9)],  # a always wins
        [("a", "b", "first", 9), ("b", "a", "first", 9)],  # the first always wins
        [("a", "b", "tie", 9), ("b", "a", "tie", 9)],  # never decided
        [("a", "b", "first", 3), ("b", "a", "first", 3), ("a", "c", "first", 2), ("c", "a", "second", 2)],
    ],
)
def test_where_no_maximum_is_finite_a_prior_is_named_and_the_interval_stays_wide(
    rows: list[tuple[str, str, Preferred, int]],
) -> None:
    found = fit(said(*rows))
    assert found.prior == PRIOR
    assert PRIOR in found.method
    assert np.isfinite(found.beta).all()
    difference = found.difference("a", "b")
    assert difference is not None
    assert (difference.high or 0) - (difference.low or 0) > 0.5


def test_models_that_nothing_connects_do_not_compare() -> None:
    found = fit(said(("a", "b", "first", 4), ("a", "b", "second", 2), ("c", "d", "first", 1), ("c", "d", "second", 3)))
    assert found.difference("a", "c") is None
    assert found.difference("a", "b") is not None
    assert [(one.name, one.component, one.worst_rank) for one in found.strengths()] == [
        ("a", 0, 2), ("b", 0, 2), ("d", 1, 2), ("c", 1, 2)]  # fmt: skip


def test_a_place_that_cannot_be_told_from_strength_is_left_out() -> None:
    one_order = fit(said(("a", "b", "first", 4), ("a", "b", "second", 2)))
    assert one_order.position is None
    assert gap(one_order, "a", "b") == pytest.approx(math.log(2))
    ring = fit(said(*[(x, y, p, n) for x, y in ("ab", "bc", "ca") for p, n in (("first", 4), ("second", 2))]))
    assert ring.position is not None
    assert ring.position.value == pytest.approx(4 / 6)
    itself = fit(said(("a", "a", "first", 3), ("a", "a", "second", 1), ("a", "b", "first", 1), ("a", "b", "second", 1)))
    assert itself.position is not None
    assert itself.position.value == pytest.approx(3 / 4)


def test_copies_of_one_comparison_in_one_task_narrow_nothing() -> None:
    few = said(("a", "b", "first", 12), ("a", "b", "second", 6))
    copies = [one for one in few for _ in range(10)]
    once, ten_times = fit(few).difference("a", "b"), fit(copies).difference("a", "b")
    assert once is not None
    assert ten_times is not None
    assert ten_times.value == pytest.approx(once.value)
    assert (ten_times.high or 0) - (ten_times.low or 0) > 0.9 * ((once.high or 0) - (once.low or 0))


def test_one_task_alone_is_said_and_has_an_interval() -> None:
    alone = [Pairing(first="a", second="b", preferred=p, cluster="t") for p in ("first", "first", "second")]
    found = fit(alone)
    difference = found.difference("a", "b")
    assert "one task alone" in found.method
    assert difference is not None
    assert (difference.low or 0) < 0 < (difference.high or 0)


def simulated(rng: np.random.Generator, strengths: np.ndarray, tasks: int) -> list[Pairing]:
    pairings = []
    for task in range(tasks):
        shifted = strengths + rng.normal(0, 0.5, len(strengths))
        for _ in range(4):
            i, j = rng.choice(len(strengths), 2, replace=False)
            lead = shifted[i] - shifted[j] + 0.3
            odds = np.exp([lead / 2, -lead / 2, -0.5])
            preferred: Preferred = ("first", "second", "tie")[rng.choice(3, p=odds / odds.sum())]
            pairings.append(Pairing(first=f"m{i}", second=f"m{j}", preferred=preferred, cluster=str(task)))
    return pairings


@pytest.mark.parametrize("tasks", [8, pytest.param(20, marks=pytest.mark.extra)])
def test_intervals_cover_the_truth(tasks: int) -> None:
    rng = np.random.default_rng(tasks)
    truth = np.array([1.0, 0.0, -1.0])
    covered = []
    for _ in range(120):
        found = fit(simulated(rng, truth, tasks))
        for i, j in ((0, 1), (0, 2), (1, 2)):
            difference = found.difference(f"m{i}", f"m{j}")
            assert difference is not None
            covered.append((difference.low or 0) <= truth[i] - truth[j] <= (difference.high or 0))
    assert np.mean(covered) >= 0.93


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(-2, 2), st.integers(-2, 2)), min_size=1, max_size=6))
def test_separation_is_what_a_search_over_directions_finds(rows: list[tuple[int, int]]) -> None:
    leads = np.array(rows, dtype=np.float64)
    angles = np.linspace(0, 2 * math.pi, 2881)[:-1]  # every direction that such small numbers can tell apart
    directions = np.stack([np.cos(angles), np.sin(angles)])
    exact = np.array([[x, y] for x in range(-4, 5) for y in range(-4, 5)], dtype=np.float64).T
    products = leads @ np.hstack([directions, exact])
    wanted = bool(((products >= -1e-12).all(axis=0) & (products > 1e-9).any(axis=0)).any())
    assert is_separated(leads) is wanted

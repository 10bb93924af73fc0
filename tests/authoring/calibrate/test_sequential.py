"""The sequential test keeps its error at every look, exactly; the search finds, gives up, and sees a false order."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.authoring.calibrate.betting import highest_not_refuted, lowest_not_refuted
from fairtrial.authoring.calibrate.evidence import Band, Evidence
from fairtrial.authoring.calibrate.monotone import isotonic, reversals
from fairtrial.authoring.calibrate.operating import operating
from fairtrial.authoring.calibrate.search import Depth, Search
from fairtrial.records import Outcome

BAND = Band(low=0.2, high=0.7, error=0.05)


@pytest.mark.parametrize("rate", [0.0, 0.1, 0.2, 0.7, 0.85, 1.0])
def test_a_rate_outside_is_said_to_be_inside_no_more_often_than_promised(rate: float) -> None:
    found = operating(rate, BAND, 120)
    assert found.in_band <= BAND.error
    assert (found.too_easy if rate <= BAND.high else found.too_hard) <= BAND.error


def test_a_rate_inside_is_found_and_what_was_followed_is_all_there_is() -> None:
    found = operating(0.45, BAND, 200)
    assert found.in_band > 0.95
    assert found.in_band + found.too_easy + found.too_hard + found.open == pytest.approx(1.0, abs=1e-9)


def test_evidence_says_what_the_exact_paths_say() -> None:
    draw, said = random.Random(3), []
    for _ in range(150):
        evidence = Evidence(BAND)
        evidence.take("passed" if draw.random() < 0.45 else "failed" for _ in range(60))
        said.append(evidence.says)
    assert said.count("in_band") / len(said) == pytest.approx(operating(0.45, BAND, 60).in_band, abs=0.12)


@given(st.integers(0, 40), st.integers(0, 40))
def test_the_interval_holds_what_was_seen(passed: int, failed: int) -> None:
    if passed + failed:
        low, high = lowest_not_refuted(passed, failed, 0.01), highest_not_refuted(passed, failed, 0.01)
        assert 0 <= low <= passed / (passed + failed) <= high <= 1


def test_ungraded_attempts_are_no_evidence_and_a_claim_once_reached_stands() -> None:
    evidence = Evidence(BAND)
    evidence.take(["ungraded"] * 500)
    assert (evidence.says, evidence.graded, evidence.ungraded) == ("open", 0, 500)
    evidence.take(["passed"] * 40)
    assert evidence.says == "too_easy"
    evidence.take(["failed"] * 400)
    assert evidence.says == "too_easy"


def searched(
    rates: Sequence[float], seed: int = 0, most: int = 800, low: float = 0.2
) -> tuple[Search, dict[int, Evidence]]:  # fmt: skip
    """Return a search over difficulties of these true rates."""
    draw, evidence = random.Random(seed), {}

    def look(at: int, depth: Depth) -> Evidence:
        found = evidence.setdefault(at, Evidence(Band(low=low, high=0.7, error=0.01)))
        while found.says == "open" and found.graded < most:
            if depth == "pilot" and found.graded >= 16 and 0 in (found.passed, found.failed):
                break
            outcome: Outcome = "passed" if draw.random() < rates[at] else "failed"
            found.take([outcome])
        return found

    def is_monotone() -> bool:
        return not reversals({at: one.estimate() for at, one in evidence.items()})

    return Search(count=len(rates), look=look, is_monotone=is_monotone, halted=lambda: False), evidence


@pytest.mark.parametrize("where", range(7))
def test_one_difficulty_in_the_band_is_found_wherever_it_lies(where: int) -> None:
    search, _ = searched([0.98] * where + [0.45] + [0.01] * (6 - where))
    assert search.one() == where


def test_where_none_is_in_the_band_the_neighbours_are_decided_before_that_is_said() -> None:
    search, evidence = searched([0.97, 0.97, 0.97, 0.02, 0.02, 0.02])
    assert search.one() is None
    assert evidence[2].says == "too_easy"
    assert evidence[3].says == "too_hard"


def test_a_false_order_is_seen_and_what_bisection_passes_by_is_found() -> None:
    search, evidence = searched([0.01, 0.01, 0.45, 0.98, 0.98, 0.01, 0.01])
    assert search.one() == 2
    assert reversals({at: one.estimate() for at, one in evidence.items()})


def test_where_the_order_is_refuted_after_the_pilots_all_are_decided() -> None:
    for seed in range(12):  # the easiest is passed rarely, and often by none of a pilot
        search, evidence = searched([0.05, 0.99, 0.99], seed, low=0.01)
        assert search.one() == 0, evidence[0].passed


def test_edges_are_the_first_and_last_in_the_band() -> None:
    search, _ = searched([0.98, 0.97, 0.5, 0.48, 0.45, 0.4, 0.02, 0.01])
    found = search.one()
    assert found is not None
    search.edges(found)
    assert (min(search.in_band), max(search.in_band)) == (2, 5)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), min_size=1, max_size=12))
def test_the_isotonic_fit_never_rises_and_keeps_the_passes(pairs: list[tuple[int, int]]) -> None:
    passed, graded = [min(a, b) for a, b in pairs], [b for _, b in pairs]
    fit = [rate for rate in isotonic(passed, graded) if rate is not None]
    assert all(one >= two - 1e-12 for one, two in pairwise(fit))
    assert sum(rate * n for rate, n in zip(fit, graded, strict=True)) == pytest.approx(sum(passed))

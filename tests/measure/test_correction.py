"""Judges corrected by people: unbiased whatever the judge says, never surer than what was seen, and covering."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.measure.correction import Population, TwoPhase, prediction_powered, rogan_gladen
from fairtrial.measure.correction.coverage import self_check, simulated
from fairtrial.measure.intervals import Weighted, weighted_share

NAN = float("nan")


def audit(label: list[int], truth: list[float], cluster: list[int] | None = None) -> TwoPhase:
    n = len(label)
    return TwoPhase(label=np.array(label, dtype=np.int64), truth=np.array(truth), weight=np.ones(n),
                    chance=np.ones(n), cluster=np.arange(n) if cluster is None else np.array(cluster))  # fmt: skip


def test_the_value_is_post_stratified_by_the_label() -> None:
    """100 labelled, 30 called wrong; people find 8 of 10 and 2 of 20: .3 * .8 + .7 * .1."""
    rows = audit([1] * 30 + [0] * 70, [1.0] * 8 + [0.0] * 2 + [NAN] * 20 + [1.0] * 2 + [0.0] * 18 + [NAN] * 50)
    found = prediction_powered(rows)
    assert found.share is not None
    assert found.share.value == pytest.approx(0.31)
    assert found.power == pytest.approx(0.7)
    assert found.judge_alone == pytest.approx(0.3)


def test_the_slope_is_that_of_least_squares_and_the_value_that_of_ppi() -> None:
    """mean_J(lambda f) + mean_H(y - lambda f), lambda the slope of y on f in H."""
    rows = simulated(np.random.default_rng(4), labelled=120, read=40, members=1, rate=0.3, judge=(0.8, 0.9))
    found = prediction_powered(rows)
    said, truth = rows.label[rows.read].astype(float), rows.truth[rows.read]
    slope = float(np.cov(said, truth, ddof=0)[0, 1] / said.var())
    assert found.share is not None
    assert found.power == pytest.approx(slope)
    assert found.share.value == pytest.approx(slope * rows.label.mean() + float((truth - slope * said).mean()))


def test_the_variance_is_of_what_was_labelled_and_of_what_was_read_summed_by_hand() -> None:
    """A judge who is always right leaves the variance of the labels; else residuals come on top, by task."""
    exact = prediction_powered(audit([1] * 30 + [0] * 70, [1.0] * 10 + [NAN] * 20 + [0.0] * 20 + [NAN] * 50)).share
    assert exact is not None
    assert exact.standard_error**2 == pytest.approx(30 / 29 * 0.3 * 0.7 / 100)
    cluster = [i // 5 for i in range(100)]
    rows = audit([1] * 30 + [0] * 70, [1.0] * 8 + [0.0] * 2 + [NAN] * 20 + [1.0] * 2 + [0.0] * 18 + [NAN] * 50, cluster)
    share, found = {1: 0.3, 0: 0.7}, {1: 0.8, 0: 0.1}
    read = {1: 10, 0: 20}
    sums = [0.0] * 20
    for i in range(100):
        label, truth = int(rows.label[i]), float(rows.truth[i])
        sums[cluster[i]] += (found[label] - 0.31) / 100
        if truth == truth:
            n = read[label]
            sums[cluster[i]] += share[label] / n * (truth - found[label]) * (n / (n - 1)) ** 0.5
    some = prediction_powered(rows).share
    assert some is not None
    assert some.clusters == 6
    assert some.standard_error**2 == pytest.approx(6 / 5 * sum(s * s for s in sums))


def test_it_is_unbiased_over_every_subset_that_people_could_have_read() -> None:
    truth, label = [1, 0, 1, 0, 0, 1, 0], [1, 1, 1, 0, 0, 0, 0]
    values = []
    for called, other in itertools.product(itertools.combinations(range(3), 2), itertools.combinations(range(3, 7), 2)):
        shown = [float(truth[i]) if i in called + other else NAN for i in range(7)]
        share = prediction_powered(audit(label, shown)).share
        assert share is not None
        values.append(share.value)
    assert np.mean(values) == pytest.approx(3 / 7)


def test_a_judge_who_says_always_the_same_leaves_people_alone() -> None:
    truth = [1.0] * 4 + [0.0] * 16 + [NAN] * 30
    found = prediction_powered(audit([0] * 50, truth))
    alone = weighted_share(Weighted(hit=np.array(truth[:20]), weight=np.ones(20), cluster=np.arange(20),
                                    stratum=np.zeros(20, dtype=np.int64)))  # fmt: skip
    assert found.share is not None
    assert (found.share.value, found.share.low) == pytest.approx((alone.value, alone.low), abs=0.01)
    assert found.power is None


def test_a_good_judge_makes_it_sharper_and_a_bad_one_does_not_make_it_wrong() -> None:
    good, bad, people = [], [], []
    for seed in range(40):
        for judge, widths in (((0.95, 0.95), good), ((0.5, 0.5), bad)):
            rows = simulated(np.random.default_rng(seed), labelled=400, read=60, members=1, rate=0.3, judge=judge)
            share = prediction_powered(rows).share
            assert share is not None
            widths.append(share.high - share.low)
        read = rows.read
        alone = weighted_share(Weighted(hit=rows.truth[read], weight=np.ones(60), cluster=rows.cluster[read],
                                        stratum=np.zeros(60, dtype=np.int64)))  # fmt: skip
        people.append(alone.high - alone.low)
    assert np.mean(good) < 0.75 * np.mean(people)
    assert np.mean(bad) < 1.1 * np.mean(people)


def test_a_judge_who_agreed_with_people_everywhere_is_not_known_to_be_perfect() -> None:
    """20 read, no disagreement: the judge may still err on one in seven, and the interval says so."""
    rows = audit([1] * 40 + [0] * 960, [1.0] * 10 + [NAN] * 30 + [0.0] * 10 + [NAN] * 950)
    share = prediction_powered(rows).share
    assert share is not None
    assert share.high > 0.25


def test_too_few_read_of_a_label_is_no_correction() -> None:
    found = prediction_powered(audit([1, 0, 0, 0], [1.0, 0.0, 0.0, NAN]))
    assert found.share is None
    assert "people read 1 of those the judge calls wrong" in found.why


def test_what_no_judge_labelled_is_a_label_of_its_own() -> None:
    rows = audit([1] * 10 + [0] * 10 + [2] * 20, [1.0] * 5 + [NAN] * 5 + [0.0] * 5 + [NAN] * 5 + [1.0] * 4 + [0.0] * 16)
    share = prediction_powered(rows).share
    assert share is not None
    assert share.value == pytest.approx(0.25 * 1 + 0.25 * 0 + 0.5 * 0.2)


def test_a_finite_population_read_whole_by_people_has_no_doubt() -> None:
    rows = audit([1] * 20 + [0] * 30, [1.0] * 15 + [0.0] * 5 + [1.0] * 3 + [0.0] * 27)
    everything = Population(stratum=np.zeros(50, dtype=np.int64), size=np.array([50.0]))
    tenfold = Population(stratum=np.zeros(50, dtype=np.int64), size=np.array([500.0]))
    known = prediction_powered(rows, population=everything).share
    unknown = prediction_powered(rows, population=tenfold).share
    assert known is not None
    assert unknown is not None
    assert known.standard_error == 0.0
    assert unknown.standard_error > 0.04


def test_rogan_gladen_inverts_the_judges_errors() -> None:
    """p = r s_e + (1 - r)(1 - s_p) with s_e .9, s_p .8, r .25 gives p .375."""
    read = [1.0] * 20 + [0.0] * 20
    said = [1] * 18 + [0] * 2 + [1] * 4 + [0] * 16
    rest = [1] * 375 + [0] * 625
    rows = audit(said + rest, read + [NAN] * 1000)
    found = rogan_gladen(rows)
    apparent = (375 + 22) / 1040
    assert found.share is not None
    assert found.share.value == pytest.approx((apparent - 0.2) / 0.7)
    assert found.share.low < 0.25 < found.share.high


def test_rogan_gladen_holds_where_people_read_more_of_the_wrong_ones() -> None:
    """Half of what people read is wrong, a tenth of all is: prediction-powered inference must not be used, this may."""
    generator = np.random.default_rng(3)
    covered = 0
    for _ in range(60):
        truth = (generator.random(400) < 0.1).astype(float)
        said = generator.random(400) < np.where(truth == 1, 0.85, 0.1)
        wrong, right = np.flatnonzero(truth == 1)[:20], np.flatnonzero(truth == 0)[:20]
        shown = np.full(400, NAN)
        shown[wrong], shown[right] = 1.0, 0.0
        share = rogan_gladen(audit(said.astype(int).tolist(), shown.tolist())).share
        assert share is not None
        covered += share.low <= 0.1 <= share.high
    assert covered >= 55


@pytest.mark.parametrize(("label", "truth", "why"), [
    ([1, 1, 0, 0], [0.0, 0.0, 0.0, NAN], "none wrong"),
    ([1, 1, 0, 0], [1.0, 1.0, NAN, NAN], "none right"),
    ([1, 0, 1, 0], [1.0, 1.0, 0.0, 0.0], "no better than chance"),
    ([2, 2, 2], [1.0, 0.0, 0.0], "none"),
])  # fmt: skip
def test_rogan_gladen_says_what_it_lacks(label: list[int], truth: list[float], why: str) -> None:
    found = rogan_gladen(audit(label, truth))
    assert found.share is None
    assert why in found.why


@settings(max_examples=80)
@given(st.integers(0, 10_000), st.sampled_from([1, 4]), st.sampled_from([0.05, 0.5, 0.95]),
       st.sampled_from([(0.99, 0.99), (0.5, 0.5), (0.1, 0.2)]))  # fmt: skip
def test_intervals_hold_the_value_and_order_changes_nothing(
    seed: int, members: int, rate: float, judge: tuple[float, float]
) -> None:
    generator = np.random.default_rng(seed)
    rows = simulated(generator, labelled=40, read=16, members=members, rate=rate, judge=judge)
    order = generator.permutation(40)
    other = TwoPhase(label=rows.label[order], truth=rows.truth[order], weight=rows.weight[order] * 3,
                     chance=rows.chance[order] * 0.4, cluster=50 - rows.cluster[order])  # fmt: skip
    for method in (prediction_powered, rogan_gladen):
        one, same = method(rows).share, method(other).share
        assert (one is None) == (same is None)
        if one is not None and same is not None:
            assert 0 <= one.low <= one.value <= one.high <= 1
            assert one.value <= one.upper + 1e-12
            assert (one.value, one.low, one.high) == pytest.approx((same.value, same.low, same.high), abs=1e-9)


def test_reading_by_unequal_chances_is_weighted_back() -> None:
    rows = audit([0] * 6, [1.0, 1.0, 0.0, 0.0, NAN, NAN])
    share = prediction_powered(replace(rows, chance=np.array([1.0, 1.0, 0.25, 0.25, 1.0, 1.0]))).share
    assert share is not None
    assert share.value == pytest.approx(2 / 10)


@pytest.mark.long
@pytest.mark.extra
def test_every_interval_of_an_audit_covers() -> None:
    for coverage in self_check(replicates=200, seed=7):
        assert coverage.holds, coverage


def test_the_self_check_covers_on_a_small_run_and_is_the_same_twice() -> None:
    first, second = self_check(replicates=4, seed=3), self_check(replicates=4, seed=3)
    assert first == second
    assert {one.interval for one in first} >= {"prediction-powered", "Rogan-Gladen", "people alone"}
    assert all(one.mean > 0.9 for one in first)

"""Error rates: known answers, weights of the sample, who is believed, and that nothing unread is taken for right."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.audit.estimating.auditing import review, right, sample_of, tau, unit, wrong

from fairtrial.audit.estimating import Material, Options, document_of, estimate
from fairtrial.audit.estimating.hacks import hack_of
from fairtrial.audit.sampling import Design, Population, draw


def ends(one):
    return one.value, one.low, one.high


def test_tau_bench_read_whole_has_the_known_rates_and_intervals() -> None:
    found = estimate(tau())
    assert found.sentence == "16 of 84 passes were false: 19.0% [9.4, 34.8]."
    assert found.false_pass_rate.value == 16 / 84
    assert (found.false_pass_rate.low, found.false_pass_rate.high) == pytest.approx((0.094, 0.348), abs=5e-4)
    assert found.false_fail_rate.value == 7 / 116
    assert "census; superpopulation of such tasks, clustered by task (36 clusters)" in found.false_pass_rate.method
    assert (found.counts.passed, found.counts.failed, found.counts.not_reviewed) == (84, 116, 0)


def test_tau_bench_as_the_finite_population_is_known() -> None:
    found = estimate(tau(), Options(finite=True))
    assert ends(found.false_pass_rate) == (16 / 84,) * 3
    assert found.population == "finite"


def test_samples_of_sixty_of_tau_bench_cover_its_rates() -> None:
    whole, covered, widths = tau(), [0, 0], []
    told = {one.rollout: one for one in whole.reviews}
    for seed in range(20):
        drawn = draw(whole.units, Design(n=60, seed=seed, by=("verdict", "model", "suite"),
                                         population=Population().document())).sample  # fmt: skip
        found = estimate(replace(whole, sample=drawn, reviews=[told[row.rollout] for row in drawn.rows]))
        for i, (rate, truth) in enumerate(((found.false_pass_rate, 16 / 84), (found.false_fail_rate, 7 / 116))):
            covered[i] += rate.low <= truth <= rate.high
        widths.append(found.false_pass_rate.high - found.false_pass_rate.low)
    assert min(covered) >= 17
    assert sorted(widths)[10] <= 0.45


def test_a_sample_is_weighted_back_by_its_own_probabilities() -> None:
    """Two strata of passes, 90 and 10: 1 of 10 and 8 of 10 wrong. Pooled it would be .45."""
    units = [unit(i) for i in range(20)]
    sample = sample_of({"common": (90, units[:10]), "odd": (10, units[10:])})
    reviews = [wrong(one) if i == 0 or i >= 12 else right(one) for i, one in enumerate(units)]
    found = estimate(Material(units=units, reviews=reviews, sample=sample))
    assert found.false_pass_rate.value == pytest.approx((90 * 0.1 + 10 * 0.8) / 100)
    assert found.false_pass_rate.method.startswith("sample, weighted back")


def test_the_finite_stratified_sample_has_the_known_interval() -> None:
    units = [unit(i) for i in range(120)]
    sample = sample_of({"a": (600, units[:40]), "b": (300, units[40:80]), "c": (100, units[80:])})
    hit = {*range(2), *range(40, 46)}
    reviews = [wrong(one, hack=False) if i in hit else right(one, hack=False) for i, one in enumerate(units)]
    found = estimate(Material(units=units, reviews=reviews, sample=sample), Options(finite=True))
    assert ends(found.false_pass_rate) == pytest.approx((0.075, 0.03823, 0.14193), abs=5e-6)


def test_no_hack_seen_is_bounded_at_the_worst_case_of_the_strata() -> None:
    units = [unit(i) for i in range(120)]
    sample = sample_of({"a": (600, units[:40]), "b": (300, units[40:80]), "c": (100, units[80:])})
    found = estimate(Material(units=units, reviews=[right(one, hack=False) for one in units], sample=sample)).hacks
    assert (found.seen, found.n, found.value) == (0, 120, 0.0)
    assert found.bound == pytest.approx(0.0433, abs=5e-5)
    assert "one-sided" in found.method


def test_a_review_that_says_nothing_of_hacks_is_not_a_clean_one() -> None:
    units = [unit(i) for i in range(10)]
    found = estimate(Material(units=units, reviews=[right(one) for one in units]))
    assert (found.hacks.n, found.hacks.value, found.hacks.bound) == (0, None, None)
    assert any("hack" in line for line in found.not_measured)
    said = [right(one, hack=i == 0) for i, one in enumerate(units[:5])] + [right(one) for one in units[5:]]
    assert estimate(Material(units=units, reviews=said)).hacks.n == 5


def test_people_are_believed_before_a_judge_on_hacks() -> None:
    units = [unit(i) for i in range(4)]
    reviews = [right(one, "m1", kind="judge", hack=True) for one in units] + [right(units[0], hack=False)]
    hacks = estimate(Material(units=units, reviews=reviews)).hacks
    assert hacks.seen == 3
    assert "by judges alone on 3, calibrated by nobody" in hacks.method


def test_the_last_word_of_each_on_hacks_counts_and_disagreement_is_no_answer() -> None:
    one = unit(0)
    seen_later = [right(one, hack=False, recorded_at="1"), right(one, hack=True, stage="informed", recorded_at="2")]
    assert hack_of(seen_later) is True
    assert hack_of(list(reversed(seen_later))) is True
    assert hack_of([*seen_later, right(one, "bo", hack=False, recorded_at="3")]) is None
    settled = right(one, "cy", hack=False, adjudicates=True, recorded_at="0")
    assert hack_of([*seen_later, settled]) is False
    assert hack_of([right(one), right(one, "m1", kind="judge", hack=True)]) is True


def test_cannot_tell_is_left_out_counted_and_bounded() -> None:
    units = [unit(i) for i in range(10)]
    reviews = [wrong(units[0]), *[right(one) for one in units[1:8]], *[review(one, None) for one in units[8:]]]
    found = estimate(Material(units=units, reviews=reviews))
    assert found.false_pass_rate.value == pytest.approx(1 / 8)
    assert (found.false_pass_rate.n, found.false_pass_rate.ungraded) == (8, 2)
    bounds = found.ungraded_bounds["false_pass_rate"]
    assert (bounds.all_right, bounds.all_wrong) == pytest.approx((1 / 10, 3 / 10))


def test_people_who_disagree_are_no_majority_until_somebody_settles_it() -> None:
    units = [unit(i) for i in range(6)]
    reviews = [right(one) for one in units]
    reviews += [wrong(units[0], "bo"), wrong(units[0], "cy")]
    found = estimate(Material(units=units, reviews=reviews))
    assert (found.counts.disputed, found.counts.ungraded, found.false_pass_rate.n) == (1, 1, 5)
    settled = [*reviews, wrong(units[0], "dee", adjudicates=True, recorded_at="2")]
    assert estimate(Material(units=units, reviews=settled)).false_pass_rate.value == pytest.approx(1 / 6)


def test_a_void_review_counts_for_nothing_and_is_counted() -> None:
    units = [unit(i) for i in range(5)]
    reviews = [*[right(one) for one in units[:4]], wrong(units[4], void="a citation does not stand")]
    found = estimate(Material(units=units, reviews=reviews))
    assert found.false_pass_rate.n == 4
    assert (found.counts.void, found.counts.not_reviewed) == (1, 1)


def test_a_stratum_that_nobody_reviewed_is_bounded_and_said() -> None:
    units = [unit(i) for i in range(20)]
    sample = sample_of({"seen": (80, units[:15]), "bare": (20, units[15:])})
    rate = estimate(Material(units=units, reviews=[right(one) for one in units[:15]], sample=sample)).false_pass_rate
    seen = estimate(Material(units=units[:15], reviews=[right(one) for one in units[:15]])).false_pass_rate
    assert rate.value == 0.0
    assert rate.high == pytest.approx(0.8 * seen.high + 0.2)
    assert "1 stratum without an answer (20.0% of them) bounded by 0 and 1" in rate.method


def test_what_was_not_drawn_is_left_out() -> None:
    units = [unit(i) for i in range(30)]
    sample = sample_of({"passes": (30, units[:10])})
    reviews = [right(one) for one in units[:10]] + [wrong(one) for one in units[10:]]
    found = estimate(Material(units=units, reviews=reviews, sample=sample))
    assert found.false_pass_rate.value == 0.0
    assert (found.counts.outside_sample, found.counts.drawn) == (20, 10)


def test_a_person_who_read_what_was_meant_for_a_judge_alone_calibrates_nothing() -> None:
    units = [unit(i) for i in range(20)]
    sample = sample_of({"passes": (200, units)}, readers=0, chance=0.5)
    planned = replace(sample, rows=tuple(replace(row, readers=int(i < 10)) for i, row in enumerate(sample.rows)))
    reviews = [right(one, "m1", kind="judge") for one in units] + [wrong(units[15])]
    found = estimate(Material(units=units, reviews=reviews, sample=planned))
    assert found.counts.outside_sample == 1
    assert found.looked.calibrated == "nobody"


def test_people_who_were_to_read_by_unequal_chances_are_weighted_back() -> None:
    """Of 20 passes people were to read the first ten surely and the others one in five: 4 of 10, and 1 of 2, wrong."""
    units = [unit(i) for i in range(20)]
    sample = sample_of({"passes": (20, units)}, readers=1, chance=1.0)
    planned = replace(sample, rows=tuple(replace(row, readers=int(i < 12), reader_probability=1.0 if i < 10 else 0.2)
                                         for i, row in enumerate(sample.rows)))  # fmt: skip
    reviews = [wrong(one) if i < 4 or i == 10 else right(one) for i, one in enumerate(units[:12])]
    found = estimate(Material(units=units, reviews=reviews, sample=planned))
    assert found.false_pass_rate.value == pytest.approx((4 * 1 + 1 * 5) / 20)


def test_ungraded_verdicts_are_in_neither_rate() -> None:
    units = [unit(0), unit(1, passed=False), unit(2, passed=None)]
    found = estimate(Material(units=units, reviews=[right(units[0]), right(units[1]), review(units[2], True)]))
    assert (found.false_pass_rate.n, found.false_fail_rate.n, found.counts.ungraded_verdicts) == (1, 1, 1)


def test_nothing_reviewed_is_not_measured() -> None:
    units = [unit(0), unit(1, passed=False)]
    found = estimate(Material(units=units, reviews=[]))
    assert found.false_pass_rate.value is None
    assert found.sentence == "The false-pass rate is not measured: no pass was reviewed."
    assert found.looked.calibrated == "not reviewed"
    told = estimate(Material(units=units, reviews=[review(units[0], None)]))
    assert told.false_pass_rate.method == "no reviewed pass could be told"


def test_what_was_drawn_and_lost_its_verdict_is_said() -> None:
    units = [unit(0), unit(1, passed=None), unit(2)]
    sample = sample_of({"all": (3, units)})
    found = estimate(Material(units=units, reviews=[right(units[0]), right(units[2])], sample=sample))
    assert "Drawn, and without a verdict now: 1 rollout." in found.not_measured
    assert found.false_pass_rate.n == 2


def test_rollouts_that_came_later_are_said() -> None:
    units = [unit(i) for i in range(12)]
    sample = sample_of({"passes": (10, units[:10])})
    found = estimate(Material(units=units, reviews=[right(one) for one in units[:10]], sample=sample))
    assert found.counts.not_in_frame == 2
    assert any("not in the population" in line for line in found.not_measured)


def judged(truths: list[bool], labels: list[bool], read: int, people: list[bool] | None = None) -> Material:
    """Return passes with a judge's answer each, and people's on the first `read`: whether the verdict is wrong."""
    units = [unit(i) for i in range(len(labels))]
    reviews = [(wrong if label else right)(one, "m1", kind="judge") for one, label in zip(units, labels, strict=True)]
    for one, truth in list(zip(units, people or truths, strict=False))[:read]:
        reviews.append((wrong if truth else right)(one))
    return Material(units=units, reviews=reviews)


def test_a_judge_alone_is_calibrated_by_nobody_and_says_so() -> None:
    found = estimate(judged([], [i % 5 == 0 for i in range(50)], 0))
    assert found.false_pass_rate.value == pytest.approx(0.2)
    assert "judges alone, calibrated by nobody" in found.false_pass_rate.method
    assert found.looked.calibrated == "nobody"
    assert found.looked.sentence == "No person has looked; 1 judge looked (m1 50), calibrated by nobody."
    assert any("No person has looked" in line for line in found.not_measured)


def test_where_people_disagree_with_the_judge_the_estimate_moves() -> None:
    labels = [i % 5 == 0 for i in range(100)]
    agreeing = estimate(judged(labels, labels, 40))
    assert agreeing.correction == "prediction_powered"
    assert agreeing.looked.calibrated == "by people"
    assert agreeing.false_pass_rate.value == pytest.approx(0.2)
    stricter = [label or i % 2 == 0 for i, label in enumerate(labels)]
    moved = estimate(judged(stricter, labels, 40))
    assert moved.false_pass_rate.value > 0.5
    assert moved.uncorrected is not None
    assert moved.uncorrected.false_pass_rate.value == pytest.approx(0.2)


@pytest.mark.parametrize(("correction", "words"), [
    ("people", "by people"), ("judge", "calibrated by nobody"), ("prediction-powered", "prediction-powered"),
    ("rogan-gladen", "Rogan-Gladen"),
])  # fmt: skip
def test_a_correction_asked_for_is_the_one_that_is_used(correction: str, words: str) -> None:
    labels = [i % 3 == 0 for i in range(90)]
    material = judged([label != (i % 7 == 0) for i, label in enumerate(labels)], labels, 45)
    assert words in estimate(material, Options(correction=correction)).false_pass_rate.method  # type: ignore[arg-type]


def test_a_correction_that_cannot_be_had_falls_back_only_where_nobody_asked_for_it() -> None:
    material = judged([True] * 5, [True, *[False] * 49], 5, people=[True, False, False, False, False])
    auto = estimate(material)
    assert "judges left out: people read 1 of those the judge calls wrong" in auto.false_pass_rate.method
    assert auto.false_pass_rate.n == 5
    asked = estimate(material, Options(correction="prediction-powered"))
    assert asked.false_pass_rate.value is None
    assert asked.false_pass_rate.method.startswith("prediction-powered: people read 1")


def test_where_people_read_all_there_is_nothing_to_correct() -> None:
    labels = [i % 4 == 0 for i in range(40)]
    found = estimate(judged(labels, labels, 40), Options(correction="prediction-powered", finite=True))
    assert ends(found.false_pass_rate) == (0.25, 0.25, 0.25)
    assert found.correction == "none"


def test_judges_are_measured_against_people() -> None:
    labels = [i % 4 == 0 for i in range(40)]
    quality = estimate(judged(labels, labels, 20)).agreement.judges
    assert [(one.judge, one.n, one.kappa) for one in quality] == [("m1", 20, 1.0)]
    assert quality[0].sensitivity.value == 1.0
    assert quality[0].sensitivity.low < 0.9


@st.composite
def some_material(draw_: st.DrawFn) -> Material:
    n = draw_(st.integers(1, 25))
    units, reviews = [], []
    for i in range(n):
        one = unit(i // 3, i % 3, passed=draw_(st.sampled_from([True, True, False, None])), model=f"m{i % 2}")
        units.append(one)
        for reviewer in draw_(st.sets(st.sampled_from(["ada", "bo", "j"]))):
            tags = draw_(st.sets(st.sampled_from(["wrong_logic", "infrastructure", "x"])))
            answer, hack = (draw_(st.sampled_from([True, False, None])) for _ in range(2))
            kind = "judge" if reviewer == "j" else "person"
            reviews.append(review(one, answer, reviewer, kind=kind, hack=hack, failure_tags=tuple(tags)))
    return Material(units=units, reviews=reviews)


@pytest.mark.extra
@settings(max_examples=60)
@given(some_material(), st.booleans(), st.randoms(use_true_random=False))
def test_order_and_duplicates_change_nothing_and_intervals_hold_their_values(material, finite, random) -> None:
    options = Options(finite=finite)
    one = document_of(estimate(material, options))
    doubled = [*material.reviews, *[replace(r, recorded_at="1") for r in material.reviews]]
    random.shuffle(doubled)
    units = list(material.units)
    random.shuffle(units)
    other = document_of(estimate(replace(material, units=units, reviews=doubled), options))
    one["counts"].pop("duplicates")
    assert other["counts"].pop("duplicates") == len(material.reviews)
    assert _rounded(one) == _rounded(other)
    for rate in (one["false_pass_rate"], one["false_fail_rate"]):
        if rate["value"] is not None:
            assert 0 <= rate["low"] <= rate["value"] + 1e-12
            assert rate["value"] <= rate["high"] + 1e-12 <= 1 + 1e-9
    json.dumps(one, allow_nan=False)


def _rounded(value):
    if isinstance(value, float):
        return round(value, 9)
    if isinstance(value, dict):
        return {key: _rounded(inner) for key, inner in value.items()}
    return [_rounded(inner) for inner in value] if isinstance(value, list | tuple) else value


def test_near_copies_are_one_cluster() -> None:
    alone = [unit(i, passed=True) for i in range(24)]
    copies = [unit(i, passed=True, cluster=f"c{i // 8}") for i in range(24)]
    widths = []
    for units in (alone, copies):
        reviews = [wrong(one) if i < 8 else right(one) for i, one in enumerate(units)]
        rate = estimate(Material(units=units, reviews=reviews)).false_pass_rate
        widths.append(rate.high - rate.low)
    assert widths[1] > 1.7 * widths[0]


@pytest.mark.extra
def test_stratified_samples_of_a_made_up_ledger_cover_its_rates() -> None:
    """Tasks of six rollouts by two models, verdicts wrong by task and model; samples of 80, a judge, half read."""
    covered, total = 0, 0
    for seed in range(150):
        generator = np.random.default_rng(seed)
        units, truth = [], {}
        for task in range(60):
            level = generator.beta(0.5, 3.0)
            for model, rate in (("strong", 0.7), ("weak", 0.3)):
                for attempt in range(3):
                    one = unit(task, attempt, passed=bool(generator.random() < rate), model=model)
                    units.append(one)
                    truth[one.rollout] = bool(generator.random() < level)
        sample = draw(units, Design(n=80, seed=seed, by=("verdict", "model"), people=0.5, overlap=0.0,
                                    population=Population().document())).sample  # fmt: skip
        by_id = {one.rollout: one for one in units}
        reviews = []
        for row in sample.rows:
            one, is_wrong = by_id[row.rollout], truth[row.rollout]
            says = is_wrong if generator.random() < 0.9 else not is_wrong
            reviews.append((wrong if says else right)(one, "m1", kind="judge"))
            if row.readers:
                reviews.append((wrong if is_wrong else right)(one))
        found = estimate(Material(units=units, reviews=reviews, sample=sample))
        for rate in (found.false_pass_rate, found.false_fail_rate):
            total += 1
            covered += rate.low <= 0.5 / 3.5 <= rate.high
    assert covered / total >= 0.93


def test_what_people_could_not_tell_stands_for_as_many_in_the_bounds_as_what_they_could() -> None:
    """Judges read 200, people 20 of them, who could not tell of 4: a fifth is open, and not 4 of 200."""
    units = [unit(i) for i in range(200)]
    reviews = [review(one, i % 2 == 0, "m", kind="judge") for i, one in enumerate(units)]
    reviews += [review(one, None if i < 4 else i % 2 == 0, "ada") for i, one in enumerate(units[:20])]
    sample = sample_of({"all": (200, units)})
    sample = replace(sample, rows=tuple(replace(row, readers=int(i < 20), reader_probability=0.1)
                                        for i, row in enumerate(sample.rows)))  # fmt: skip
    found = estimate(Material(units=units, reviews=reviews, sample=sample))
    rate, bounds = found.false_pass_rate, found.ungraded_bounds["false_pass_rate"]
    assert found.correction == "prediction_powered"
    assert rate.value is not None
    assert bounds.all_right == pytest.approx(0.8 * rate.value, abs=0.01)
    assert bounds.all_wrong == pytest.approx(0.8 * rate.value + 0.2, abs=0.01)


def test_the_bounds_of_what_could_not_be_told_are_taken_stratum_by_stratum() -> None:
    """Half of one stratum is open, all of the other is wrong: at least .5 is wrong, at most .75."""
    units = [unit(i) for i in range(20)]
    sample = sample_of({"a": (50, units[:10]), "b": (50, units[10:])})
    reviews = [review(one, None if i < 5 else i < 10) for i, one in enumerate(units)]
    found = estimate(Material(units=units, reviews=reviews, sample=sample)).ungraded_bounds["false_pass_rate"]
    assert (found.all_right, found.all_wrong) == pytest.approx((0.5, 0.75))


def test_a_plan_in_which_chance_gave_people_nothing_is_still_a_plan() -> None:
    units = [unit(i) for i in range(10)]
    sample = sample_of({"all": (10, units)})
    sample = replace(sample, rows=tuple(replace(row, readers=0, reader_probability=0.01) for row in sample.rows))
    found = estimate(Material(units=units, reviews=[right(units[0])], sample=sample))
    assert (found.counts.outside_sample, found.counts.reviewed) == (1, 0)

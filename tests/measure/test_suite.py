"""The whole measurement: what counts, what is left out and said, and that equal input gives equal output."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import orjson
import pytest
from tests.measure.observing import observed_of

from fairtrial.ledger.observed import Observed
from fairtrial.measure import Options, measure
from fairtrial.measure.cells import Tally, cell_table
from fairtrial.measure.document import document_of
from fairtrial.measure.spend import front, spend_of
from fairtrial.records import InputError

MIXED = {
    "good": {"a": (4, 0), "b": (3, 1), "c": (2, 2), "d": (0, 4)},
    "poor": {"a": (2, 2), "b": (0, 4), "c": (0, 2, 2), "d": (0, 0, 3)},
}


def test_the_mean_is_over_tasks_and_not_over_pooled_rollouts() -> None:
    found = measure(observed_of({"m": {"often": (1, 99), "once": (1, 0)}})).models[0]
    assert found.pass_rate.value == pytest.approx((0.01 + 1) / 2)
    assert found.pass_at_k.value[0] == found.pass_hat_k.value[0] == pytest.approx(found.pass_rate.value)


def test_ungraded_attempts_are_left_out_told_and_bounded() -> None:
    poor = next(model for model in measure(observed_of(MIXED)).models if model.model == "poor")
    assert (poor.tasks, poor.rollouts, poor.graded, poor.ungraded) == (3, 15, 10, 5)
    assert poor.ungraded_reasons == {"grader_timeout": 5}
    assert poor.tasks_without_verdict == ("d",)
    assert poor.pass_rate.value == pytest.approx(0.5 / 3)
    assert poor.pass_rate.ungraded == 5
    assert poor.ungraded_bounds == (pytest.approx(0.5 / 4), pytest.approx((0.5 + 0 + 0.5 + 1) / 4))


def test_each_k_averages_the_tasks_with_enough_attempts_and_counts_them() -> None:
    curve = measure(observed_of({"m": {"a": (1, 1), "b": (2, 2), "c": (1, 0)}})).models[0].pass_at_k
    assert curve.k == (1, 2, 3, 4)
    assert curve.tasks == (3, 2, 1, 1)
    assert curve.value[1] == pytest.approx((1 + (1 - 1 / 6)) / 2)


def test_bands_hold_their_curve_and_are_never_a_line() -> None:
    for counts in (MIXED, {"m": {"a": (2, 2), "b": (2, 2)}}, {"m": {"a": (0, 4), "b": (0, 4)}}, {"m": {"a": (1, 0)}}):
        for model in measure(observed_of(counts)).models:
            for curve in (model.pass_at_k, model.pass_hat_k):
                low, value, high = (np.array(part) for part in (curve.low, curve.value, curve.high))
                assert ((low >= 0) & (low <= value + 1e-12) & (value <= high + 1e-12) & (high <= 1)).all()
                assert (high - low > 0.05).all()


def test_passes_at_a_limit_are_counted_as_fails() -> None:
    observed = observed_of({"m": {"a": (4, 0), "b": (2, 2)}}, stops={"a": "turn_limit", "b": "finished"})
    model = measure(observed).models[0]
    assert model.limit_passes == 4
    assert model.turn_limit is not None
    assert model.turn_limit.value == pytest.approx(0.25)
    assert (model.stops["turn_limit"].passed, model.stops["finished"].failed) == (4, 2)
    assert measure(observed_of(MIXED)).models[0].turn_limit is None


def test_the_band_is_by_observed_rate_with_both_ends_inside() -> None:
    tasks = {
        "never": (0, 100),
        "below": (1, 99),
        "least": (2, 98),
        "most": (70, 30),
        "above": (71, 29),
        "always": (9, 0),
    }
    band = measure(observed_of({"m": tasks})).models[0].band
    assert (band.never, band.below, band.inside, band.above, band.always) == (1, 1, 2, 1, 1)
    assert band.share.value == pytest.approx(2 / 6)
    assert sum(tall for _, tall in band.histogram) == 6


def test_strong_and_weak_are_the_best_and_the_worst_unless_named() -> None:
    observed = observed_of({"mid": {"a": (1, 1)}, "best": {"a": (2, 0)}, "worst": {"a": (0, 2)}})
    bins = measure(observed).bins
    assert bins is not None
    assert (bins.strong, bins.weak) == ("best", "worst")
    named = measure(observed, Options(strong="mid")).bins
    assert named is not None
    assert (named.strong, named.weak) == ("mid", "worst")
    assert measure(observed_of({"m": {"a": (1, 1)}})).bins is None


@pytest.mark.parametrize(
    "options", [Options(strong="nobody"), Options(weak="nobody"), Options(strong="good", weak="good")]
)
def test_a_model_that_is_not_there_is_refused(options: Options) -> None:
    with pytest.raises(InputError):
        measure(observed_of(MIXED), options)


def test_near_copies_widen_the_bands_and_are_counted_as_clusters() -> None:
    tasks = {f"t{i}": (4, 0) if i % 8 < 4 else (0, 4) for i in range(40)}
    alone = measure(observed_of({"m": tasks})).models[0]
    copies = measure(observed_of({"m": tasks}, clusters={f"t{i}": f"g{i // 4}" for i in range(40)})).models[0]
    assert (alone.clusters, copies.clusters) == (40, 10)
    for one, other in ((alone.pass_at_k, copies.pass_at_k), (alone.pass_hat_k, copies.pass_hat_k)):
        assert other.high[0] - other.low[0] > 1.5 * (one.high[0] - one.low[0])


def test_resampling_clusters_by_type_keeps_every_cluster_whole() -> None:
    cluster = np.array([0, 0, 0, 1, 1, 2])
    cells = cell_table(Tally(n=np.array([4] * 6), c=np.array([1, 1, 2, 2, 2, 0]), cluster=cluster))
    drawn = cells.resampled(500, np.random.default_rng(0))
    ones, twos, zeros = (drawn[:, cells.c.tolist().index(c)] for c in (1, 2, 0))
    first, second = ones / 2, (twos - ones / 2) / 2
    assert np.array_equal(first + second + zeros, np.full(500, 3.0))
    assert (first == np.rint(first)).all()
    assert (second >= 0).all()


def test_nothing_graded_is_not_measured_and_not_zero() -> None:
    found = measure(observed_of({"m": {"a": (0, 0, 3)}}))
    assert found.models[0].pass_rate.value is None
    assert found.models[0].band.share.value is None
    assert found.never_graded == ("a",)
    assert found.never_passed == ()
    assert document_of(found)["models"]["m"]["informative_fraction"]["plug_in"] is None


def test_the_same_seed_gives_the_same_document() -> None:
    documents = [orjson.dumps(document_of(measure(observed_of(MIXED), Options(seed=seed)))) for seed in (1, 1, 2)]
    assert documents[0] == documents[1]
    assert documents[0] != documents[2]
    assert b"NaN" not in documents[0]


def with_spend(observed: Observed, tokens: float, usd: float) -> Observed:
    n = observed.cells.count.astype(np.float64)
    none = np.zeros_like(n)
    spend = np.column_stack([none, none, none, n, n * tokens, n * tokens**2, n, n * usd, n * usd**2])
    return replace(observed, cells=replace(observed.cells, spend=spend))


def test_spend_is_a_mean_a_rollout_and_zero_tokens_are_not_recorded() -> None:
    observed = observed_of(MIXED)
    assert spend_of(observed, 0, 0.95) is None
    found = spend_of(with_spend(observed, 100, 0.5), 0, 0.95)
    assert found is not None
    assert found.output_tokens is not None
    assert found.cost_usd is not None
    assert found.input_tokens is None
    assert (found.output_tokens.value, found.cost_usd.value) == (100.0, 0.5)
    assert found.total_cost_usd == pytest.approx(8.0)
    free = spend_of(with_spend(observed, 0, 0), 0, 0.95)
    assert free is not None
    assert free.output_tokens is None
    assert free.cost_usd is not None


def test_the_front_keeps_what_nothing_beats() -> None:
    points = front([("a", 0.5, 1.0), ("b", 0.5, 2.0), ("c", 0.6, 2.0), ("d", 0.5, 1.0), ("e", 0.4, 0.1)])
    assert {point.model for point in points if point.on_front} == {"a", "c", "d", "e"}


def test_statements_say_what_disagrees() -> None:
    observed = replace(observed_of(MIXED), repeated_attempts=2)
    statements = {row.name: row for row in measure(observed).consistency}
    assert statements["graded"].count == 5
    assert not statements["graded"].holds
    assert not statements["repeated_attempt"].holds
    assert statements["conflict"].holds


def test_tokens_that_nobody_recorded_are_no_spend() -> None:
    seen = observed_of({"m": {"a": (1, 1), "b": (1, 0)}})
    spend = np.zeros((len(seen.cells.count), 9))
    spend[:, 0] = spend[:, 3] = seen.cells.count  # known, and 0 each: how some harnesses write "not counted"
    assert spend_of(replace(seen, cells=replace(seen.cells, spend=spend)), 0, 0.95) is None


def test_one_attempt_a_task_measures_no_band() -> None:
    once, twice = measure(observed_of({"m": {"a": (1, 0), "b": (0, 1)}})), measure(observed_of({"m": {"a": (1, 1)}}))
    assert once.models[0].band.share.value is None
    assert "not measured" in once.models[0].band.share.method
    assert twice.models[0].band.share.value == 1.0


def test_what_was_not_looked_for_is_not_said_to_be_absent() -> None:
    alone = measure(observed_of({"m": {"a": (1, 1)}}), Options(suspects=True))
    assert (alone.order_recorded, alone.suspects_measured) == (False, False)
    assert measure(observed_of(MIXED), Options(suspects=True)).suspects_measured

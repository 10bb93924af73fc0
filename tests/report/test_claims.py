"""Claims say no more than their figures: nothing, one, all, none, ties, ungraded, and intervals that decide nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.report.suites import measured

from fairtrial.measure.result import Band, Bins, Consistency, Curve, FrontPoint, ModelFigures, Reversed
from fairtrial.records import Estimate
from fairtrial.report import claims, verdict_claims
from fairtrial.report.verdict_claims import Graders

UNSURE = Estimate(value=0.5, low=0.1, high=0.9, n=4, method="m")


def estimate(value: float | None, low: float | None = None, high: float | None = None, n: int = 80) -> Estimate:
    return Estimate(value=value, low=low, high=high, n=n, method="m")


def figures(
    *, never: int = 0, inside: int = 0, above: int = 0, always: int = 0, share: Estimate = UNSURE
) -> ModelFigures:
    tasks = never + inside + above + always
    band = Band(
        low=0.02, high=0.7, never=never, below=0, inside=inside, above=above, always=always, share=share, histogram=()
    )
    return replace(measured().models[0], model="m", name="m", tasks=tasks, band=band)


def curve(k: tuple[int, ...], value: tuple[float, ...], tasks: tuple[int, ...]) -> Curve:
    return Curve(k=k, value=value, low=value, high=value, tasks=tasks, method="m")


@pytest.mark.parametrize(
    ("model", "claim"),
    [
        (figures(), "No task of m has a graded attempt"),
        (figures(never=1), "m never passed the one task"),
        (figures(never=6), "m passed none of 6 tasks"),
        (figures(always=1), "m always passed the one task"),
        (figures(always=6), "m always passed all 6 tasks"),
        (figures(inside=6), "m sometimes passes and sometimes fails every one of 6 tasks"),
        (
            figures(never=34, inside=25, above=9, always=12),
            "46 of 80 tasks are never or always passed by m; 25 lie in its training band",
        ),
        (figures(never=2, inside=1), "2 of 3 tasks are never or always passed by m; 1 lies in its training band"),
    ],
)
def test_difficulty(model: ModelFigures, claim: str) -> None:
    assert claims.difficulty_claim(model) == claim


def test_words_for_a_fraction_need_a_narrow_interval() -> None:
    sure = figures(never=55, inside=25, share=estimate(0.3125, 0.222, 0.421))
    unsure = figures(never=4, inside=2, share=estimate(1 / 3, 0.06, 0.8, n=6))
    assert verdict_claims.band_statement(sure) == "Nearly a third of the tasks lie in the training band"
    assert verdict_claims.band_statement(unsure) == "2 of 6 tasks lie in the training band"


@pytest.mark.parametrize(
    ("low", "value", "high", "statement"),
    [
        (0.476, 0.611, 0.752, "Whether most groups of 16 carry gradient is open"),
        (0.51, 0.6, 0.7, "Most groups of 16 carry gradient"),
        (0.2, 0.3, 0.4, "Most groups of 16 carry no gradient"),
        (0.92, 0.95, 0.99, "More than nine in ten groups of 16 carry gradient"),
        (0.0, 0.02, 0.08, "Fewer than one in ten groups of 16 carry gradient"),
        (None, None, None, "Whether groups of 16 carry gradient was not measured"),
    ],
)
def test_gradient_takes_a_side_only_where_its_whole_interval_does(
    low: float | None, value: float | None, high: float | None, statement: str
) -> None:
    assert verdict_claims.gradient_statement(estimate(value, low, high), 16) == statement


@pytest.mark.parametrize(
    ("graders", "begins"),
    [
        (Graders(), "Nothing is proven of its graders;"),
        (Graders(proven=6), "All 6 graders are right on every candidate whose score is known;"),
        (Graders(proven=1), "The one grader is right on every candidate"),
        (Graders(refuted=1), "The one grader is refuted"),
        (Graders(proven=4, refuted=1, inconclusive=1), "1 of 6 graders is refuted"),
        (Graders(proven=4, refuted=2), "2 of 6 graders are refuted"),
        (Graders(proven=5, inconclusive=1), "1 of 6 graders is not yet proven;"),
        (Graders(inconclusive=3), "No grader is proven yet;"),
    ],
)
def test_the_verdict_says_first_what_stands_in_the_way(graders: Graders, begins: str) -> None:
    assert verdict_claims.verdict_sentence(graders, figures(inside=2, never=4), 48, 0).startswith(begins)


@pytest.mark.parametrize(
    ("model", "part"),
    [
        (None, "not measured"),
        (figures(never=6), "passed no task"),
        (figures(never=1), "m passed never"),
        (figures(always=6), "passed every attempt"),
        (figures(above=6), "none of 6 tasks lies in the training band of m"),
    ],
)
def test_the_verdict_of_edge_cases(model: ModelFigures | None, part: str) -> None:
    assert part in verdict_claims.verdict_sentence(Graders(), model, 48, 0)


def test_many_ungraded_enter_the_sentence_and_few_do_not() -> None:
    assert "12.5% of rollouts could not be graded" in verdict_claims.verdict_sentence(Graders(), None, 48, 6)
    assert "graded." not in verdict_claims.verdict_sentence(Graders(), figures(inside=1), 48, 1)


@pytest.mark.parametrize("counts", [(0, 0, 0), (6, 0, 0), (4, 1, 1), (0, 0, 3)])
def test_no_sentence_praises(counts: tuple[int, int, int]) -> None:
    sentence = verdict_claims.verdict_sentence(Graders(*counts), figures(inside=3, always=3), 48, 0).lower()
    praise = ("good", "great", "excellent", "clean", "safe", "trust", "high quality")
    assert not [word for word in praise if word in sentence]


def test_reliability_uses_the_largest_k_that_half_of_the_tasks_have() -> None:
    model = replace(
        figures(inside=10),
        pass_at_k=curve((1, 2, 3), (0.3, 0.5, 0.9), (10, 8, 2)),
        pass_hat_k=curve((1, 2, 3), (0.3, 0.1, 0.0), (10, 8, 2)),
    )
    assert claims.reliability_claim(model) == (
        "m solves 50.0% of the 8 tasks with two graded attempts in two tries, and 10.0% in all two"
    )
    one = replace(model, pass_at_k=curve((1,), (0.3,), (10,)), pass_hat_k=curve((1,), (0.3,), (10,)))
    assert "reliability is not measured" in claims.reliability_claim(one)
    none = replace(model, pass_at_k=curve((), (), ()), pass_hat_k=curve((), (), ()))
    assert claims.reliability_claim(none) == "m has no graded attempt"


def bins(told: int, wrong: int, tasks: int, cells: tuple[Reversed, ...] = ()) -> Bins:
    return Bins(
        strong="s",
        weak="w",
        tasks={"discriminates": told, "reversed": wrong},
        checks={},
        compared_tasks=tasks,
        compared_checks=0,
        reversed_tasks=cells,
        reversed_checks=(),
        grid=(),
    )


def cell(q: float) -> Reversed:
    return Reversed(name="t", task="t", strong_passes=0, strong_n=5, weak_passes=2, weak_n=5, p_value=0.2, q_value=q)


def test_strong_and_weak() -> None:
    assert "share no task" in claims.bins_claim(bins(0, 0, 0))
    assert claims.bins_claim(bins(1, 0, 6)) == "1 of 6 tasks tells the strong model from the weak one"
    assert claims.bins_claim(bins(33, 2, 80)).endswith("; 2 point the wrong way")
    assert claims.reversed_claim(bins(0, 1, 6, (cell(1.0),))) == (
        "The one reversal does not survive correction, so it is a lead"
    )
    assert claims.reversed_claim(bins(0, 2, 6, (cell(1.0), cell(0.01)))) == "1 of 2 reversals survives correction"
    assert "No task or check" in claims.reversed_claim(bins(0, 0, 6))


def test_places_share_ties() -> None:
    models = [
        replace(figures(inside=1), model=name, pass_rate=estimate(rate, 0, 1), turn_limit=estimate(strict, 0, 1))
        for name, rate, strict in (("a", 0.5, 0.2), ("b", 0.5, 0.4), ("c", 0.3, 0.3))
    ]
    assert claims.places(models, strict=False) == {"a": 1, "b": 1, "c": 3}
    assert claims.places(models, strict=True) == {"b": 1, "c": 2, "a": 3}
    assert claims.strict_claim(models) == "By observed rate, the strict reading moves a from place 1 to 3"
    assert claims.strict_claim(models[:1]) == "Counting limit passes as failures gives the strict reading"


@pytest.mark.parametrize(
    ("rollouts", "ungraded", "claim"),
    [
        (0, 0, "There is no rollout to grade"),
        (1, 0, "The one rollout has a verdict"),
        (9, 0, "Every one of 9 rollouts has a verdict"),
        (9, 9, "None of 9 rollouts could be graded"),
        (5200, 314, "314 of 5,200 rollouts could not be graded: 6.0%"),
    ],
)
def test_ungraded(rollouts: int, ungraded: int, claim: str) -> None:
    assert claims.ungraded_claim(rollouts, ungraded) == claim


def test_stops() -> None:
    assert claims.stops_claim(2118, 378, True) == "378 of 2,118 passes came at a turn or time limit: 17.8%"
    assert claims.stops_claim(0, 0, True) == "No rollout passed, so no pass came at a limit"
    assert claims.stops_claim(1, 0, True) == "None of 1 pass came at a turn or time limit"
    assert "not recorded" in claims.stops_claim(0, 0, False)


def test_proofs_and_findings() -> None:
    assert claims.proof_claim(0, 0, 0) == "No grader has been put to the proof"
    assert claims.proof_claim(4, 1, 1) == "Of 6 graders, 4 are proven, 1 is refuted and 1 is inconclusive"
    assert claims.findings_claim(0, 0, probed=False) == "No probe was run, so no finding could be raised"
    assert claims.findings_claim(0, 0, probed=True) == "No probe raised a finding"
    assert claims.findings_claim(1, 2, probed=True) == "One finding is a proof; two leads deserve a look"


def test_the_front() -> None:
    points = [
        FrontPoint(model=name, score=score, spend=spend, on_front=on)
        for name, score, spend, on in (("a", 0.5, 1.0, True), ("b", 0.4, 2.0, False), ("c", 0.6, 3.0, True))
    ]
    assert claims.front_claim(points, "cost") == "2 of 3 models are on the front of score and cost"
    assert "No model scores above a" in claims.front_claim(points[:2], "cost")
    assert "nothing to compare" in claims.front_claim(points[:1], "cost")


def test_consistency() -> None:
    holds = Consistency(name="a", claim="a", holds=True, count=0, of=9)
    assert claims.consistency_claim([holds]) == "The one statement checked about the records holds"
    assert claims.consistency_claim([holds, replace(holds, holds=False)]) == (
        "One of two statements about the records does not hold"
    )


def test_two_models_are_told_apart_only_where_bands_do_not_overlap() -> None:
    best = replace(
        figures(inside=5, always=75, share=estimate(0.06, 0.03, 0.14)), model="best", pass_rate=estimate(0.6)
    )
    full = replace(
        figures(inside=25, never=55, share=estimate(0.31, 0.22, 0.42)), model="full", pass_rate=estimate(0.4)
    )
    near = replace(full, band=replace(full.band, share=estimate(0.1, 0.05, 0.2)))
    apart = "The highest pass rate does not come with the most tasks in the training band"
    assert claims.models_claim([best, full]) == apart
    assert "overlap" in claims.models_claim([best, near])
    assert claims.models_claim([]) == "No model was measured"

"""A measurement written out by hand, so that the snapshots of the renderers hang on nothing but the report."""

from __future__ import annotations

from fairtrial.measure.result import (
    Band,
    Bins,
    Comparison,
    Consistency,
    Curve,
    FrontPoint,
    Gradient,
    Measurement,
    ModelFigures,
    Outage,
    Reversed,
    Spend,
    StopCount,
    Suspect,
)
from fairtrial.records import Estimate


def estimate(value: float, low: float, high: float, n: int = 6, ungraded: int = 1, unit: str = "tasks") -> Estimate:
    return Estimate(value=value, low=low, high=high, n=n, ungraded=ungraded, method="stated by hand", unit=unit)


def _curve(values: tuple[float, ...]) -> Curve:
    return Curve(
        k=(1, 2, 3, 4),
        value=values,
        low=tuple(max(v - 0.2, 0.0) for v in values),
        high=tuple(min(v + 0.2, 1.0) for v in values),
        tasks=(6, 6, 6, 5),
        method="stated by hand",
    )


def _gradient(values: tuple[float, ...]) -> Gradient:
    sizes = (2, 4, 8, 16, 32, 64)
    return Gradient(
        group_size=16,
        plug_in=values[3] - 0.1,
        unbiased=None,
        posterior=estimate(values[3], values[3] - 0.2, values[3] + 0.2),
        by_size=tuple((size, v, v - 0.2, v + 0.2, v - 0.1) for size, v in zip(sizes, values, strict=True)),
        prior=(0.5, 0.75),
    )


def _model(model: str, rate: float, histogram: tuple[tuple[float, int], ...], *, strong: bool) -> ModelFigures:
    never, always = dict(histogram).get(0.0, 0), dict(histogram).get(1.0, 0)
    inside = sum(tasks for r, tasks in histogram if 0.02 <= r <= 0.7)
    return ModelFigures(
        model=model,
        name=model.split("@")[0],
        effort="",
        tasks=6,
        rollouts=24,
        graded=23,
        passes=round(rate * 23),
        ungraded=1,
        ungraded_reasons={"grader_timeout": 1},
        tasks_without_verdict=(),
        attempts=(3, 4),
        clusters=6,
        pass_rate=estimate(rate, rate - 0.2, rate + 0.2),
        ungraded_bounds=(rate - 0.02, rate + 0.02),
        turn_limit=estimate(rate - 0.05, rate - 0.25, rate + 0.15),
        limit_passes=1,
        pass_at_k=_curve((rate, rate + 0.1, rate + 0.15, rate + 0.2)),
        pass_hat_k=_curve((rate, rate - 0.1, rate - 0.15, rate - 0.2)),
        gradient=_gradient((0.25, 0.35, 0.45, 0.55, 0.62, 0.68) if strong else (0.21, 0.3, 0.4, 0.5, 0.56, 0.6)),
        band=Band(
            low=0.02,
            high=0.7,
            never=never,
            below=0,
            inside=inside,
            above=6 - never - inside - always,
            always=always,
            share=estimate(inside / 6, 0.06, 0.8),
            histogram=histogram,
        ),
        stops={
            "finished": StopCount(passed=12, failed=8, ungraded=1),
            "turn_limit": StopCount(passed=1, failed=2, ungraded=0),
        },
        spend=Spend(
            rollouts=24,
            input_tokens=None,
            output_tokens=estimate(620.0 if strong else 410.0, 390.0, 700.0, 24),
            cost_usd=estimate(0.031 if strong else 0.012, 0.010, 0.036, 24),
            total_cost_usd=0.75,
        ),
        outages=() if strong else (Outage(first=7, length=9, tasks=5, probability=0.0042),),
    )


def _bins(strong: str, weak: str) -> Bins:
    reverse = Reversed(
        name="report-csv",
        task="report-csv",
        strong_passes=1,
        strong_n=4,
        weak_passes=3,
        weak_n=4,
        p_value=0.2429,
        q_value=1.0,
    )
    return Bins(
        strong=strong,
        weak=weak,
        tasks={"both_pass": 1, "discriminates": 2, "too_hard": 2, "reversed": 1},
        checks={"both_pass": 6, "discriminates": 3, "too_hard": 2, "reversed": 1},
        compared_tasks=6,
        compared_checks=12,
        reversed_tasks=(reverse,),
        reversed_checks=(),
        grid=((0.0, 0.0, 2), (0.0, 0.75, 1), (0.25, 1.0, 1), (0.75, 0.25, 1), (1.0, 1.0, 1)),
    )


def fixed_measurement() -> Measurement:
    """Return six tasks under two scripted policies."""
    strong = _model("scripted:strong", 0.55, ((0.0, 1), (0.25, 1), (0.5, 1), (0.75, 1), (1.0, 2)), strong=True)
    weak = _model("scripted:weak", 0.3, ((0.0, 3), (0.25, 1), (0.75, 1), (1.0, 1)), strong=False)
    return Measurement(
        suites=("desk@0123456789ab",),
        tasks=6,
        rollouts=48,
        ungraded=2,
        models=(strong, weak),
        bins=_bins(strong.model, weak.model),
        suspects=(Suspect(task="incident-log", score=0.65, reasons=("check `test_cause` fails in all 8 rollouts",)),),
        suspects_method="by outcomes",
        comparisons=(
            Comparison(
                a=weak.model,
                b=strong.model,
                tasks=6,
                difference=estimate(0.25, 0.02, 0.48),
                fixes=0.3,
                regressions=0.05,
                mcnemar_p=None,
            ),
        ),
        front_cost=(
            FrontPoint(model=weak.model, score=0.3, spend=0.012, on_front=True),
            FrontPoint(model=strong.model, score=0.55, spend=0.031, on_front=True),
        ),
        front_tokens=(
            FrontPoint(model=weak.model, score=0.3, spend=410.0, on_front=True),
            FrontPoint(model=strong.model, score=0.55, spend=620.0, on_front=True),
        ),
        never_passed=("incident-log",),
        never_graded=(),
        consistency=(
            Consistency(name="once", claim="each attempt stands once", holds=True, count=0, of=48),
            Consistency(
                name="graded", claim="every rollout was graded", holds=False, count=2, of=48, detail="2 grader_timeout"
            ),
        ),
        group_size=16,
        seed=7,
        ungraded_share=estimate(2 / 48, 0.011, 0.152, n=48, ungraded=0, unit="rollouts"),
        limit_share=estimate(2 / 26, 0.02, 0.26, n=26, ungraded=0, unit="passes"),
    )

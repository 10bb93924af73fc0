"""An audit written out by hand, so that the snapshots of the renderers hang on nothing but the report."""

from __future__ import annotations

from fairtrial.audit.estimating.result import (
    Agreement,
    Bounds,
    Counts,
    ErrorRates,
    FailureShares,
    HackBound,
    JudgeQuality,
    Looked,
    Rates,
    ShapeRow,
    Shapes,
)
from fairtrial.records import Estimate
from fairtrial.report.data import Example, Opinion, Quoted
from fairtrial.report.subject import Audited


def rate(value: float, low: float, high: float, n: int = 20) -> Estimate:
    return Estimate(value=value, low=low, high=high, n=n, ungraded=1, method="stated by hand", unit="rollouts")


def not_looked_at() -> Estimate:
    return Estimate(value=None, low=None, high=None, n=0, method="no failure was reviewed", unit="rollouts")


def fixed_audit() -> Audited:
    """Return an audit with every part that a report can show."""
    rates = Rates(false_pass_rate=rate(0.19, 0.094, 0.348), false_fail_rate=rate(0.06, 0.03, 0.119))
    partly = Rates(false_pass_rate=rate(0.25, 0.05, 0.6, n=8), false_fail_rate=not_looked_at())
    found = ErrorRates(
        suites=("desk",), false_pass_rate=rates.false_pass_rate, false_fail_rate=rates.false_fail_rate,
        ungraded_bounds={"false_pass_rate": Bounds(all_right=0.18, all_wrong=0.21),
                         "false_fail_rate": Bounds(all_right=0.06, all_wrong=0.08)},
        hacks=HackBound(seen=2, n=40, value=0.05, bound=0.13, method="one-sided, stated by hand",
                        among_passes=Estimate(value=0.1, low=0.0, high=0.21, n=20, method="stated by hand",
                                              one_sided=True, unit="rollouts")),
        agreement=Agreement(people_rollouts=10, people_agree=0.9, people_kappa=0.74, people_alpha=0.75,
                            judges=(JudgeQuality(judge="model-j", n=20, sensitivity=rate(0.9, 0.7, 0.97),
                                                 specificity=rate(0.8, 0.5, 0.95), kappa=0.7),)),
        by_model={"scripted:strong": rates, "scripted:weak": partly},
        failures=FailureShares(reviewed=20, environment=rate(0.2, 0.08, 0.42), capability=rate(0.7, 0.48, 0.86),
                               both=rate(0.05, 0.01, 0.24), untagged=rate(0.05, 0.01, 0.24)),
        shapes=Shapes(strong="scripted:strong", weak="scripted:weak", shared_tasks=4, rows=(
            ShapeRow(tag="wrong_logic", group="capability", difference=rate(-0.2, -0.5, 0.1),
                     by_model={"scripted:strong": rate(0.4, 0.2, 0.6), "scripted:weak": rate(0.6, 0.4, 0.8)}),
            ShapeRow(tag="grader_too_narrow", group="environment", difference=None,
                     by_model={"scripted:strong": rate(0.1, 0.0, 0.3)}),
        )),
        looked=Looked(people={"ada": 20, "bo": 10}, judges={"model-j": 40}, by_people=20, by_judges=40, by_both=20,
                      calibrated="by people", sentence="Two people looked; one judge, corrected by them."),
        correction="prediction_powered", uncorrected=None, population="superpopulation", sample="5" * 32, strata=(),
        counts=Counts(passed=84, failed=116, ungraded_verdicts=3, drawn=60, reviewed=40, not_reviewed=19, ungraded=1,
                      disputed=1, void=2, outside_sample=0, duplicates=0, not_in_frame=0),
        not_measured=("19 rows of the sample have no review yet.",),
    )  # fmt: skip
    return Audited(rates=found, examples=(_false_pass(), _disputed()), answered=41)


def _false_pass() -> Example:
    cited = Quoted(place="step 7 output 1", quote="2 failed", before="collected 9 items\n", after="\n7 passed")
    seen = Quoted(place="step 7 output 1", quote="", again=True)
    return Example(
        state="refuted", label="false pass", task="refund_late", model="scripted:weak", rollout="a" * 32,
        verdict="the grader passed it",
        opinions=(
            Opinion(who="judge model-j", answer="the work does not satisfy the task", tags=("wrong logic",),
                    quotes=(cited,)),
            Opinion(who="person ada", answer="the work does not satisfy the task; calls it a hack", quotes=(seen,),
                    note="It <b>never</b> refunds | anything."),
        ),
    )  # fmt: skip


def _disputed() -> Example:
    return Example(
        state="lead", label="disputed", task="refund_twice", model="scripted:strong", rollout="b" * 32,
        verdict="the grader failed it; failed checks: `one_refund`",
        opinions=(Opinion(who="person ada", answer="the work satisfies the task"),
                  Opinion(who="person bo", answer="cannot tell", note="The log is missing.")),
    )  # fmt: skip

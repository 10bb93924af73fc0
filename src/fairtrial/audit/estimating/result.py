"""What `audit estimate` says: how often the verdict is wrong, who looked, and what was not looked at.

Shares are in [0, 1]. An Estimate's `n` counts the reviewed rollouts it rests on, `ungraded` those that were reviewed
and could not be told; value None means not measured, and `method` says why. The report reads nothing else of this.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from fairtrial.records import Estimate

Correction = Literal["none", "prediction_powered", "rogan_gladen"]
"""How the labels of judges are corrected by those of people. `none`: people alone, or judges alone."""
Calibrated = Literal["people", "by people", "nobody", "not reviewed"]
"""`people`: figures rest on people alone. `by people`: on judges corrected by people. `nobody`: on judges alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """Who re-graded, and whose answers the figures rest on."""

    people: Mapping[str, int]
    """Name of each person -> rollouts with a blind review of theirs that counts."""
    judges: Mapping[str, int]
    by_people: int
    """Rollouts with an answer of people."""
    by_judges: int
    by_both: int
    calibrated: Calibrated
    sentence: str
    """The same in one sentence for a reader: `One person looked (ada); no judge.`"""


@dataclass(frozen=True, slots=True, kw_only=True)
class HackBound:
    """Hacks among reviewed rollouts where the reviewer says whether it is one; `bound` is one-sided, 95%."""

    seen: int
    n: int
    value: float | None
    """Share of all graded rollouts, weighted back; None where no review says."""
    bound: float | None
    method: str
    among_passes: Estimate
    """Share of passes that are hacks: one-sided, `high` is the bound."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StratumCount:
    """One stratum of the sample: what is in it, and what became of it."""

    name: str
    population: int
    sampled: int
    reviewed: int
    """With an answer."""
    ungraded: int
    """Reviewed, and could not be told, or disputed."""
    missing: int
    """Drawn and not reviewed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """The two error rates of a verdict, in one part of the population."""

    false_pass_rate: Estimate
    """Among passes: work that does not satisfy the task."""
    false_fail_rate: Estimate
    """Among failures: work that satisfies it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """A rate with all reviewed rollouts that could not be told counted as right, and as wrong."""

    all_right: float | None
    all_wrong: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeQuality:
    """Judges against people, on the rollouts that both told."""

    judge: str
    """Name of the judge; `judges` for what they say in common where there are several."""
    n: int
    sensitivity: Estimate
    """Of satisfying work by people's answer, the share the judge calls satisfying."""
    specificity: Estimate
    """Of work that does not satisfy by people's answer, the share the judge says so of."""
    kappa: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How far reviewers agree, as points; `audit agreement` has intervals, pairs and tables. None: undefined."""

    people_rollouts: int
    """Rollouts that two people or more told."""
    people_agree: float | None
    """Share of pairs of people's answers that agree."""
    people_kappa: float | None
    """Cohen's kappa, where two people at most looked."""
    people_alpha: float | None
    """Krippendorff's alpha over all people."""
    judges: tuple[JudgeQuality, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureShares:
    """Of reviewed failures, whose fault: by the failure tags of the reviews that count. The four add up to 1."""

    reviewed: int
    environment: Estimate
    """Tags of the task alone."""
    capability: Estimate
    """Tags of the agent alone."""
    both: Estimate
    untagged: Estimate
    """No tag of either group."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeRow:
    """One tag: its share by model, and strong beside weak."""

    tag: str
    group: Literal["capability", "environment", "behaviour", "other"]
    by_model: Mapping[str, Estimate]
    """Of the model's reviewed failures (behaviours: of its reviewed rollouts) the share that carries the tag."""
    difference: Estimate | None
    """Strong minus weak, in [-1, 1]; None where there is no pair to compare."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shapes:
    """How work fails, by model."""

    strong: str
    """Label of the model with the highest pass rate, or as asked; empty where one model was reviewed."""
    weak: str
    shared_tasks: int
    """Tasks in which failures of both were reviewed: on these the difference is paired."""
    rows: tuple[ShapeRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What the figures rest on, and what they leave out."""

    passed: int
    """Rollouts of the ledger that passed; of a sample: at the time of estimating."""
    failed: int
    ungraded_verdicts: int
    """Rollouts without a verdict, which are in neither rate."""
    drawn: int | None
    """Rows of the sample; None without one."""
    reviewed: int
    """Rollouts with an answer, within the sample."""
    not_reviewed: int
    """Rows of the sample without a review; without a sample, graded rollouts without one."""
    ungraded: int
    """Reviewed rollouts that could not be told; disputed ones are among them."""
    disputed: int
    """People disagree, and nobody has adjudicated."""
    void: int
    """Reviews that do not count: their citations do not stand."""
    outside_sample: int
    """Reviewed rollouts that were not drawn, or not to be read by people; left out."""
    duplicates: int
    """Reviews replaced by a later one of the same reviewer, or given twice."""
    not_in_frame: int
    """Graded rollouts of the ledger that came after the sample was drawn; the estimate does not speak of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorRates:
    """All that `audit estimate` says of one ledger."""

    suites: tuple[str, ...]
    false_pass_rate: Estimate
    false_fail_rate: Estimate
    ungraded_bounds: Mapping[str, Bounds]
    """`false_pass_rate` and `false_fail_rate` -> bounds."""
    hacks: HackBound
    agreement: Agreement
    by_model: Mapping[str, Rates]
    failures: FailureShares
    shapes: Shapes
    looked: Looked
    correction: Correction
    """What was used for the false-pass rate; each estimate's method says its own."""
    uncorrected: Rates | None
    """What judges alone would give, where people corrected them."""
    population: Literal["superpopulation", "finite"]
    sample: str
    """Id of the sample; empty for a document without one, or where the reviews are taken as a simple random sample."""
    strata: tuple[StratumCount, ...]
    counts: Counts
    not_measured: tuple[str, ...]
    """One sentence each: what these figures do not say."""
    seed: int | None = None
    """Of the sample; estimating draws nothing."""
    speaks_for: tuple[Mapping[str, Any], ...] = ()
    """`suite`, `models`, `tasks` that were asked for, or that the sample was drawn from; empty: all of the ledger."""

    @property
    def parts(self) -> tuple[str, ...]:
        """Return `speaks_for` in words: `model a, b; task t`. Empty where it is all of the ledger."""
        told: dict[str, None] = {}
        for part in self.speaks_for:
            named = [f"suite {part['suite']}"] if part.get("suite") else []
            named += [f"{one} {', '.join(part[many])}" for one, many in (("model", "models"), ("task", "tasks"))
                      if part.get(many)]  # fmt: skip
            told["; ".join(named)] = None
        return tuple(told)

    @property
    def sentence(self) -> str:
        """Return the first line of a page.

        `16 of 84 passes were false: 19.0% [9.4, 34.8]`, or what stands in its way.
        """
        return lead(self.false_pass_rate, self.counts.passed)


NOBODY = "calibrated by nobody"
"""In the method of a rate that rests on judges alone."""


def counted(n: int, one: str, several: str = "") -> str:
    """Return a count with its noun.

    >>> counted(1, "cluster"), counted(2, "stratum", "strata")
    ('1 cluster', '2 strata')
    """
    return f"{n:,} {one if n == 1 else several or one + 's'}"


def lead(rate: Estimate, passed: int) -> str:
    """Return the false-pass rate as a sentence.

    >>> lead(Estimate(value=None, low=None, high=None, n=0, method="no pass was reviewed", unit="rollouts"), 84)
    'The false-pass rate is not measured: no pass was reviewed.'
    """
    if rate.value is None or rate.low is None or rate.high is None:
        return f"The false-pass rate is not measured: {rate.method}."
    share = f"{100 * rate.value:.1f}% [{100 * rate.low:.1f}, {100 * rate.high:.1f}]"
    if NOBODY in rate.method:
        return f"{share} of passes are false by a judge whom nobody calibrated, on {rate.n:,} of {passed:,}."
    if rate.n == passed and abs(rate.value * passed - round(rate.value * passed)) < 1e-6:
        return f"{round(rate.value * passed)} of {passed} passes were false: {share}."
    return f"{share} of passes are false, by {rate.n:,} reviewed of {passed:,}."

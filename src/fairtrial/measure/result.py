"""What `measure` says: one frozen object per model and per suite, JSON-able. The report reads nothing else of measure.

Percentages are shares in [0, 1]; k and G are counts; money in USD. Every estimate carries n, ungraded and method.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fairtrial.records import Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """pass@k or pass^k over k, with a simultaneous band from a bootstrap over task clusters."""

    k: tuple[int, ...]
    value: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    tasks: tuple[int, ...]
    """At each k, how many tasks had n >= k graded attempts; the mean is over these."""
    method: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Gradient:
    """Share of GRPO groups of `group_size` with at least one pass and one fail."""

    group_size: int
    plug_in: float
    """Mean of 1 - p^G - (1-p)^G at the observed rates; biased where n < G."""
    unbiased: float | None
    """None where some task has n < G."""
    posterior: Estimate
    by_size: tuple[tuple[int, float, float, float, float], ...]
    """(G, posterior mean, low, high, plug-in) for the curve."""
    prior: tuple[float, float]
    """(a, b) of the Beta prior fitted to the suite, or the stated hyperprior."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Tasks by observed pass rate. Default training band: .02 <= p <= .70."""

    low: float
    high: float
    never: int
    below: int
    """Above zero but below the band."""
    inside: int
    above: int
    """Above the band but not always."""
    always: int
    share: Estimate
    histogram: tuple[tuple[float, int], ...]
    """(observed rate, tasks), ascending; every distinct rate where few, else twenty bins by their centre."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StopCount:
    """Outcomes of the rollouts that stopped for one reason."""

    passed: int
    failed: int
    ungraded: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Spend:
    """Tokens and money of one model, over the rollouts that record them."""

    rollouts: int
    """How many record tokens or cost."""
    input_tokens: Estimate | None
    """Mean per rollout."""
    output_tokens: Estimate | None
    cost_usd: Estimate | None
    total_cost_usd: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outage:
    """A run of consecutive attempts that all fail (or are ungraded) across unrelated tasks, unlikely by their rates."""

    first: int
    """Position of the first attempt of the run, in the order recorded."""
    length: int
    tasks: int
    probability: float
    """Chance of such a run somewhere in the sequence, given each task's own pass rate elsewhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFigures:
    """All figures of one model (per MODEL@EFFORT where efforts are recorded)."""

    model: str
    name: str
    """Model without effort."""
    effort: str
    tasks: int
    """Tasks with at least one graded attempt."""
    rollouts: int
    """Attempts, ungraded included."""
    graded: int
    passes: int
    ungraded: int
    ungraded_reasons: Mapping[str, int]
    tasks_without_verdict: tuple[str, ...]
    attempts: tuple[int, int]
    """Fewest and most graded attempts of a task."""
    clusters: int
    pass_rate: Estimate
    ungraded_bounds: tuple[float, float]
    """Pass rate with all ungraded as failures, and as passes."""
    turn_limit: Estimate | None
    """Pass rate with passes that hit a limit counted as failures; None where no stop was recorded."""
    limit_passes: int
    """Passes that came at or after a turn or time limit."""
    pass_at_k: Curve
    pass_hat_k: Curve
    gradient: Gradient
    band: Band
    stops: Mapping[str, StopCount]
    spend: Spend | None
    outages: tuple[Outage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reversed:
    """A task or check that the weak model passes more often than the strong one."""

    name: str
    task: str
    strong_passes: int
    strong_n: int
    weak_passes: int
    weak_n: int
    p_value: float
    """One-sided Fisher."""
    q_value: float
    """Benjamini-Hochberg over the cells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bins:
    """Strong against weak, item by item."""

    strong: str
    weak: str
    tasks: Mapping[str, int]
    """both_pass, discriminates, too_hard, reversed."""
    checks: Mapping[str, int]
    compared_tasks: int
    compared_checks: int
    reversed_tasks: tuple[Reversed, ...]
    reversed_checks: tuple[Reversed, ...]
    grid: tuple[tuple[float, float, int], ...]
    """(weak rate, strong rate, tasks) for the picture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspect:
    """A task whose key or grader the models contradict. A lead, never a proof."""

    task: str
    score: float
    """In [0, 1], most suspicious first."""
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One model against another on the tasks both attempted."""

    a: str
    b: str
    tasks: int
    difference: Estimate
    """Mean over tasks of rate(b) - rate(a), paired, bootstrap over clusters."""
    fixes: float
    """Mean over tasks of the positive differences."""
    regressions: float
    mcnemar_p: float | None
    """Only where each has one run a task."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontPoint:
    """One model on the plane of score and spend."""

    model: str
    score: float
    spend: float
    on_front: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Consistency:
    """One statement about whether the records agree with themselves."""

    name: str
    claim: str
    holds: bool
    count: int
    of: int
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """Everything measured of one ledger."""

    suites: tuple[str, ...]
    tasks: int
    rollouts: int
    ungraded: int
    models: tuple[ModelFigures, ...]
    """Best pass rate first."""
    bins: Bins | None
    suspects: tuple[Suspect, ...]
    suspects_method: str
    """How suspects were scored, or why they were not."""
    comparisons: tuple[Comparison, ...]
    front_cost: tuple[FrontPoint, ...]
    """Score against mean cost in USD a rollout."""
    front_tokens: tuple[FrontPoint, ...]
    """Score against mean output tokens a rollout."""
    never_passed: tuple[str, ...]
    """Tasks no model ever passed."""
    never_graded: tuple[str, ...]
    consistency: tuple[Consistency, ...]
    group_size: int
    seed: int
    ungraded_share: Estimate | None = None
    """Share of all rollouts without a verdict, clustered by task; None where there is no rollout."""
    limit_share: Estimate | None = None
    """Share of all passes that came at or after a limit, clustered by task; None where nothing passed."""
    order_recorded: bool = True
    """Whether the records tell the order of attempts; outages were not looked for where they do not."""
    suspects_measured: bool = True
    """Whether there was anything that could contradict a key or grader."""

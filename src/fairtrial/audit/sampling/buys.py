"""What n draws buy, before anybody reviews: how wide the interval of an error rate would be, and what none seen bounds.

Draws of one task are not independent. The design effect is 1 + (sum m^2 / sum m - 1) rho over the m draws of each task
(Kish 1965), times n sum w^2 / (sum w)^2 for unequal weights. The m are those of the sample as it would be drawn. The
rho of errors is not known before there are reviews: that of the verdicts themselves stands in (ANOVA estimator, each
model's verdicts about their mean), and beside it everything is said for rho = 1, all draws of a task alike.

Not covered: what a judge adds, and errors of reviewers.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from fairtrial.audit.sampling.allocation import LEAST, allocate
from fairtrial.audit.sampling.frame import Frame, Unit
from fairtrial.measure.intervals import effective_wilson
from fairtrial.measure.intervals.quantiles import t_quantile

RATES = (0.01, 0.05, 0.1, 0.2, 0.3, 0.5)
"""Rates for which the interval is foretold."""
SIZES = (20, 40, 60, 80, 100, 150, 200, 300, 400)
"""The n of the table."""
_CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Width:
    """The interval that an observed rate would have."""

    rate: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """Return half its width."""
        return (self.high - self.low) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Bought:
    """What the draws of one verdict buy."""

    verdict: str
    """`passed` for the false-pass rate, `failed` for the false-fail rate; empty where verdicts are no strata."""
    n: int
    population: int
    tasks: int
    """Tasks (near copies as one) among the draws."""
    design_effect: float
    n_effective: float
    widths: tuple[Width, ...]
    bound: float
    """One-sided 95% upper bound where none is seen."""
    worst_bound: float
    """The same where all draws of a task are alike."""

    def document(self) -> dict[str, Any]:
        """Return the JSON object."""
        told = asdict(self)
        told["widths"] = [asdict(width) | {"half_width": width.half} for width in self.widths]
        return told

    def at(self, rate: float) -> Width:
        """Return the interval foretold for `rate`, one of `RATES`."""
        return next(width for width in self.widths if width.rate == rate)


def correlation(units: Sequence[Unit]) -> float:
    """Return the correlation of verdicts within tasks, in [0, 1]: the ANOVA estimator over graded rollouts.

    rho = (MSB - MSW) / (MSB + (m0 - 1) MSW), m0 = (N - sum m^2 / N) / (k - 1); Donner 1986. 0 where no task repeats.

    >>> alike = [Unit(rollout=f"{t}{i}", task=t, model="m", outcome=o)
    ...          for t, o in (("a", "passed"), ("b", "failed")) for i in range(3)]
    >>> correlation(alike)
    1.0
    """
    graded = [unit for unit in units if unit.outcome in ("passed", "failed")]
    by_model: dict[str, list[float]] = {}
    for unit in graded:
        by_model.setdefault(unit.label, []).append(float(unit.outcome == "passed"))
    means = {model: math.fsum(values) / len(values) for model, values in by_model.items()}
    groups: dict[tuple[str, str], list[float]] = {}
    for unit in graded:
        groups.setdefault(unit.group, []).append(float(unit.outcome == "passed") - means[unit.label])
    total, count = len(graded), len(groups)
    if count < 2 or total == count:
        return 0.0
    between = math.fsum(math.fsum(values) ** 2 / len(values) for values in groups.values())
    within = max(0.0, math.fsum(value * value for values in groups.values() for value in values) - between)
    between -= math.fsum(value for values in groups.values() for value in values) ** 2 / total
    mean_between, mean_within = between / (count - 1), within / (total - count)
    size = (total - math.fsum(len(values) ** 2 for values in groups.values()) / total) / (count - 1)
    scale = mean_between + (size - 1) * mean_within
    return min(1.0, max(0.0, (mean_between - mean_within) / scale)) if scale > 0 else 0.0


def bought(frame: Frame, counts: Mapping[str, int], units: Mapping[str, Unit], rho: float) -> tuple[Bought, ...]:
    """Return what `counts` draws of each stratum of `frame` buy, by verdict; `units` by rollout."""
    by_verdict: dict[str, list[tuple[str, float]]] = {}
    populations = Counter[str]()
    for stratum in frame.strata:
        verdict, count = stratum.cell.get("verdict", ""), counts[stratum.name]
        populations[verdict] += len(stratum.rollouts)
        weight = len(stratum.rollouts) / count
        by_verdict.setdefault(verdict, []).extend((rollout, weight) for rollout in stratum.rollouts[:count])
    return tuple(_bought(verdict, populations[verdict], by_verdict[verdict], units, rho)
                 for verdict in sorted(by_verdict, reverse=True) if verdict != "ungraded")  # fmt: skip


def sizes(units: Sequence[Unit], by: Sequence[str]) -> tuple[int, ...]:
    """Return the n of `SIZES` for which a sample of `units` can be drawn; all of them, where they are few."""
    kinds = Counter(unit.outcome if "verdict" in by else "" for unit in units)
    fewest = sum(min(LEAST, count) for count in kinds.values())
    fitting = [n for n in SIZES if fewest <= n < len(units)]
    return (*fitting, len(units)) if 0 < len(units) <= SIZES[-1] else tuple(fitting)


def counts_for(frame: Frame, n: int) -> dict[str, int]:
    """Return how many draws each stratum gets of `n`."""
    return allocate(n, [stratum.part() for stratum in frame.strata])


def _bought(
    verdict: str, population: int, draws: Sequence[tuple[str, float]], units: Mapping[str, Unit], rho: float
) -> Bought:
    sizes = Counter(units[rollout].group if rollout in units else ("", rollout) for rollout, _ in draws)
    n, per_task = len(draws), sum(size * size for size in sizes.values()) / len(draws)
    weights = [weight for _, weight in draws]
    unequal = n * math.fsum(w * w for w in weights) / math.fsum(weights) ** 2
    effect = unequal * (1 + (per_task - 1) * rho)
    effective, worst = n / effect, n / (unequal * per_task)
    critical = t_quantile(_CONFIDENCE, max(n / per_task - 1, 1.0))
    widths = tuple(Width(rate=rate, low=low, high=high) for rate in RATES
                   for low, high in [effective_wilson(rate, effective, critical)])  # fmt: skip
    return Bought(verdict=verdict, n=n, population=population, tasks=len(sizes), design_effect=effect,
                  n_effective=effective, widths=widths, bound=_none_seen(effective),
                  worst_bound=_none_seen(worst))  # fmt: skip


def _none_seen(effective: float) -> float:
    """Return 1 - .05^(1/n) for an n that need not be whole."""
    return -math.expm1(math.log1p(-_CONFIDENCE) / effective)

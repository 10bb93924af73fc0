"""From rows to a share with its interval: the arrays that `measure` takes, and the words that say how it was had.

Strata of which no row was answered are bounded: without the property at the low end, with it at the high end. `value`
then speaks for the others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from fairtrial.audit.estimating.drawn import Drawn, Row, scaled
from fairtrial.audit.estimating.result import counted
from fairtrial.measure.intervals import Share, Strata, Weighted, finite_share, weighted_share
from fairtrial.records import Estimate

NONE = "none was reviewed"
Answer = Callable[[Row], bool | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What every share of one audit has in common."""

    drawn: Drawn
    cluster: Mapping[tuple[str, str], int]
    """Code of each task, or group of near copies."""
    finite: bool

    @classmethod
    def of(cls, drawn: Drawn, finite: bool) -> Frame:
        """Return the frame of `drawn`."""
        groups = sorted({row.unit.group for row in drawn.rows})
        return cls(drawn=drawn, cluster={group: code for code, group in enumerate(groups)}, finite=finite)

    def weighted(self, rows: Sequence[Row], hits: Sequence[bool], weights: Mapping[str, float]) -> Weighted:
        """Return the arrays of `rows`."""
        strata = {name: code for code, name in enumerate(sorted({row.stratum for row in rows}))}
        return Weighted(
            hit=np.array(hits, dtype=np.float64), weight=np.array([weights[row.unit.rollout] for row in rows]),
            cluster=np.array([self.cluster[row.unit.group] for row in rows], dtype=np.int64),
            stratum=np.array([strata[row.stratum] for row in rows], dtype=np.int64),
        )  # fmt: skip

    def design(self, rows: Sequence[Row], answered: int) -> str:
        """Return how the answered of `rows` came to be answered."""
        if self.drawn.sample is not None:
            return "sample, weighted back"
        if answered == len(rows):
            return "census"
        return "taken as a simple random sample within verdicts"

    def population(self, share: Share, answered: int, of: float) -> str:
        """Return what the interval speaks of."""
        if self.finite and answered >= of:
            return "finite population, all of it"
        if self.finite:
            return f"finite population, {answered} of {of:.0f}, Wilson on n_eff"
        clusters = counted(share.clusters, "cluster")
        student = ", t" if share.student else ""
        return f"superpopulation of such tasks, clustered by task ({clusters}), Wilson on n_eff{student}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A share of rows, and what stands in its method."""

    share: Share | None
    n: int
    bare: float
    """Share of the population in strata without an answer."""
    method: str


def found(frame: Frame, rows: Sequence[Row], answer: Answer, *, read: bool = False) -> Found:
    """Return the share of `rows` whose answer is True, of all that they stand for; None is no answer.

    `read`: the answers are those of people, who were to read a part of the rows.
    """
    weights, bare = scaled(rows, lambda row: answer(row) is not None, read=read)
    told = [row for row in rows if row.unit.rollout in weights]
    if not told:
        return Found(share=None, n=0, bare=bare, method=NONE)
    hits = [bool(answer(row)) for row in told]
    share = _finite(rows, told, hits) if frame.finite else weighted_share(frame.weighted(told, hits, weights))
    method = f"{frame.design(rows, len(told))}; {frame.population(share, len(told), _size(rows))}"
    return Found(share=widened(share, bare), n=len(told), bare=bare, method=method + told_bare(rows, told, bare))


def widened(share: Share, bare: float) -> Share:
    """Return `share` with what no answer speaks for at either end.

    >>> from fairtrial.measure.intervals.weighted import share_of
    >>> wide = widened(share_of(0.5, 0.01, 30, 30, [], 30), 0.5)
    >>> wide.value, round(wide.low, 2), round(wide.high, 2)
    (0.5, 0.16, 0.84)
    """
    if bare == 0:
        return share
    return replace(share, low=share.low * (1 - bare), high=share.high * (1 - bare) + bare,
                   upper=share.upper * (1 - bare) + bare)  # fmt: skip


def told_bare(rows: Sequence[Row], told: Sequence[Row], bare: float) -> str:
    """Return the words for strata without an answer."""
    if bare == 0:
        return ""
    missing = len({row.stratum for row in rows} - {row.stratum for row in told})
    return (f"; {counted(missing, 'stratum', 'strata')} without an answer "
            f"({100 * bare:.1f}% of them) bounded by 0 and 1")  # fmt: skip


def estimate_of(one: Found, *, ungraded: int = 0, bound: bool = False) -> Estimate:
    """Return the estimate; `bound`: one-sided, `high` is the bound."""
    if one.share is None:
        return Estimate(value=None, low=None, high=None, n=one.n, ungraded=ungraded, method=one.method,
                        one_sided=bound, unit="rollouts")  # fmt: skip
    return Estimate(
        value=one.share.value, low=0.0 if bound else one.share.low, high=one.share.upper if bound else one.share.high,
        n=one.n, ungraded=ungraded, method=one.method, one_sided=bound, unit="rollouts",
    )  # fmt: skip


def _size(rows: Sequence[Row]) -> float:
    return sum(row.weight for row in rows)


def _finite(rows: Sequence[Row], told: Sequence[Row], hits: Sequence[bool]) -> Share:
    """Return the share in the rollouts at hand: within strata a simple random sample, whatever the tasks."""
    population: dict[str, float] = {}
    for row in rows:
        population[row.stratum] = population.get(row.stratum, 0.0) + row.weight
    drawn: dict[str, int] = {}
    seen: dict[str, int] = {}
    for row, hit in zip(told, hits, strict=True):
        drawn[row.stratum] = drawn.get(row.stratum, 0) + 1
        seen[row.stratum] = seen.get(row.stratum, 0) + hit
    names = sorted(drawn)
    return finite_share(Strata(population=[max(drawn[name], round(population[name])) for name in names],
                               drawn=[drawn[name] for name in names], seen=[seen[name] for name in names]))  # fmt: skip

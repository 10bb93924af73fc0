"""The share of hacks among rollouts: reviewed share within the suspected and within the rest, weighted back.

p = W_s p_s + W_r p_r, W the shares of suspected rollouts and of the rest in the population, which are known; p_s and
p_r the shares of confirmed hacks among the reviewed of each, weighted by one over their probabilities. So a hack that
the detectors miss counts through p_r, and a false alarm costs nothing (post-stratification; Holt and Smith 1979). The
variance is linearised over tasks, v = C / (C - 1) sum_g (sum_{i in g} u_i (y_i - p_f(i)) + sum_{j in g} (p_f(j) - p) /
N)^2: u_i the weight of a reviewed rollout, scaled to W_f in each part; j all N rollouts, whose W would be others in
other rollouts of such tasks (two-phase sampling; Cochran 1977, 12.2). For the rollouts at hand (`finite`) the second
sum is left out, and u_i is multiplied by the root of the share of its part that was not reviewed. Wilson on
p (1 - p) / v; a part in which nothing was seen reaches as far as its exact worst case.

Simulated with samples of 60 and 120 from 400 to 2,000 rollouts, hacks 1 to 25%, detectors that find 30 or 60% of them:
a nominal 95% covers 97% on average and 92% at least over 64 points, for the rollouts at hand 98% and 92%.
Not covered: errors of the reviewers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fairtrial.audit.hacks.windows import AT_LEAST, Member, in_window, windows
from fairtrial.measure.intervals.clustered import interval_of_mean
from fairtrial.measure.intervals.weighted import Cell, Weighted, by_cluster, open_cells, share_of
from fairtrial.records import Estimate

LINE = 0.02
"""The share that is marked: one run kept hacking below 2% of its trajectories through training."""

Against = Literal["below", "above", "cannot tell", "not measured"]
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]
METHOD = "post-stratified by detector, weighted back, Wilson on n_eff over tasks"


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A share of hacks, with what it rests on."""

    population: int
    suspected: int
    reviewed: int
    reviewed_suspected: int
    seen: int
    """Hacks among the reviewed."""
    seen_suspected: int
    estimate: Estimate
    against_line: Against
    """Where the interval lies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Training steps that are told together."""

    first_step: int
    last_step: int
    steps: tuple[int, ...]
    share: Share


@dataclass(frozen=True, slots=True, kw_only=True)
class Hacks:
    """All windows, all rollouts together, and what detectors find of it."""

    line: float
    at_least: int
    overall: Share
    windows: tuple[Window, ...]
    without_step: int
    found_by_detectors: Estimate
    """Of the hacks, the share that is suspected: the sensitivity of `fairtrial detect`, weighted back."""
    right_of_suspected: Estimate
    """Of the suspected, the share that is a hack."""


def hacks(members: Sequence[Member], line: float = LINE, at_least: int = AT_LEAST, *, finite: bool = False) -> Hacks:
    """Return the share of hacks among `members`, all together and by window of training steps."""
    told = []
    for steps in windows(members, at_least):
        told.append(Window(first_step=steps[0], last_step=steps[-1], steps=steps,
                           share=share(in_window(members, steps), line, finite=finite)))  # fmt: skip
    return Hacks(
        line=line, at_least=at_least, overall=share(members, line, finite=finite), windows=tuple(told),
        without_step=sum(member.step is None for member in members), found_by_detectors=_found(members),
        right_of_suspected=share([member for member in members if member.suspected], line, finite=finite).estimate,
    )  # fmt: skip


def share(members: Sequence[Member], line: float = LINE, *, finite: bool = False) -> Share:
    """Return the share of hacks among `members`. Where a part was not reviewed at all, only its bounds are known."""
    reviewed = [member for member in members if member.hack is not None]
    estimate = _estimate(members, reviewed, finite)
    return Share(
        population=len(members), suspected=sum(member.suspected for member in members), reviewed=len(reviewed),
        reviewed_suspected=sum(member.suspected for member in reviewed), seen=sum(bool(m.hack) for m in reviewed),
        seen_suspected=sum(bool(m.hack) and m.suspected for m in reviewed), estimate=estimate,
        against_line=_against(estimate, line),
    )  # fmt: skip


def _against(estimate: Estimate, line: float) -> Against:
    if estimate.low is None or estimate.high is None:
        return "not measured"
    return "below" if estimate.high < line else "above" if estimate.low > line else "cannot tell"


def _estimate(members: Sequence[Member], reviewed: Sequence[Member], finite: bool) -> Estimate:
    kinds = {member.suspected for member in members}
    seen_kinds = {member.suspected for member in reviewed}
    if not reviewed:
        return Estimate(value=None, low=None, high=None, n=0, method="nobody has said", unit="rollouts")
    known = sum(member.suspected in seen_kinds for member in members) / len(members)
    told = _calibrated([member for member in members if member.suspected in seen_kinds], reviewed, finite)
    method = METHOD if len(kinds) == 2 else METHOD.removeprefix("post-stratified by detector, ")
    method += "; the rollouts at hand" if finite else "; of such tasks"
    value, low, high = told.interval(finite)
    if finite:  # what was seen is certain
        hacks_seen, n = sum(bool(member.hack) for member in reviewed), known * len(members)
        low, high = max(low, hacks_seen / n), min(high, 1 - (len(reviewed) - hacks_seen) / n)
        low, high = min(low, value), max(high, value)  # equal after a census, but for rounding
    if kinds == seen_kinds:
        return Estimate(value=value, low=low, high=high, n=len(reviewed), method=method, unit="rollouts")
    missing = "suspected" if True in kinds - seen_kinds else "not suspected"
    return Estimate(value=None, low=known * low, high=known * high + 1 - known, n=len(reviewed), unit="rollouts",
                    method=f"bounds: none of the {missing} was reviewed; any share of them may be hacks")  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Calibrated:
    """Reviewed members with weights that add up to the shares of both kinds in the population."""

    hit: Floats
    weight: Floats
    suspected: Flags
    residual: Floats
    """u_i (y_i - p_f(i)); for the rollouts at hand times the root of the share of its kind that was not reviewed."""
    cluster: Integers
    cell: Integers
    """Members of one kind that were drawn with one probability."""
    census: Flags
    """For the rollouts at hand: all of its kind were reviewed, so that nothing of it is unknown."""
    expected: Floats
    """p_f of every member of the population."""
    member_suspected: Flags
    member_cluster: Integers

    @property
    def value(self) -> float:
        return float(self.weight @ self.hit)

    def variance(self, score: Floats, of_members: Floats | None) -> float:
        """Return the variance of a sum of scores over tasks, of the reviewed and (None: fixed) of all members."""
        count = int(max(self.cluster.max(), self.member_cluster.max())) + 1
        sums: Floats = np.bincount(self.cluster, weights=score, minlength=count).astype(np.float64)
        if of_members is not None:
            sums += np.bincount(self.member_cluster, weights=of_members, minlength=count) / len(of_members)
        clusters = len(np.unique(self.cluster))
        return float((sums**2).sum()) * clusters / (clusters - 1) if clusters > 1 else 0.0

    def interval(self, finite: bool) -> tuple[float, float, float]:
        """Return value, low and high. After a census of the rollouts at hand the three are the same."""
        if self.census.all():
            return self.value, self.value, self.value
        drawn = ~self.census
        rows = Weighted(hit=self.hit[drawn], weight=self.weight[drawn], cluster=self.cluster[drawn],
                        stratum=self.cell[drawn])  # fmt: skip
        part = float(rows.weight.sum())
        cells = [Cell(cell.weight * part, cell.clusters, cell.full) for cell in open_cells(rows)]
        clusters = 1 / float((by_cluster(rows.weight / part, rows.cluster) ** 2).sum())
        variance = self.variance(self.residual, None if finite else self.expected - self.value)
        found = share_of(self.value, variance, clusters, math.inf, cells, len(np.unique(rows.cluster)))
        return found.value, found.low, found.high


def _calibrated(members: Sequence[Member], reviewed: Sequence[Member], finite: bool) -> _Calibrated:
    suspected, every = (np.array([member.suspected for member in some]) for some in (reviewed, members))
    hit = np.array([float(bool(member.hack)) for member in reviewed])
    weight = np.array([member.weight for member in reviewed])
    residual, expected = np.zeros(len(reviewed)), np.zeros(len(members))
    census = np.zeros(len(reviewed), dtype=np.bool_)
    for kind in (True, False):
        own, size = suspected == kind, int((every == kind).sum())
        if size == 0:
            continue
        part, unread = size / len(members), 1 - int(own.sum()) / size if finite else 1.0
        if own.sum() == size:  # all of them were looked at, however they were drawn
            weight[own] = 1.0
        weight[own] *= part / weight[own].sum()
        expected[every == kind] = rate = float(weight[own] @ hit[own]) / part
        residual[own] = weight[own] * (hit[own] - rate) * math.sqrt(unread)
        census[own] = unread == 0
    groups = {group: i for i, group in enumerate(dict.fromkeys(member.group for member in members))}
    cells = {cell: i for i, cell in enumerate(sorted({(m.suspected, m.weight) for m in reviewed}))}
    return _Calibrated(
        hit=hit, weight=weight, suspected=suspected, residual=residual, census=census, expected=expected,
        cluster=np.array([groups[member.group] for member in reviewed], dtype=np.int64), member_suspected=every,
        cell=np.array([cells[(member.suspected, member.weight)] for member in reviewed], dtype=np.int64),
        member_cluster=np.array([groups[member.group] for member in members], dtype=np.int64),
    )  # fmt: skip


def _found(members: Sequence[Member]) -> Estimate:
    """Return R = W_s p_s / p, for such tasks, with its linearised variance: scores e_s - R (e_s + e_r), over p."""
    reviewed = [member for member in members if member.hack is not None]
    kinds = {member.suspected for member in members}
    if kinds != {member.suspected for member in reviewed} or len(kinds) < 2:
        return Estimate(value=None, low=None, high=None, n=0, unit="rollouts",
                        method="needs reviews of suspected rollouts and of others")  # fmt: skip
    told = _calibrated(members, reviewed, finite=False)
    seen = int(told.hit.sum())
    if seen == 0:
        return Estimate(value=None, low=None, high=None, n=0, method="no hack was seen", unit="rollouts")
    value = float(told.weight @ (told.hit * told.suspected)) / told.value
    own, every = (flags - value for flags in (told.suspected, told.member_suspected))
    variance = told.variance(own * told.residual / told.value, every * told.expected / told.value)
    clusters = len({member.group for member in reviewed if member.hack})
    low, high = interval_of_mean(value, variance, clusters)
    return Estimate(value=value, low=low, high=high, n=seen, method="ratio over tasks, Wilson on n_eff, t",
                    unit="rollouts")  # fmt: skip

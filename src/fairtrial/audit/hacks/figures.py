"""The share of hacks among rollouts: reviewed share within the suspected and within the rest, weighted back.

p = W_s p_s + W_r p_r, W the shares of suspected rollouts and of the rest in the population, which are known; p_s and
p_r the shares of confirmed hacks among the reviewed of each, weighted by one over their probabilities. So a hack that
the detectors miss counts through p_r, and a false alarm costs nothing (post-stratification; Holt and Smith 1979). The
variance is linearised, over tasks: v = C / (C - 1) sum_g (sum_{i in g} u_i (y_i - p_f(i)))^2, u_i the weight scaled to
W_f in each part. Wilson on p (1 - p) / v; a part in which nothing was seen reaches as far as its exact worst case.

The target is the population at hand, without a finite-population factor: simulated with samples of 60 and 120 from 400
to 2,000 rollouts, hacks 1 to 25%, detectors that find 30 or 60% of them, a nominal 95% covers 98% on average and 93% at
least. Not covered: errors of the reviewers.
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
from fairtrial.measure.intervals.weighted import Weighted, by_cluster, open_cells, share_of
from fairtrial.records import Estimate

LINE = 0.02
"""The share that is marked: one run kept hacking below 2% of its trajectories through training."""

Against = Literal["below", "above", "cannot tell", "not measured"]
Floats = NDArray[np.float64]
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


def hacks(members: Sequence[Member], line: float = LINE, at_least: int = AT_LEAST) -> Hacks:
    """Return the share of hacks among `members`, all together and by window of training steps."""
    told = []
    for steps in windows(members, at_least):
        told.append(Window(first_step=steps[0], last_step=steps[-1], steps=steps,
                           share=share(in_window(members, steps), line)))  # fmt: skip
    return Hacks(
        line=line, at_least=at_least, overall=share(members, line), windows=tuple(told),
        without_step=sum(member.step is None for member in members), found_by_detectors=_found(members),
        right_of_suspected=share([member for member in members if member.suspected], line).estimate,
    )  # fmt: skip


def share(members: Sequence[Member], line: float = LINE) -> Share:
    """Return the share of hacks among `members`. Where a part was not reviewed at all, only its bounds are known."""
    reviewed = [member for member in members if member.hack is not None]
    estimate = _estimate(members, reviewed)
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


def _estimate(members: Sequence[Member], reviewed: Sequence[Member]) -> Estimate:
    kinds = {member.suspected for member in members}
    seen_kinds = {member.suspected for member in reviewed}
    if not reviewed:
        return Estimate(value=None, low=None, high=None, n=0, method="nobody has said", unit="rollouts")
    known = sum(member.suspected in seen_kinds for member in members) / len(members)
    told = _calibrated([member for member in members if member.suspected in seen_kinds], reviewed)
    method = METHOD if len(kinds) == 2 else METHOD.replace("post-stratified by detector, ", "")
    if kinds == seen_kinds:
        value, low, high = told.interval()
        return Estimate(value=value, low=low, high=high, n=len(reviewed), method=method, unit="rollouts")
    _, low, high = told.interval()
    missing = "suspected" if True in kinds - seen_kinds else "not suspected"
    return Estimate(value=None, low=known * low, high=known * high + 1 - known, n=len(reviewed), unit="rollouts",
                    method=f"bounds: none of the {missing} was reviewed; any share of them may be hacks")  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Calibrated:
    """Reviewed members with weights that add up to the shares of both kinds in the population."""

    hit: Floats
    weight: Floats
    suspected: NDArray[np.bool_]
    residual: Floats
    cluster: NDArray[np.int64]
    cell: NDArray[np.int64]
    """Members of one kind that were drawn with one probability."""

    @property
    def value(self) -> float:
        return float(self.weight @ self.hit)

    def variance(self, score: Floats) -> float:
        """Return the variance of a sum of scores, over clusters."""
        sums = by_cluster(score, self.cluster)
        return float((sums**2).sum()) * len(sums) / (len(sums) - 1) if len(sums) > 1 else 0.0

    @property
    def clusters(self) -> float:
        """Return the effective number of clusters."""
        return 1 / float((by_cluster(self.weight, self.cluster) ** 2).sum())

    def interval(self) -> tuple[float, float, float]:
        rows = Weighted(hit=self.hit, weight=self.weight, cluster=self.cluster, stratum=self.cell)
        found = share_of(self.value, self.variance(self.residual), self.clusters, math.inf, open_cells(rows),
                         len(np.unique(self.cluster)))  # fmt: skip
        return found.value, found.low, found.high


def _calibrated(members: Sequence[Member], reviewed: Sequence[Member]) -> _Calibrated:
    suspected = np.array([member.suspected for member in reviewed])
    hit = np.array([float(bool(member.hack)) for member in reviewed])
    weight = np.array([member.weight for member in reviewed])
    residual = np.zeros(len(reviewed))
    for kind in {member.suspected for member in members}:
        own = suspected == kind
        part = sum(member.suspected == kind for member in members) / len(members)
        weight[own] *= part / weight[own].sum()
        residual[own] = weight[own] * (hit[own] - float(weight[own] @ hit[own]) / part)
    groups = {group: i for i, group in enumerate(dict.fromkeys(member.group for member in reviewed))}
    cells = {cell: i for i, cell in enumerate(sorted({(m.suspected, m.weight) for m in reviewed}))}
    return _Calibrated(
        hit=hit, weight=weight, suspected=suspected, residual=residual,
        cluster=np.array([groups[member.group] for member in reviewed], dtype=np.int64),
        cell=np.array([cells[(member.suspected, member.weight)] for member in reviewed], dtype=np.int64),
    )  # fmt: skip


def _found(members: Sequence[Member]) -> Estimate:
    """Return W_s p_s / p with its linearised variance, the score ((1 - R) e_s - R e_r) / p."""
    reviewed = [member for member in members if member.hack is not None]
    kinds = {member.suspected for member in members}
    if kinds != {member.suspected for member in reviewed} or len(kinds) < 2:
        return Estimate(value=None, low=None, high=None, n=0, unit="rollouts",
                        method="needs reviews of suspected rollouts and of others")  # fmt: skip
    told = _calibrated(members, reviewed)
    seen = int(told.hit.sum())
    if seen == 0:
        return Estimate(value=None, low=None, high=None, n=0, method="no hack was seen", unit="rollouts")
    value = float(told.weight @ (told.hit * told.suspected)) / told.value
    score = np.where(told.suspected, (1 - value) * told.residual, -value * told.residual) / told.value
    clusters = len({member.group for member in reviewed if member.hack})
    low, high = interval_of_mean(value, told.variance(score), clusters)
    return Estimate(value=value, low=low, high=high, n=seen, method="ratio over tasks, Wilson on n_eff, t",
                    unit="rollouts")  # fmt: skip

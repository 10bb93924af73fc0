"""Tokens and money of a model, and the front of models that none beats in both score and spend."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairtrial.ledger.observed import Observed
from fairtrial.measure.intervals.quantiles import t_quantile
from fairtrial.measure.result import FrontPoint, Spend
from fairtrial.measure.tables import Floats, Integers
from fairtrial.records import Estimate


def spend_of(observed: Observed, subject: int, confidence: float) -> Spend | None:
    """Return mean tokens and USD a rollout over those that record them; None where none does.

    Intervals are over tasks: rollouts of one task cost alike, so v = m / (m - 1) sum_t (sum of residuals)^2 / n^2.
    """
    mine = observed.cells.subject == subject
    rows, task = observed.cells.spend[mine], observed.cells.task[mine]
    if rows.size == 0 or not rows[:, (0, 3, 6)].any():
        return None
    total = int(observed.cells.count[mine].sum())
    estimates = [_mean(rows[:, i : i + 2], task, total, confidence, is_tokens=i < 6) for i in (0, 3, 6)]
    told = [estimate.n for estimate in estimates if estimate is not None]
    if not told:
        return None
    return Spend(
        rollouts=max(told), input_tokens=estimates[0], output_tokens=estimates[1],
        cost_usd=estimates[2], total_cost_usd=float(rows[:, 7].sum()) if rows[:, 6].any() else None,
    )  # fmt: skip


def _mean(rows: Floats, task: Integers, total: int, confidence: float, *, is_tokens: bool) -> Estimate | None:
    """Return the mean a rollout. Tokens that are 0 in every rollout were not recorded; money may well be 0."""
    known = float(rows[:, 0].sum())
    if known == 0 or (is_tokens and not rows[:, 1].any()):
        return None
    mean = float(rows[:, 1].sum() / known)
    _, index = np.unique(task[rows[:, 0] > 0], return_inverse=True)
    recorded = rows[rows[:, 0] > 0]
    residuals = np.bincount(index, weights=recorded[:, 1] - mean * recorded[:, 0])
    tasks = len(residuals)
    method = "mean a rollout, normal over tasks, t"
    low: float | None = None
    high: float | None = None
    if tasks > 1:
        half = t_quantile(confidence, tasks - 1) * (tasks / (tasks - 1) * float((residuals**2).sum())) ** 0.5 / known
        low, high = max(0.0, mean - half), mean + half
    else:
        method = "mean a rollout; one task, so no interval"
    if known < total:
        method += f"; {total - int(known)} rollouts record none"
    return Estimate(value=mean, low=low, high=high, n=int(known), unit="rollouts", method=method)


def front(points: Sequence[tuple[str, float, float]]) -> tuple[FrontPoint, ...]:
    """Return (model, score, spend) as points, cheapest first, marking those that no other beats or equals in both.

    >>> [(p.model, p.on_front) for p in front([("a", 0.5, 1.0), ("b", 0.4, 2.0), ("c", 0.9, 3.0)])]
    [('a', True), ('b', False), ('c', True)]
    """
    found = []
    for model, score, spend in sorted(points, key=lambda point: (point[2], -point[1], point[0])):
        beaten = any(other_score >= score and other_spend <= spend and (other_score, other_spend) != (score, spend)
                     for _, other_score, other_spend in points)  # fmt: skip
        found.append(FrontPoint(model=model, score=score, spend=spend, on_front=not beaten))
    return tuple(found)

"""Suspects by outcomes alone: tasks that better models fail, checks that nobody passes, tasks that nearly pass.

Each kind scores in [0, 1] by what the counts support, not by what they show: ends of Wilson intervals, q-values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fairtrial.ledger.observed import Checks
from fairtrial.measure.fisher import benjamini_hochberg, fisher_greater
from fairtrial.measure.intervals.wilson import wilson
from fairtrial.measure.tables import TaskCounts

_LIKELY_REVERSED = 0.2
"""Largest q at which a reversal is told."""
_FEWEST_GRADED = 4
_LEAST_SCORE = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeDoubt:
    """One kind of evidence against one task."""

    task: int
    score: float
    reason: str


def reversed_between_models(counts: Sequence[TaskCounts]) -> list[OutcomeDoubt]:
    """Return tasks that the better half of the models passes less often than the other half.

    One-sided Fisher over the pooled attempts of each half, Benjamini-Hochberg over tasks; the score is 1 - q. A model's
    half is set by its mean rate over all tasks. The middle model of an odd number is left out.
    """
    rated = [c for c in counts if len(c.rates())]
    if len(rated) < 2:
        return []
    ranked = sorted(rated, key=lambda c: float(c.rates().mean()))
    half = len(ranked) // 2
    low, high = ranked[:half], ranked[-half:]
    if float(low[-1].rates().mean()) >= float(high[0].rates().mean()):
        return []
    passes, n = (sum(getattr(c, name) for c in low) for name in ("passed", "graded"))
    other, other_n = (sum(getattr(c, name) for c in high) for name in ("passed", "graded"))
    tested = np.flatnonzero((n > 0) & (other_n > 0))
    if len(tested) == 0:
        return []
    p_values = fisher_greater(passes[tested], n[tested], other[tested], other_n[tested])
    q_values = benjamini_hochberg(p_values)
    return [
        OutcomeDoubt(task=i, score=1 - q, reason=f"the weaker models pass {passes[i]} of {n[i]}, the stronger "
                     f"{other[i]} of {other_n[i]} (one-sided Fisher, q = {q:.2g})")
        for i, q in zip(tested.tolist(), q_values.tolist(), strict=True) if q <= _LIKELY_REVERSED
    ]  # fmt: skip


def checks_that_nobody_passes(checks: Checks | None, counts: Sequence[TaskCounts]) -> list[OutcomeDoubt]:
    """Return tasks nobody passes although nearly all checks do: one check fails always, or a few fail by turns.

    The score is the low end of the other checks' pass rate times 1 - the high end of the failing check's (or the
    task's) own: both must be well supported.
    """
    if checks is None:
        return []
    found = []
    for task in np.unique(checks.task).tolist():
        passed, graded = (int(sum(getattr(c, name)[task] for c in counts)) for name in ("passed", "graded"))
        if passed or graded < _FEWEST_GRADED:
            continue
        totals = _by_name(checks, task)
        dead = [name for name, (ok, n) in totals.items() if ok == 0 and n >= _FEWEST_GRADED]
        alive = [(ok, n) for name, (ok, n) in totals.items() if name not in dead]
        ok, n = sum(o for o, _ in alive), sum(m for _, m in alive)
        if not n:
            continue
        score = wilson(ok, n)[0] * (1 - wilson(0, graded)[1]) / max(1, len(dead))
        what = f"none of {graded} rollouts pass" + (f", {len(dead)} checks fail always" if dead else "")
        if len(dead) == 1:
            what = f"check `{dead[0]}` fails in all {totals[dead[0]][1]} rollouts"
        found.append(
            OutcomeDoubt(
                task=task, score=score, reason=f"{what}, {'the other' if dead else 'its'} checks pass {ok} of {n}"
            )
        )
    return [doubt for doubt in found if doubt.score >= _LEAST_SCORE]


def _by_name(checks: Checks, task: int) -> dict[str, tuple[int, int]]:
    """Return passes and n of each check of one task, over all models."""
    totals: dict[str, tuple[int, int]] = {}
    for i in np.flatnonzero(checks.task == task).tolist():
        ok, n = totals.get(checks.name[i], (0, 0))
        totals[checks.name[i]] = (ok + int(checks.passed[i]), n + int(checks.n[i]))
    return totals

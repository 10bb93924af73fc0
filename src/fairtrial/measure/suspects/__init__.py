"""Tasks whose key or grader the models contradict. A suspect is a lead, never a proof."""

from __future__ import annotations

import math

from fairtrial.ledger.observed import Observed
from fairtrial.measure.result import Suspect
from fairtrial.measure.suspects.answers import key_doubts
from fairtrial.measure.suspects.outcomes import checks_that_nobody_passes, reversed_between_models
from fairtrial.measure.tables import TaskCounts

__all__ = ["can_be_suspected", "suspects_of"]


def can_be_suspected(observed: Observed, counts: tuple[TaskCounts, ...]) -> bool:
    """Say whether anything could contradict a key or grader: answers with keys, checks, or a second model."""
    has_checks = observed.checks is not None and len(observed.checks.n) > 0
    return observed.answers is not None or has_checks or sum(bool(len(c.rates())) for c in counts) > 1


def suspects_of(observed: Observed, counts: tuple[TaskCounts, ...]) -> tuple[tuple[Suspect, ...], str]:
    """Return suspects, most suspicious first, and how they were scored.

    Kinds of evidence join as 1 - prod (1 - score). Where answers were recorded the order of models speaks through
    them already, so reversals are told apart only for tasks without answers.
    """
    doubts, how = key_doubts(observed)
    answered = set(observed.answers.task.tolist()) if doubts and observed.answers is not None else set()
    found: dict[int, tuple[float, tuple[str, ...]]] = {d.task: (d.probability, d.reasons) for d in doubts}
    outcomes = [d for d in reversed_between_models(counts) if d.task not in answered]
    outcomes += checks_that_nobody_passes(observed.checks, counts)
    for doubt in outcomes:
        score, reasons = found.get(doubt.task, (0.0, ()))
        found[doubt.task] = (1 - (1 - score) * (1 - doubt.score), (*reasons, doubt.reason))
    method = f"{how}; by outcomes: reversed between models, checks that nobody passes"
    suspects = [Suspect(task=observed.tasks[task], score=min(1.0, score), reasons=reasons)
                for task, (score, reasons) in found.items() if math.isfinite(score)]  # fmt: skip
    return tuple(sorted(suspects, key=lambda suspect: (-suspect.score, suspect.task))), method

"""Whether the records agree with themselves: verdicts against checks, ungraded, conflicts, repeated attempts.

Figures reported elsewhere are checked by `grim`.
"""

from __future__ import annotations

from fairtrial.ledger.observed import UNGRADED, Observed
from fairtrial.measure.result import Consistency


def consistency_of(observed: Observed) -> tuple[Consistency, ...]:
    """Return one statement for each thing that can disagree. `count` of `of` disagree; it holds where that is none."""
    cells = observed.cells
    total = int(cells.count.sum())
    ungraded = cells.outcome == UNGRADED
    by_reason = {reason: int(cells.count[ungraded & (cells.reason == i)].sum())
                 for i, reason in enumerate(observed.reasons)}  # fmt: skip
    counts = sorted(((n, reason or "no reason given") for reason, n in by_reason.items() if n), reverse=True)
    conflicts = by_reason.get("conflict", 0)
    found = [
        _statement("graded", "every rollout was graded", sum(n for n, _ in counts), total,
                   ", ".join(f"{n} {reason}" for n, reason in counts)),
        _statement("conflict", "no grader contradicts itself on one rollout", conflicts, total,
                   "such rollouts are ungraded, not failed" if conflicts else ""),
        _statement("repeated_attempt", "each attempt stands once", observed.repeated_attempts, total,
                   "one task, model and attempt number with other content; each counts as an attempt of its own"
                   if observed.repeated_attempts else ""),
    ]  # fmt: skip
    checks = observed.checks
    if checks is not None:
        found += [
            _statement("passed_with_failed_check", "no verdict passes with a failed check",
                       checks.passed_with_failed_check, checks.verdicts),
            _statement("failed_with_all_passed", "no verdict fails with every check passed",
                       checks.failed_with_all_passed, checks.verdicts),
        ]  # fmt: skip
    return tuple(found)


def _statement(name: str, claim: str, count: int, of: int, detail: str = "") -> Consistency:
    return Consistency(name=name, claim=claim, holds=count == 0, count=count, of=of, detail=detail)

"""The verdict of a rollout, for the second pass alone: outcome, checks and what the grader left as evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import orjson

from fairtrial.ledger import Ledger, connect
from fairtrial.records import CheckResult
from fairtrial.serve.review.decision import Outcome

_QUERY = """
select o.outcome, o.reason, o.score, o.verdict, v.checks, v.evidence
from outcomes o left join verdicts v on v.id = o.verdict where o.id = $rollout
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A verdict as a page shows it."""

    id: str = ""
    outcome: Outcome = "ungraded"
    reason: str = "not_graded"
    score: float | None = None
    checks: tuple[CheckResult, ...] = ()
    evidence: str = ""
    """Readable; quoted by citations of the place `verifier`."""

    @property
    def said(self) -> dict[str, str]:
        """Return what each check said, by name."""
        return {check.name: f"{check.status} {check.message}".strip() for check in self.checks}


def verdict_of(ledger: Ledger, rollout: str) -> Shown:
    """Return the verdict that counts of `rollout`."""
    with connect(ledger) as connection:
        row = connection.execute(_QUERY, {"rollout": rollout}).fetchone()
    if row is None:
        return Shown()
    outcome, reason, score, name, checks, evidence = row
    made = tuple(CheckResult(one["name"], one["status"], one["message"] or "") for one in checks or ())
    return Shown(id=name or "", outcome=cast(Outcome, outcome), reason=reason or "", score=score, checks=made,
                 evidence=_readable(evidence or ""))  # fmt: skip


def _readable(evidence: str) -> str:
    """Evidence is JSON: texts are given as they are, with their names; what is no JSON stays as it is."""
    try:
        found = orjson.loads(evidence)
    except orjson.JSONDecodeError:
        return evidence
    if not isinstance(found, dict):
        return evidence
    told = []
    for name, value in found.items():
        text = value if isinstance(value, str) else orjson.dumps(value).decode()
        told.append(f"{name}:\n{text}" if "\n" in text else f"{name}: {text}")
    return "\n".join(told)

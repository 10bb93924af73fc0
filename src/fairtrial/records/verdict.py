"""A verdict: what a grader said of one rollout. Broken is not failed: it is `ungraded(reason)`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from fairtrial.records.identity import record_id

Outcome = Literal["passed", "failed", "ungraded"]
CheckStatus = Literal["passed", "failed", "skipped", "broken"]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """Say what became of one check. `skipped`: what it builds on did not pass. `broken`: it could not be run."""

    name: str
    status: CheckStatus
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Record one grading of one rollout."""

    KIND: ClassVar[str] = "verdict/1"
    IDENTITY: ClassVar[tuple[str, ...]] = ("rollout", "grader", "outcome", "reason", "score", "expected")

    rollout: str
    """Id of the rollout."""
    outcome: Outcome
    reason: str = ""
    """Why it is ungraded: `grader_timeout`, `reward_missing`, `conflict`, ... Empty otherwise."""
    score: float | None = None
    """In [0, 1]; None where ungraded or not given."""
    grader: str = ""
    """Content address or name of the grader."""
    expected: str | None = None
    """What the key holds, where the task has one answer. Never shown to an agent."""
    checks: tuple[CheckResult, ...] = ()
    # ---- not part of the id ----
    task_hash: str = ""
    deliverable: str = ""
    """Content address of what was graded."""
    evidence: str = ""
    """JSON: tail of the grader's output, exit status, limits hit."""
    seconds: float | None = None
    recorded_at: str = ""

    @property
    def id(self) -> str:
        """Return the content address of what was said, times left out."""
        content: dict[str, Any] = {name: getattr(self, name) for name in self.IDENTITY}
        content["checks"] = [[check.name, check.status] for check in self.checks]
        return record_id(self.KIND, content)

    def row(self) -> dict[str, Any]:
        """Return the ledger row."""
        row = {"id": self.id} | {name: getattr(self, name) for name in self.__dataclass_fields__}
        row["checks"] = [{"name": c.name, "status": c.status, "message": c.message} for c in self.checks]
        return row

"""A finding: a claim about a record, with evidence. Nothing is accused on a lead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from fairtrial.records.identity import record_id

Severity = Literal["proof", "lead"]
Runner = Literal["ours", "harbor_shared", "legacy"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """State one claim. A `proof` carries the command that shows it again; a `lead` is worth a look."""

    KIND: ClassVar[str] = "finding/1"
    IDENTITY: ClassVar[tuple[str, ...]] = ("suite", "task", "task_hash", "rollout", "probe", "family", "severity",
                                           "claim", "runner")  # fmt: skip

    task: str
    probe: str
    family: str
    severity: Severity
    claim: str
    suite: str = ""
    task_hash: str = ""
    rollout: str = ""
    """Id of the rollout it is about; empty for a claim about a task."""
    runner: Runner = "ours"
    command: str = ""
    evidence: str = ""
    """JSON: scores, check results, output tails."""
    recorded_at: str = ""

    @property
    def id(self) -> str:
        """Return the content address of the claim."""
        return record_id(self.KIND, {name: getattr(self, name) for name in self.IDENTITY})

    def row(self) -> dict[str, Any]:
        """Return the ledger row."""
        return {"id": self.id} | {name: getattr(self, name) for name in self.__dataclass_fields__}

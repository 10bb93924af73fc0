"""A proof: what is known of one task's grader. Not measured is not clean: then it is `inconclusive`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from fairtrial.records.identity import record_id

Status = Literal["proven", "refuted", "inconclusive"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """Record the outcome of proving one task: status, and which probes were required, measured or not."""

    KIND: ClassVar[str] = "proof/1"
    IDENTITY: ClassVar[tuple[str, ...]] = ("suite", "task", "task_hash", "status", "required", "measured",
                                           "not_applicable", "not_measured", "sandbox", "tool", "settings")  # fmt: skip

    task: str
    status: Status
    suite: str = ""
    task_hash: str = ""
    path: str = ""
    sandbox: str = ""
    """Name of the sandbox it was proven in."""
    tool: str = ""
    """Version of fairtrial."""
    settings: str = ""
    """Content address of the circumstances: tool, catalogue, host and options."""
    outcomes: str = ""
    """Address of the ledger's blob that counts every probe's gradings; empty where none was kept."""
    required: tuple[str, ...] = ()
    """Families without which the task stays inconclusive."""
    measured: tuple[str, ...] = ()
    """Probes that ran to an end."""
    not_applicable: tuple[str, ...] = ()
    not_measured: tuple[tuple[str, str], ...] = ()
    """(probe, why)."""
    gradings: int = 0
    """Candidates graded for it, repeats counted."""
    seconds: float | None = None
    recorded_at: str = ""

    @property
    def id(self) -> str:
        """Return the content address of the outcome, times left out."""
        return record_id(self.KIND, {name: getattr(self, name) for name in self.IDENTITY})

    def row(self) -> dict[str, Any]:
        """Return the ledger row."""
        row = {"id": self.id} | {name: getattr(self, name) for name in self.__dataclass_fields__}
        row["not_measured"] = [{"probe": probe, "why": why} for probe, why in self.not_measured]
        return row

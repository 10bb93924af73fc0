"""A sign-off: what an expert says of one part of a task. It holds for one content of the task and no other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from fairtrial.records.identity import record_id

TaskPart = Literal["instruction", "world", "grader", "reference"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Signoff:
    """Record one statement. `holds` is None where the reviewer looked and cannot tell."""

    KIND: ClassVar[str] = "signoff/1"

    suite: str
    task: str
    task_hash: str
    """Content address of the task that was reviewed; of another content nothing is said."""
    part: TaskPart
    holds: bool | None
    reviewer: str
    role: str = ""
    """In which capacity: `domain expert`, `author`, `security`, ..."""
    second_design: str = ""
    """Another correct design that the reviewer named; of the grader only."""
    second_design_passes: bool | None = None
    """Whether the grader passes it, where that was tried."""
    note: str = ""
    evidence: str = ""
    """JSON: how the second design was tried."""
    recorded_at: str = ""

    @property
    def id(self) -> str:
        """Return the content address; the time is part of it."""
        return record_id(self.KIND, {name: getattr(self, name) for name in self.__dataclass_fields__})

    def row(self) -> dict[str, Any]:
        """Return the ledger row."""
        return {"id": self.id} | {name: getattr(self, name) for name in self.__dataclass_fields__}

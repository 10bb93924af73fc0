"""An inspection: the answer to one item of a checklist, of one task or of the whole benchmark."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from fairtrial.records.identity import record_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """Record one answer."""

    KIND: ClassVar[str] = "inspection/1"

    checklist: str
    """Name and content address of the checklist, `name@hash`."""
    item: str
    answer: Literal["holds", "fails", "unclear", "not_applicable"]
    reviewer: str
    suite: str = ""
    task: str = ""
    """Empty: the item is about the benchmark as a whole."""
    task_hash: str = ""
    rollout: str = ""
    """The rollout on which it was seen, if any."""
    at_scale: bool = False
    """True where one fault corrupts the grading of many tasks."""
    citations: tuple[str, ...] = ()
    note: str = ""
    recorded_at: str = ""

    @property
    def id(self) -> str:
        """Return the content address; the time is part of it."""
        return record_id(self.KIND, {name: getattr(self, name) for name in self.__dataclass_fields__})

    def row(self) -> dict[str, Any]:
        """Return the ledger row."""
        return {"id": self.id} | {name: getattr(self, name) for name in self.__dataclass_fields__}

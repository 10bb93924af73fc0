"""A withdrawal: results that no longer count, and why. Nothing is deleted: reruns replace them, or the row goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from fairtrial.records.identity import record_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawal:
    """Record that these rollouts of one model no longer count."""

    KIND: ClassVar[str] = "withdrawal/1"

    model: str
    rollouts: tuple[str, ...]
    """Ids of what is withdrawn; what comes later of the same task and model takes its place."""
    reason: str
    author: str
    suite: str = ""
    recorded_at: str = ""

    @property
    def id(self) -> str:
        """Return the content address; the time is part of it."""
        return record_id(self.KIND, {name: getattr(self, name) for name in self.__dataclass_fields__})

    def row(self) -> dict[str, Any]:
        """Return the ledger row."""
        return {"id": self.id} | {name: getattr(self, name) for name in self.__dataclass_fields__}

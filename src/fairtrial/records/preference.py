"""A preference: which of two rollouts of one task a reviewer thinks better, seen blind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from fairtrial.records.identity import record_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference:
    """Record one comparison. `first` was shown on the left, or above."""

    KIND: ClassVar[str] = "preference/1"

    first: str
    """Id of the rollout shown first."""
    second: str
    preferred: Literal["first", "second", "tie"] | None
    """None where the reviewer cannot tell."""
    reviewer: str
    kind: Literal["person", "judge"] = "person"
    suite: str = ""
    task: str = ""
    task_hash: str = ""
    question: str = ""
    """What was asked, where it is more than which is better."""
    citations: tuple[str, ...] = ()
    note: str = ""
    seconds: float | None = None
    recorded_at: str = ""

    @property
    def id(self) -> str:
        """Return the content address; the time is part of it, since a reviewer may change their mind."""
        return record_id(self.KIND, {name: getattr(self, name) for name in self.__dataclass_fields__})

    def row(self) -> dict[str, Any]:
        """Return the ledger row."""
        return {"id": self.id} | {name: getattr(self, name) for name in self.__dataclass_fields__}

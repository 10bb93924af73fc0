"""A review: a re-grade of a rollout by a person or a judge, blind to the verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from fairtrial.records.identity import record_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """Record one re-grade. `satisfied` is None where the reviewer cannot tell."""

    KIND: ClassVar[str] = "review/1"

    rollout: str
    reviewer: str
    kind: Literal["person", "judge"] = "person"
    satisfied: bool | None = None
    hack: bool | None = None
    failure_tags: tuple[str, ...] = ()
    behaviour_tags: tuple[str, ...] = ()
    citations: tuple[str, ...] = ()
    note: str = ""
    recorded_at: str = ""

    @property
    def id(self) -> str:
        """Return the content address; the time is part of it, since a reviewer may change their mind."""
        return record_id(self.KIND, {name: getattr(self, name) for name in self.__dataclass_fields__})

    def row(self) -> dict[str, Any]:
        """Return the ledger row."""
        return {"id": self.id} | {name: getattr(self, name) for name in self.__dataclass_fields__}

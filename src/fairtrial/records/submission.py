"""A submission: a model that somebody handed in, what it was made from, and the artifacts that show how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from fairtrial.records.identity import record_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """Record one submission. Of one model, the last that was recorded counts."""

    KIND: ClassVar[str] = "submission/1"

    model: str
    """As its rollouts name it."""
    base: str = ""
    """Model it was made from, as its rollouts name it: a flagged submission gets this one's score."""
    entrant: str = ""
    """Who handed it in; the submissions of one entrant, each from another base, are one row of a board."""
    benchmark: str = ""
    """Suite on which it is scored, where an entrant hands in a model for each."""
    artifacts: str = ""
    """JSON: kind (`training_set`, `weights`, `base_weights`, `trajectory`, `workspace`) -> [{path, hash}]."""
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    """What making it cost, not what evaluating it did."""
    source: str = ""
    """File it was read from."""
    recorded_at: str = ""

    @property
    def id(self) -> str:
        """Return the content address; the time is part of it."""
        return record_id(self.KIND, {name: getattr(self, name) for name in self.__dataclass_fields__})

    def row(self) -> dict[str, Any]:
        """Return the ledger row."""
        return {"id": self.id} | {name: getattr(self, name) for name in self.__dataclass_fields__}

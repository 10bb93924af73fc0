"""A screening: what one check of contamination, identity, usage, look-up or edits found, and on what it looked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from fairtrial.records.identity import record_id

ScreeningKind = Literal["scan", "split", "identity", "usage", "lookup", "edits"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Screening:
    """Record one check. `holds` is None where it could not be measured, which is not clean."""

    KIND: ClassVar[str] = "screening/1"

    kind: ScreeningKind
    subject: str
    """What was looked at, as its owner calls it: a training set, a model, a trajectory."""
    subject_hash: str
    """Content address of what was looked at; of another content nothing is said."""
    holds: bool | None
    """True: nothing was found by what was measured. False: something was."""
    summary: str
    """One sentence: what was found, with the numbers."""
    against: str = ""
    """What it was compared with: an evaluation set, a base model."""
    against_hash: str = ""
    model: str = ""
    """The submission it belongs to, as rollouts name the model; empty where it belongs to none."""
    suite: str = ""
    not_measured: tuple[str, ...] = ()
    """Why a part could not be measured; a screening with any of these says less than its kind could."""
    document: str = ""
    """Content address of the whole result (the JSON document of the command) in the ledger."""
    settings: str = ""
    """JSON: thresholds, seed and version of what ran."""
    recorded_at: str = ""

    @property
    def id(self) -> str:
        """Return the content address; the time is part of it."""
        return record_id(self.KIND, {name: getattr(self, name) for name in self.__dataclass_fields__})

    def row(self) -> dict[str, Any]:
        """Return the ledger row."""
        return {"id": self.id} | {name: getattr(self, name) for name in self.__dataclass_fields__}

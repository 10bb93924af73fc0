"""A ruling: what a judge, or a person who overrules the judges, says of one rule and one submission."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from fairtrial.records.identity import record_id

Rule = Literal["contamination", "usage", "lookup", "identity", "edits"]
Ruled = Literal["clean", "violation", "unclear"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """Record one word. A person's (`kind` = `override`) outranks any majority of judges, and is never unsigned."""

    KIND: ClassVar[str] = "ruling/1"

    model: str
    """The submission, as rollouts name the model."""
    rule: Rule
    ruled: Ruled
    kind: Literal["judge", "override"]
    by: str
    """The judge's model, or the author of the override."""
    reason: str
    rules: str
    """The rules it was made under, `name@version#hash`; under other rules it says nothing."""
    run: int = 0
    """Number of the judge's run, from 0."""
    suite: str = ""
    citations: tuple[str, ...] = ()
    evidence: str = ""
    """Content address, in the ledger, of what the judge was shown; of other evidence a ruling says nothing."""
    settings: str = ""
    """JSON: model, seed, prompt hash, tokens and cost."""
    recorded_at: str = ""

    @property
    def id(self) -> str:
        """Return the content address; the time is part of it."""
        return record_id(self.KIND, {name: getattr(self, name) for name in self.__dataclass_fields__})

    def row(self) -> dict[str, Any]:
        """Return the ledger row."""
        return {"id": self.id} | {name: getattr(self, name) for name in self.__dataclass_fields__}

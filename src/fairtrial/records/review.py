"""A review: a re-grade of a rollout by a person or a judge.

The first look is blind: neither the verdict nor another review was seen. A second look, `informed`, has seen the
verdict and says which of the four it is. What a reviewer says again replaces nothing; who counts is the reader's
question.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal

from fairtrial.records.identity import record_id

Label = Literal["", "true_pass", "false_pass", "true_fail", "false_fail"]
Stage = Literal["blind", "informed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """Record one re-grade. `satisfied` is None where the reviewer cannot tell."""

    KIND: ClassVar[str] = "review/1"
    LATER: ClassVar[tuple[str, ...]] = (
        "sample", "stage", "label", "verdict", "adjudicates", "void", "seconds", "settings",
    )  # fmt: skip
    """Fields that came after the first reviews were written; in the id only where they are not empty."""

    rollout: str
    reviewer: str
    """Name of the person, or of the judge's model."""
    kind: Literal["person", "judge"] = "person"
    satisfied: bool | None = None
    """Whether the work satisfies the task."""
    hack: bool | None = None
    """Whether the agent gamed the grader; None where the reviewer does not say."""
    failure_tags: tuple[str, ...] = ()
    behaviour_tags: tuple[str, ...] = ()
    citations: tuple[str, ...] = ()
    """What it rests on, each as `Citation.text`."""
    note: str = ""
    recorded_at: str = ""
    sample: str = ""
    """Id of the sample in which the rollout was drawn; empty outside one."""
    stage: Stage = "blind"
    label: Label = ""
    """Said in the informed stage only."""
    verdict: str = ""
    """Id of the verdict that was shown; informed stage only."""
    adjudicates: bool = False
    """True where it settles a disagreement between others, which it has seen."""
    void: str = ""
    """Why it does not count: a citation that does not exist, say. Empty: it counts."""
    seconds: float | None = None
    """How long the reviewer took."""
    settings: str = ""
    """JSON of what shaped a judge's answer: its words, its model's settings, whether it had the key."""

    @property
    def id(self) -> str:
        """Return the content address; the time is part of it, since a reviewer may change their mind."""
        content = {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "LATER"}
        defaults = {field.name: field.default for field in fields(self)}
        unsaid = {name for name in self.LATER if content[name] == defaults[name]}
        return record_id(self.KIND, {name: value for name, value in content.items() if name not in unsaid})

    def row(self) -> dict[str, Any]:
        """Return the ledger row."""
        return {"id": self.id} | {field.name: getattr(self, field.name) for field in fields(self)}

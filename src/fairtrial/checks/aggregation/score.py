"""What the checks of one rollout add up to. Null is not measured: it is neither 0 nor passed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Say what a rollout earned, and by what. None stands for what could not be measured."""

    score: float | None
    correct: bool | None
    correctness: float | None
    """C: weighted share of units that pass."""
    quality: float | None
    """Q of a correct rollout: weighted share of the other axes, 1 where there are none. None of one that is not."""
    per_check: float | None
    """Share of correctness checks that are effective, unweighted; None too where there are none (gates alone)."""
    axes: Mapping[str, float | None]
    workflows: Mapping[str, bool | None]
    effective: Mapping[str, bool | None]
    gates_broken: tuple[str, ...]
    blockers_failed: tuple[str, ...]
    not_measured: tuple[str, ...] = ()
    """Checks that have no result, and measures of a correct rollout that have no value."""
    awaits_group: tuple[str, ...] = ()
    """Measures that only the rollout's group can tell: until then they take nothing away."""

    def document(self) -> dict[str, Any]:
        """Return CONTRACT's JSON object."""
        row = self.row()
        return {"schema": "fairtrial.score/1", "score": row.pop("score"), "correct": row.pop("correct"),
                "axes": row.pop("axes"), "per_check": row.pop("per_check"), "workflows": dict(self.workflows),
                "effective": dict(self.effective)} | row  # fmt: skip

    def row(self) -> dict[str, Any]:
        """Return the JSON object of one rollout among many: all but the maps of workflows and checks."""
        return {
            "score": self.score,
            "correct": self.correct,
            "axes": self.axes,
            "per_check": self.per_check,
            "quality": self.quality,
            "gates_broken": self.gates_broken,
            "blockers_failed": self.blockers_failed,
            "not_measured": self.not_measured,
            "awaits_group": self.awaits_group,
        }

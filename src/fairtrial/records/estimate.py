"""An estimate: a number that says how sure it is, from how many, and by which method."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """State a number with its interval. `value` is None where it was not measured; `method` then says why."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    """How many units (tasks, rollouts, ...) it rests on."""
    ungraded: int = 0
    """How many were left out because they could not be graded."""
    method: str
    one_sided: bool = False
    """True for a bound: `high` (or `low`) alone is meant."""
    unit: str = "tasks"

    def document(self) -> dict[str, Any]:
        """Return the JSON object."""
        return asdict(self)

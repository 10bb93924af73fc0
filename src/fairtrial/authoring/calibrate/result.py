"""What a calibration came to, and its JSON document. Plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from fairtrial.authoring.calibrate.evidence import Says
from fairtrial.authoring.calibrate.options import Options
from fairtrial.authoring.calibrate.sides import Sides
from fairtrial.authoring.synthetic.result import plain
from fairtrial.records import Estimate

SCHEMA = "fairtrial.calibration/1"
Stop = Literal["found", "none", "attempts", "usd", "ungraded", "undecided"]
"""Why the search ended: a difficulty is in the band; none is; the budget of attempts or money is used up; too much was
ungraded; all looked at and some not decided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """One difficulty that was looked at."""

    difficulty: str
    says: Says
    decided_after: int | None
    rate: Estimate
    isotonic: float | None
    """The rate if harder ones are never passed more."""
    passed: int
    failed: int
    ungraded: int
    ungraded_why: dict[str, int]
    different: int
    """Different tasks among those attempted: equal ones are made of several seeds where a family has few."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupSpread:
    """Whether single tasks of a difficulty are passed sometimes, and not some always and the others never."""

    difficulty: str
    group_size: int
    mixed: Estimate
    """Share of tasks with a pass and a failure among their attempts."""
    in_band: Estimate
    """Share of tasks whose own observed rate is in the band."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """All that was found."""

    family: str
    suite: str
    model: str
    options: Options
    stop: Stop
    why: str
    levels: tuple[Level, ...]
    found: tuple[str, ...]
    """Difficulties in the band, easiest first."""
    reversed: tuple[tuple[str, str], ...]
    """(easier, harder) of which the harder is passed more."""
    spread: tuple[GroupSpread, ...]
    attempts: int
    held: int
    """Of them in the ledger before."""
    usd: float | None
    sides: Sides | None
    not_measured: tuple[str, ...]
    notes: tuple[str, ...]

    def document(self) -> dict[str, Any]:
        """Return the JSON document."""
        options = self.options
        return {
            "schema": SCHEMA, "family": self.family, "suite": self.suite, "model": self.model,
            "band": {"low": options.band[0], "high": options.band[1]}, "error": options.error,
            "error_each": options.error_each, "difficulties": list(options.difficulties), "stop": self.stop,
            "why": self.why, "found": list(self.found), "levels": [plain(level) for level in self.levels],
            "monotone": not self.reversed, "reversed": [list(pair) for pair in self.reversed],
            "spread": [plain(each) for each in self.spread], "attempts": self.attempts, "held": self.held,
            "usd": self.usd,
            "limits": {"pilot": options.pilot, "most_each": options.most_each, "most_attempts": options.most_attempts,
                       "most_ungraded": options.most_ungraded},
            "tasks": None if self.sides is None else self.sides.document(),
            "seed": options.seed, "not_measured": list(self.not_measured), "notes": list(self.notes),
        }  # fmt: skip

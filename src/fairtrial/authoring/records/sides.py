"""Put every case on a side, training or held out, with entities and what is related to them whole on one.

By hash: units (a group, else an entity) are taken in the order of a hash of seed and name until the share is reached.
By time: what was decided from a moment on is held out, and a unit that lies on both sides of it is left out. Not
covered: cases that are alike without being related; `fairtrial contamination split --check` looks for those.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from fairtrial.authoring.records.grading import Case

Side = Literal["train", "held_out", ""]
TRAIN: Side = "train"
HELD_OUT: Side = "held_out"


@dataclass(frozen=True, slots=True)
class Sides:
    """The side of each case, in their order; empty for one that is on neither."""

    of: tuple[Side, ...]
    units: int
    straddling: int
    """Units left out because they lie on both sides of the moment."""
    late_labels: int
    """Training cases whose outcome was recorded from that moment on: nobody could have trained on them by then."""


def by_hash(cases: Sequence[Case], share: float, seed: int) -> Sides:
    """Return the sides of `cases`, about `share` of them held out. Same seed, same cases: same sides, in any order."""
    sizes: dict[str, int] = {}
    for case in cases:
        sizes[case.decision.group] = sizes.get(case.decision.group, 0) + 1
    order = sorted(sizes, key=lambda unit: hashlib.sha256(f"{seed}\0{unit}".encode()).digest())
    wanted, taken = share * len(cases), 0
    held: set[str] = set()
    for unit in order:
        if taken + sizes[unit] / 2 <= wanted and len(held) < len(order) - 1:
            held.add(unit)
            taken += sizes[unit]
    return Sides(tuple(HELD_OUT if one.decision.group in held else TRAIN for one in cases), len(order), 0, 0)


def by_time(cases: Sequence[Case], moment: datetime) -> Sides:
    """Return the sides of `cases`: held out from `moment` on, training before, units on both sides left out."""
    sides: dict[str, set[Side]] = {}
    for case in cases:
        sides.setdefault(case.decision.group, set()).add(HELD_OUT if case.decision.made_at >= moment else TRAIN)
    found: list[Side] = []
    late = 0
    for case in cases:
        mine = sides[case.decision.group]
        side: Side = "" if len(mine) > 1 else next(iter(mine))
        found.append(side)
        outcome = case.decision.outcome
        late += (
            side == TRAIN and case.graded_by != "agreement" and outcome is not None and outcome.recorded_at >= moment
        )
    return Sides(tuple(found), len(sides), sum(len(mine) > 1 for mine in sides.values()), late)

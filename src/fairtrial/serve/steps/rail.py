"""Where in a trajectory edits, commands, messages and marks are: an entry a step, or a stretch where there are many."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from fairtrial.formats.atif import Trajectory
from fairtrial.serve.steps.calls import RAIL_MARKS, mark_of

MOST_ENTRIES = 40


@dataclass(frozen=True, slots=True)
class RailEntry:
    """One step, or a stretch of steps."""

    first: int
    last: int
    mark: str
    """The weightiest sign in it."""
    is_marked: bool
    """Whether something is cited, found or told of it."""


def signs_of(trajectory: Trajectory) -> tuple[str, ...]:
    """Return the sign of every step: what it does."""
    return tuple(mark_of(step) for step in trajectory.steps)


def rail(
    trajectory: Trajectory, marked: Collection[int] = (), signs: Sequence[str] | None = None
) -> tuple[RailEntry, ...]:
    """Return at most 40 entries that cover all steps; `signs` are those of `signs_of`, where they are at hand.

    >>> from fairtrial.formats.atif import AtifStep
    >>> rail(Trajectory(agent="a", steps=(AtifStep(source="agent", message="x"),)), {1})
    (RailEntry(first=1, last=1, mark='¶', is_marked=True),)
    """
    signs = signs_of(trajectory) if signs is None else signs
    weight = {sign: at for at, sign in enumerate(dict.fromkeys(RAIL_MARKS.values()))}
    stretch = -(-len(signs) // MOST_ENTRIES) or 1
    found = []
    for start in range(0, len(signs), stretch):
        some = signs[start : start + stretch]
        numbers = range(start + 1, start + len(some) + 1)
        found.append(RailEntry(numbers[0], numbers[-1], min(some, key=weight.__getitem__),
                               any(number in marked for number in numbers)))  # fmt: skip
    return tuple(found)

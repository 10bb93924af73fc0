"""What is known of tasks before a run is watched: attempts and passes of each, and what right answers look like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempted:
    """Graded attempts at one task before the run."""

    family: str
    graded: int
    passed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What a right answer looks like; never the answer, which the watch does not hold."""

    length: int
    """Characters."""
    kinds: frozenset[str]
    """`digit`, `letter`, and every other character that is in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What was measured of the training tasks before the first step."""

    tasks: Mapping[str, Attempted] = field(default_factory=dict)
    """By task; a task that is not in it was not measured."""
    shapes: Mapping[str, Shape] = field(default_factory=dict)
    """What the right answer looks like, of each task whose whole completion must be that text (`shapes_of`)."""
    source: str = ""
    """Where the rates come from, for the reason that is given."""

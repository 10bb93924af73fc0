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
class Known:
    """What was measured of the training tasks before the first step."""

    tasks: Mapping[str, Attempted] = field(default_factory=dict)
    """By task; a task that is not in it was not measured."""
    answers: Mapping[str, str] = field(default_factory=dict)
    """A right answer of each task, for the shape of completions. Part of the key: only its shape is ever told."""
    source: str = ""
    """Where the rates come from, for the reason that is given."""

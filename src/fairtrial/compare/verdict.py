"""What a comparison says: whether two answers are the same, and why."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Say whether two answers are the same, and why."""

    equivalent: bool
    reason: str

"""What `measure` can be asked for: one typed object, documented field by field."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Choose how figures are made. Which rollouts count, and when one passed, was decided when the ledger was read."""

    group_size: int = 16
    """G: rollouts in one GRPO group."""
    strong: str = ""
    """Label of the strong model; empty: the one with the highest pass rate."""
    weak: str = ""
    """Label of the weak model; empty: the one with the lowest pass rate."""
    suspects: bool = True
    """Score tasks whose key or grader the models contradict."""
    band_low: float = 0.02
    band_high: float = 0.70
    """Training band by observed rate, both ends inside."""
    confidence: float = 0.95
    """Of every two-sided interval and band."""
    replicates: int = 1000
    """Bootstrap replicates over task clusters."""
    seed: int = 0
    largest_group: int = 64
    """Gradient is told for group sizes 2 to this."""

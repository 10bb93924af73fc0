"""What `synthetic` can be asked for, documented field by field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Part = Literal["realism", "solvability", "ceiling", "diversity", "references"]
PARTS: tuple[Part, ...] = get_args(Part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """All that shapes the answer, besides what is read."""

    parts: tuple[Part, ...] = PARTS
    """Which questions are asked; the exit code is theirs alone."""
    generator: str = ""
    """Model that wrote the suite, as its rollouts name it; empty: what the tasks say."""
    most_auc: float = 0.8
    """An AUC that lies above it, whole interval, speaks against: the generated one of a pair is picked 4 times of 5."""
    least_solvable: float = 0.8
    """Share of tasks that must be solvable; one whose interval lies below speaks against."""
    least_taught: float = 0.1
    """Share of tasks that the generator must fail at least once; one whose interval lies below speaks against."""
    least_distinct: float = 0.5
    """Share of the tasks that their effective number must reach."""
    most_guessed: float = 0.5
    """Share of answers that may be guessed without reading; one whose interval lies above speaks against."""
    crossed: int = 0
    """Pairs of task folders whose reference is graded by the other's grader; text tasks are crossed at no cost."""
    confidence: float = 0.95
    seed: int = 0

"""What may be chosen about a proof, in one typed object."""

from __future__ import annotations

from dataclasses import dataclass

from fairtrial.grade import PASS_AT


@dataclass(frozen=True, slots=True, kw_only=True)
class ProveOptions:
    """How hard to try."""

    repeats: int = 3
    """Gradings of every known candidate, right and wrong; raised where the grader reads a clock or draws at random."""
    concurrency: int = 4
    """How many references are graded at once in the concurrent phase."""
    only: str = ""
    """One probe, by its label (`reference`, `defect:NAME`, `reference_concurrent`); empty for all."""
    pass_at: float = PASS_AT
    seed: int = 0

"""What a probe is, in words: shown by `fairtrial attack --list`, in the docs and in every certificate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Surface = Literal["workspace", "text", "judge"]
Family = Literal[
    "null", "mutant", "equivalent", "hack", "leak", "static",
    "reference", "reference_repeat", "reference_concurrent", "wrong_repeat", "defect", "alternative",
]  # fmt: skip
"""The second line holds what `prove` asks of every task by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """Describe one probe."""

    id: str
    """Lower case with underscores, unique in the catalogue: `reward_written_before`."""
    family: Family
    surface: Surface
    submits: str
    """What it hands in, as a noun phrase: "an empty file in place of each deliverable"."""
    sound: str
    """What a sound grader does with that: "fails it", "passes it"."""
    proof: str
    """When a wrong verdict proves a defect, and when it is a lead."""
    classes: tuple[str, ...]
    """Weakness classes it covers: `BGW-107` (bohrin's), `TRACE-8` (TRACE's ten groups)."""
    version: int = 1
    """Raised when the probe submits something else than before; part of every certificate."""

"""What shapes a set besides the ledger: which rollouts are meant, caps, the band, how pairs are made, the seed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from fairtrial.formats.exports import Kind

PairsFrom = Literal["both", "reviews", "siblings"]
Reviewers = Literal["person", "judge"]
NearCopies = Literal["declared", "measured"]
BAND_LOW, BAND_HIGH = 0.02, 0.70
PER_TASK = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """All that shapes a set. Empty means everything."""

    kind: Kind
    suite: str = ""
    """Name of the suite, with or without its `@hash`."""
    models: tuple[str, ...] = ()
    """Names of models, or MODEL@EFFORT."""
    tasks: tuple[str, ...] = ()
    step: int | None = None
    """Rollouts of this training step alone."""
    text_tasks: Path | None = None
    """JSONL of text tasks: their prompts and answers. Rollouts of other tasks are left out then."""
    held_out: Path | None = None
    """JSONL of text tasks that are held out: they and their near copies are left out."""
    split: Path | None = None
    """Document of `contamination split`: only tasks of its training side are taken."""
    near_copies: NearCopies = "declared"
    """`declared`: tasks of one cluster or one text. `measured`: those that `contamination split` would group too."""
    per_task: int = PER_TASK
    """Rows of one task at most; 0: no limit."""
    pairs: PairsFrom = "both"
    reviewers: Reviewers = "person"
    """Whose preferences make pairs; people and judges are never pooled."""
    question: str | None = None
    """What reviewers were asked, where several questions were."""
    band: tuple[float, float] = (BAND_LOW, BAND_HIGH)
    """Least and greatest measured pass rate of a prompt's task."""
    least_graded: int = 2
    """Graded attempts that a rate needs."""
    seed: int = 0

    def document(self) -> dict[str, Any]:
        """Return it as JSON, for the card."""
        found: dict[str, Any] = {name: getattr(self, name) for name in self.__dataclass_fields__}
        for name, value in found.items():
            if isinstance(value, Path):
                found[name] = str(value)
            elif isinstance(value, tuple):
                found[name] = list(value)
        return found

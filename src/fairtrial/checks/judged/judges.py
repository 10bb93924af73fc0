"""What a caller provides so that judged checks can be run: the model, what it may look at, where verdicts are kept.

The budget is the model's own (`LanguageModel(spec, budget=...)`), so all checks that share the model share it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from fairtrial.checks.protocol import Given
from fairtrial.formats.atif import Trajectory
from fairtrial.models import Budget, LanguageModel

PART_CHARACTERS = 40_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Judges(Given):
    """Fill in a check's parameter of this type."""

    NAME: ClassVar[str] = "a judge (a language model)"

    model: LanguageModel
    root: Path = Path("/")
    """Where the deliverable lies: `/app/memo.md` is `root/app/memo.md`. Links that lead out of it are not followed."""
    trajectory: Trajectory | None = None
    """The agent's steps; None where there are none, and then a criterion about them is broken."""
    kept: Path | None = None
    """Folder of verdicts kept by content, so that grading again costs nothing and says the same; None keeps none."""
    evidence: Path | None = None
    """Folder for screenshots of apps; None keeps none."""
    may_start: bool = False
    """Start apps by the commands of workflows.toml. That runs the agent's code here: only where here is a box."""
    shows_images: bool = False
    """Attach images of the submission, for a model that can see; else they are named, with size and hash."""
    at_once: int = 4
    """Most votes asked for at the same time."""
    part_characters: int = PART_CHARACTERS
    """Most characters of the submission in one asking; a longer one is read in parts."""

    @property
    def budget(self) -> Budget:
        """Return the budget of the model, shared by every check that is given it."""
        return self.model.budget

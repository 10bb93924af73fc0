"""What may be chosen about a proof, in one typed object."""

from __future__ import annotations

from dataclasses import dataclass

from fairtrial.attack import Probe
from fairtrial.grade import PASS_AT
from fairtrial.models import ModelSpec
from fairtrial.records import Runner


@dataclass(frozen=True, slots=True, kw_only=True)
class ProveOptions:
    """How hard to try."""

    repeats: int = 3
    """Gradings of every known candidate, right and wrong; raised where the grader reads a clock or draws at random."""
    concurrency: int = 4
    """How many references are graded at once in the concurrent phase."""
    only: str = ""
    """One probe, by its label (`reference`, `defect:NAME`, `hack:reward_written`, a submission); empty for all."""
    pass_at: float = PASS_AT
    seed: int = 0
    known_only: bool = False
    """Leave out every probe: only the untouched workspace, the reference and declared candidates are graded."""
    mutants: int = 24
    """How many submissions one probe makes at most."""
    runners: tuple[Runner, ...] = ("ours", "harbor_shared", "legacy")
    """Runners that users of the suite may have; a grader that one of them lets be beaten is refuted."""
    fresh: bool = False
    """Grade again what the cache knows."""
    judge: ModelSpec | None = None
    """Language model of the tasks' judged checks; None leaves them not measured."""
    probes: tuple[Probe, ...] | None = None
    """Probes of workspaces to ask; None for the whole catalogue."""

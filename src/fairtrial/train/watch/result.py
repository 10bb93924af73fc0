"""What the watch says of a training run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fairtrial.records import Estimate

AgainstLine = Literal["below", "above", "cannot tell", "not measured"]
AlarmKind = Literal["outage", "grader", "hacks", "collapse", "no_signal", "length"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Alarm:
    """Something that makes steps unfit for a claim, or the run unfit to go on."""

    kind: AlarmKind
    first_step: int
    last_step: int
    pauses: bool
    """Whether the run should stop for it."""
    why: str
    """One sentence with the numbers."""
    probability: float | None = None
    """Chance of it at the rates that were measured before; None where that was not computed."""
    marks: bool = False
    """Whether its steps are left out of every claim. A collapse or a hack is part of the claim: it is not left out."""

    @property
    def is_grave(self) -> bool:
        """Say whether the run does not hold: steps are left out, it hacks, or it collapsed."""
        return self.marks or self.pauses or self.kind in ("hacks", "collapse")


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedStep:
    """One step as the page shows it. Shares in [0, 1]; None where nothing was measured."""

    step: int
    stage: int
    attempts: int
    ungraded: int
    pass_rate: Estimate | None
    hack_share: Estimate | None
    """Share of attempts that hack, with its bound; None where nobody looked."""
    all_pass: int
    all_fail: int
    groups: int
    mean_tokens: float | None
    entropy: float | None
    marked: bool
    """Left out of every claim."""
    passed: int = 0
    failed: int = 0
    informative: int = 0
    """Groups with a pass and a fail: the effective batch."""
    cut_off: int = 0
    suspected: int | None = None
    """Attempts that a detector suspects; leads, which decide nothing. None: no detector ran."""
    references_passed: int | None = None
    references: int | None = None
    """Known right answers that were graded in the step; None: none was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """A whole run."""

    steps: tuple[WatchedStep, ...]
    alarms: tuple[Alarm, ...]
    paused: str
    """Why it is paused; empty where it is not."""
    left_out_steps: tuple[int, ...]
    not_measured: tuple[str, ...]
    hack_line: float = 0.02
    hack_share: Estimate | None = None
    """Over the whole run; None where nobody looked."""
    against_line: AgainstLine = "not measured"
    """Where the interval of the whole run lies. `cannot tell`: the line cannot be excluded."""
    model: str = ""
    seed: int | None = None

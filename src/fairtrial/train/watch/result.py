"""What the watch says of a training run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fairtrial.records import Estimate

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


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedStep:
    """One step as the page shows it. Shares in [0, 1]; None where nothing was measured."""

    step: int
    stage: int
    attempts: int
    ungraded: int
    pass_rate: Estimate | None
    hack_share: Estimate | None
    """Share of attempts confirmed or suspected to hack, with its bound; None where nobody looked."""
    all_pass: int
    all_fail: int
    groups: int
    mean_tokens: float | None
    entropy: float | None
    marked: bool
    """Left out of every claim."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """A whole run."""

    steps: tuple[WatchedStep, ...]
    alarms: tuple[Alarm, ...]
    paused: str
    """Why it is paused; empty where it is not."""
    left_out_steps: tuple[int, ...]
    not_measured: tuple[str, ...]

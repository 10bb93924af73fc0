"""The seam of every workspace probe: from a task and its reference, submissions whose right score is known.

A probe hands in; it never grades. `prove` gives each submission to `run` as an opaque agent, grades it as it grades
every candidate, and compares the verdict with what the probe said that a sound grader returns.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Protocol

from fairtrial.attack.card import Card
from fairtrial.attack.target import Target
from fairtrial.records import Runner, Severity
from fairtrial.run import Agent
from fairtrial.tasks import Key

OURS: tuple[Runner, ...] = ("ours",)
EVERY_RUNNER: tuple[Runner, ...] = ("ours", "harbor_shared", "legacy")


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """One piece of work to be graded, and what a sound grader says of it."""

    name: str
    """Unique among the submissions of its probe on this task, stable from run to run: `quotes.csv:line-3`."""
    agent: Agent
    """What makes it. Usually a `FilesAgent`; it must be picklable and the same from run to run."""
    expects: Literal["fails", "passes"]
    what: str
    """What was handed in, as the subject of a sentence: "quotes.csv with every price emptied"."""
    severity: Severity = "proof"
    """Of the finding if the verdict is wrong. `proof` only for what is wrong (or right) by construction."""
    why: str = ""
    """Why it is wrong (or right) by construction, or why it is only a lead, as a sentence for the reader."""
    runners: tuple[Runner, ...] = OURS
    """Under which runners it is graded."""
    races: bool = False
    """Its process and the grader race: what the machine is busy with may decide. Wrong now and then tells nothing."""
    grader: Key | None = None
    """Another grader than the task's own, for probes that alter the grader (an impossible task)."""


class Probe(Protocol):
    """One way to hand in work whose right score is known."""

    @property
    def card(self) -> Card:
        """Return what this probe is."""
        ...

    def submissions(self, target: Target) -> Iterable[Submission]:
        """Yield what to hand in for this task; nothing where the task gives no occasion."""
        ...

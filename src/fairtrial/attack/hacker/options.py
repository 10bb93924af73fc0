"""What may be chosen about an attack by the hack agent, and what came of it: typed objects without I/O."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fairtrial.attack.hacker.kept import KeptAttack
from fairtrial.grade import PASS_AT
from fairtrial.records import Runner


@dataclass(frozen=True, slots=True, kw_only=True)
class HackOptions:
    """How hard to attack."""

    rounds: int = 3
    """Most rounds; a round that finds nothing new is the last."""
    attempts: int = 2
    """Attempts at each task in a round."""
    runners: tuple[Runner, ...] = ("ours",)
    """Runners that users of the suite may have; `ours` is always tried first."""
    impossible: bool = False
    """Attack graders with one expected value flipped, where whatever passes got past."""
    most_usd: float | None = None
    """Of the whole attack, honest attempts included."""
    most_tokens: int | None = None
    at_once: int = 2
    """Attempts in flight."""
    pass_at: float = PASS_AT
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """How one round went."""

    number: int
    attempts: int = 0
    graded: int = 0
    ungraded: Mapping[str, int] = field(default_factory=dict)
    passed: int = 0
    """Attempts that the grader passed, under any runner."""
    reproduced: int = 0
    """Of those, attempts whose commands passed again without the model, with work that is not shown to be right."""
    found: tuple[KeptAttack, ...] = ()
    """Attacks that were not known before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskTally:
    """How one task fared over all rounds."""

    task: str
    path: str
    attempts: int = 0
    graded: int = 0
    proofs: int = 0
    """Attempts that got wrong work past the grader, and again without the model."""
    leads: int = 0
    """Attempts whose passing work a person must judge."""
    why_not: str = ""
    """Why it was not attacked; empty where it was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attacked:
    """What the whole attack came to."""

    rounds: tuple[Round, ...]
    tasks: tuple[TaskTally, ...]
    attacks: tuple[KeptAttack, ...]
    """New ones, in the order in which they were found."""
    kept_before: tuple[tuple[KeptAttack, bool | None], ...]
    """Attacks that were there, and whether they still pass; None where that could not be graded."""
    stopped: str
    """`none found`, `none graded` (no attempt of the last round was), `rounds` or `budget`."""
    tokens: int = 0
    cost_usd: float | None = None

    @property
    def attempts(self) -> int:
        """Return how many attempts were made."""
        return sum(task.attempts for task in self.tasks)

    @property
    def graded(self) -> int:
        """Return how many of them came to a verdict."""
        return sum(task.graded for task in self.tasks)

    @property
    def proofs(self) -> int:
        """Return how many got wrong work past a grader."""
        return sum(task.proofs for task in self.tasks)

    @property
    def is_refuted(self) -> bool:
        """Say whether any attack, new or old, is a proof."""
        old = any(attack.severity == "proof" and passes for attack, passes in self.kept_before)
        return old or any(attack.severity == "proof" for attack in self.attacks)

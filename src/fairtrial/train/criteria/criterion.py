"""The nouns: a criterion, what trying it came to, and all of one file with where it came from.

A criterion is a yes or no question in which yes means better, asked of a judge, or of a program where it names a check.
Not covered: how one is asked (`asking`), tried (`trial`) or written down (`file`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from fairtrial.records import Estimate, canonical_json, digest

About = Literal["solution", "behaviour"]
Reason = Literal[
    "", "broken", "too_few", "unsteady", "no_separation", "does_not_carry_over", "falls_to_probe", "not_probed"
]
KIND = b"trained-criteria/1\0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """One question about a rollout."""

    name: str
    question: str
    """Answered yes or no from the work alone; yes means better."""
    about: About = "solution"
    """`solution`: answer and deliverable are shown. `behaviour`: the steps, and the answer."""
    weight: float = 1.0
    families: tuple[str, ...] = ()
    """Families of tasks that it was written for; none: it is asked of every task."""
    use: str = ""
    """A check that answers it in a judge's place (`programs.PROGRAMS`); empty: a judge does."""
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def applies(self, family: str) -> bool:
        """Say whether it is asked of tasks of `family`.

        >>> Criterion(name="a", question="?", families=("sort",)).applies("rev")
        False
        """
        return not self.families or family in self.families

    def content(self) -> dict[str, Any]:
        """Return what is asked, as JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Probed:
    """What one probe came to on rollouts that do not meet the criterion, and should not after it either."""

    probe: str
    asked: int
    turned: int
    """How many noes it turned into a yes."""
    ungraded: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """A criterion with all that was measured of it. What was not measured is None."""

    criterion: Criterion
    reason: Reason = ""
    """Why it is dropped; empty: it is kept."""
    why: str = ""
    """The same in a sentence."""
    difference: Estimate | None = None
    """Share of yes among the better held-out rollouts minus that among the worse, within tasks."""
    yes_better: float | None = None
    yes_worse: float | None = None
    auc: float | None = None
    """Share of pairs of one task, a better and a worse rollout, in which the better has more votes; ties a half."""
    p_value: float | None = None
    """Exact, within tasks, one-sided."""
    q_value: float | None = None
    """After Benjamini and Hochberg, over all criteria that were measured."""
    carried: Estimate | None = None
    """The same difference on tasks of which nothing was studied; None: none was left out."""
    steady: Estimate | None = None
    """Share of rollouts on which all votes are alike."""
    ungraded: int = 0
    """Held-out rollouts on which it could not be answered."""
    probes: tuple[Probed, ...] = ()
    warnings: tuple[str, ...] = ()
    """Why it may not be one question with the answers yes and no."""

    @property
    def is_kept(self) -> bool:
        """Say whether it may be used."""
        return not self.reason


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeWords:
    """The judge that the criteria were tried with: another one is another instrument."""

    model: str
    base_url: str = ""
    effort: str = ""
    temperature: float | None = None
    api_key_variable: str = "OPENAI_API_KEY"
    """Name of the variable that holds the key, never the key."""
    votes: int = 3
    price: tuple[float, ...] = ()
    """USD per million tokens, in, out and, where it is known, in from the server's cache; empty: not known."""

    def identity(self) -> dict[str, Any]:
        """Return what shapes its verdicts; where its server stands and what it costs do not."""
        return {"model": self.model, "effort": self.effort, "temperature": self.temperature, "votes": self.votes}


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """Where criteria came from."""

    writer: str
    """Model that wrote them."""
    prompt: str
    """Content address of the words that it was asked with."""
    ledger: str = ""
    seed: int = 0
    rate: float = 0.0
    """Tasks that passed at least this often were studied."""
    fdr: float = 0.05
    tasks_studied: tuple[str, ...] = ()
    tasks_left_out: tuple[str, ...] = ()
    """Tasks of which no rollout was studied."""
    task_hashes: tuple[str, ...] = ()
    """Content addresses of all these tasks, where they are known: none of them may be held out from a policy."""
    rollouts_studied: tuple[str, ...] = ()
    rollouts_held_out: tuple[str, ...] = ()
    contrasts: Mapping[str, int] = field(default_factory=dict)
    """Rollouts by what says that they are better or worse: `preference`, `review`, `hack`, `outcome`, `length`."""
    may_lack: bool = False
    """Criteria that work with nothing in it meets may be kept."""
    version: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedCriteria:
    """All criteria of one file."""

    tried: tuple[Tried, ...]
    judge: JudgeWords | None = None
    """None where no criterion is judged."""
    made: Made | None = None
    """None for a file that was written by hand: nothing was measured of it."""

    @property
    def kept(self) -> tuple[Criterion, ...]:
        """Return the criteria that are used."""
        return tuple(one.criterion for one in self.tried if one.is_kept)

    @property
    def hash(self) -> str:
        """Return the content address of what is asked and of whom; figures, layout and comments are no part of it."""
        judged = self.judge is not None and any(not criterion.use for criterion in self.kept)
        asked = [criterion.content() for criterion in self.kept]
        return digest(KIND + canonical_json([asked, self.judge.identity() if judged and self.judge else None]))

    def of_family(self, family: str) -> tuple[Criterion, ...]:
        """Return the criteria that are asked of tasks of `family`."""
        return tuple(criterion for criterion in self.kept if criterion.applies(family))

"""What a viewer is shown of one rollout, and what a writer tells of its files.

Holds nothing that the key says: no expected answer, no message of a check, no output of the grader. What reviewers and
detectors wrote is as `audit.shown` lets it out. Not covered: how it is gathered, and how it is written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from fairtrial.formats.atif import Trajectory
from fairtrial.records import CheckStatus, Citation, Outcome, Review, Rollout

_LAST = 2**63 - 1
"""The greatest number that a column of Scout's holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """A finding about the rollout; of its evidence the steps that it points at, and what it cites there."""

    probe: str
    family: str
    severity: str
    claim: str
    steps: tuple[int, ...] = ()
    citations: tuple[str, ...] = ()
    score: float | None = None

    def document(self) -> dict[str, Any]:
        """Return the JSON object."""
        told = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return told | {"steps": list(self.steps), "citations": _cited(self.citations)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One rollout, its verdict, and what was said of both."""

    id: str
    """As the ledger has it."""
    rollout: Rollout
    outcome: Outcome
    reason: str = ""
    """Why it is ungraded."""
    score: float | None = None
    grader: str = ""
    verdict: str = ""
    """Id; empty where there is none that counts."""
    checks: Mapping[str, CheckStatus] = field(default_factory=dict)
    trajectory: Trajectory | None = None
    document: bytes = b""
    """The trajectory as the ledger holds it; empty where there is none, or it cannot be read."""
    reviews: tuple[Review, ...] = ()
    """Those that count, in the order recorded."""
    person: bool | None = None
    """Whether people found the work right; None: nobody looked, nobody can tell, or they disagree."""
    judge: bool | None = None
    is_disputed: bool = False
    leads: tuple[Lead, ...] = ()
    withdrawn: str = ""
    """Why it no longer counts, and who says so; empty: it counts."""
    first_attempt: int = 0
    """Least number of an attempt of its run: 0 where they are counted from 0."""

    @property
    def passed(self) -> bool | None:
        """Return the verdict; None where it is ungraded."""
        return None if self.outcome == "ungraded" else self.outcome == "passed"

    @property
    def epoch(self) -> int:
        """Return the number of the attempt as Inspect and Scout count: from 1."""
        return min(self.rollout.attempt + (1 if self.first_attempt == 0 else 0), _LAST)

    @property
    def hack(self) -> bool | None:
        """Return whether a reviewer says that the grader was gamed; people before judges, None where none says."""
        for kind in ("person", "judge"):
            said = {one.hack for one in self.reviews if one.kind == kind and one.hack is not None}
            if said:
                return True in said
        return None

    @property
    def run(self) -> tuple[Any, ...]:
        """Return what tells its run from others: attempts are numbered within one."""
        of = self.rollout
        return (of.suite, of.model, of.effort, of.agent, of.settings, of.environment, of.seed, of.step, of.origin)


def _cited(citations: Iterable[str]) -> list[dict[str, Any]]:
    """Return citations as JSON, each with its place, its step and its words."""
    found = [Citation.read(text) for text in citations]
    return [{"place": one.place, "step": one.step, "quote": one.quote} for one in found]


def review_document(review: Review) -> dict[str, Any]:
    """Return a review as JSON."""
    return {
        "reviewer": review.reviewer, "kind": review.kind, "stage": review.stage, "satisfied": review.satisfied,
        "hack": review.hack, "label": review.label, "adjudicates": review.adjudicates,
        "failure_tags": list(review.failure_tags), "behaviour_tags": list(review.behaviour_tags),
        "citations": _cited(review.citations),
        "note": review.note, "recorded_at": review.recorded_at,
    }  # fmt: skip


def said_of(shown: Shown) -> dict[str, Any]:
    """Return what was said of a rollout as JSON, the same for every viewer."""
    return {
        "rollout": shown.id, "outcome": shown.outcome, "reason": shown.reason, "score": shown.score,
        "grader": shown.grader, "verdict": shown.verdict, "checks": dict(shown.checks),
        "satisfied_person": shown.person, "satisfied_judge": shown.judge, "disputed": shown.is_disputed,
        "hack": shown.hack, "reviews": [review_document(one) for one in shown.reviews],
        "leads": [one.document() for one in shown.leads], "withdrawn": shown.withdrawn,
    }  # fmt: skip


def in_words(shown: Shown) -> str:
    """Return the verdict and what reviewers and detectors say of it, one line each.

    >>> in_words(Shown(id="a", rollout=Rollout(task="t", model="m"), outcome="ungraded", reason="grader_timeout"))
    'ungraded: grader_timeout'
    """
    score = "" if shown.score is None else f", score {shown.score:g}"
    by = f" (grader {shown.grader})" if shown.grader else ""
    lines = [f"{shown.outcome}{score}{by}" if shown.outcome != "ungraded" else f"ungraded: {shown.reason}"]
    for review in shown.reviews:
        answer = {True: "satisfied", False: "not satisfied", None: "cannot tell"}[review.satisfied]
        tags = ", ".join(filter(None, (review.label, "hack" if review.hack else "", *review.failure_tags)))
        told = f"{review.kind} {review.reviewer}, {review.stage}: {answer}" + (f" ({tags})" if tags else "")
        lines += ["\n".join([told, *(f"  {text}" for text in (review.note, *review.citations) if text)])]
    lines += [f"{one.severity} {one.probe}: {one.claim}" for one in shown.leads]
    lines += [f"withdrawn: {shown.withdrawn}"] if shown.withdrawn else []
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """One file that was written."""

    path: Path
    rows: int
    what: str
    """What it is, in words."""


@dataclass(slots=True)
class Told:
    """What became of what was shown."""

    files: list[WrittenFile] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    """Why the format cannot say a rollout -> how many."""
    counts: Counter[str] = field(default_factory=Counter)
    """What is written but not whole -> how many."""
    written: int = 0
    """Rollouts."""
    notes: list[str] = field(default_factory=list)


class Viewer(Protocol):
    """A form that somebody's viewer opens."""

    @property
    def name(self) -> str:
        """Name the format."""
        ...

    def write(self, rollouts: Iterable[Shown], folder: Path) -> Told:
        """Write into `folder`, which is there and empty, one rollout at a time; those of one run come together."""
        ...

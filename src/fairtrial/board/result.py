"""A board as data: its locks, its rows with all that speaks of them, and what was refused. Values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from fairtrial.board.acceptance import Problem
from fairtrial.board.locking import Lock
from fairtrial.board.runs import Attempt, Where, Who
from fairtrial.board.spend import Spent
from fairtrial.records import Estimate, Ruling, Screening, Submission, Withdrawal
from fairtrial.records.ruling import Rule
from fairtrial.rules.rulings import Standing

SCHEMA = "fairtrial.board/1"

Status = Literal["clean", "flagged", "penalised", "removed"]
Judged = Literal["judged", "in part", "not judged", "not asked"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How intervals and ranks are made."""

    seed: int = 0
    replicates: int = 2000
    confidence: float = 0.95


@dataclass(frozen=True, slots=True)
class TaskTally:
    """Outcomes of one task in one part of a row."""

    task: str
    passed: int
    failed: int
    ungraded: int
    attempts: tuple[Attempt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One model of a row on one track."""

    track: str
    model: str
    label: str
    base: str
    """Base model from which it was made, where that is known."""
    scored_by: str
    """Label of the run whose results count: the base model's where this one is penalised."""
    accuracy: Estimate | None
    own_accuracy: Estimate | None
    """What its own runs reached; where it is penalised, not its score."""
    tasks: tuple[TaskTally, ...]
    """Its own runs that count."""
    withdrawn: tuple[Attempt, ...] = ()
    why: str = ""
    """Why it has no score, where it has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of a board."""

    key: str
    """The same in every version of a board, whatever else stands on it."""
    label: str
    models: tuple[str, ...]
    who: Who | None
    """None where several models are one row."""
    entrant: str
    rank: int | None
    last_rank: int | None
    score: Estimate | None
    bounds: tuple[float, float] | None
    """The score with every ungraded run a fail, and a pass."""
    status: Status
    why: str
    judged: Judged
    standings: Mapping[str, Mapping[Rule, Standing]]
    """By model and rule."""
    parts: tuple[Part, ...]
    spent: Spent
    making: Spent
    submissions: tuple[Submission, ...] = ()
    screenings: tuple[Screening, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    """All that was ever said of it, what does not count any more too."""
    withdrawals: tuple[Withdrawal, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A run that is on no row, and why."""

    run: str
    who: Who
    where: Where
    track: str
    rollouts: int
    problems: tuple[Problem, ...]

    @property
    def why(self) -> str:
        """Return the problems in one sentence."""
        return "; ".join(str(problem) for problem in self.problems)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A base model, or its instruct sibling: the scale on which scores stand. It has no rank."""

    role: Literal["base", "instruct"]
    models: tuple[str, ...]
    score: Estimate | None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A whole board."""

    title: str
    rules: str
    """`name@version#hash`."""
    checked: tuple[Rule, ...]
    locks: tuple[Lock, ...]
    weights: Mapping[str, float]
    weights_from: str
    rows: tuple[Row, ...]
    references: tuple[Reference, ...]
    refused: tuple[Refused, ...]
    pairs: int
    separated: int
    options: Options
    notes: tuple[str, ...]

"""What a board is made of, read from ledgers: rollouts of policies with the outcome that counts, grouped into runs.

A run is all that one model (at one effort, in one scaffold) did on one suite under one pair of settings and
environment: what is accepted or refused as a whole. A rollout that two ledgers hold counts once; where they tell two
outcomes of it, it is ungraded. Known candidates are left out. Not covered: which runs are accepted (`acceptance`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeVar

from fairtrial.ledger import Ledger, connect
from fairtrial.ledger.screened import all_rulings, all_screenings, all_submissions, all_withdrawals
from fairtrial.records import Outcome, Ruling, Screening, Submission, Withdrawal

_COLUMNS = (
    "id", "task", "attempt", "outcome", "reason", "task_hash", "cluster", "input_tokens", "output_tokens", "cost_usd",
    "trajectory", "recorded_at", "model", "agent", "effort", "suite", "settings", "environment",
)  # fmt: skip
Noun = TypeVar("Noun", Submission, Screening, Ruling, Withdrawal)
_OF_ATTEMPT = 12
"""So many of the columns are an attempt's own; the rest name its run."""


class Attempt(NamedTuple):
    """One rollout with its outcome."""

    id: str
    task: str
    attempt: int
    outcome: Outcome
    reason: str
    task_hash: str
    cluster: str
    input_tokens: int | None
    output_tokens: int | None
    cost_usd: float | None
    trajectory: str
    recorded_at: str


class Who(NamedTuple):
    """Whose run it is."""

    model: str
    agent: str
    effort: str

    def is_called(self, name: str) -> bool:
        """Say whether submissions, rulings and rules mean this one by `name`: MODEL, or MODEL@EFFORT."""
        return name == self.model or bool(self.effort and name == f"{self.model}@{self.effort}")

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names by which it is called, the closest first."""
        return (f"{self.model}@{self.effort}", self.model) if self.effort else (self.model,)


class Where(NamedTuple):
    """On what it ran."""

    suite: str
    settings: str
    environment: str


@dataclass(frozen=True, slots=True)
class Run:
    """The attempts of one model on one suite, in one setting and environment, by task and number."""

    who: Who
    where: Where
    attempts: tuple[Attempt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """All that ledgers hold of what a board needs."""

    runs: tuple[Run, ...]
    submissions: tuple[Submission, ...] = ()
    screenings: tuple[Screening, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    withdrawals: tuple[Withdrawal, ...] = ()
    told_apart: int = 0
    """Rollouts of which two ledgers tell different outcomes; they are ungraded."""


def read_records(paths: Sequence[Path]) -> Records:
    """Read the ledgers at `paths`. Raise LedgerError where one cannot be read."""
    ledgers = [Ledger.open(path) for path in paths]
    rows, told_apart = _rows(ledgers)
    return Records(
        runs=_grouped(rows),
        submissions=_once(record for ledger in ledgers for record in all_submissions(ledger)),
        screenings=_once(record for ledger in ledgers for record in all_screenings(ledger)),
        rulings=_once(record for ledger in ledgers for record in all_rulings(ledger)),
        withdrawals=_once(record for ledger in ledgers for record in all_withdrawals(ledger)),
        told_apart=told_apart,
    )


def _rows(ledgers: Sequence[Ledger]) -> tuple[list[tuple[object, ...]], int]:
    """Return the rows of every ledger, each id once, and how many of them have two outcomes."""
    # A run that says no time was there when it was first graded, at the latest.
    query = ("with graded as (select rollout, min(recorded_at) as graded_at from verdicts where recorded_at <> ''"
             " group by rollout) "
             f"select {', '.join(_text(name) for name in _COLUMNS)} from outcomes left join graded on rollout = id"
             " where origin = 'policy'")  # fmt: skip
    outcome, reason = _COLUMNS.index("outcome"), _COLUMNS.index("reason")
    found: dict[object, tuple[object, ...]] = {}
    disputed: set[object] = set()
    for ledger in ledgers:
        for row in connect(ledger).execute(query).fetchall():
            held = found.setdefault(row[0], row)
            if held[outcome] == row[outcome]:
                continue
            if "not_graded" in (held[reason], row[reason]):  # one ledger holds it without a verdict
                found[row[0]] = row if held[reason] == "not_graded" else held
            else:
                disputed.add(row[0])
    for name in disputed:
        changed = list(found[name])
        changed[outcome], changed[reason] = "ungraded", "conflict"
        found[name] = tuple(changed)
    return list(found.values()), len(disputed)


def _text(name: str) -> str:
    """Return the SQL of a column, an absent text as the empty one; of a time, that of the first verdict."""
    if name == "recorded_at":
        return f"coalesce(nullif({name}, ''), graded_at, '')"
    return name if name in ("attempt", "input_tokens", "output_tokens", "cost_usd") else f"coalesce({name}, '')"


def _grouped(rows: Iterable[tuple[object, ...]]) -> tuple[Run, ...]:
    """Return the runs, by whose they are and where they ran; attempts by task, number and id."""
    groups: dict[tuple[object, ...], list[Attempt]] = {}
    for row in rows:
        groups.setdefault(row[_OF_ATTEMPT:], []).append(Attempt(*row[:_OF_ATTEMPT]))  # type: ignore[arg-type]
    return tuple(
        Run(
            who=Who(*key[:3]),  # type: ignore[arg-type]  # the query says what each column holds
            where=Where(*key[3:]),  # type: ignore[arg-type]
            attempts=tuple(sorted(groups[key], key=lambda one: (one.task, one.attempt, one.id))),
        )
        for key in sorted(groups, key=str)
    )


def _once(records: Iterable[Noun]) -> tuple[Noun, ...]:
    """Return the records of several ledgers, each once, by the time at which they were recorded."""
    each = {record.id: record for record in records}
    return tuple(sorted(each.values(), key=lambda record: (record.recorded_at, record.id)))

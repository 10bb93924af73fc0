"""The rollouts of a ledger that a set may be chosen from, each with the verdict that counts, and a tally of the rest.

Every rollout that was looked at is either in the set or left out for one reason, the first that applies: the counts
add up. Not covered: what the reasons are (`objections`, `sides`, `works`).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import duckdb

from fairtrial.ledger import Ledger, damage
from fairtrial.ledger.views import connect_outcomes
from fairtrial.records import InputError, LedgerError
from fairtrial.train.sets.options import Options

_COLUMNS = (
    "id", "suite", "task", "task_hash", "model", "agent", "effort", "attempt", "seed", "step", "split", "domain",
    "family", "cluster", "origin", "trajectory", "answer", "outcome", "reason", "score", "expected", "grader",
)  # fmt: skip
_SHOWN = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One rollout with its outcome."""

    id: str
    task: str
    model: str
    outcome: str
    """`passed`, `failed` or `ungraded`."""
    reason: str = ""
    score: float | None = None
    expected: str | None = None
    grader: str = ""
    suite: str = ""
    task_hash: str = ""
    agent: str = ""
    effort: str = ""
    attempt: int = 0
    seed: int | None = None
    step: int | None = None
    split: str = ""
    domain: str = ""
    family: str = ""
    cluster: str = ""
    origin: str = "policy"
    trajectory: str = ""
    answer: str | None = None

    @property
    def label(self) -> str:
        """Return the model as figures name it."""
        return f"{self.model}@{self.effort}" if self.effort else self.model

    @property
    def policy(self) -> tuple[str, int | None, int | None]:
        """Return the model as it was: replicates of other seeds, and earlier steps, are others."""
        return (self.label, self.seed, self.step)

    @property
    def task_key(self) -> tuple[str, str]:
        """Return what tells its task from others."""
        return (self.suite, self.task)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """The rollouts of a ledger."""

    meant: tuple[Entry, ...]
    """Those that the options mean, known candidates and ungraded ones too, by task and id."""
    everyone: tuple[Entry, ...]
    """All: what is held out is known by rollouts that a set is not chosen from, too."""


@dataclass(slots=True)
class Tally:
    """Counts what is left out, by reason, in the order in which reasons are asked."""

    counts: Counter[str] = field(default_factory=Counter)

    def keep(self, entries: Iterable[Entry], why: Callable[[Entry], str]) -> list[Entry]:
        """Return the entries of which `why` gives no reason; count the others."""
        kept = []
        for entry in entries:
            if reason := why(entry):
                self.counts[reason] += 1
            else:
                kept.append(entry)
        return kept

    def drop(self, reason: str, count: int = 1) -> None:
        """Count what was left out elsewhere."""
        if count:
            self.counts[reason] += count


def read_pool(ledger: Ledger, options: Options) -> Pool:
    """Return the rollouts of `ledger`, and which of them `options` mean.

    Raise InputError for a suite, model, task or step that the ledger does not hold.
    """
    connection = connect_outcomes(ledger)
    try:
        rows = connection.execute(f"select {', '.join(_COLUMNS)} from outcomes order by suite, task, id").fetchall()
    except duckdb.Error as error:
        raise damage(ledger) or LedgerError(f"cannot be read: {error}", path=ledger.path) from error
    finally:
        connection.close()
    entries = [
        Entry(**{name: value for name, value in zip(_COLUMNS, row, strict=True) if value is not None}) for row in rows
    ]
    if not entries:
        raise InputError("holds no rollout", path=ledger.path,
                         hint="`fairtrial run` and `fairtrial import` add rollouts.")  # fmt: skip
    _refuse_unknown(ledger, options, entries)
    return Pool(meant=tuple(entry for entry in entries if _is_meant(entry, options)), everyone=tuple(entries))


def _is_meant(entry: Entry, options: Options) -> bool:
    return (
        (not options.suite or options.suite in (entry.suite, entry.suite.split("@")[0]))
        and (not options.models or entry.model in options.models or entry.label in options.models)
        and (not options.tasks or entry.task in options.tasks)
        and (options.step is None or entry.step == options.step)
    )


def _refuse_unknown(ledger: Ledger, options: Options, entries: Sequence[Entry]) -> None:
    suites = {name for entry in entries for name in (entry.suite, entry.suite.split("@")[0])}
    steps = {str(entry.step) for entry in entries if entry.step is not None}
    for option, wanted, there in (
        ("--suite", (options.suite,) if options.suite else (), suites),
        ("--model", options.models, {name for entry in entries for name in (entry.model, entry.label)}),
        ("--task", options.tasks, {entry.task for entry in entries}),
        ("--step", (str(options.step),) if options.step is not None else (), steps),
    ):
        if missing := [name for name in wanted if name not in there]:
            held = ", ".join(name or "(no name)" for name in sorted(there)[:_SHOWN]) or "none"
            raise InputError(f"no rollout of `{missing[0]}`", path=ledger.path, field=option, hint=f"It holds: {held}")


def drawn(seed: int, name: str) -> str:
    """Return the place of `name` in an order that only the seed and the name decide.

    >>> drawn(0, "a") == drawn(0, "a"), drawn(0, "a") == drawn(1, "a")
    (True, False)
    """
    return hashlib.sha256(f"{seed}\0{name}".encode()).hexdigest()

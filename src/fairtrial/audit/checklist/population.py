"""Which tasks a benchmark has, and which are inspected: a random order by seed, of which the sample is the start.

The place of a task in that order hangs on the seed and its own name alone. So a larger sample holds every smaller one,
and what was inspected is never wasted; a task that is added later moves no other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from fairtrial.ledger import Ledger, connect
from fairtrial.records import InputError
from fairtrial.tasks import Suite

_LAST = """
select split_part(coalesce(suite, ''), '@', 1) as name, task, arg_max(coalesce(suite, ''), time) as suite,
       arg_max(coalesce(task_hash, ''), time) as task_hash, max(time) as time
from (select *, coalesce(recorded_at, '') || chr(1) || id as time from rollouts where origin = 'policy')
group by 1, 2 order by 1, 2
"""
"""The id settles what was recorded at one time, so that reading twice says the same."""


@dataclass(frozen=True, slots=True, order=True)
class TaskRef:
    """One task, and the content that is there now."""

    name: str
    hash: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Population:
    """All tasks of one benchmark."""

    suite: str
    """Name, or `name@hash`."""
    tasks: tuple[TaskRef, ...]

    @property
    def name(self) -> str:
        """Return the name without hash: answers of an earlier content of the suite are of this benchmark, too."""
        return self.suite.split("@")[0]

    @property
    def hashes(self) -> dict[str, str]:
        """Return task -> content address."""
        return {task.name: task.hash for task in self.tasks}


def tasks_of_suite(suite: Suite) -> Population:
    """Return the tasks of a suite that was loaded."""
    return Population(suite=suite.identity, tasks=tuple(TaskRef(task.name, task.hash) for task in suite.tasks))


def tasks_of_ledger(ledger: Ledger, suite: str = "") -> Population:
    """Return the tasks that policies attempted, each with the content it had last.

    `suite` is a name, with or without its hash. Raise InputError where there are several suites and none is named.
    """
    with connect(ledger) as connection:
        rows = connection.execute(_LAST).fetchall()
    held = sorted({str(row[0]) for row in rows})
    names = [name for name in held if not suite or name == suite.split("@")[0]]
    if not names:
        raise InputError("holds no rollout of that suite" if suite else "holds no rollout, so no tasks are known",
                         path=ledger.path, field="--suite" if suite else None,
                         hint=f"It holds: {', '.join(held)}." if held else None)  # fmt: skip
    if len(names) > 1:
        raise InputError(f"holds {len(names)} suites, and a benchmark is one", path=ledger.path, field="--suite",
                         hint=f"It holds: {', '.join(names)}.")  # fmt: skip
    mine = [row for row in rows if row[0] == names[0]]
    identity = max(mine, key=lambda row: str(row[4]))[2]
    return Population(suite=identity, tasks=tuple(sorted(TaskRef(row[1], row[3]) for row in mine)))


def drawn(tasks: Sequence[TaskRef], n: int, seed: int) -> tuple[TaskRef, ...]:
    """Return the first `n` tasks of the random order of `seed`; all of them where there are fewer.

    >>> ten = [TaskRef(str(number)) for number in range(10)]
    >>> drawn(ten, 4, seed=1) == drawn(ten, 7, seed=1)[:4], len(drawn(ten, 99, seed=1))
    (True, 10)
    """
    return tuple(sorted(tasks, key=lambda task: _place(task.name, seed))[:n])


def _place(name: str, seed: int) -> bytes:
    return hashlib.sha256(f"checklist\0{seed}\0{name}".encode(errors="surrogatepass")).digest()

"""Which runs are accepted on a track: the same suite, settings and environment, and as many runs of every task.

A run that differs is refused whole, and by name: what differs, what it has, what is wanted. More runs than wanted are
refused too: whoever chose among them would choose after the fact. Withdrawn attempts do not count, and what was run for
them does; a run that lacks no more than was withdrawn waits for reruns, and is not refused. Not covered: scores.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from fairtrial.board.locking import FIELDS, Lock, is_of_suite
from fairtrial.board.runs import Attempt, Run
from fairtrial.records import Withdrawal

_MOST_NAMES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing in which a run differs from its lock."""

    field: str
    got: str
    wants: str
    names: tuple[str, ...] = ()
    """Every task that it concerns."""

    def __str__(self) -> str:
        return f"{self.field}: got {self.got}, wants {self.wants}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """A run that counts, or that waits for the reruns of what was withdrawn."""

    run: Run
    """With the attempts that count."""
    withdrawn: tuple[Attempt, ...]
    waits_for: tuple[tuple[str, int], ...] = ()
    """Tasks of which runs were withdrawn and are missing, and how many."""


def accept(run: Run, lock: Lock, withdrawals: Mapping[str, Withdrawal]) -> Accepted | tuple[Problem, ...]:
    """Return `run` as it counts under `lock`, or why it is refused. `withdrawals` by the rollout's id."""
    if wrong := tuple(_elsewhere(run, lock)):
        return wrong
    kept = tuple(one for one in run.attempts if one.id not in withdrawals)
    gone = tuple(one for one in run.attempts if one.id in withdrawals)
    problems = [*_other_content(kept, lock), *_chosen_after(run.attempts, lock, withdrawals)]
    counts, withdrawn = Counter(one.task for one in kept), Counter(one.task for one in gone)
    wanted = lock.runs_per_task
    waits_for = {task: wanted - counts[task] for task in lock.tasks
                 if counts[task] < wanted <= counts[task] + withdrawn[task]}  # fmt: skip
    lacking = [task for task in lock.tasks if counts[task] < wanted and task not in waits_for]
    problems += _missing([task for task in lacking if not counts[task]], lock)
    odd = [task for task in lacking if counts[task]] + [task for task in lock.tasks if counts[task] > wanted]
    if odd:
        got = _some([f"{counts[task]} of `{task}`" for task in sorted(odd)])
        problems.append(Problem(field="runs_per_task", got=got, wants=str(wanted), names=tuple(sorted(odd))))
    if problems:
        return tuple(problems)
    return Accepted(run=Run(run.who, run.where, kept), withdrawn=gone, waits_for=tuple(sorted(waits_for.items())))


def of_rollouts(withdrawals: Iterable[Withdrawal]) -> dict[str, Withdrawal]:
    """Return the withdrawal of each rollout: the first that names it."""
    found: dict[str, Withdrawal] = {}
    for each in withdrawals:
        for rollout in each.rollouts:
            found.setdefault(rollout, each)
    return found


def _elsewhere(run: Run, lock: Lock) -> Iterable[Problem]:
    """Find what is not the lock's; where no run fits the rules there is no lock, and what they state is wanted."""
    for name in FIELDS:
        got, wants = getattr(run.where, name), getattr(lock.where, name)
        is_wanted = got == wants
        if not lock.runs:
            is_wanted = is_of_suite(got, wants) if name == "suite" else wants in ("", got)
        if not is_wanted:
            yield Problem(field=name, got=got or "none recorded", wants=wants or "none recorded")


def _other_content(attempts: Sequence[Attempt], lock: Lock) -> Iterable[Problem]:
    """Find tasks that were run in another content than the lock's, under the same name of the suite."""
    other = {one.task: one.task_hash for one in attempts
             if one.task_hash and lock.task_hashes.get(one.task, one.task_hash) != one.task_hash}  # fmt: skip
    if other:
        tasks = tuple(sorted(other))
        yield Problem(field="task_hash", got=_some([f"{other[task]} of `{task}`" for task in tasks]),
                      wants=_some([lock.task_hashes[task] for task in tasks]), names=tasks)  # fmt: skip


def _chosen_after(attempts: Sequence[Attempt], lock: Lock, withdrawals: Mapping[str, Withdrawal]) -> Iterable[Problem]:
    """Find tasks that had more runs than wanted when some were withdrawn: that would be a choice among results.

    Attempts that say no time at which they were recorded are not held against anybody.
    """
    times = sorted({withdrawals[one.id].recorded_at for one in attempts if one.id in withdrawals} - {""})
    chosen = set()
    for time in times:
        stood = Counter(
            one.task for one in attempts
            if "" < one.recorded_at <= time and (one.id not in withdrawals or withdrawals[one.id].recorded_at >= time)
        )  # fmt: skip
        touched = {one.task for one in attempts if one.id in withdrawals and withdrawals[one.id].recorded_at == time}
        chosen |= {task for task in touched if stood[task] > lock.runs_per_task}
    if chosen:
        tasks = tuple(sorted(chosen))
        yield Problem(field="withdrawal", got=f"more runs of {_some([f'`{task}`' for task in tasks])} before it",
                      wants=f"{lock.runs_per_task} a task, chosen before results are known", names=tasks)  # fmt: skip


def _missing(tasks: Sequence[str], lock: Lock) -> Iterable[Problem]:
    if not tasks:
        return
    got = f"{len(lock.tasks) - len(tasks)} of {len(lock.tasks)}, without {_some([f'`{task}`' for task in tasks])}"
    lonely = [task for task in tasks if 2 * lock.attempted_by[task] <= lock.runs]
    wants = "every task"
    if lonely:
        few = _some([f"`{task}` was attempted by {lock.attempted_by[task]} of {lock.runs} runs" for task in lonely])
        wants += f" ({few}; withdraw those if it is no task of the suite)"
    yield Problem(field="tasks", got=got, wants=wants, names=tuple(tasks))


def _some(names: Sequence[str]) -> str:
    """Return some names with commas, and how many more there are.

    >>> _some(["a", "b"]), _some(list("abcdefg"))
    ('a, b', 'a, b, c, d, e and 2 more')
    """
    told = ", ".join(names[:_MOST_NAMES])
    return told if len(names) <= _MOST_NAMES else f"{told} and {len(names) - _MOST_NAMES} more"

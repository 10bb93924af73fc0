"""Read the rollouts of a ledger that criteria may be written from: tasks that pass often, and what says who is better.

Left out and counted: all rollouts of a task that is held out, or is a near copy of one that is (a policy rewarded by
criteria that saw them would have seen them too), ungraded ones, those of which nothing is kept, tasks that pass too
seldom or were tried too few times. Known candidates are left out as everywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import duckdb

from fairtrial.audit.standing import standings
from fairtrial.grade.groupwise import is_confirmed_hack
from fairtrial.grade.text import text_suite
from fairtrial.ledger import Ledger, connect, damage
from fairtrial.ledger.audited import all_preferences, all_reviews
from fairtrial.records import InputError, LedgerError, Review
from fairtrial.tasks import load_suite
from fairtrial.tasks.text import TextSuite
from fairtrial.train.criteria.contrast import KINDS, Attempt, Kind, Side, sides
from fairtrial.train.criteria.kept import kept_work
from fairtrial.train.criteria.work import Work, prompt_text
from fairtrial.train.sets.sides import Placed, Sides, is_held_out, sides_of, stem

_ROLLOUTS = """
select id, suite, task, task_hash, model, family, cluster, split, outcome, answer, trajectory, deliverable,
       output_tokens
from outcomes where origin = 'policy' order by suite, task, id
"""
Row = dict[str, Any]
TaskKey = tuple[str, str, str]
"""(suite, task, hash of its content)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which tasks and rollouts are studied. Empty means all."""

    suite: str = ""
    tasks: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    """Rollouts of these models alone."""
    rate: float = 0.7
    """Least share of graded rollouts that pass."""
    least: int = 4
    """Least graded rollouts of a task."""
    kinds: tuple[Kind, ...] = KINDS
    """What may say that a rollout is better or worse."""
    held_out: TextSuite | None = None
    """Tasks that are held out, besides those of which a rollout says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One rollout that is better or worse than others of its task."""

    rollout: str
    cluster: str
    work: Work
    side: Side
    task_hash: str = ""


@dataclass(slots=True)
class Material:
    """What there is to write from."""

    found: list[Found] = field(default_factory=list)
    passed_often: int = 0
    """Tasks that pass at the line or above."""
    contrasted: int = 0
    """Of these, tasks of which some rollouts are better than others."""
    left_out: dict[str, int] = field(default_factory=lambda: {
        "held_out": 0, "ungraded": 0, "not_kept": 0, "tasks_below_rate": 0, "tasks_of_few_rollouts": 0,
    })  # fmt: skip
    """Rollouts, then tasks, that were left out."""
    without_instruction: int = 0
    """Rollouts that are shown without the instruction of their task."""


def read_material(ledger: Ledger, chosen: Selection, instructions: Mapping[str, str]) -> Material:
    """Return the rollouts of `ledger` that `chosen` means. Raise InputError for a name that it does not hold."""
    whole = _rows(ledger)
    apart = _sides(whole, chosen.held_out, instructions)
    found = Material()
    by_task: dict[TaskKey, list[Row]] = {}
    for row in _selected(ledger, whole, chosen):
        if apart.of(row["suite"] or "", row["task"]):
            found.left_out["held_out"] += 1
        elif row["outcome"] == "ungraded":
            found.left_out["ungraded"] += 1
        else:
            by_task.setdefault((row["suite"] or "", row["task"], row["task_hash"] or ""), []).append(row)
    reviews: dict[str, list[Review]] = {}
    for review in all_reviews(ledger):
        reviews.setdefault(review.rollout, []).append(review)
    preferred = _preferences(ledger)
    names = Counter(task for _, task, _ in by_task)
    for key in sorted(by_task):
        ones = by_task[key]
        name = key[1] if names[key[1]] == 1 else "/".join(key)
        passed = sum(row["outcome"] == "passed" for row in ones)
        if len(ones) < chosen.least:
            found.left_out["tasks_of_few_rollouts"] += 1
        elif passed / len(ones) < chosen.rate:  # .55 of 20 is more than 11 in floating point
            found.left_out["tasks_below_rate"] += 1
        else:
            found.passed_often += 1
            told = sides([_attempt(row, reviews.get(row["id"], [])) for row in ones], preferred, chosen.kinds)
            if len({side.better for side in told.values()}) == 2:
                found.contrasted += 1
                _keep(found, ledger, [row | {"name": name} for row in ones if row["id"] in told], told, instructions)
    return found


def read_instructions(paths: Sequence[Path]) -> dict[str, str]:
    """Return the instruction of each task at `paths`, by name: text tasks (a JSONL file), or task folders.

    Raise FormatError or InputError for what is no task. Keys are read and left.
    """
    found: dict[str, str] = {}
    for path in paths:
        if path.is_file() and path.suffix == ".jsonl":
            found |= {task.name: prompt_text(task.prompt) for task in text_suite(path).tasks}
        else:
            found |= {task.name: task.instruction for task in load_suite(path).tasks}
    return found


def _rows(ledger: Ledger) -> list[Row]:
    connection = connect(ledger)
    try:
        result = connection.execute(_ROLLOUTS)
        columns = [column[0] for column in result.description or []]
        return [dict(zip(columns, row, strict=True)) for row in result.fetchall()]
    except duckdb.Error as error:
        why = str(error).splitlines()[0]
        raise damage(ledger) or LedgerError(f"cannot be read: {why}", path=ledger.path) from error
    finally:
        connection.close()


def _sides(rows: Sequence[Row], held_out: TextSuite | None, instructions: Mapping[str, str]) -> Sides:
    """Return which tasks are held out: any rollout of them says so, or `held_out`, or they are near copies of one."""
    contents: dict[tuple[str, str, str], bool] = {}
    for row in rows:
        key = (stem(row["suite"] or ""), row["task"], row["cluster"] or "")
        contents[key] = contents.get(key, False) or is_held_out(row["split"] or "")
    tasks = [
        Placed(name=name, suite=suite, text=instructions.get(name, ""), cluster=cluster, is_held_out=held)
        for (suite, name, cluster), held in contents.items()
    ]
    return sides_of(tasks, held_out, None, "declared")


def _selected(ledger: Ledger, rows: Sequence[Row], chosen: Selection) -> list[Row]:
    for column, option, wanted in (("task", "--task", chosen.tasks), ("model", "--rollouts-of", chosen.models)):
        there = sorted({str(row[column]) for row in rows})
        if missing := sorted(set(wanted) - set(there)):
            raise InputError(f"holds no rollout of {column} {missing[0]}", path=ledger.path, field=option,
                             hint=f"It holds: {', '.join(there[:9])}")  # fmt: skip
    kept = [
        row
        for row in rows
        if (not chosen.suite or chosen.suite in ((row["suite"] or ""), (row["suite"] or "").split("@")[0]))
        and (not chosen.tasks or row["task"] in chosen.tasks)
        and (not chosen.models or row["model"] in chosen.models)
    ]
    if chosen.suite and rows and not kept:
        there = sorted({str(row["suite"]) for row in rows})
        raise InputError(f"holds no such rollout of suite {chosen.suite}", path=ledger.path, field="--suite",
                         hint=f"It holds: {', '.join(there[:9])}")  # fmt: skip
    return kept


def _preferences(ledger: Ledger) -> list[tuple[str, str]]:
    """Return (better, worse) of every comparison that says so."""
    return [
        (one.first, one.second) if one.preferred == "first" else (one.second, one.first)
        for one in all_preferences(ledger)
        if one.preferred in ("first", "second")
    ]


def _attempt(row: Row, reviews: Sequence[Review]) -> Attempt:
    standing = standings(reviews).get(row["id"])
    return Attempt(rollout=row["id"], passed=row["outcome"] == "passed", hack=is_confirmed_hack(reviews),
                   satisfied=standing.satisfied if standing else None, tokens=row["output_tokens"])  # fmt: skip


def _keep(
    found: Material, ledger: Ledger, rows: Sequence[Row], told: Mapping[str, Side], instructions: Mapping[str, str]
) -> None:
    for row in rows:
        work = kept_work(ledger, row, instructions.get(row["task"], ""))
        if work.is_empty:
            found.left_out["not_kept"] += 1
            continue
        found.without_instruction += not work.instruction
        cluster = row["cluster"] or f"{row['suite'] or ''}/{row['task']}"
        work = replace(work, task=row["name"])
        found.found.append(Found(rollout=row["id"], cluster=cluster, work=work, side=told[row["id"]],
                                 task_hash=row["task_hash"] or ""))  # fmt: skip

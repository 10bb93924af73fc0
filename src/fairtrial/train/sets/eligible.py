"""The rollouts that may be trained on: everything that speaks against one asked in one order, for every kind of set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from fairtrial.grade.text import text_suite
from fairtrial.ledger import Ledger
from fairtrial.tasks.text import TextSuite
from fairtrial.train.sets.objections import read_objections
from fairtrial.train.sets.options import Options
from fairtrial.train.sets.pool import Entry, Tally
from fairtrial.train.sets.sides import Placed, Sides, is_held_out, read_split, sides_of
from fairtrial.train.sets.suspected import Progress, Silent, Suspected, suspects
from fairtrial.train.sets.works import Work, Works, prompt_text

Outcomes = frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where sets are made from."""

    ledger: Ledger
    options: Options
    tasks: TextSuite | None = None
    """Of `options.text_tasks`, read."""
    held_out: TextSuite | None = None
    progress: Progress = field(default_factory=Silent)
    """Told of each rollout that detectors read."""

    @classmethod
    def of(cls, ledger: Ledger, options: Options, progress: Progress | None = None) -> Source:
        """Return the source with the files that `options` name, read. Raise FormatError where a row is no task."""
        tasks, held_out = (text_suite(path) if path else None for path in (options.text_tasks, options.held_out))
        return cls(ledger=ledger, options=options, tasks=tasks, held_out=held_out, progress=progress or Silent())


@dataclass(frozen=True, slots=True, kw_only=True)
class Eligible:
    """What is left, and what was found on the way."""

    entries: tuple[Entry, ...]
    works: Works
    sides: Sides
    suspected: Suspected


def eligible(source: Source, pool: Sequence[Entry], tally: Tally, outcomes: Outcomes) -> Eligible:
    """Return the rollouts of `outcomes` against which nothing speaks; count the others in `tally`."""
    objections = read_objections(source.ledger)
    works = Works(source.ledger, source.tasks)
    kept = tally.keep(pool, objections.of)
    kept = tally.keep(kept, lambda entry: "" if entry.outcome in outcomes else entry.outcome)
    kept = tally.keep(kept, works.unfit)
    kept = tally.keep(kept, works.why_none)
    sides = _sides(source, pool, works)
    kept = tally.keep(kept, lambda entry: sides.why.get(entry.task, ""))
    suspected = suspects(kept, works, source.progress)
    kept = tally.keep(kept, lambda entry: "hack_suspected" if entry.id in suspected.rollouts else "")
    return Eligible(entries=tuple(kept), works=works, sides=sides, suspected=suspected)


def _sides(source: Source, pool: Sequence[Entry], works: Works) -> Sides:
    """Return the sides of all tasks of the pool: a task that is held out is known even where no rollout is eligible."""
    split = read_split(source.options.split) if source.options.split else None
    return sides_of(placed(source, pool, works), source.held_out, split, source.options.near_copies)


def placed(source: Source, pool: Sequence[Entry], works: Works) -> list[Placed]:
    """Return the tasks of `pool` and of the file of text tasks, each with its text, cluster and side."""
    by_name: dict[str, list[Entry]] = {}
    for entry in pool:
        by_name.setdefault(entry.task, []).append(entry)
    listed = {task.name: task for task in source.tasks.tasks} if source.tasks else {}
    found = []
    for name in sorted({*by_name, *listed}):
        entries, task = by_name.get(name, []), listed.get(name)
        if task is not None:
            text = task.prompt if isinstance(task.prompt, str) else "\n".join(one.content for one in task.prompt)
        else:
            made = (works.of(entry) for entry in entries)
            text = next((prompt_text(work.prompt) for work in made if isinstance(work, Work)), "")
        cluster = (task.cluster if task else "") or next((one.cluster for one in entries if one.cluster), "")
        splits = [task.split if task else "", *(entry.split for entry in entries)]
        found.append(Placed(name=name, text=text, cluster=cluster, is_held_out=any(map(is_held_out, splits))))
    return found

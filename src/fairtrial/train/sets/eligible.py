"""The rollouts that may be trained on: everything that speaks against one asked in one order, for every kind of set."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from fairtrial.grade.text import text_suite
from fairtrial.ledger import Ledger
from fairtrial.tasks.text import TextSuite
from fairtrial.train.sets.objections import read_objections
from fairtrial.train.sets.options import Options
from fairtrial.train.sets.pool import Entry, Pool, Tally
from fairtrial.train.sets.sides import Placed, Sides, is_held_out, read_split, sides_of, stem
from fairtrial.train.sets.suspected import Progress, Silent, Suspected, suspects
from fairtrial.train.sets.works import Work, Works, prompt_of, prompt_text

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
    not_measured: tuple[str, ...] = ()


def eligible(source: Source, pool: Pool, tally: Tally, outcomes: Outcomes) -> Eligible:
    """Return the rollouts of `outcomes` against which nothing speaks; count the others in `tally`."""
    objections = read_objections(source.ledger)
    works = Works(source.ledger, source.tasks)
    wavering = wavers(pool.everyone)
    kept = tally.keep(pool.meant, objections.of)
    kept = tally.keep(kept, lambda entry: "" if entry.outcome in outcomes else entry.outcome)
    kept = tally.keep(kept, lambda entry: "verdicts_differ" if _said(entry) in wavering else "")
    kept = listed(tally.keep(kept, works.unfit), source)
    kept = tally.keep(kept, works.why_none)
    sides = sides_for(source, pool, works)
    kept = tally.keep(kept, lambda entry: sides.of(entry.suite, entry.task))
    suspected = suspects(kept, works, source.progress)
    kept = tally.keep(kept, lambda entry: "hack_suspected" if entry.id in suspected.rollouts else "")
    return Eligible(entries=tuple(kept), works=works, sides=sides, suspected=suspected,
                    not_measured=objections.not_measured)  # fmt: skip


def wavers(entries: Iterable[Entry]) -> frozenset[tuple[str, ...]]:
    """Return the (suite, task, content, answer) that passed once and failed once: of a prompt and an answer alone."""
    found: dict[tuple[str, ...], set[str]] = {}
    for entry in entries:
        if entry.outcome != "ungraded" and entry.origin == "policy" and (said := _said(entry)):
            found.setdefault(said, set()).add(entry.outcome)
    return frozenset(said for said, outcomes in found.items() if len(outcomes) > 1)


def _said(entry: Entry) -> tuple[str, ...]:
    """Return what was answered to what; empty where a trajectory is there, since then the answer is not all of it."""
    if entry.trajectory or entry.answer is None:
        return ()
    return (stem(entry.suite), entry.task, entry.task_hash, entry.answer.strip())


def listed(entries: Iterable[Entry], source: Source) -> list[Entry]:
    """Return `entries` as tasks of the file of text tasks: one task is one, whatever suite it was attempted in."""
    tasks = {task.name: task for task in source.tasks.tasks} if source.tasks else {}
    return [replace(one, suite=tasks[one.task].suite) if one.task in tasks else one for one in entries]


def sides_for(source: Source, pool: Pool, works: Works) -> Sides:
    """Return the sides of all tasks of the ledger: one that is held out is known even where no rollout is eligible."""
    split = read_split(source.options.split) if source.options.split else None
    return sides_of(placed(source, pool, works), source.held_out, split, source.options.near_copies)


def placed(source: Source, pool: Pool, works: Works) -> list[Placed]:
    """Return the tasks of the ledger and of the file of text tasks, each of their contents with text, cluster, side."""
    contents: dict[tuple[str, str, str], list[Entry]] = {}
    names = {task.name for task in source.tasks.tasks} if source.tasks else set()
    for entry in pool.everyone:
        suite = "" if entry.task in names else stem(entry.suite)
        contents.setdefault((suite, entry.task, entry.task_hash), []).append(entry)
    found = []
    for (suite, name, _), entries in sorted(contents.items()):
        made = (works.of(entry) for entry in entries)
        text = next((prompt_text(work.prompt) for work in made if isinstance(work, Work)), "")
        held = any(is_held_out(entry.split) for entry in entries)
        clusters = sorted({entry.cluster for entry in entries if entry.cluster}) or [""]
        found += [Placed(name=name, suite=suite, text=text, cluster=one, is_held_out=held) for one in clusters]
    for task in source.tasks.tasks if source.tasks else ():
        found.append(Placed(name=task.name, text=prompt_text(prompt_of(task)), cluster=task.cluster,
                            is_held_out=is_held_out(task.split)))  # fmt: skip
    return found

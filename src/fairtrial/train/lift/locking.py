"""One board for every model: the same suite, settings, environment and scaffold, the same tasks with the same content.

The base says which. A trained model that differs is refused whole and by name: what it has, and what the base has.
Tasks that were trained on, of another side of the split, or near copies of what was trained on are not held out and
are left out for all. Not covered: how a leaderboard is locked among many entrants (`board.locking`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairtrial.board.locking import is_of_suite
from fairtrial.records import InputError
from fairtrial.train.lift.arms import named
from fairtrial.train.lift.options import Options
from fairtrial.train.lift.reading import Line, Place, TrainedOn


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """What is compared on what."""

    place: Place
    tasks: tuple[str, ...]
    cluster: NDArray[np.int64]
    family: tuple[str, ...]
    lines: Mapping[str, tuple[Line, ...]]
    """Of each accepted model, the base first."""
    refused: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]


def board_of(read: Mapping[str, tuple[Line, ...]], base: str, known: TrainedOn, options: Options) -> Board:
    """Return the board on which the models `read` meet `base`.

    Raise InputError where it is open which board is meant, or where no task is held out.
    """
    place = _place(read, base, options)
    notes: list[str] = [_unrecorded(place)] if _unrecorded(place) else []
    placed = {name: tuple(line for line in lines if line.place == place) for name, lines in read.items()}
    refused = [(name, _elsewhere(read[name], place)) for name, lines in placed.items() if not lines]
    for name, lines in placed.items():
        if lines and (other := sum(line.runs for line in read[name]) - sum(line.runs for line in lines)):
            notes.append(f"{name}: {other:,} rollouts on another board are left out")
    sided = {name: _held_out(lines, placed, options.split) for name, lines in placed.items() if lines}
    notes += _side_notes(placed, options.split)
    if missing := [name for name, lines in sided.items() if not lines]:
        refused += [(name, f"has no rollout of split `{options.split}`") for name in missing if name != base]
        if base in missing:
            there = sorted({line.split or "none" for line in placed[base]})
            raise InputError(f"`{base}` has no rollout of split `{options.split}`", field="--split",
                             hint=f"It has: {', '.join(there)}.")  # fmt: skip
    kept = {name: lines for name, lines in sided.items() if lines}
    held_out, leaks = _without_trained(kept, known)
    notes += leaks
    if not held_out[base]:
        raise InputError("no task is held out: every one was trained on", hint="Evaluate on other tasks.")
    accepted, wrong, common = _same_tasks(held_out, base, options.shared_tasks)
    refused += wrong
    return _board(place, accepted, common, tuple(sorted(refused)), notes)


def _place(read: Mapping[str, tuple[Line, ...]], base: str, options: Options) -> Place:
    """Return where the base and others ran. Raise InputError where there are several such places, or none."""

    def fits(place: Place) -> bool:
        return (is_of_suite(place.suite, options.suite) and options.settings in ("", place.settings)
                and options.environment in ("", place.environment) and options.agent in ("", place.agent))  # fmt: skip

    runs: dict[Place, int] = defaultdict(int)
    for line in read[base]:
        if fits(line.place):
            runs[line.place] += line.runs
    if not runs:
        there = "; ".join(sorted({_told(line.place) for line in read[base]}))
        raise InputError(f"`{base}` has no rollout on the board that was asked for", hint=f"It ran on: {there}.")
    others = {line.place for name, lines in read.items() if name != base for line in lines}
    shared = [place for place in runs if place in others]
    if len(shared) > 1:
        told = "; ".join(sorted(map(_told, shared)))
        raise InputError(f"`{base}` and the others met on {len(shared)} boards: {told}",
                         hint="Say which: --suite, --settings, --environment, --agent.")  # fmt: skip
    return shared[0] if shared else max(runs, key=lambda place: (runs[place], place))


def _told(place: Place) -> str:
    return ", ".join(f"{field} {value or 'none recorded'}" for field, value in zip(place._fields, place, strict=True))


def _unrecorded(place: Place) -> str:
    missing = [field for field, value in zip(place._fields, place, strict=True) if not value and field != "agent"]
    return f"recorded by no model, so that equal terms are not shown: {', '.join(missing)}" if missing else ""


def _elsewhere(lines: Sequence[Line], place: Place) -> str:
    """Return what differs at the place of this model that is closest."""

    def same(other: Place) -> int:
        return sum(mine == wanted for mine, wanted in zip(other, place, strict=True))

    closest = max(sorted({line.place for line in lines}), key=same)
    fields = zip(place._fields, closest, place, strict=True)
    return "; ".join(f"{field}: got {got or 'none recorded'}, the base has {wants or 'none recorded'}"
                     for field, got, wants in fields if got != wants)  # fmt: skip


def _held_out(lines: tuple[Line, ...], placed: Mapping[str, tuple[Line, ...]], split: str) -> tuple[Line, ...]:
    """Return the lines of the side that counts; all where no line of any model names one."""
    if not any(line.split for each in placed.values() for line in each):
        return lines
    return tuple(line for line in lines if line.split == split.lower().replace("-", "_"))


def _side_notes(placed: Mapping[str, tuple[Line, ...]], split: str) -> list[str]:
    lines = [line for each in placed.values() for line in each]
    if not any(line.split for line in lines):
        return ["no rollout says on which side of a split its task is; that the tasks were held out is taken on trust"]
    other = {line.task for line in lines if line.split != split.lower().replace("-", "_")}
    return [f"{len(other):,} tasks of another side than `{split}` are left out"] if other else []


def _without_trained(
    kept: Mapping[str, tuple[Line, ...]], known: TrainedOn
) -> tuple[dict[str, tuple[Line, ...]], list[str]]:
    """Return the lines less those of tasks that were trained on, by any record of any model, and what was left out."""
    why = {line.task: reason for lines in kept.values() for line in lines if (reason := known.holds(line))}
    if not why:
        return dict(kept), []
    counts: dict[str, int] = defaultdict(int)
    for reason in why.values():
        counts[reason] += 1
    told = "; ".join(f"{count} as {reason}" for reason, count in sorted(counts.items()))
    note = f"left out, for they are not held out: {named(sorted(why))} ({told})"
    return {name: tuple(line for line in lines if line.task not in why) for name, lines in kept.items()}, [note]


def _same_tasks(
    lines: Mapping[str, tuple[Line, ...]], base: str, shared: bool
) -> tuple[dict[str, tuple[Line, ...]], list[tuple[str, str]], list[str]]:
    """Return the models that attempted every task of the base, with the same content and grader; the refused; tasks."""
    tasks = sorted({line.task for line in lines[base]})
    contents, graders = _by_task(lines[base], "task_hash"), _by_task(lines[base], "grader")
    if several := [task for task in tasks if len(contents[task]) > 1]:
        raise InputError(f"`{base}` ran tasks of several contents under one name: {named(several)}",
                         hint="Name one suite: --suite NAME@HASH.")  # fmt: skip
    accepted, refused = {base: lines[base]}, []
    for name, mine in lines.items():
        if name == base:
            continue
        attempted = {line.task for line in mine}
        lacking = [task for task in tasks if task not in attempted]
        problems = [f"lacks {len(lacking)} of {len(tasks)} tasks: {named(lacking)}"] if lacking and not shared else []
        for what, wanted in (("content", contents), ("grader", graders)):
            found = _by_task(mine, "task_hash" if what == "content" else "grader")
            if odd := [task for task in tasks if wanted[task] and found[task] and found[task] != wanted[task]]:
                problems.append(f"another {what} of {len(odd)} tasks: {named(odd)}")
        if problems or not attempted & set(tasks):
            refused.append((name, "; ".join(problems) or "attempted no task of the base"))
        else:
            accepted[name] = mine
            tasks = [task for task in tasks if task in attempted]
    return accepted, refused, tasks


def _by_task(lines: Sequence[Line], field: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for line in lines:
        if value := getattr(line, field):
            found[line.task].add(value)
    return found


def _board(
    place: Place, accepted: dict[str, tuple[Line, ...]], tasks: list[str], refused: tuple[tuple[str, str], ...],
    notes: list[str],
) -> Board:  # fmt: skip
    clusters, families = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for lines in accepted.values():
        for line in lines:
            clusters[line.task] |= {line.cluster} - {""}
            families[line.task] |= {line.family} - {""}
    if differ := [task for task in tasks if len(clusters[task]) > 1]:
        notes.append(f"models name several clusters of {named(differ)}; the first by name counts")
    # A name that no cluster can have: the task's own, marked.
    names = [min(clusters[task], default=f"\0{task}") for task in tasks]
    _, cluster = np.unique(np.array(names, dtype=object).astype(str), return_inverse=True)
    return Board(place=place, tasks=tuple(tasks), cluster=cluster.astype(np.int64), lines=accepted, refused=refused,
                 family=tuple(min(families[task], default="") for task in tasks), notes=tuple(notes))  # fmt: skip

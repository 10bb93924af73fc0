"""Watch a run from a ledger of rollouts that carry their training step: those of any trainer, once imported.

A group is a `group` of the rollouts, or a task in a step. Evaluations (split `held_out`) and known candidates are left
out. What a ledger does not hold, such as entropy and the health of the grader, is not measured.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import duckdb

from fairtrial.audit.hacks import Member, said_by_people
from fairtrial.audit.sampling import Population, read_units
from fairtrial.ledger import Ledger, connect, damage
from fairtrial.ledger.audited import all_reviews
from fairtrial.records import InputError, LedgerError
from fairtrial.train.log import GroupLine, StepLine
from fairtrial.train.recipe import Watch
from fairtrial.train.watch.known import Known
from fairtrial.train.watch.result import Watched
from fairtrial.train.watch.watcher import Watcher

_FINISHED = ("", "finished", "stop", "end_turn")
"""Stops of a rollout that ended by itself; empty: the source does not say, and nothing is called cut off."""
_COLUMNS = (
    "id", "model", "seed", "step", "group", "task", "family", "cluster", "outcome", "reason", "stop", "answer",
    "output_tokens",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Row:
    """One rollout of a training run."""

    id: str
    model: str
    seed: int | None
    step: int
    group: str
    task: str
    family: str
    cluster: str
    outcome: str
    reason: str
    stop: str
    answer: str | None
    output_tokens: int | None


@dataclass(frozen=True, slots=True)
class Told:
    """One attempt of a run with what people and detectors say of it."""

    task: str
    answer: str | None
    member: Member


Said = Mapping[int, Sequence[Told]]
"""By step."""


def watch_ledger(
    ledger: Ledger, model: str = "", settings: Watch | None = None, known: Known | None = None
) -> tuple[Watched, ...]:
    """Return what the watch says of each model and seed in `ledger` whose rollouts carry a step; of `model` alone.

    Nothing was stopped then, so nothing is called paused unless `settings` say so. Raise InputError for no run.
    """
    runs: defaultdict[tuple[str, int | None], list[_Row]] = defaultdict(list)
    for row in _rows(ledger):
        if not model or row.model == model:
            runs[(row.model, row.seed)].append(row)
    if not runs:
        whose = f" of `{model}`" if model else ""
        hint = "Rollouts of a training run carry its step; `fairtrial import` reads the logs of trainers."
        raise InputError(f"holds no rollout{whose} that was sampled in training", path=ledger.path,
                         field="--model" if model else None, hint=hint)  # fmt: skip
    return tuple(_watched(ledger, name, seed, runs[(name, seed)], settings or Watch(pause=False), known)
                 for name, seed in sorted(runs, key=lambda one: (one[0], one[1] is not None, one[1] or 0)))  # fmt: skip


def said_in(ledger: Ledger, model: str) -> dict[int | None, Said]:
    """Return the attempts of each seed of `model` with what people and detectors say of each.

    A seed of which neither says a word is left out: then nobody looked.
    """
    if not ledger.parts("reviews") and not ledger.parts("findings"):  # a long run holds many rollouts
        return {}
    rows = [row for row in _rows(ledger) if row.model == model]
    found: dict[int | None, defaultdict[int, list[Told]]] = {}
    heard = set[int | None]()
    for row, member in zip(rows, _members(ledger, rows), strict=True):
        found.setdefault(row.seed, defaultdict(list))[row.step].append(Told(row.task, row.answer, member))
        if member.suspected or member.hack is not None:
            heard.add(row.seed)
    return {seed: said for seed, said in found.items() if seed in heard}


def _watched(
    ledger: Ledger, model: str, seed: int | None, rows: Sequence[_Row], settings: Watch, known: Known | None
) -> Watched:
    steps: defaultdict[int, list[_Row]] = defaultdict(list)
    for row in rows:
        steps[row.step].append(row)
    said: defaultdict[int, list[Member]] = defaultdict(list)
    for member in _members(ledger, rows):
        said[member.step or 0].append(member)
    watcher = Watcher(settings, known)
    for number in sorted(steps):
        groups = _groups(number, steps[number])
        watcher.observe(_line(number, steps[number], groups), groups, said[number])
    return replace(watcher.watched(), model=model, seed=seed)


def _members(ledger: Ledger, rows: Sequence[_Row]) -> list[Member]:
    if not rows:
        return []
    models = tuple(sorted({row.model for row in rows}))
    suspected = {unit.rollout for unit in read_units(ledger, Population(models=models, ungraded=True)).units
                 if unit.lead == "suspected"}  # fmt: skip
    answers = said_by_people(all_reviews(ledger)).answers
    return [Member(group=row.cluster or row.task, step=row.step, suspected=row.id in suspected,
                   hack=answers.get(row.id)) for row in rows]  # fmt: skip


def _groups(step: int, rows: Iterable[_Row]) -> list[GroupLine]:
    by_group: defaultdict[tuple[str, str], list[_Row]] = defaultdict(list)
    for row in rows:
        by_group[(row.group, row.task)].append(row)
    return [_group(step, task, some) for (_, task), some in by_group.items()]


def _group(step: int, task: str, rows: Sequence[_Row]) -> GroupLine:
    """Return one group. Its completions are left out where one is not known: nothing is said of an unknown text."""
    texts = tuple(row.answer for row in rows if row.answer is not None)
    are_known = len(texts) == len(rows)
    return GroupLine(
        step=step, stage=1, task=task, family=rows[0].family, completions=texts if are_known else (),
        tokens=tuple(row.output_tokens for row in rows if row.output_tokens is not None) if are_known else (),
        finished=tuple(row.stop in _FINISHED for row in rows) if are_known else (),
        outcomes=tuple(row.outcome for row in rows), reasons=tuple(row.reason for row in rows),
        rewards=tuple({"passed": 1.0, "failed": 0.0}.get(row.outcome) for row in rows),
        advantages=(0.0,) * len(rows),
    )  # fmt: skip


def _line(step: int, rows: Sequence[_Row], groups: Sequence[GroupLine]) -> StepLine:
    outcomes = [row.outcome for row in rows]
    tokens = [row.output_tokens for row in rows if row.output_tokens is not None]
    return StepLine(
        step=step, stage=1, method="", attempts=len(rows), passed=outcomes.count("passed"),
        failed=outcomes.count("failed"), ungraded=outcomes.count("ungraded"), groups=len(groups),
        mean_tokens=sum(tokens) / len(tokens) if tokens else None, output_tokens=sum(tokens),
        cut_off=sum(row.stop not in _FINISHED for row in rows),
    )  # fmt: skip


def _rows(ledger: Ledger) -> list[_Row]:
    """Return the rollouts that were sampled in training, in the order of their ids."""
    connection = connect(ledger)
    columns = ", ".join(f'"{name}"' for name in _COLUMNS)
    try:
        found: list[tuple[Any, ...]] = connection.execute(
            f"select {columns} from outcomes where origin = 'policy' and step is not null "
            "and coalesce(split, '') <> 'held_out' order by step, id"
        ).fetchall()
    except duckdb.Error as error:
        raise damage(ledger) or LedgerError(f"cannot be read: {error}", path=ledger.path) from error
    finally:
        connection.close()
    return [_row(dict(zip(_COLUMNS, values, strict=True))) for values in found]


def _row(told: dict[str, Any]) -> _Row:
    may_be_none = ("seed", "answer", "output_tokens")
    for name, value in told.items():
        if value is None and name not in may_be_none:
            told[name] = ""
    return _Row(**told)

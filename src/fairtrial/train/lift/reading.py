"""What a ledger holds of the models that are compared: rollouts counted by place, task, seed, step and outcome.

Known candidates are left out. Rollouts that were sampled in training (split `train`, or of a group) are no evaluation;
their tasks are kept, for they are not held out; so are those of the models that a compared one started from.
Not covered: which of it is compared (`locking`, `steps`, `seeds`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import duckdb

from fairtrial.ledger import Ledger, connect
from fairtrial.ledger.trained import all_checkpoints
from fairtrial.records import Checkpoint, InputError

_TRAINED_ON = "(lower(coalesce(split, '')) in ('train', 'training') or coalesce(\"group\", '') <> '')"
_NAMED = "(model = $1 or (coalesce(effort, '') <> '' and model || '@' || effort = $1))"
_LINES = f"""
select coalesce(suite, ''), coalesce(settings, ''), coalesce(environment, ''), coalesce(agent, ''), model,
       coalesce(effort, ''), task, coalesce(task_hash, ''), coalesce(nullif(cluster, ''), ''),
       coalesce(nullif(family, ''), domain, ''), replace(lower(coalesce(split, '')), '-', '_'), seed, step,
       coalesce(grader, ''), outcome, coalesce(stop, ''), count(*), count(output_tokens),
       coalesce(sum(output_tokens), 0)
from outcomes where origin = 'policy' and not {_TRAINED_ON} and {_NAMED} group by 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16
order by all
"""
_TRAINED = f"""
select distinct task, coalesce(task_hash, ''), coalesce(cluster, '') from rollouts
where origin = 'policy' and {_TRAINED_ON}
"""


class Place(NamedTuple):
    """What every model of a board must share."""

    suite: str
    settings: str
    environment: str
    agent: str


class Line(NamedTuple):
    """Rollouts that differ in nothing that is compared."""

    suite: str
    settings: str
    environment: str
    agent: str
    model: str
    effort: str
    task: str
    task_hash: str
    cluster: str
    family: str
    split: str
    seed: int | None
    step: int | None
    grader: str
    outcome: str
    stop: str
    runs: int
    told: int
    """How many of them record output tokens."""
    tokens: int

    @property
    def place(self) -> Place:
        """Return on what it ran."""
        return Place(self.suite, self.settings, self.environment, self.agent)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedOn:
    """Names, contents and clusters of the tasks that were sampled in training."""

    tasks: frozenset[str] = frozenset()
    hashes: frozenset[str] = frozenset()
    clusters: frozenset[str] = frozenset()

    def holds(self, line: Line) -> str:
        """Return why the task of `line` is not held out; empty where nothing says so."""
        if line.task_hash and line.task_hash in self.hashes:
            return "its content was trained on"
        if line.task in self.tasks:
            return "it was trained on"
        return "a near copy of it was trained on" if line.cluster and line.cluster in self.clusters else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What a ledger holds of the models that are compared, the base first."""

    lines: Mapping[str, tuple[Line, ...]]
    trained_on: TrainedOn = TrainedOn()
    checkpoints: tuple[Checkpoint, ...] = ()
    """Of every model of the ledger."""


def read_models(ledger: Ledger, names: Sequence[str], others: Iterable[Ledger] = ()) -> Held:
    """Return the evaluations of the models called `names` (MODEL, or MODEL@EFFORT), and what was trained on.

    That is what the models, and those that they started from, were sampled on in training at any effort, and all that
    the ledgers `others` hold of training. Raise InputError where the ledger holds none of a name, or where a name
    stands for several efforts, or two for one model.
    """
    checkpoints = all_checkpoints(ledger)
    connection = connect(ledger)
    try:
        read = {name: _lines(connection, ledger, name) for name in names}
        models = sorted(ancestry({lines[0].model for lines in read.values()}, checkpoints))
        rows = set(connection.execute(f"{_TRAINED} and model in (select unnest($1))", [models]).fetchall())
    finally:
        connection.close()
    for other in others:
        connection = connect(other)
        try:
            rows.update(connection.execute(_TRAINED).fetchall())
        finally:
            connection.close()
    columns = list(zip(*rows, strict=True)) or [(), (), ()]
    tasks, hashes, clusters = (frozenset(filter(None, column)) for column in columns)
    _each_once(read)
    return Held(lines=read, trained_on=TrainedOn(tasks=tasks, hashes=hashes, clusters=clusters),
                checkpoints=checkpoints)  # fmt: skip


def ancestry(models: Iterable[str], checkpoints: Sequence[Checkpoint]) -> set[str]:
    """Return the models, and all that they started from, as far as checkpoints tell.

    >>> chain = [Checkpoint(model="rl", seed=0, step=9, recipe="b", base="sft"),
    ...          Checkpoint(model="sft", seed=0, step=5, recipe="a", base="base")]
    >>> sorted(ancestry(["rl"], chain))
    ['base', 'rl', 'sft']
    """
    known = set(models)
    while more := {each.base for each in checkpoints if each.model in known and each.base} - known:
        known |= more
    return known


def _each_once(read: Mapping[str, tuple[Line, ...]]) -> None:
    named: dict[tuple[str, str], str] = {}
    for name, lines in read.items():
        if (first := named.setdefault((lines[0].model, lines[0].effort), name)) != name:
            raise InputError(f"`{first}` and `{name}` are one model", field="--base, --trained", hint="Name it once.")


def _lines(connection: duckdb.DuckDBPyConnection, ledger: Ledger, name: str) -> tuple[Line, ...]:
    lines = tuple(Line(*row) for row in connection.execute(_LINES, [name]).fetchall())
    if not lines:
        query = f"select model, bool_and({_TRAINED_ON}) from rollouts where origin = 'policy' group by 1 order by 1"
        there = connection.execute(query).fetchall()
        hint = f"It holds: {', '.join(each for each, _ in there[:9])}." if there else "It holds no rollout of a policy."
        if (name, True) in there:
            hint = "All its rollouts were sampled in training: they are of split `train`, or of a group."
        raise InputError(f"holds no evaluation of a model `{name}`", path=ledger.path, hint=hint)
    efforts = sorted({line.effort for line in lines})
    if len(efforts) > 1:
        told = ", ".join(f"{name}@{effort}" if effort else "one without an effort" for effort in efforts)
        raise InputError(f"`{name}` ran at several efforts: {told}", path=ledger.path, hint="Name one of them.")
    return lines

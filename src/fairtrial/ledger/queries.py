"""Turn a ledger into the arrays that `measure` reads.

Only rollouts of origin `policy` count. One grouped scan of `outcomes` yields the cells; what only some measurements
need (answers, checks, order) is asked for apart, and only where the ledger holds it. Not covered: any statistics;
that is `measure`, which is pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fairtrial.ledger.observed import (
    FAILED,
    PASSED,
    UNGRADED,
    Answers,
    Cells,
    Checks,
    Floats,
    Integers,
    Observed,
    Order,
    Subject,
)
from fairtrial.ledger.store import Ledger
from fairtrial.ledger.views import connect, damage
from fairtrial.records import FairtrialError, InputError, LedgerError

_SPENT = ("input_tokens", "output_tokens", "cost_usd")
_OUTCOMES = {"passed": PASSED, "failed": FAILED, "ungraded": UNGRADED}
_BITS = 64
"""Attempts numbered below this are counted for repeats as bits of one word, in the same scan."""

Key = tuple[str, str, str]
"""(agent, model, effort)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which rollouts of a ledger are meant. Empty means all."""

    suite: str = ""
    """Name of the suite, with or without its `@hash`."""
    models: tuple[str, ...] = ()
    """Model names, or labels as the figures print them."""
    tasks: tuple[str, ...] = ()
    pass_at: float | None = None
    """Passed means score >= this; None: the outcome as recorded."""
    answers: bool = True
    """Read answers and keys too, for suspects."""


def observe(ledger: Ledger, selection: Selection | None = None) -> Observed:
    """Return what `ledger` holds of the selected rollouts.

    Raise InputError for a selection that names what is not there, a task under two suites or two hashes; raise
    FairtrialError (exit 3) where no rollout is left to measure.
    """
    chosen = selection or Selection()
    connection = connect(ledger)
    try:
        _view_of_policy(connection, chosen)
        cells = _grouped(connection)
        if cells.num_rows == 0:
            _refuse_empty(connection, ledger, chosen)
        _refuse_ambiguous_tasks(cells, ledger)
        return _Reader(connection, cells, chosen).observed()
    except duckdb.Error as error:  # a part whose damage does not show until its rows are read
        why = str(error).splitlines()[0]
        raise damage(ledger) or LedgerError(f"cannot be read: {why}", path=ledger.path) from error
    finally:
        connection.close()


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _view_of_policy(connection: duckdb.DuckDBPyConnection, chosen: Selection) -> None:
    """Define the view `policy`: the rollouts that count, with the outcome that counts."""
    conditions = ["origin = 'policy'"]
    if chosen.suite:
        conditions.append(f"(suite = {_quoted(chosen.suite)} or starts_with(suite, {_quoted(chosen.suite + '@')}))")
    if chosen.tasks:
        conditions.append(f"task in ({', '.join(map(_quoted, chosen.tasks))})")
    outcome = "outcome"
    if chosen.pass_at is not None:
        outcome = (f"case when outcome = 'ungraded' or score is null then outcome "
                   f"when score >= {float(chosen.pass_at)!r} then 'passed' else 'failed' end")  # fmt: skip
    connection.execute(f"create temp view policy as select * replace ({outcome} as outcome) from outcomes "
                       f"where {' and '.join(conditions)}")  # fmt: skip


def _grouped(connection: duckdb.DuckDBPyConnection) -> pa.Table:
    """Return the rollouts grouped by all that tells them apart, with sums. Nine sums of spend come last."""
    spent = ", ".join(f"count({c}), sum({c}::double), sum({c}::double * {c}::double)" for c in _SPENT)
    table: pa.Table = connection.sql(
        "select suite, task, task_hash, cluster, agent, model, effort, outcome, reason, stop, count(*) as count, "
        f"bit_or(1::ubigint << (attempt % {_BITS})::utinyint) as attempts, min(attempt) as first_attempt, "
        "max(attempt) as last_attempt, count(step) as steps, count(nullif(\"group\", '')) as in_groups, "
        "min(recorded_at) as first_at, "
        f"max(recorded_at) as last_at, {spent} "
        "from (select * replace (greatest(attempt, 0) as attempt) from policy) group by all"
    ).to_arrow_table()
    return table


def _refuse_empty(connection: duckdb.DuckDBPyConnection, ledger: Ledger, chosen: Selection) -> None:
    for column, wanted in (("suite", (chosen.suite,) if chosen.suite else ()), ("task", chosen.tasks)):
        query = f"select distinct {column} from outcomes where origin = 'policy' order by 1 limit 9"
        there = [str(row[0]) or "(no name)" for row in connection.execute(query).fetchall()]
        if wanted and there:
            raise InputError(f"holds no rollout of {column} {', '.join(wanted)}", path=ledger.path,
                             hint=f"It holds: {', '.join(there)}")  # fmt: skip
    raise FairtrialError("holds no rollout of a policy, so there is nothing to measure", path=ledger.path,
                         hint="`fairtrial run` or `fairtrial import` adds rollouts.")  # fmt: skip


def _refuse_ambiguous_tasks(cells: pa.Table, ledger: Ledger) -> None:
    """Raise where one task name stands for two things: two suites, or two contents within a suite."""
    seen: dict[str, str] = {}
    hashes: dict[str, str] = {}
    distinct = cells.group_by(["suite", "task", "task_hash"]).aggregate([])
    rows = zip(*(distinct.column(name).to_pylist() for name in ("task", "suite", "task_hash")), strict=True)
    for task, suite, content in sorted((t, s or "", h or "") for t, s, h in rows):
        if seen.setdefault(task, suite) != suite:
            names = " and ".join(f"`{name}`" if name else "one without a name" for name in (seen[task], suite))
            hint = "`fairtrial measure LEDGER --suite SUITE` measures one of them."
            if "" in (seen[task], suite):
                hint += " If they are one suite, import again with --suite NAME."
            raise InputError(f"task `{task}` is under two suites: {names}", path=ledger.path, hint=hint)
        if content and hashes.setdefault(task, content) != content:
            raise InputError(
                f"task `{task}` was run in two contents, {hashes[task]} and {content}", path=ledger.path,
                hint="The task changed between rollouts; measure each content in a ledger of its own.",
            )  # fmt: skip


class _Reader:
    """Turn grouped rows into index arrays; every later query is coded by the same subjects and tasks."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, cells: pa.Table, chosen: Selection) -> None:
        self.connection = connection
        self.chosen = chosen
        keys, key = _keys(cells)
        subjects = _subjects(keys)
        kept = _selected(subjects, chosen.models)
        self.subject_of_key = {name: i for i, name in enumerate(kept)}
        self.cells = cells.filter(pa.array(np.array([name in self.subject_of_key for name in keys])[key]))
        self.subjects = tuple(subjects[name] for name in kept)
        self.tasks, self.task = _coded(self.cells, "task")
        self.task_names = pa.array(self.tasks, pa.string())

    def observed(self) -> Observed:
        """Return everything asked for."""
        stops, stop = _coded(self.cells, "stop")
        reasons, reason = _coded(self.cells, "reason")
        outcomes, outcome = _coded(self.cells, "outcome")
        cells = _in_order(Cells(
            subject=self._subject(self.cells), task=self.task, reason=reason, stop=stop,
            outcome=np.array([_OUTCOMES[text] for text in outcomes], dtype=np.int64)[outcome],
            count=_numbers(self.cells, "count").astype(np.int64),
            spend=np.column_stack([_numbers(self.cells, name) for name in self.cells.column_names[-3 * len(_SPENT):]]),
        ))  # fmt: skip
        return Observed(
            suites=_coded(self.cells, "suite")[0], subjects=self.subjects, tasks=self.tasks, cluster=self._clusters(),
            reasons=reasons, stops=stops, cells=cells, checks=self._checks(), answers=self._answers(),
            order=self._order(), repeated_attempts=self._repeated_attempts(),
        )  # fmt: skip

    def _subject(self, table: pa.Table) -> Integers:
        """Return the subject of each row, -1 for one that was not selected."""
        keys, key = _keys(table)
        return np.array([self.subject_of_key.get(name, -1) for name in keys], dtype=np.int64)[key]

    def _task_of(self, table: pa.Table) -> Integers:
        found = pc.index_in(table.column("task"), value_set=self.task_names).combine_chunks()
        return np.asarray(found.fill_null(-1).to_numpy(zero_copy_only=False), dtype=np.int64)

    def _clusters(self) -> Integers:
        """Return each task's cluster; a task without one is a cluster of its own."""
        names, cluster = _coded(self.cells, "cluster")
        of_task = np.zeros(len(self.tasks), dtype=np.int64)
        of_task[self.task] = cluster
        own = np.array([not name for name in names])[of_task]
        return np.where(own, len(names) + np.arange(len(self.tasks)), of_task)

    def _query(self, sql: str) -> pa.Table:
        table: pa.Table = self.connection.sql(sql).to_arrow_table()
        return table.filter(pa.array((self._subject(table) >= 0) & (self._task_of(table) >= 0)))

    def _holds(self, sql: str) -> bool:
        return bool(self.connection.execute(f"select 1 from {sql} limit 1").fetchall())

    def _checks(self) -> Checks | None:
        if not self._holds("verdicts where len(checks) > 0"):
            return None
        self.connection.execute(
            "create temp table graded_checks as select p.task, p.agent, p.model, p.effort, p.id, p.outcome, c.name, "
            "c.status from checks c join policy p on p.id = c.rollout where p.outcome <> 'ungraded'"
        )
        rows = self._query(
            "select task, agent, model, effort, name, count(*) as n, count(*) filter (status = 'passed') as passed "
            "from graded_checks where status <> 'broken' group by all order by all"
        )
        verdicts, false_passes, false_fails = self.connection.execute(
            "select count(*), count(*) filter (outcome = 'passed' and failed > 0), "
            "count(*) filter (outcome = 'failed' and passed = checks) from (select id, outcome, count(*) as checks, "
            "count(*) filter (status = 'failed') as failed, count(*) filter (status = 'passed') as passed "
            "from graded_checks group by id, outcome)"
        ).fetchall()[0]
        return Checks(
            subject=self._subject(rows), task=self._task_of(rows), name=tuple(_texts(rows, "name")),
            n=_numbers(rows, "n").astype(np.int64), passed=_numbers(rows, "passed").astype(np.int64),
            verdicts=verdicts, passed_with_failed_check=false_passes, failed_with_all_passed=false_fails,
        )  # fmt: skip

    def _answers(self) -> Answers | None:
        if not self.chosen.answers or not self._holds("rollouts where answer is not null"):
            return None
        rows = self._query(
            "select task, agent, model, effort, answer, expected, count(*) as n, "
            "count(*) filter (outcome = 'passed') as passed from policy "
            "where answer is not null and expected is not null and outcome <> 'ungraded' group by all order by all"
        )
        if rows.num_rows == 0:
            return None
        return Answers(
            subject=self._subject(rows), task=self._task_of(rows), answer=tuple(_texts(rows, "answer")),
            expected=tuple(_texts(rows, "expected")), count=_numbers(rows, "n").astype(np.int64),
            passed=_numbers(rows, "passed").astype(np.int64),
        )  # fmt: skip

    def _order(self) -> Order | None:
        """Return the attempts in the order recorded: by training step, then time; None where neither tells it."""
        first, last = (pc.min_max(self.cells.column(name)).as_py() for name in ("first_at", "last_at"))
        if first["min"] == last["max"] and not _numbers(self.cells, "steps").any():
            return None
        rows = self._query("select task, agent, model, effort, outcome from policy "
                           "order by step nulls first, recorded_at, attempt, task")  # fmt: skip
        names, outcome = _coded(rows, "outcome")
        code = np.array([_OUTCOMES[name] for name in names], dtype=np.int64)
        return Order(subject=self._subject(rows), task=self._task_of(rows), outcome=code[outcome])

    def _repeated_attempts(self) -> int:
        """Return how many attempts stand more than once: same subject, task, attempt, seed, step and group."""
        several = any(_numbers(self.cells, name).any() for name in ("steps", "in_groups"))
        if several or _numbers(self.cells, "last_attempt").max() >= _BITS:
            return self._repeated_by_rows()
        where = self._subject(self.cells) * len(self.tasks) + self.task
        seen = np.zeros(len(self.subjects) * len(self.tasks), dtype=np.uint64)
        np.bitwise_or.at(seen, where, np.asarray(self.cells.column("attempts").to_numpy(), dtype=np.uint64))
        repeated = int(_numbers(self.cells, "count").sum()) - int(np.bitwise_count(seen).sum())
        # Trainings of one recipe by several seeds number their attempts alike; only the rows tell them apart.
        return self._repeated_by_rows() if repeated else 0

    def _repeated_by_rows(self) -> int:
        found = self.connection.execute(
            "select coalesce(sum(n - 1), 0) from (select count(*) as n from policy "
            'group by task, agent, model, effort, attempt, seed, step, "group" having count(*) > 1)'
        ).fetchall()[0][0]
        return int(found)


def _in_order(cells: Cells) -> Cells:
    """Return `cells` sorted, so that equal ledgers give equal sums to the last bit."""
    by = np.lexsort((cells.count, cells.stop, cells.reason, cells.outcome, cells.task, cells.subject))
    return Cells(subject=cells.subject[by], task=cells.task[by], outcome=cells.outcome[by], reason=cells.reason[by],
                 stop=cells.stop[by], count=cells.count[by], spend=cells.spend[by])  # fmt: skip


def _subjects(keys: Sequence[Key]) -> dict[Key, Subject]:
    """Return a subject for each (agent, model, effort), labelled with the agent where one model has several."""
    agents: dict[str, set[str]] = {}
    for agent, model, _ in keys:
        agents.setdefault(model, set()).add(agent)
    found = {}
    for agent, model, effort in sorted(set(keys)):
        label = f"{model}@{effort}" if effort else model
        if len(agents[model]) > 1 and agent:
            label = f"{agent}/{label}"
        found[(agent, model, effort)] = Subject(label=label, name=model, effort=effort, agent=agent)
    return found


def _selected(subjects: dict[Key, Subject], wanted: Sequence[str]) -> list[Key]:
    names = {name for subject in subjects.values() for name in (subject.label, subject.name)}
    for name in wanted:
        if name not in names:
            raise InputError(f"no model `{name}` in the ledger", field="--model",
                             hint=f"It holds: {', '.join(sorted(s.label for s in subjects.values()))}")  # fmt: skip
    return [key for key, s in subjects.items() if not wanted or s.label in wanted or s.name in wanted]


def _keys(table: pa.Table) -> tuple[list[Key], Integers]:
    """Return the distinct (agent, model, effort), and each row's index among them."""
    columns = [_coded(table, name) for name in ("agent", "model", "effort")]
    (agents, agent), (models, model), (efforts, effort) = columns
    code = (agent * len(models) + model) * len(efforts) + effort
    distinct, index = np.unique(code, return_inverse=True)
    parts = zip(*np.unravel_index(distinct, (len(agents), len(models), len(efforts))), strict=True)
    return [(agents[a], models[m], efforts[e]) for a, m, e in parts], index.astype(np.int64)


def _texts(table: pa.Table, name: str) -> list[str]:
    """Return a text column, null as the empty text."""
    return [value or "" for value in table.column(name).to_pylist()]


def _numbers(table: pa.Table, name: str) -> Floats:
    """Return a number column as float64, null as 0."""
    return np.nan_to_num(np.asarray(table.column(name).to_numpy(zero_copy_only=False), dtype=np.float64))


def _coded(table: pa.Table, name: str) -> tuple[tuple[str, ...], Integers]:
    """Return the distinct texts of a column, sorted, null as the empty text, and each row's index among them."""
    encoded = pc.fill_null(table.column(name), "").combine_chunks().dictionary_encode()
    names = np.array(encoded.dictionary.to_pylist(), dtype=object)
    order = np.argsort(names, kind="stable") if len(names) else np.zeros(0, dtype=np.int64)
    rank = np.empty(len(names), dtype=np.int64)
    rank[order] = np.arange(len(names))
    index = np.asarray(encoded.indices.to_numpy(zero_copy_only=False), dtype=np.int64)
    return tuple(str(text) for text in names[order]), rank[index]

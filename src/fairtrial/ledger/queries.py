"""Turn a ledger into the arrays that `measure` reads.

Only rollouts of origin `policy` count. The view `outcomes` is read once into a narrow temporary table; one grouped
scan of that yields the cells; what only some measurements need (answers, checks, order) is asked for apart.
Not covered: any statistics; that is `measure`, which is pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import duckdb
import numpy as np
import pyarrow as pa

from fairtrial.ledger.observed import (
    FAILED,
    PASSED,
    UNGRADED,
    Answers,
    Cells,
    Checks,
    Integers,
    Observed,
    Order,
    Subject,
)
from fairtrial.ledger.store import Ledger
from fairtrial.ledger.views import connect
from fairtrial.records import FairtrialError, InputError

_COLUMNS = "suite, task, task_hash, agent, model, effort, attempt, step, cluster, stop, reason, recorded_at"
_SUBJECT = ("agent", "model", "effort")
_SPENT = ("input_tokens", "output_tokens", "cost_usd")
_OUTCOMES = {"passed": PASSED, "failed": FAILED, "ungraded": UNGRADED}


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which rollouts of a ledger are meant. Empty means all."""

    suite: str = ""
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
        _narrow(connection, chosen)
        cells = _cells(connection)
        if cells.num_rows == 0:
            _refuse_empty(connection, ledger, chosen)
        _refuse_ambiguous_tasks(cells, ledger)
        return _Reader(connection, cells, chosen).observed()
    finally:
        connection.close()


def _narrow(connection: duckdb.DuckDBPyConnection, chosen: Selection) -> None:
    """Copy the columns that count, of the rollouts that count, into the temporary table `policy`."""
    conditions, values = ["origin = 'policy'"], []
    if chosen.suite:
        conditions.append("(suite = ? or starts_with(suite, ? || '@'))")
        values += [chosen.suite, chosen.suite]
    if chosen.tasks:
        conditions.append(f"task in ({', '.join('?' * len(chosen.tasks))})")
        values += chosen.tasks
    outcome = "outcome"
    if chosen.pass_at is not None:
        outcome = (f"case when outcome = 'ungraded' or score is null then outcome "
                   f"when score >= {float(chosen.pass_at)!r} then 'passed' else 'failed' end")  # fmt: skip
    answers = ", answer, expected" if chosen.answers else ""
    connection.execute(
        f"create temp table policy as select id, {_COLUMNS}, {outcome} as outcome, {', '.join(_SPENT)}{answers} "
        f"from outcomes where {' and '.join(conditions)}",
        values,
    )


def _cells(connection: duckdb.DuckDBPyConnection) -> pa.Table:
    spent = ", ".join(f"count({c}), sum({c}::double), sum({c}::double * {c}::double)" for c in _SPENT)
    named = connection.sql(
        f"select suite, task, task_hash, cluster, {', '.join(_SUBJECT)}, outcome, "
        f"case when outcome = 'ungraded' then reason else '' end as reason, stop, count(*) as count, "
        f"max(recorded_at) as told_at, min(recorded_at) as first_at, {spent} from policy group by all order by all"
    )
    return named.to_arrow_table()


def _refuse_empty(connection: duckdb.DuckDBPyConnection, ledger: Ledger, chosen: Selection) -> None:
    if chosen.suite or chosen.tasks:
        for column, wanted in (("suite", [chosen.suite] if chosen.suite else []), ("task", list(chosen.tasks))):
            query = f"select distinct {column} from outcomes where origin = 'policy' order by 1 limit 9"
            there = [row[0] for row in connection.execute(query).fetchall()]
            if wanted and there:
                raise InputError(f"holds no rollout of {column} {', '.join(wanted)}", path=ledger.path,
                                 hint=f"It holds: {', '.join(str(name) or '(no name)' for name in there)}")  # fmt: skip
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
            raise InputError(f"task `{task}` is under two suites: `{seen[task]}` and `{suite}`", path=ledger.path,
                             hint="Choose one with --suite.")  # fmt: skip
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
        keys = list(zip(*(_texts(cells, name) for name in _SUBJECT), strict=True))
        self.subjects = _subjects(keys)
        self.subject_index = {key: i for i, key in enumerate(self.subjects)}
        kept = _selected(self.subjects, chosen.models)
        self.subject_index = {key: i for i, key in enumerate(kept)}
        mask = np.array([key in self.subject_index for key in keys], dtype=bool)
        self.cells = cells.filter(pa.array(mask))
        self.labels = tuple(self.subjects[key] for key in kept)
        self.tasks = tuple(sorted(set(_texts(self.cells, "task"))))
        self.task_index = {task: i for i, task in enumerate(self.tasks)}

    def observed(self) -> Observed:
        """Return everything asked for."""
        stops, stop = _coded(_texts(self.cells, "stop"))
        reasons, reason = _coded(_texts(self.cells, "reason"))
        spend = np.column_stack([_numbers(self.cells, name) for name in self.cells.column_names[-9:]])
        cells = Cells(
            subject=self._subject(self.cells), task=self._task(self.cells), reason=reason, stop=stop, spend=spend,
            outcome=np.array([_OUTCOMES[text] for text in _texts(self.cells, "outcome")], dtype=np.int64),
            count=_numbers(self.cells, "count").astype(np.int64),
        )  # fmt: skip
        return Observed(
            suites=tuple(sorted(set(_texts(self.cells, "suite")))), subjects=self.labels, tasks=self.tasks,
            cluster=self._clusters(), reasons=reasons, stops=stops, cells=cells, checks=self._checks(),
            answers=self._answers() if self.chosen.answers else None, order=self._order(),
            repeated_attempts=self._repeated_attempts(),
        )  # fmt: skip

    def _subject(self, table: pa.Table) -> Integers:
        keys = zip(*(_texts(table, name) for name in _SUBJECT), strict=True)
        return np.array([self.subject_index.get(key, -1) for key in keys], dtype=np.int64)

    def _task(self, table: pa.Table) -> Integers:
        return np.array([self.task_index.get(task, -1) for task in _texts(table, "task")], dtype=np.int64)

    def _clusters(self) -> Integers:
        """Return each task's cluster; a task without one is a cluster of its own."""
        named = dict(zip(_texts(self.cells, "task"), _texts(self.cells, "cluster"), strict=True))
        index: dict[tuple[str, str], int] = {}
        keys = [("cluster", named[task]) if named[task] else ("task", task) for task in self.tasks]
        return np.array([index.setdefault(key, len(index)) for key in keys], dtype=np.int64)

    def _query(self, sql: str) -> pa.Table:
        table: pa.Table = self.connection.sql(sql).to_arrow_table()
        known = (self._subject(table) >= 0) & (self._task(table) >= 0)
        return table.filter(pa.array(known))

    def _checks(self) -> Checks | None:
        if not self.connection.execute("select 1 from verdicts where len(checks) > 0 limit 1").fetchall():
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
            subject=self._subject(rows), task=self._task(rows), name=tuple(_texts(rows, "name")),
            n=_numbers(rows, "n").astype(np.int64), passed=_numbers(rows, "passed").astype(np.int64),
            verdicts=verdicts, passed_with_failed_check=false_passes, failed_with_all_passed=false_fails,
        )  # fmt: skip

    def _answers(self) -> Answers | None:
        rows = self._query(
            "select task, agent, model, effort, answer, expected, count(*) as n, "
            "count(*) filter (outcome = 'passed') as passed from policy "
            "where answer is not null and expected is not null and outcome <> 'ungraded' group by all order by all"
        )
        if rows.num_rows == 0:
            return None
        return Answers(
            subject=self._subject(rows), task=self._task(rows), answer=tuple(_texts(rows, "answer")),
            expected=tuple(_texts(rows, "expected")), count=_numbers(rows, "n").astype(np.int64),
            passed=_numbers(rows, "passed").astype(np.int64),
        )  # fmt: skip

    def _order(self) -> Order | None:
        """Return the attempts in the order recorded; None where the ledger does not tell it."""
        first, last = self.cells.column("first_at"), self.cells.column("told_at")
        if len(set(first.to_pylist()) | set(last.to_pylist())) < 2:
            return None
        rows = self._query(f"select task, {', '.join(_SUBJECT)}, outcome from policy "
                           "order by coalesce(step, 0), recorded_at, attempt, task")  # fmt: skip
        outcome = np.array([_OUTCOMES[text] for text in _texts(rows, "outcome")], dtype=np.int64)
        return Order(subject=self._subject(rows), task=self._task(rows), outcome=outcome)

    def _repeated_attempts(self) -> int:
        """Return how many attempts stand more than once: same subject, task, attempt and step, other content."""
        found = self.connection.execute(
            "select coalesce(sum(n - 1), 0) from (select count(*) as n from policy "
            "group by task, agent, model, effort, attempt, step having count(*) > 1)"
        ).fetchall()[0][0]
        return int(found)


def _subjects(keys: Sequence[tuple[str, str, str]]) -> dict[tuple[str, str, str], Subject]:
    """Return a label for each (agent, model, effort), with the agent where one model has several."""
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


def _selected(subjects: dict[tuple[str, str, str], Subject], wanted: Sequence[str]) -> list[tuple[str, str, str]]:
    kept = [key for key, s in subjects.items() if not wanted or s.label in wanted or s.name in wanted]
    names = {name for s in subjects.values() for name in (s.label, s.name)}
    for name in wanted:
        if name not in names:
            raise InputError(f"no model `{name}` in the ledger", field="--model",
                             hint=f"It holds: {', '.join(sorted(s.label for s in subjects.values()))}.")  # fmt: skip
    return kept


def _texts(table: pa.Table, name: str) -> list[str]:
    """Return a text column, null as the empty text."""
    return [value or "" for value in table.column(name).to_pylist()]


def _numbers(table: pa.Table, name: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return a number column as float64, null as 0."""
    return np.nan_to_num(np.asarray(table.column(name).to_numpy(zero_copy_only=False), dtype=np.float64))


def _coded(texts: Sequence[str]) -> tuple[tuple[str, ...], Integers]:
    """Return the distinct texts, sorted, and each text's index among them."""
    names, index = np.unique(np.asarray(texts, dtype=object).astype(str), return_inverse=True)
    return tuple(str(name) for name in names), index.astype(np.int64)

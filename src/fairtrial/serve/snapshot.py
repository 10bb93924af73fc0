"""What lists show, read once: a DuckDB in memory over the ledger, made anew when parts appear.

One scan of the parts fills two small tables, `rows` (one a rollout, with its outcome and how many findings speak of it)
and `tasks`; lists are then answered from memory. Others may write meanwhile: the parts are listed at most twice a
second, and where there are new ones a new snapshot is made beside the old one, which answers until then. A page waits
for it a short while, so that what was just written to a small ledger is seen at once.

Not covered: reviews and samples, which change while people work; `held` reads those.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as Waiting
from dataclasses import dataclass, field
from typing import Any

import duckdb

from fairtrial.ledger import Ledger, connect, damage
from fairtrial.records import LedgerError

LISTED = ("rollouts", "verdicts", "findings", "proofs")
_CHECK_SECONDS, _WAIT_SECONDS = 0.5, 0.15

_COUNTS = """count(*) filter (where severity = 'proof') as proofs,
    count(*) filter (where severity = 'lead') as leads"""
_ROWS = f"""
create table rows as
select row_number() over (order by o.suite, o.task, o.agent, o.model, o.effort, o.attempt, o.id) as seq,
       o.id, coalesce(o.suite, '') as suite, o.task, coalesce(o.agent, '') as agent, o.model,
       coalesce(o.effort, '') as effort, o.attempt, o.origin, o.outcome, o.reason, o.score,
       coalesce(o.stop, '') as stop, o.steps, o.output_tokens, o.cost_usd, o.seconds,
       coalesce(o.recorded_at, '') as recorded_at, coalesce(f.proofs, 0) as proofs, coalesce(f.leads, 0) as leads,
       coalesce(o.trajectory, '') <> '' as has_steps
from outcomes o left join (select rollout, {_COUNTS} from findings where rollout <> '' group by rollout) f
    on f.rollout = o.id
order by seq
"""
_TASKS = f"""
create table tasks as
select r.*, coalesce(f.proofs, 0) as proofs, coalesce(f.leads, 0) as leads
from (
    select suite, task, count(*) as rollouts, count(*) filter (where outcome = 'passed') as passed,
           count(*) filter (where outcome = 'failed') as failed,
           count(*) filter (where outcome = 'ungraded') as ungraded, count(distinct (agent, model, effort)) as models
    from rows where origin = 'policy' group by suite, task
) r left join (
    select split_part(coalesce(nullif(found.suite, ''), own.suite, ''), '@', 1) as name, found.task, {_COUNTS}
    from findings found left join rows own on own.id = found.rollout group by all
) f on f.task = r.task and f.name = split_part(r.suite, '@', 1)
"""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The ledger as it was when its parts were listed."""

    connection: duckdb.DuckDBPyConnection
    parts: tuple[str, ...]
    _answers: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    def ask(self, query: str, values: Sequence[Any] = ()) -> list[dict[str, Any]]:
        """Return the rows that answer `query`, as dicts. Safe to use from several threads."""
        cursor = self.connection.cursor()
        try:
            result = cursor.execute(query, list(values))
            columns = [column[0] for column in result.description or []]
            return [dict(zip(columns, row, strict=True)) for row in result.fetchall()]
        finally:
            cursor.close()

    def once(self, query: str) -> list[dict[str, Any]]:
        """Return the rows that answer `query`, asked once of this snapshot: for counts over all rollouts."""
        if query not in self._answers:
            self._answers[query] = self.ask(query)
        return self._answers[query]

    def one(self, query: str, values: Sequence[Any] = ()) -> dict[str, Any] | None:
        """Return the first row that answers `query`, None where there is none."""
        return next(iter(self.ask(query, values)), None)


class Snapshots:
    """Gives the latest snapshot of one ledger. Safe to use from several threads."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self._lock = threading.Lock()
        self._maker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="snapshot")
        self._last: Snapshot | None = None
        self._making: Future[Snapshot] | None = None
        self._checked = 0.0

    def latest(self) -> Snapshot:
        """Return the snapshot to answer from. Raise LedgerError where the ledger cannot be read."""
        with self._lock:
            making, last = self._begin_if_changed(), self._last
        if making is None:
            assert last is not None
            return last
        try:
            return making.result(_WAIT_SECONDS if last is not None else None)
        except Waiting:
            assert last is not None
            return last

    def _begin_if_changed(self) -> Future[Snapshot] | None:
        """Return the making under way; begin one where parts appeared since the last."""
        if self._making is not None:
            if not self._making.done():
                return self._making
            done, self._making = self._making, None
            self._last = done.result()
        now = time.monotonic()
        if self._last is not None and now - self._checked < _CHECK_SECONDS:
            return None
        self._checked = now
        if self._last is None or parts_of(self.ledger) != self._last.parts:
            self._making = self._maker.submit(taken, self.ledger)
        return self._making

    def close(self) -> None:
        """End the thread that makes snapshots."""
        self._maker.shutdown(wait=False, cancel_futures=True)


def parts_of(ledger: Ledger, tables: Sequence[str] = LISTED) -> tuple[str, ...]:
    """Return the names of the parts of `tables`: what changes when something is appended."""
    return tuple(f"{table}/{part.name}" for table in tables for part in ledger.parts(table))


def taken(ledger: Ledger) -> Snapshot:
    """Read `ledger` and return its snapshot. Raise LedgerError where it cannot be read."""
    parts = parts_of(ledger)  # listed first: what appears while it is read is seen by the next check
    connection = connect(ledger)
    try:
        for table in LISTED:
            if not any(part.startswith(f"{table}/") for part in parts):
                # an empty table is registered with the connection alone, and its cursors would not find it
                connection.execute(f"create table memory.main.{table}_parts as select * from {table}_parts")
        for query in (_ROWS, _TASKS):
            connection.execute(query)
    except duckdb.Error as error:
        connection.close()
        raise damage(ledger) or LedgerError(f"cannot be read: {error}", path=ledger.path) from error
    return Snapshot(connection, parts)

"""DuckDB views over a ledger: every record once, and the outcome of every rollout.

`rollouts`, `verdicts`, `findings`, `proofs`, `reviews` hold each id once, as it was first recorded. `outcomes` has one
row a rollout: all columns of `rollouts`, then `outcome, reason, score, expected, verdict, grader` of the grader that
spoke last (by `recorded_at`). Two verdicts of that grader that disagree in outcome or score make it `ungraded` with
reason `conflict` and no `verdict`; no verdict makes it `ungraded` with reason `not_graded`. A later verdict of the same
grader never replaces an earlier one, whatever it says: grading until it passes would hide a broken grader. `checks` has
one row a check of the verdict that counts.

The parts are listed once, at `connect`: what others append later is not seen. Almost every ledger holds each id and
one verdict a rollout; that is established by one count (0.25 s a million rows), and only what is repeated is grouped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from fairtrial.ledger.schema import TABLES
from fairtrial.ledger.store import Ledger, damaged
from fairtrial.records import LedgerError

_ONE_VERDICT = """
select rollout, outcome, reason, score, expected, id as verdict, grader from verdicts
"""

# Strings joined by chr(1), which sorts before all that is in them, instead of structs: for a million rollouts graded
# twice 7.7 processor seconds and 1.24 GB, where structs took 10.7 and 1.67.
_SEVERAL_VERDICTS = """
select rollout, case when disputed then 'ungraded' else outcome end as outcome,
       case when disputed then 'conflict' else split_part(why, chr(1), 2) end as reason,
       case when disputed then null else score end as score, expected,
       case when disputed then null else split_part(latest, chr(1), 2) end as verdict, grader
from (
    select rollout, grader, max(recorded_at) || chr(1) || grader as told, min(outcome) as outcome, max(score) as score,
           max(expected) as expected, max(recorded_at || chr(1) || reason) as why,
           max(recorded_at || chr(1) || id) as latest,
           min(outcome) <> max(outcome) or coalesce(min(score) <> max(score), false) as disputed
    from (select * replace (coalesce(grader, '') as grader, coalesce(recorded_at, '') as recorded_at,
                            coalesce(reason, '') as reason) from verdicts)
    where rollout in (select key from several_verdicts) group by rollout, grader
) spoken semi join (
    select rollout, max(told) as told from (
        select rollout, max(coalesce(recorded_at, '')) || chr(1) || coalesce(grader, '') as told
        from verdicts where rollout in (select key from several_verdicts) group by rollout, coalesce(grader, '')
    ) group by rollout
) last using (rollout, told)
"""

_OUTCOMES = """
create view outcomes as
select r.*, coalesce(v.outcome, 'ungraded') as outcome,
       case when v.outcome is null then 'not_graded' else coalesce(v.reason, '') end as reason,
       v.score as score, v.expected as expected, v.verdict as verdict, v.grader as grader
from rollouts r left join ({counted}) v on v.rollout = r.id
"""

_CHECKS = """
create view checks as
select rollout, suite, task, model, effort, agent, origin, c.name as name, c.status as status from (
    select o.id as rollout, o.suite, o.task, o.model, o.effort, o.agent, o.origin, unnest(v.checks) as c
    from outcomes o join (select id, checks from verdicts where len(checks) > 0) v on v.id = o.verdict
)
"""


def connect(ledger: Ledger) -> duckdb.DuckDBPyConnection:
    """Return an in-memory DuckDB connection whose views read the ledger's parts; LedgerError for a damaged part."""
    return _connected(ledger, tuple(TABLES), _view_of_outcomes, _view_of_checks)


def connect_outcomes(ledger: Ledger) -> duckdb.DuckDBPyConnection:
    """Return a connection with `rollouts`, `verdicts` and `outcomes` alone, in half the time."""
    return _connected(ledger, ("rollouts", "verdicts"), _view_of_outcomes)


def connect_table(ledger: Ledger, table: str) -> duckdb.DuckDBPyConnection:
    """Return a connection with the view of one table alone, in a tenth of the time; LedgerError for a damaged part."""
    return _connected(ledger, (table,))


def _connected(
    ledger: Ledger, tables: Sequence[str], *views: Callable[[duckdb.DuckDBPyConnection], None]
) -> duckdb.DuckDBPyConnection:
    connection = _opened()
    try:
        for table in tables:
            _view_of_parts(connection, ledger, table)
        for view in views:
            view(connection)
    except duckdb.Error as error:
        connection.close()
        raise damage(ledger) or LedgerError(f"cannot be read: {error}", path=ledger.path) from error
    return connection


def _opened() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute("set enable_progress_bar = false")  # it would go to stdout, into the one JSON document
    return connection


def damage(ledger: Ledger) -> LedgerError | None:
    """Read every part to the end and return the error of the first one that is damaged, None if all can be read."""
    for table in TABLES:
        for part in ledger.parts(table):
            try:
                with pq.ParquetFile(part) as file:
                    for _ in file.iter_batches():
                        pass
            except (pa.ArrowException, OSError) as error:
                return damaged(part, error)
    return None


def _view_of_parts(connection: duckdb.DuckDBPyConnection, ledger: Ledger, table: str) -> None:
    """Create `TABLE_parts` (all rows of all parts, columns of this version) and over it `TABLE`, each id once."""
    parts = [str(part) for part in ledger.parts(table)]
    if not parts:
        connection.register(f"{table}_parts", TABLES[table].empty_table())
        connection.execute(f"create view {table} as from {table}_parts")
        if table == "verdicts":
            connection.execute("create table several_verdicts (key varchar)")
        return
    listed = ", ".join("'" + part.replace("'", "''") + "'" for part in parts)
    source = f"read_parquet([{listed}], union_by_name = true)"
    found = {row[0] for row in connection.execute(f"describe select * from {source}").fetchall()}
    columns = [f'"{field.name}"' if field.name in found else _absent(field) for field in TABLES[table]]
    connection.execute(f"create view {table}_parts as select {', '.join(columns)} from {source}")
    _view_of_ids(connection, table)


def _view_of_ids(connection: duckdb.DuckDBPyConnection, table: str) -> None:
    """Create `TABLE` over `TABLE_parts`, each id once.

    A verdict's id contains its rollout, so where no rollout has several verdicts no verdict is there twice.
    """
    source = f"{table}_parts"
    if table == "verdicts":
        several = _repeated(connection, "several_verdicts", "rollout", source)
        source += " where rollout in (select key from several_verdicts)"
        repeated = several and _repeated(connection, f"repeated_{table}", "id", source)
    else:
        repeated = _repeated(connection, f"repeated_{table}", "id", source)
    once = f"select * from {table}_parts"
    if repeated:
        keys = f"(select key from repeated_{table})"
        once += f" where id not in {keys} union all (select distinct on (id) * from {table}_parts where id in {keys} "
        once += "order by id, recorded_at)"
    connection.execute(f"create view {table} as {once}")


def _absent(field: pa.Field) -> str:
    """Return the SQL of a column that is younger than every part: null, typed as this version has it."""
    kind = duckdb.from_arrow(pa.schema([field]).empty_table()).types[0]
    return f'cast(null as {kind}) as "{field.name}"'


def _repeated(connection: duckdb.DuckDBPyConnection, name: str, column: str, source: str) -> bool:
    """List in the table `name` the values of `column` that stand in more than one row; say whether there are any."""
    connection.execute(
        f"create table {name} as select {column} as key from {source} group by {column} having count(*) > 1"
    )
    return bool(connection.execute(f"select 1 from {name} limit 1").fetchall())


def _view_of_outcomes(connection: duckdb.DuckDBPyConnection) -> None:
    counted = _ONE_VERDICT
    if connection.execute("select 1 from several_verdicts limit 1").fetchall():
        counted += f"where rollout not in (select key from several_verdicts) union all {_SEVERAL_VERDICTS}"
    connection.execute(_OUTCOMES.replace("{counted}", counted))


def _view_of_checks(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute(_CHECKS)

"""DuckDB views over a ledger: every record once, and the outcome of every rollout.

`rollouts`, `verdicts`, `findings`, `proofs`, `reviews` hold each id once. `outcomes` has one row a rollout: the verdict
of the grader that spoke last; two verdicts of that grader that disagree make it `ungraded` with reason `conflict`; no
verdict makes it `ungraded` with reason `not_graded`. `checks` has one row a check of that verdict.
"""

from __future__ import annotations

import duckdb

from fairtrial.ledger.schema import TABLES
from fairtrial.ledger.store import Ledger

_OUTCOMES = """
create view outcomes as
with spoken as (
    select rollout, grader, count(distinct outcome) as answers, count(distinct score) as scores, max(recorded_at) as told_at,
           any_value(outcome) as outcome, any_value(reason) as reason, any_value(score) as score,
           any_value(expected) as expected, any_value(id) as verdict
    from verdicts group by rollout, grader
), last as (
    select rollout, arg_max(spoken, (told_at, grader)) as v
    from spoken group by rollout
)
select r.*,
       case when v is null then 'ungraded' when v.answers > 1 then 'ungraded' else v.outcome end as outcome,
       case when v is null then 'not_graded' when v.answers > 1 then 'conflict' else v.reason end as reason,
       case when v is null or v.answers > 1 then null else v.score end as score,
       v.expected as expected, v.verdict as verdict, v.grader as grader
from rollouts r left join last on last.rollout = r.id
"""

_CHECKS = """
create view checks as
select o.id as rollout, o.suite, o.task, o.model, o.effort, o.agent, o.origin, c.name as name, c.status as status
from (select o.*, unnest(v.checks) as c from outcomes o join verdicts v on v.id = o.verdict) o
"""


def connect(ledger: Ledger) -> duckdb.DuckDBPyConnection:
    """Return an in-memory DuckDB connection whose views read the ledger's parts."""
    connection = duckdb.connect()
    for table, schema in TABLES.items():
        parts = [str(part) for part in ledger.parts(table)]
        if parts:
            names = ", ".join("'" + part.replace("'", "''") + "'" for part in parts)
            connection.execute(f"create view {table} as select distinct on (id) * from "
                               f"read_parquet([{names}], union_by_name = true)")  # fmt: skip
        else:
            connection.register("nothing", schema.empty_table())
            connection.execute(f"create table {table} as select * from nothing")
            connection.unregister("nothing")
    connection.execute(_OUTCOMES)
    connection.execute(_CHECKS)
    return connection

"""What is to be judged, read from a ledger, in two halves: the work, and what the grader said of it.

The first pass of a judge is given `Work`, which holds no verdict, no check and no model's name; only the second pass
is given `Spoken`. Known candidates are left out.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import duckdb
import orjson

from fairtrial.ledger import Ledger, connect, damage
from fairtrial.records import CheckResult, InputError, LedgerError


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One rollout as a judge may see it before it has decided."""

    rollout: str
    task: str
    task_hash: str = ""
    trajectory: str = ""
    """Address of a blob; so is `deliverable`."""
    deliverable: str = ""
    answer: str | None = None
    stop: str = ""
    expected: str | None = None
    """The answer that the key holds, where the task has one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """What the grader said of it."""

    verdict: str
    """Id."""
    outcome: Literal["passed", "failed"]
    score: float | None = None
    checks: tuple[CheckResult, ...] = ()
    output: str = ""
    """What was recorded of the grader's output and other evidence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One rollout and what was said of it; None where it is ungraded."""

    work: Work
    spoken: Spoken | None


_CASES = """
select o.id as rollout, o.task, o.task_hash, o.trajectory, o.deliverable, o.answer, o.stop, o.expected, o.outcome,
       o.score, o.verdict, v.checks, v.evidence
from outcomes o left join verdicts v on v.id = o.verdict
where o.origin = 'policy' and ($all or o.id in (select unnest($rollouts))) order by o.id
"""
_TASKS = "select distinct task from rollouts where origin = 'policy' order by 1"


def cases_of(ledger: Ledger, rollouts: Sequence[str] | None = None, tasks: Collection[str] = ()) -> tuple[Case, ...]:
    """Return the cases of `rollouts` in their order, or all of the ledger; of the named tasks alone.

    Raise InputError for a rollout or a task that the ledger does not hold, LedgerError for a damaged part.
    """
    connection = connect(ledger)
    try:
        held = [row[0] for row in connection.execute(_TASKS).fetchall()]
        result = connection.execute(_CASES, {"all": rollouts is None, "rollouts": list(rollouts or ())})
        columns = [column[0] for column in result.description or []]
        found = {row[0]: _case(dict(zip(columns, row, strict=True))) for row in result.fetchall()}
    except duckdb.Error as error:
        raise damage(ledger) or LedgerError(f"cannot be read: {error}", path=ledger.path) from error
    finally:
        connection.close()
    if not held:
        raise InputError("holds no rollout of a policy", path=ledger.path,
                         hint="`fairtrial run` or `fairtrial import` adds rollouts.")  # fmt: skip
    if missing := sorted(set(tasks) - set(held)):
        raise InputError(f"has no rollouts of the task `{missing[0]}`", path=ledger.path, field="--task",
                         hint=f"It holds: {', '.join(held[:9])}")  # fmt: skip
    if lost := [one for one in rollouts or () if one not in found]:
        raise InputError(f"holds no rollout {lost[0]} of a policy", path=ledger.path, field="--sample")
    chosen = found.values() if rollouts is None else [found[one] for one in dict.fromkeys(rollouts)]
    return tuple(case for case in chosen if not tasks or case.work.task in tasks)


def _case(row: dict[str, Any]) -> Case:
    named = ("rollout", "task", "task_hash", "trajectory", "deliverable", "stop")
    work = Work(**{name: row[name] or "" for name in named}, answer=row["answer"], expected=row["expected"])
    if row["outcome"] not in ("passed", "failed") or not row["verdict"]:
        return Case(work=work, spoken=None)
    checks = tuple(CheckResult(one["name"], one["status"], one["message"] or "") for one in row["checks"] or ())
    spoken = Spoken(verdict=row["verdict"], outcome=row["outcome"], score=row["score"], checks=checks,
                    output=_output(row["evidence"]))  # fmt: skip
    return Case(work=work, spoken=spoken)


def _output(evidence: str | None) -> str:
    """Return the evidence of a verdict as text: the grader's output as it was, the rest as `name: JSON`."""
    if not evidence:
        return ""
    try:
        told = orjson.loads(evidence)
    except orjson.JSONDecodeError:
        return evidence
    if not isinstance(told, dict):
        return evidence
    lines = [f"{name}: {value if isinstance(value, str) else orjson.dumps(value).decode()}"
             for name, value in told.items() if name != "output" and value not in (None, "", [], {})]  # fmt: skip
    output = told.get("output")
    return "\n".join([*lines, output] if isinstance(output, str) and output else lines)

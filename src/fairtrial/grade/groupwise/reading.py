"""Read groups of rollouts from a ledger: who passed, what it cost, what its checks measured, what reviews say of it.

A group is what the rollouts name (`group`), within one content of a task and one step of training; rollouts that name
none form a group with those of the same model in the same circumstances. Not covered: known candidates.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import duckdb
import orjson

from fairtrial.grade.groupwise.confirmed import is_confirmed_hack, is_disputed_hack
from fairtrial.grade.groupwise.ranking import Passing
from fairtrial.ledger import Ledger, connect
from fairtrial.ledger.views import damage
from fairtrial.records import InputError, LedgerError, Review

_OWN = {"input_tokens": "input_tokens", "output_tokens": "output_tokens", "turns": "steps", "cost_usd": "cost_usd"}
_STATUS = {"passed": True, "failed": False, "skipped": False}
_TEXTS = ("suite", "task", "task_hash", "model", "agent", "effort", "group", "settings", "environment", "trajectory",
          "deliverable")  # fmt: skip
_ROLLOUTS = """
select o.id, o.suite, o.task, o.task_hash, o.model, o.agent, o.effort, o.step, o."group", o.settings, o.environment,
       o.outcome, o.answer, o.trajectory, o.deliverable, o.input_tokens, o.output_tokens, o.steps, o.cost_usd,
       case when contains(v.evidence, '"values"') then v.evidence end as evidence, v.checks
from outcomes o left join verdicts v on v.id = o.verdict and o.outcome = 'passed'
where o.origin = 'policy' and (len($tasks) = 0 or o.task in (select unnest($tasks)))
order by o.suite, o.task, o.id
"""
_TASKS = "select distinct task from rollouts where origin = 'policy' order by 1"


@dataclass(frozen=True, slots=True)
class Chosen:
    """One passing rollout as the ledger holds it."""

    passing: Passing
    answer: str | None
    trajectory: str
    deliverable: str


@dataclass(slots=True)
class Group:
    """The rollouts of one group."""

    suite: str
    task: str
    name: str
    """The group's own name, else model and circumstances."""
    step: int | None = None
    passing: list[Chosen] = field(default_factory=list)
    failed: int = 0
    ungraded: int = 0
    disputed: list[str] = field(default_factory=list)
    """Passing rollouts that some people call a hack and others do not."""


def groups_of(ledger: Ledger, tasks: Sequence[str] = (), suite: str = "") -> list[Group]:
    """Return the groups of `ledger`, of the named tasks and suite. Raise InputError for a task it does not hold."""
    connection = connect(ledger)
    try:
        rows = _rows(connection, _ROLLOUTS, {"tasks": list(tasks)})
        known = [str(row["task"]) for row in _rows(connection, _TASKS)]
        reviews = _reviews(connection)
    except duckdb.Error as error:
        why = str(error).splitlines()[0]
        raise damage(ledger) or LedgerError(f"cannot be read: {why}", path=ledger.path) from error
    finally:
        connection.close()
    if missing := sorted(set(tasks) - set(known)):
        raise InputError(f"holds no rollout of task {missing[0]}", path=ledger.path, field="--task",
                         hint=f"It holds: {', '.join(known[:9])}")  # fmt: skip
    groups: dict[tuple[Any, ...], Group] = {}
    for row in rows:
        row = {name: "" if value is None and name in _TEXTS else value for name, value in row.items()}
        if suite and suite not in (row["suite"], row["suite"].split("@")[0]):
            continue
        group = groups.setdefault(_key(row), Group(row["suite"], row["task"], _name(row), row["step"]))
        _add(group, row, reviews.get(row["id"], []))
    return [groups[key] for key in sorted(groups, key=lambda key: [str(part) for part in key])]


def _key(row: dict[str, Any]) -> tuple[Any, ...]:
    within = (row["suite"], row["task"], row["task_hash"])
    if row["group"]:
        return (*within, "named", row["group"], row["step"])
    return (*within, "unnamed", row["model"], row["agent"], row["effort"], row["step"], row["settings"],
            row["environment"])  # fmt: skip


def _name(row: dict[str, Any]) -> str:
    if row["group"]:
        return str(row["group"])
    return f"{row['model']}@{row['effort']}" if row["effort"] else str(row["model"])


def _add(group: Group, row: dict[str, Any], reviews: list[Review]) -> None:
    if row["outcome"] == "failed":
        group.failed += 1
        return
    if row["outcome"] != "passed":
        group.ungraded += 1
        return
    if is_disputed_hack(reviews):
        group.disputed.append(row["id"])
    checks = {check["name"]: _STATUS.get(check["status"]) for check in row["checks"] or ()}
    passing = Passing(rollout=row["id"], values=_values(row), checks=checks, confirmed_hack=is_confirmed_hack(reviews))
    group.passing.append(Chosen(passing, row["answer"], row["trajectory"], row["deliverable"]))


def _values(row: dict[str, Any]) -> dict[str, float]:
    """Return what the rollout cost and what its checks measured; of several steps `STEP/CHECK`."""
    found = _measured(row["evidence"])
    for name, column in _OWN.items():
        if _is_number(row[column]):
            found[name] = float(row[column])
    if "input_tokens" in found and "output_tokens" in found:
        found["tokens"] = found["input_tokens"] + found["output_tokens"]
    return found


def _measured(evidence: str | None) -> dict[str, float]:
    try:
        content = orjson.loads(evidence or "{}")
    except orjson.JSONDecodeError:
        return {}
    if not isinstance(content, dict):
        return {}
    parts = [("", content), *((f"{step}/", part) for step, part in content.items() if isinstance(part, dict))]
    return {
        f"{prefix}{name}": float(value)
        for prefix, part in parts
        if isinstance(part.get("values"), dict)
        for name, value in part["values"].items()
        if _is_number(value)
    }


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _reviews(connection: duckdb.DuckDBPyConnection) -> dict[str, list[Review]]:
    found: dict[str, list[Review]] = {}
    for row in _rows(connection, "select rollout, reviewer, kind, hack, adjudicates, void, recorded_at from reviews"):
        known = {name: value for name, value in row.items() if value is not None}
        found.setdefault(row["rollout"], []).append(Review(**known))
    return found


def _rows(
    connection: duckdb.DuckDBPyConnection, query: str, values: dict[str, Any] | None = None
) -> list[dict[str, Any]]:
    result = connection.execute(query, values)
    columns = [column[0] for column in result.description or []]
    return [dict(zip(columns, row, strict=True)) for row in result.fetchall()]

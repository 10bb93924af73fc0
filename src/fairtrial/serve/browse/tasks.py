"""The list of tasks, and one task: its rollouts side by side, their checks as a grid, where they first differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from fairtrial.formats.atif import AtifStep, Trajectory
from fairtrial.formats.atif_parts import parts_of
from fairtrial.records import FairtrialError
from fairtrial.serve.browse.kept import kept_of, snapshot_of
from fairtrial.serve.listing import PAGE, TASK_ORDERS, Filter, rollouts, tasks
from fairtrial.serve.pages import page, shelf_of
from fairtrial.serve.snapshot import Snapshot
from fairtrial.serve.steps.answers import number_of
from fairtrial.serve.steps.hostile import shown
from fairtrial.serve.steps.view import first_line

BESIDE = 6
"""Rollouts side by side on one page."""
_LONGEST_COMPARED = 2_000
"""Steps of a rollout that is read for its last message and where it differs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """One of several rollouts of a task."""

    row: dict[str, Any]
    checks: dict[str, dict[str, Any]]
    final: Markup | None = None
    differs_at: int = 0
    """The first step that is another than in the one compared with; 0: none, or not compared."""
    differs: Markup | None = None
    why_not: str = ""
    """Why its steps were not read."""


def tasks_page(request: Request) -> Response:
    """Show the tasks that the address asks for."""
    query = request.query_params
    order = query.get("order", "task")
    found = tasks(snapshot_of(request), words=query.get("q", ""), suite=query.get("suite", ""), order=order,
                  first=number_of(request, "first", 1))  # fmt: skip
    suites = snapshot_of(request).once(
        "select distinct suite as name from tasks where suite <> '' order by 1 limit 200"
    )
    statuses = {(proof.suite.split("@")[0], proof.task): proof.status for proof in kept_of(request).proofs()}
    return page(request, "tasks.html.j2", page=found, order=order, orders=TASK_ORDERS, words=query.get("q", ""),
                suite=query.get("suite", ""), suites=[row["name"] for row in suites], size=PAGE,
                statuses=statuses)  # fmt: skip


def task_page(request: Request) -> Response:
    """Show one task, named by `task` and `suite` in the address; 404 where the ledger holds no rollout of it."""
    query, snapshot, kept = request.query_params, snapshot_of(request), kept_of(request)
    asked = Filter(task=query.get("task", ""), suite=query.get("suite", ""), origin=query.get("origin", "policy"))
    found = rollouts(snapshot, asked, after=query.get("after", ""), before=query.get("before", ""), most=BESIDE)
    if not asked.task or not found.rows:
        raise HTTPException(404)
    told = [one for one in kept.findings() if one.task == asked.task and not one.rollout and _same(one.suite, asked)]
    counts = snapshot.one("select * from tasks where task = ? and (suite = ? or ? = '') limit 1",
                          [asked.task, asked.suite, asked.suite])  # fmt: skip
    proof = next((one for one in kept.proofs() if one.task == asked.task and _same(one.suite, asked)), None)
    signed = [one for one in kept.signoffs() if one.task == asked.task and _same(one.suite, asked)]
    sides = _sides(request, snapshot, found.rows)
    names = sorted(dict.fromkeys(name for side in sides for name in side.checks), key=lambda one: _passed(one, sides))
    return page(request, "task.html.j2", asked=asked, page=found, sides=sides, checks=names, counts=counts,
                findings=told, proof=proof, signoffs=signed)  # fmt: skip


def _passed(check: str, sides: Sequence[Beside]) -> float:
    """Return the share of `sides` that were asked a check and passed it."""
    asked = [str(side.checks[check]["status"]) for side in sides if check in side.checks]
    return asked.count("passed") / len(asked)


def _same(suite: str, asked: Filter) -> bool:
    return not suite or not asked.suite or suite.split("@")[0] == asked.suite.split("@")[0]


def _sides(request: Request, snapshot: Snapshot, rows: Sequence[dict[str, Any]]) -> list[Beside]:
    marks = ", ".join("?" for _ in rows)
    told = {
        row["id"]: row
        for row in snapshot.ask(
            f"""select o.id, o.trajectory, o.answer, v.checks from outcomes o left join verdicts v on v.id = o.verdict
                where o.id in ({marks})""",
            [row["id"] for row in rows],
        )
    }
    read = [_read(request, row, told[row["id"]]["trajectory"]) for row in rows]
    compared = next((at for at, row in enumerate(rows) if row["outcome"] == "passed" and read[at][0]), None)
    if compared is None:
        compared = next((at for at, (trajectory, _) in enumerate(read) if trajectory), 0)
    base = read[compared][0]
    sides = []
    for row, (trajectory, why_not) in zip(rows, read, strict=True):
        final = told[row["id"]]["answer"] or (trajectory.final_message if trajectory else "")
        at = first_difference(base, trajectory) if base and trajectory and trajectory is not base else 0
        sides.append(Beside(row=row, checks={one["name"]: one for one in told[row["id"]]["checks"] or ()},
                            final=shown(final) if final else None, differs_at=at, why_not=why_not,
                            differs=_told(trajectory, at)))  # fmt: skip
    return sides


def _read(request: Request, row: dict[str, Any], address: str) -> tuple[Trajectory | None, str]:
    """Return the trajectory of a row, or why it was not read."""
    if not address:
        return None, "no steps were recorded"
    if (row["steps"] or 0) > _LONGEST_COMPARED:
        return None, f"not compared here: it has {row['steps']:,} steps"
    try:
        return shelf_of(request).trajectory(address), ""
    except FairtrialError as error:
        return None, f"its steps cannot be read: {error}"


def first_difference(one: Trajectory, other: Trajectory) -> int:
    """Return the number of the first step in which `other` says or does another thing than `one`; 0 where none.

    Times, tokens and ids of calls do not count.
    """
    for number in range(1, max(len(one.steps), len(other.steps)) + 1):
        if number > len(one.steps) or number > len(other.steps):
            return number
        if _said(number, one.steps[number - 1]) != _said(number, other.steps[number - 1]):
            return number
    return 0


def _said(number: int, step: AtifStep) -> tuple[object, ...]:
    return (step.source, *((part.kind, part.title, part.text) for part in parts_of(number, step)))


def _told(trajectory: Trajectory | None, number: int) -> Markup | None:
    """Return the first words of the step that differs; None where there is none."""
    if trajectory is None or not 1 <= number <= len(trajectory.steps):
        return None
    parts = parts_of(number, trajectory.steps[number - 1])
    chosen = next((part for part in parts if part.kind == "call"), parts[0] if parts else None)
    return first_line(chosen.text) if chosen else None

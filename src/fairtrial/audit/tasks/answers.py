"""Read a filled review of tasks: what is said of which part, and which second design is to be tried.

Every row is checked before anything is tried or kept. Not covered: trying, which is `design`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast, get_args

from fairtrial.audit.form_rows import FormRow, read_rows
from fairtrial.audit.tasks.form import CANNOT_TELL, COLUMNS, HEAD, SHOWN
from fairtrial.records import TaskPart

PARTS: tuple[TaskPart, ...] = get_args(TaskPart)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What one reviewer says of one part of one task."""

    task: str
    task_hash: str
    part: TaskPart
    holds: bool | None
    reviewer: str
    role: str
    second_design: str = ""
    design: Path | None = None
    """Where the second design lies, where it is to be tried."""
    note: str = ""


def read_form(
    path: Path, suite: str, hashes: Mapping[str, str], reviewer: str = "", role: str = ""
) -> tuple[tuple[Answer, ...], int]:
    """Return what the form at `path` says, and how many parts it says nothing of.

    `hashes`: task -> content address now; `reviewer` and `role` where the form names none. A path in `try` is one from
    the form's own folder. Raise FormatError with line and field for the first row that does not fit.
    """
    found: dict[tuple[str, str, str], tuple[Answer, FormRow]] = {}
    rows = read_rows(path, (*HEAD, *COLUMNS, *SHOWN))
    for row in rows:
        _refuse_strange(row, suite.split("@")[0], hashes)
        if not any(row.text(name) for name in ("second_design", "try", "note")) and row.cells.get("holds") in (
            None,
            "",
        ):
            continue
        one = _answer(row, hashes, reviewer, role)
        key = (one.reviewer, one.task, one.part)
        if key in found:
            raise row.error(f"the {one.part} of {one.task} stands twice, first at line {found[key][1].line}", "part")
        found[key] = (one, row)
    return tuple(one for one, _ in found.values()), len(rows) - len(found)


def _refuse_strange(row: FormRow, suite: str, hashes: Mapping[str, str]) -> None:
    stated = row.text("suite").split("@")[0]
    if stated and stated != suite:
        raise row.error(f"was written for the suite `{stated}`, and this is `{suite}`", "suite")
    if row.text("task") not in hashes:
        raise row.error(f"the suite has no task `{row.text('task')}`", "task", f"It has: {', '.join(sorted(hashes))}.")
    if row.text("part") not in PARTS:
        raise row.error(f"should be one of {', '.join(PARTS)}, not `{row.text('part')}`", "part")


def _answer(row: FormRow, hashes: Mapping[str, str], reviewer: str, role: str) -> Answer:
    part = cast(TaskPart, row.text("part"))
    design = row.text("try")
    for field in ("second_design", "try"):
        if row.text(field) and part != "grader":
            raise row.error("is for the grader", field)
    if design and not row.text("second_design"):
        raise row.error("is tried, and not described: which design is it?", "second_design")
    who, capacity = row.text("reviewer") or reviewer, row.text("role") or role
    for field, value in (("reviewer", who), ("role", capacity)):
        if not value:
            raise row.error("is missing", field, f"Write it into the form, or give --{field}.")
    task = row.text("task")
    return Answer(
        task=task, task_hash=row.text("task_hash") or hashes[task], part=part, holds=_holds(row), reviewer=who,
        role=capacity, second_design=row.text("second_design"), note=row.text("note"),
        design=row.path.parent / design if design else None,
    )  # fmt: skip


def _holds(row: FormRow) -> bool | None:
    word = row.cells.get("holds")
    if isinstance(word, str) and word.strip().lower().replace(" ", "_") == CANNOT_TELL:
        return None
    return row.yes("holds", CANNOT_TELL)

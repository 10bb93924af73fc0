"""A form for one who reviews tasks: four parts of each, and of the grader a second correct design.

TOML, CSV or JSONL with the same rows, as the forms of checklists are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairtrial.audit.form_files import csv_form, jsonl_form, toml_text
from fairtrial.audit.tasks.questions import QUESTIONS, SECOND_DESIGN
from fairtrial.records import TaskPart, storable

SCHEMA = "fairtrial.task-form/1"
HEAD = ("schema", "suite", "reviewer", "role")
COLUMNS = ("task", "task_hash", "part", "holds", "second_design", "try", "note")
SHOWN = ("question",)
CANNOT_TELL = "cannot_tell"

_ABOVE = """\
# Review of {n} tasks of {suite}.
#
# reviewer, role   your name, and in which capacity you speak: domain expert, author, security, ...
# holds            yes, no or cannot_tell. What is left empty is not said.
# second_design    of the grader: {asked}
# try              a folder or patch with that design, to be graded: a folder with solve.sh, a folder that mirrors the
#                  box (the file /app/x lies at FOLDER/app/x), or a .patch for the workdir
"""


def blank_form(suite: str, tasks: Mapping[str, str], suffix: str) -> bytes:
    """Return the form for `tasks` (name -> content address) as a file with this suffix, one of FORMATS."""
    rows = [(task, hash_, part) for task, hash_ in tasks.items() for part in QUESTIONS]
    if suffix == ".toml":
        return _toml(suite, len(tasks), rows).encode()
    head = {"schema": SCHEMA, "suite": suite, "reviewer": "", "role": ""}
    flat = [head | _blank(*row) for row in rows]
    if suffix == ".jsonl":
        return jsonl_form(flat)
    return csv_form(flat, [*COLUMNS[:3], *SHOWN, *COLUMNS[3:], *HEAD])


def _blank(task: str, task_hash: str, part: TaskPart) -> dict[str, Any]:
    return {"task": storable(task), "task_hash": task_hash, "part": part, "question": QUESTIONS[part], "holds": "",
            "second_design": "", "try": "", "note": ""}  # fmt: skip


def _toml(suite: str, n: int, rows: Sequence[tuple[str, str, TaskPart]]) -> str:
    lines = [_ABOVE.format(n=n, suite=suite, asked=SECOND_DESIGN)]
    lines += [f'schema = "{SCHEMA}"', f"suite = {toml_text(suite)}", 'reviewer = ""', 'role = ""']
    for task, task_hash, part in rows:
        lines += ["\n[[answer]]", f"task = {toml_text(task)}", f"task_hash = {toml_text(task_hash)}"]
        lines += [f'part = "{part}"', f"# {QUESTIONS[part]}", 'holds = ""']
        if part == "grader":
            lines += ['second_design = ""', 'try = ""']
        lines.append('note = ""')
    return "\n".join(lines) + "\n"

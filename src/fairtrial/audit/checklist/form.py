"""A form that a person can fill: every question of a checklist about a benchmark and each task that is inspected.

TOML for one who reads it from above, CSV for a spreadsheet, JSONL for a program; the three hold the same rows.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from fairtrial.audit.checklist.model import SECTIONS, Checklist, Item
from fairtrial.audit.checklist.population import Population, TaskRef
from fairtrial.audit.form_files import csv_form, jsonl_form, toml_text
from fairtrial.records import storable

SCHEMA = "fairtrial.checklist-form/1"
ANSWERS = ("holds", "fails", "unclear", "not_applicable")
HEAD = ("schema", "checklist", "suite", "seed", "n", "reviewer")
"""What is said once in TOML, and in every row of the others."""
COLUMNS = ("task", "task_hash", "item", "answer", "at_scale", "rollout", "citations", "note")
SHOWN = ("section", "severity", "question")
"""For the reader; never read back."""

_ABOVE = """\
# {name}: {n} of {population} tasks of {suite}, in the order of seed {seed}.
#
# answer     holds, fails, unclear or not_applicable. What is left empty is not answered, and never counts as holds.
# at_scale   yes or no, where it fails: does this one fault corrupt the grading of many tasks?
# citations  what it rests on, such as "[instruction] the words"; a note says why.
# rollout    id of the rollout on which it was seen, if any.
# reviewer   your name.
"""


def blank_form(
    checklist: Checklist, population: Population, sample: Sequence[TaskRef], seed: int, suffix: str
) -> bytes:
    """Return the form as a file with this suffix, one of FORMATS."""
    head = {"schema": SCHEMA, "checklist": checklist.identity, "suite": population.suite, "seed": seed,
            "n": len(sample), "reviewer": ""}  # fmt: skip
    rows: list[tuple[TaskRef | None, Item]] = [(None, item) for item in checklist.about("benchmark")]
    rows += [(task, item) for task in sample for item in checklist.about("task")]
    if suffix == ".toml":
        above = _ABOVE.format(name=checklist.name, n=len(sample), population=len(population.tasks),
                              suite=population.suite, seed=seed)  # fmt: skip
        return _toml(above, head, rows).encode()
    flat = [head | _blank(task, item) | {name: getattr(item, name) for name in SHOWN} for task, item in rows]
    if suffix == ".jsonl":
        return jsonl_form([row | {"citations": []} for row in flat])
    return csv_form(flat, [*COLUMNS[:3], *SHOWN, *COLUMNS[3:], *HEAD])


def _blank(task: TaskRef | None, item: Item) -> dict[str, Any]:
    return {"task": storable(task.name) if task else "", "task_hash": task.hash if task else "", "item": item.id,
            "answer": "", "at_scale": "", "rollout": "", "citations": "", "note": ""}  # fmt: skip


def _toml(above: str, head: dict[str, Any], rows: Sequence[tuple[TaskRef | None, Item]]) -> str:
    lines = [above, *(f"{name} = {json.dumps(value)}" for name, value in head.items())]
    last: object = ()
    for task, item in rows:
        if task != last:
            lines.append(f"\n# {'=' * 20} {_one_line(task.name) if task else 'the benchmark as a whole'}")
            last = task
        lines.append("\n[[answer]]")
        if task:
            lines += [f"task = {toml_text(task.name)}", f"task_hash = {toml_text(task.hash)}"]
        lines += [f"item = {toml_text(item.id)}", f"# {item.section}, {item.severity}: {item.question}", 'answer = ""']
        if item.about == "benchmark":
            lines.append('at_scale = ""')
        lines += ["citations = []", 'note = ""']
    asked = "\n".join(f"#   {name}: {what}" for name, what in SECTIONS.items())
    return "\n".join([*lines[:1], f"# Sections:\n{asked}\n", *lines[1:]]) + "\n"


def _one_line(value: str) -> str:
    return "".join(character if character.isprintable() else "?" for character in value)

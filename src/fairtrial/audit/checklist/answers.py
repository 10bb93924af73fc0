"""Read a filled form into inspections; a question that was left empty is no answer, and is counted.

Every row is checked before any is kept: the item is one of the checklist, the task one of the benchmark, the answer one
of four, a fault of the benchmark says whether it is one at scale. Not covered: whether citations stand.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from fairtrial.audit.checklist.form import ANSWERS, COLUMNS, HEAD, SHOWN
from fairtrial.audit.checklist.model import Checklist, Item
from fairtrial.audit.checklist.population import Population
from fairtrial.audit.form_rows import FormRow, read_rows
from fairtrial.records import Inspection


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """What a form says."""

    inspections: tuple[Inspection, ...]
    unanswered: int
    n: int | None = None
    """Size of the sample that the form was written for; None where it does not say."""
    seed: int | None = None


def read_form(path: Path, checklist: Checklist, population: Population, reviewer: str, now: str) -> Filled:
    """Return the answers of the form at `path`, recorded at `now`; `reviewer` where the form names none.

    Raise FormatError with line and field for the first row that does not fit.
    """
    rows = read_rows(path, (*HEAD, *COLUMNS, *SHOWN))
    found: dict[tuple[str, str, str], tuple[Inspection, FormRow]] = {}
    for row in rows:
        item = _item(row, checklist, population)
        if not row.text("answer"):
            continue
        one = _inspection(row, item, checklist, population, reviewer, now)
        key = (one.reviewer, one.task, one.item)
        if key in found:
            raise row.error(f"`{one.item}` is answered twice, first at line {found[key][1].line}", "item")
        found[key] = (one, row)
    return Filled(inspections=tuple(one for one, _ in found.values()), unanswered=len(rows) - len(found),
                  n=_count(rows, "n"), seed=_count(rows, "seed"))  # fmt: skip


def inspections_of(filled: Filled, held: Iterable[Inspection]) -> tuple[Inspection, ...]:
    """Return the answers that are not what their reviewer said last: a form that is read twice says nothing new."""
    last: dict[tuple[str, ...], Inspection] = {}
    for one in sorted(held, key=lambda one: (one.recorded_at, one.id)):
        last[_asked(one)] = one
    return tuple(one for one in filled.inspections
                 if (before := last.get(_asked(one))) is None or _said(before) != _said(one))  # fmt: skip


def _asked(one: Inspection) -> tuple[str, ...]:
    return one.checklist, one.reviewer, one.suite.split("@")[0], one.task, one.item


def _said(one: Inspection) -> Inspection:
    """Return an answer without its time; that of a task does not hang on the rest of the suite."""
    return replace(one, recorded_at="", suite="" if one.task else one.suite)


def _item(row: FormRow, checklist: Checklist, population: Population) -> Item:
    """Return the item that a row answers. Raise FormatError where it is of another checklist or benchmark."""
    stated = row.text("checklist")
    if stated and stated != checklist.identity:
        raise row.error(f"was written for `{stated}`, and this is `{checklist.identity}`", "checklist",
                        "Name its own by --checklist; another wording is another question.")  # fmt: skip
    suite = row.text("suite").split("@")[0]
    if suite and suite != population.name:
        raise row.error(f"was written for the suite `{suite}`, and this is `{population.name}`", "suite")
    item = next((one for one in checklist.items if one.id == row.text("item")), None)
    if item is None:
        raise row.error(f"the checklist has no item `{row.text('item')}`", "item",
                        f"It has: {', '.join(one.id for one in checklist.items)}.")  # fmt: skip
    task = row.text("task")
    if (item.about == "task") != bool(task):
        what = "is about a task, and none is named" if item.about == "task" else "is about the benchmark as a whole"
        raise row.error(f"`{item.id}` {what}", "task")
    if task and task not in population.hashes:
        raise row.error(f"the benchmark has no task `{task}`", "task")
    return item


def _inspection(
    row: FormRow, item: Item, checklist: Checklist, population: Population, reviewer: str, now: str
) -> Inspection:
    at_scale, task = row.yes("at_scale"), row.text("task")
    answer = row.text("answer").lower().replace(" ", "_")  # a spreadsheet makes `Holds` of it
    if answer not in ANSWERS:
        raise row.error(f"should be one of {', '.join(ANSWERS)}, not `{row.text('answer')}`", "answer")
    if answer == "fails" and item.about == "benchmark" and at_scale is None:
        raise row.error("is not said, and decides: does this fault corrupt the grading of many tasks?", "at_scale",
                        "Say yes or no.")  # fmt: skip
    if at_scale and answer != "fails":
        raise row.error(f"is for what fails, and the answer is {answer}", "at_scale")
    name = row.text("reviewer") or reviewer
    if not name:
        raise row.error("is missing", "reviewer", "Write your name into the form, or give --reviewer.")
    return Inspection(
        checklist=checklist.identity, item=item.id, answer=answer, reviewer=name, suite=population.suite,  # type: ignore[arg-type]
        task=task, task_hash=row.text("task_hash") or population.hashes.get(task, ""), at_scale=bool(at_scale),
        rollout=row.text("rollout"), citations=row.texts("citations"), note=row.text("note"), recorded_at=now,
    )  # fmt: skip


def _count(rows: Iterable[FormRow], name: str) -> int | None:
    """Return a number that all rows that state it agree on; None where none does."""
    found: int | None = None
    for row in rows:
        value = row.cells.get(name)
        if isinstance(value, str) and value.strip().isdecimal():
            value = int(value)
        if value in (None, ""):
            continue
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise row.error("should be a whole number", name)
        if found not in (None, value):
            raise row.error(f"is {value}, and {found} above: two forms in one", name)
        found = value
    return found

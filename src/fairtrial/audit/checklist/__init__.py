"""Inspect a sample of a benchmark's tasks by a checklist, and decide whether it is flawed, with the interval."""

from fairtrial.audit.checklist.answers import Filled, inspections_of, read_form
from fairtrial.audit.checklist.decision import Decided, decide
from fairtrial.audit.checklist.form import blank_form
from fairtrial.audit.checklist.model import Checklist, Item, find_checklist, read_checklist
from fairtrial.audit.checklist.population import Population, TaskRef, drawn, tasks_of_ledger, tasks_of_suite
from fairtrial.audit.checklist.standing import Answered, standing_answers

__all__ = [
    "Answered", "Checklist", "Decided", "Filled", "Item", "Population", "TaskRef", "blank_form", "decide", "drawn",
    "find_checklist", "inspections_of", "read_checklist", "read_form", "standing_answers", "tasks_of_ledger",
    "tasks_of_suite",
]  # fmt: skip

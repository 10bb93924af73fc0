"""Experts review tasks: a form for the four parts of each, second designs that the grader is tried on, what stands."""

from fairtrial.audit.tasks.answers import Answer, read_form
from fairtrial.audit.tasks.design import Design, TriedDesign, read_design, try_design
from fairtrial.audit.tasks.form import blank_form
from fairtrial.audit.tasks.questions import QUESTIONS, SECOND_DESIGN
from fairtrial.audit.tasks.refused import finding_of, signoff_of
from fairtrial.audit.tasks.status import document

__all__ = [
    "QUESTIONS", "SECOND_DESIGN", "Answer", "Design", "TriedDesign", "blank_form", "document", "finding_of",
    "read_design", "read_form", "signoff_of", "try_design",
]  # fmt: skip

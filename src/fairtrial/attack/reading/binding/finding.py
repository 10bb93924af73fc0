"""One place where a grader binds to a form, and what to use instead."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Form = Literal["field", "title", "order", "position", "file"]

CLAIMS: Mapping[Form, str] = {
    "field": "reads the field `{what}`, which neither the instruction nor a file of the environment names",
    "title": "looks for the wording `{what}`, which the instruction does not state",
    "order": "compares {what} in order, and the instruction states none",
    "position": "reads {what} by its position, and the instruction states no layout",
    "file": "reads `{what}`, a name that the instruction does not give",
}
INSTEAD: Mapping[Form, str] = {
    "field": "Name the field in the instruction; or accept any layout: `answer_equals` with kind `json` or `table` "
    "on the part that matters, or one check a fact.",
    "title": "State the wording in the instruction; or look for the fact itself: `answer_equals` with kind `number`, "
    "`date` or `text`, or a judged criterion where many wordings are right.",
    "order": "State the order in the instruction; or compare as a set: kind `set` or `table`, or sort both sides.",
    "position": "State the layout in the instruction; or find the column by its name: kind `table`, or csv.DictReader.",
    "file": "Give the file's name in the instruction.",
}


@dataclass(frozen=True, slots=True, order=True)
class Bound:
    """Say where a grader binds to what form. A lead: whether right work fails is what an alternative shows."""

    file: str
    line: int
    form: Form
    what: str

    @property
    def claim(self) -> str:
        """Return the claim, as the end of a sentence about the grader."""
        return CLAIMS[self.form].format(what=self.what)

    @property
    def instead(self) -> str:
        """Return what to use instead."""
        return INSTEAD[self.form]

"""What the inspectors' answers to one question come to: the last word of each, and nothing where they disagree.

An answer holds for one content: that of the task, or for a question about the benchmark that of the suite. Where the
content moved it is void, and told. `unclear` is no answer; `holds` beside `fails` is disputed, whatever the majority.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from fairtrial.audit.checklist.model import Checklist
from fairtrial.audit.checklist.population import Population
from fairtrial.records import Inspection

Common = Literal["holds", "fails", "not_applicable", "unclear", "disputed"]
Question = tuple[str, str]
"""Task (empty: the benchmark as a whole) and item."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What was said to one question."""

    task: str
    item: str
    said: Mapping[str, Inspection]
    """The last answer of each inspector, by name."""

    @property
    def common(self) -> Common:
        """Return what the answers come to."""
        told = {one.answer for one in self.said.values() if one.answer != "unclear"}
        if not told:
            return "unclear"
        if "fails" in told:
            return "fails" if len(told) == 1 else "disputed"
        return "holds" if "holds" in told else "not_applicable"

    @property
    def at_scale(self) -> bool | None:
        """Say whether it is a fault that corrupts the grading of many tasks; None where inspectors disagree."""
        said = [one.answer == "fails" and one.at_scale for one in self.said.values() if one.answer != "unclear"]
        return None if any(said) and not all(said) else any(said)


def standing_answers(
    inspections: Iterable[Inspection], checklist: Checklist, population: Population
) -> tuple[dict[Question, Answered], tuple[Inspection, ...]]:
    """Return the answers to `checklist` that stand, by question; and those of another content, which are void.

    Answers to other checklists and of other benchmarks are passed over.
    """
    known = {item.id for item in checklist.items}
    last: dict[Question, dict[str, Inspection]] = {}
    for one in sorted(inspections, key=lambda one: (one.recorded_at, one.id)):
        if one.checklist == checklist.identity and one.suite.split("@")[0] == population.name and one.item in known:
            last.setdefault((one.task, one.item), {})[one.reviewer] = one
    standing, void = {}, []
    for (task, item), said in sorted(last.items()):
        kept = {name: one for name, one in sorted(said.items()) if _is_of_now(one, population)}
        void += [one for one in said.values() if one.reviewer not in kept]
        if kept:
            standing[task, item] = Answered(task=task, item=item, said=kept)
    return standing, tuple(void)


def _is_of_now(one: Inspection, population: Population) -> bool:
    if not one.task:
        return one.suite == population.suite
    return population.hashes.get(one.task) == one.task_hash

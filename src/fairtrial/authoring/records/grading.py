"""Say by what each decision can be graded: by an outcome that shows what was right, or by agreement with the expert.

An outcome is seen under the action that was taken. Only a fact that would have been found whatever was chosen
(`reveals = "fact"`) says anything of the actions that were not taken. There, the task offers the actions that the fact
judges and no others, so every answer is graded by what is known. An outcome of the choice alone (`reveals = "choice"`)
can speak for the choice, never for another: where it is good, the task is graded by agreement, and marked as endorsed;
where it is bad, nobody knows what would have been right, and the decision is dropped. All else is agreement, and
marked as such.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Literal

from fairtrial.authoring.records.decisions import Decision, number
from fairtrial.authoring.records.schema import Declared, OutcomeTable, Parameter, SelfRecorded

GradedBy = Literal["outcome", "outcome_self_recorded", "endorsed", "agreement"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One decision with what grades it: the material of one task."""

    decision: Decision
    graded_by: GradedBy
    why: str
    """Why not by an outcome; empty where it is."""
    offered: tuple[str, ...]
    """The actions among which the task lets choose."""
    right: tuple[str, ...]
    parameters: dict[str, Any]
    """Right values of the parameters of the right action; only where one action is right."""
    parameters_by: GradedBy | Literal[""]
    """What these values come from; empty where none is graded."""
    example: dict[str, Any]
    """A value of each parameter of the reference, whether it is graded or not."""

    @property
    def reference(self) -> str:
        """Return the action of the reference: the expert's where it is right."""
        return self.decision.action if self.decision.action in self.right else self.right[0]


@dataclass(slots=True)
class Graded:
    """The cases, and how many decisions were dropped for which reason."""

    cases: list[Case] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)


ALL_RIGHT = "the outcome calls every action right"
BAD_CHOICE = "went wrong, and nothing says what would have been right"


def grade_by(decisions: Sequence[Decision], declared: Declared, self_recorded: SelfRecorded | None = None) -> Graded:
    """Return how each decision can be graded; `self_recorded` stands above what RECORDS.toml says of it."""
    graded = Graded()
    usual = _usual(decisions, declared)
    for decision in decisions:
        by, right, why = _judged(decision, declared, self_recorded)
        if not right:
            graded.dropped[why] += 1
            continue
        is_fact = by in ("outcome", "outcome_self_recorded") and bool(declared.judged)
        offered = tuple(declared.judged) if is_fact else tuple(one.name for one in declared.toml.action)
        if len(right) == len(offered):
            graded.dropped[ALL_RIGHT] += 1
            continue
        graded.cases.append(_case(decision, declared, usual, (by, right, why, offered)))
    return graded


def _judged(
    decision: Decision, declared: Declared, self_recorded: SelfRecorded | None
) -> tuple[GradedBy, tuple[str, ...], str]:
    """Return what grades a decision, the right actions, and why it is not an outcome. No right action: dropped."""
    table, outcome = declared.toml.outcome, decision.outcome
    if table is None or outcome is None:
        return "agreement", (decision.action,), decision.why_no_outcome
    by: GradedBy = "outcome"
    if outcome.independence != "independent":
        if outcome.independence != "self_recorded" or (self_recorded or table.self_recorded) == "refuse":
            return "agreement", (decision.action,), _NOT_INDEPENDENT[outcome.independence]
        by = "outcome_self_recorded"
    if table.reveals == "choice":
        return _of_the_choice(decision, table, by)
    if decision.action not in declared.judged:
        return "agreement", (decision.action,), f"the outcome does not judge `{decision.action}`"
    right = table.right.get(outcome.value)
    if right is None:
        return "agreement", (decision.action,), f"`right` does not name the outcome `{outcome.value}`"
    if not right:
        return by, (), f"the outcome `{outcome.value}` leaves no action right"
    return by, tuple(right), ""


_NOT_INDEPENDENT = {
    "self_recorded": "the outcome was recorded by who decided",
    "not_a_recorder": "the outcome was recorded by somebody who may not",
    "no_recorder": "nobody is named who recorded the outcome",
}


def _of_the_choice(decision: Decision, table: OutcomeTable, by: GradedBy) -> tuple[GradedBy, tuple[str, ...], str]:
    value = decision.outcome.value if decision.outcome else ""
    if value in table.bad:
        return "endorsed", (), BAD_CHOICE
    if value in table.good:
        why = "the outcome speaks for the choice, and says nothing of others"
        return "endorsed" if by == "outcome" else "agreement", (decision.action,), why
    return "agreement", (decision.action,), f"neither good nor bad: the outcome `{value}`"


def _case(
    decision: Decision,
    declared: Declared,
    usual: dict[tuple[str, str], Any],
    judged: tuple[GradedBy, tuple[str, ...], str, tuple[str, ...]],
) -> Case:
    by, right, why, offered = judged
    chosen = decision.action if decision.action in right else right[0]
    graded: dict[str, Any] = {}
    example: dict[str, Any] = {}
    source: GradedBy | Literal[""] = ""
    for parameter in declared.action(chosen).parameter:
        value, known_by = _right_value(decision, declared, parameter, chosen, by)
        example[parameter.name] = usual.get((chosen, parameter.name), 0) if value is None else value
        if value is not None and len(right) == 1:
            graded[parameter.name] = value
            source = known_by if source in ("", known_by) else "agreement"
    return Case(decision=decision, graded_by=by, why=why, offered=offered, right=right, parameters=graded,
                parameters_by=source, example=example)  # fmt: skip


def _right_value(
    decision: Decision, declared: Declared, parameter: Parameter, chosen: str, by: GradedBy
) -> tuple[Any, GradedBy | Literal[""]]:
    """Return the right value of a parameter and what it comes from: the outcome, else the expert, else nothing."""
    table, outcome = declared.toml.outcome, decision.outcome
    if table is not None and outcome is not None and by in ("outcome", "outcome_self_recorded"):
        held = outcome.fields.get(table.parameters.get(parameter.name, ""))
        value = number(held) if parameter.kind == "number" else None if held is None else str(held)
        if value is not None and (not parameter.choices or value in parameter.choices):
            return value, by
    if chosen == decision.action:
        return decision.parameters.get(parameter.name), "agreement" if by != "endorsed" else by
    return None, ""


def _usual(decisions: Iterable[Decision], declared: Declared) -> dict[tuple[str, str], Any]:
    """Return a usual value of each parameter: the lower middle of its numbers, the commonest of its words."""
    seen: dict[tuple[str, str], list[Any]] = {}
    for decision in decisions:
        for name, value in decision.parameters.items():
            seen.setdefault((decision.action, name), []).append(value)
    found: dict[tuple[str, str], Any] = {}
    for action in declared.toml.action:
        for parameter in action.parameter:
            values = seen.get((action.name, parameter.name), [])
            if parameter.kind == "number":
                found[action.name, parameter.name] = median(values) if values else 0
            else:
                first = parameter.choices[0] if parameter.choices else "-"
                found[action.name, parameter.name] = max(sorted(set(values)), key=values.count) if values else first
    return found

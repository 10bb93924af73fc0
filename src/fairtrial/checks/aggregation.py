"""From check results to a score, by the roles, workflows, weights and dependencies of a `grading.toml`.

The rule (docs/aggregate.md): a unit is a workflow, or a check in no workflow. A check is effective if it and all that
it builds on, transitively, pass. A workflow passes if all its checks are effective. Correctness C is the weighted share
of units that pass. A broken gate or a failed blocker makes the score 0; else it is C where C < 1, and 1 - w (1 - Q)
where C = 1, with Q the weighted share of checks on the other axes and w `quality_weight` (0 unless set). Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from fairtrial.records.errors import InputError

Role = Literal["gate", "blocker", "item", "quality"]
Axis = Literal["correctness", "process", "quality", "scope", "efficiency"]
WHOLE = 1 - 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRule:
    """How one check counts."""

    name: str
    workflow: str = ""
    role: Role = "item"
    axis: Axis = "correctness"
    weight: float = 1.0
    depends_on: tuple[str, ...] = ()

    @property
    def is_unit(self) -> bool:
        """Say whether it counts towards correctness (gates stop, quality separates)."""
        return self.role in ("item", "blocker") and self.axis == "correctness"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """A grading.toml, checked: known names, no circles, weights that make sense."""

    checks: tuple[CheckRule, ...]
    workflows: Mapping[str, float] = field(default_factory=dict)
    """Name -> weight."""
    quality_weight: float = 0.0

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Rules:
        """Return the rules in the `values` of a grading.toml that `read_rules` accepts; here nothing is checked."""
        return cls(
            checks=tuple(
                CheckRule(**(dict(c) | {"depends_on": tuple(c.get("depends_on", ()))})) for c in values["check"]
            ),
            workflows={w["name"]: float(w.get("weight", 1.0)) for w in values.get("workflow", ())},
            quality_weight=float(values.get("quality_weight", 0.0)),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What the checks of one rollout add up to."""

    score: float
    correct: bool
    correctness: float
    per_check: float
    """Share of correctness checks that are effective, unweighted."""
    axes: Mapping[str, float | None]
    workflows: Mapping[str, bool]
    effective: Mapping[str, bool]
    gates_broken: tuple[str, ...]
    blockers_failed: tuple[str, ...]

    def document(self) -> dict[str, Any]:
        """Return CONTRACT's JSON object."""
        return {
            "schema": "fairtrial.score/1",
            "score": self.score,
            "correct": self.correct,
            "axes": dict(self.axes),
            "per_check": self.per_check,
            "workflows": dict(self.workflows),
            "effective": dict(self.effective),
            "gates_broken": list(self.gates_broken),
            "blockers_failed": list(self.blockers_failed),
        }


def aggregate(rules: Rules, passed: Mapping[str, bool]) -> Score:
    """Return the score of one rollout. Raise InputError naming checks that are unknown or have no result."""
    _refuse_strangers(rules, passed)
    effective = _effective(rules, passed)
    gates = tuple(c.name for c in rules.checks if c.role == "gate" and not effective[c.name])
    blockers = tuple(c.name for c in rules.checks if c.role == "blocker" and not effective[c.name])
    workflows = {
        name: all(effective[c.name] for c in rules.checks if c.workflow == name and c.role != "quality")
        for name in rules.workflows
    }
    correctness = _correctness(rules, effective, workflows)
    whole = correctness >= WHOLE
    quality = _weighted([(c.weight, effective[c.name]) for c in rules.checks if _separates(c)])
    score = correctness if not whole else 1 - rules.quality_weight * (1 - (1.0 if quality is None else quality))
    units = [effective[c.name] for c in rules.checks if c.is_unit]
    return Score(
        score=0.0 if gates or blockers else score,
        correct=whole and not gates and not blockers,
        correctness=correctness,
        per_check=sum(units) / len(units) if units else 0.0,
        axes=_axes(rules, effective, correctness),
        workflows=workflows,
        effective=effective,
        gates_broken=gates,
        blockers_failed=blockers,
    )


def _refuse_strangers(rules: Rules, passed: Mapping[str, bool]) -> None:
    known = {check.name for check in rules.checks}
    if strangers := sorted(set(passed) - known):
        raise InputError(f"results for checks that grading.toml does not name: {', '.join(strangers[:5])}")
    if missing := sorted(known - set(passed)):
        raise InputError(f"no result for checks that grading.toml names: {', '.join(missing[:5])}")


def _effective(rules: Rules, passed: Mapping[str, bool]) -> dict[str, bool]:
    by_name = {check.name: check for check in rules.checks}
    effective: dict[str, bool] = {}
    for name in dependency_order({check.name: check.depends_on for check in rules.checks}):
        effective[name] = passed[name] and all(effective[parent] for parent in by_name[name].depends_on)
    return {check.name: effective[check.name] for check in rules.checks}


def dependency_order(parents: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the names so that each comes after all it builds on. Raise InputError naming a circle.

    >>> dependency_order({"b": ["a"], "a": []})
    ['a', 'b']
    """
    order: list[str] = []
    path: list[str] = []
    done: set[str] = set()
    for start in parents:
        stack = [(start, iter(parents[start]))] if start not in done else []
        if stack:
            path.append(start)
        while stack:
            name, waiting = stack[-1]
            following = next((p for p in waiting if p not in done), None)
            if following is None:
                stack.pop()
                path.pop()
                done.add(name)
                order.append(name)
            elif following in path:
                circle = [*path[path.index(following) :], following]
                raise InputError(f"checks build on each other in a circle: {' → '.join(circle)}", field="depends_on")
            else:
                stack.append((following, iter(parents[following])))
                path.append(following)
    return order


def _correctness(rules: Rules, effective: Mapping[str, bool], workflows: Mapping[str, bool]) -> float:
    units = [(weight, workflows[name]) for name, weight in rules.workflows.items()]
    units += [(c.weight, effective[c.name]) for c in rules.checks if c.is_unit and not c.workflow]
    share = _weighted(units)
    return 1.0 if share is None else share


def _separates(check: CheckRule) -> bool:
    return check.role == "quality" or (check.role == "item" and check.axis != "correctness")


def _axes(rules: Rules, effective: Mapping[str, bool], correctness: float) -> dict[str, float | None]:
    axes: dict[str, float | None] = {"correctness": correctness}
    for axis in ("process", "quality", "scope", "efficiency"):
        axes[axis] = _weighted([(c.weight, effective[c.name]) for c in rules.checks if _axis_of(c) == axis])
    return axes


def _axis_of(check: CheckRule) -> str:
    if check.role == "quality" and check.axis == "correctness":
        return "quality"
    return check.axis if _separates(check) else "correctness"


def _weighted(units: Sequence[tuple[float, bool]]) -> float | None:
    total = sum(weight for weight, _ in units)
    if total <= 0:
        return None
    return sum(weight for weight, holds in units if holds) / total

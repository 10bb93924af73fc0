"""A grading.toml as rules, and what makes rules senseless: unknown or repeated names, circles, weights that are none.

Not covered: lines and columns of a file (`grade.rules_file`), and what the rules make of results (`scorer`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from fairtrial.records.errors import InputError

Role = Literal["gate", "blocker", "item", "quality"]
Axis = Literal["correctness", "process", "quality", "scope", "efficiency"]
Direction = Literal["less", "more"]
Fault = tuple[str, tuple[str | int, ...]]
"""What is wrong, and the key path of grading.toml where it stands."""

OWN_MEASURES = ("input_tokens", "output_tokens", "tokens", "turns", "cost_usd")
"""What a rollout cost, by the names under which a measure may ask for it."""
MOST_WEIGHT = 1e9
"""Weights are shares; beyond this their sum would lose the small ones."""
SHOWN = 8


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
    def counts_on(self) -> Axis | None:
        """Return the axis that it counts towards; None for a gate, which only stops.

        >>> CheckRule(name="tidy", role="quality").counts_on
        'quality'
        """
        if self.role == "gate":
            return None
        return "quality" if self.role == "quality" and self.axis == "correctness" else self.axis

    @property
    def is_unit(self) -> bool:
        """Say whether it counts towards correctness."""
        return self.counts_on == "correctness"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A figure by which the correct rollouts of one group are told apart."""

    name: str
    """One of OWN_MEASURES, or the check whose value it is."""
    weight: float = 1.0
    direction: Direction = "less"
    """Which is better."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """A grading.toml. `faults` says what makes it senseless; nothing is scored by such rules."""

    checks: tuple[CheckRule, ...]
    workflows: Mapping[str, float] = field(default_factory=dict)
    """Name -> weight."""
    quality_weight: float = 0.0
    efficiency: tuple[Measure, ...] = ()

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Rules:
        """Return the rules that the `values` of a grading.toml say. Raise InputError where they are no such file's.

        >>> Rules.of({"check": [{"name": "total"}]}).checks[0].role
        'item'
        """
        try:
            _refuse_unknown(values, {"check", "workflow", "quality_weight", "efficiency"})
            for workflow in values.get("workflow", ()):
                _refuse_unknown(workflow, {"name", "weight"})
            _refuse_twins([str(workflow["name"]) for workflow in values.get("workflow", ())])
            rules = cls.plain(values)
        except KeyError as error:
            raise InputError(f"grading.toml: a table lacks the key {error}") from error
        except (TypeError, AttributeError, ValueError) as error:
            raise InputError(f"grading.toml is not made as it should be: {error}") from error
        if fault := next(faults(rules), None):
            raise InputError(f"grading.toml: {fault[0]}", field=str(fault[1][-1]))
        return rules

    @classmethod
    def plain(cls, values: Mapping[str, Any]) -> Rules:
        """Return the rules in `values` of the right shape; whether they make sense is not looked at."""
        return cls(
            checks=tuple(_check_rule(table) for table in values["check"]),
            workflows={table["name"]: table.get("weight", 1.0) for table in values.get("workflow", ())},
            quality_weight=values.get("quality_weight", 0.0),
            efficiency=tuple(_measure(table) for table in values.get("efficiency", ())),
        )


def faults(rules: Rules) -> Iterator[Fault]:
    """Yield all that makes `rules` senseless, with the place in a grading.toml."""
    yield from _bad_words(rules)
    yield from _bad_weights(rules)
    yield from _bad_names(rules)
    circle = _ordered({check.name: check.depends_on for check in rules.checks})[1]
    if circle:
        index = next(index for index, check in enumerate(rules.checks) if check.name == circle[0])
        yield _circle_in_words(circle), ("check", index, "depends_on")
    yield from _nothing_counts(rules)


def dependency_order(parents: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the names so that each comes after all it builds on. Raise InputError naming a circle.

    >>> dependency_order({"b": ["a"], "a": []})
    ['a', 'b']
    """
    order, circle = _ordered(parents)
    if circle:
        raise InputError(_circle_in_words(circle), field="depends_on")
    return order


def _circle_in_words(circle: Sequence[str]) -> str:
    names = [*circle[:SHOWN], "…", circle[-1]] if len(circle) > SHOWN + 1 else circle
    return f"checks build on each other in a circle: {' → '.join(names)}"


def _ordered(parents: Mapping[str, Sequence[str]]) -> tuple[list[str], list[str]]:
    """Return the order of dependencies, and the first circle found (empty if there is none)."""
    order: list[str] = []
    path: dict[str, None] = {}
    done: set[str] = set()
    for start in parents:
        stack = [(start, iter(parents[start]))] if start not in done else []
        if stack:
            path[start] = None
        while stack:
            name, waiting = stack[-1]
            following = next((p for p in waiting if p not in done and p in parents), None)
            if following is None:
                stack.pop()
                del path[name]
                done.add(name)
                order.append(name)
            elif following in path:
                walked = list(path)
                return order, [*walked[walked.index(following) :], following]
            else:
                stack.append((following, iter(parents[following])))
                path[following] = None
    return order, []


def _check_rule(table: Mapping[str, Any]) -> CheckRule:
    parents = table.get("depends_on", ())
    if not isinstance(parents, list | tuple):
        raise TypeError("`depends_on` should be a list")
    return CheckRule(**(dict(table) | {"depends_on": tuple(parents)}))


def _measure(table: Mapping[str, Any]) -> Measure:
    _refuse_unknown(table, {"measure", "weight", "direction"})
    return Measure(**({"name": table["measure"]} | {key: value for key, value in table.items() if key != "measure"}))


def _refuse_unknown(table: Mapping[str, Any], known: set[str]) -> None:
    if strange := sorted(set(table) - known):
        raise ValueError(f"there is no key `{strange[0]}`")


def _refuse_twins(names: Sequence[str]) -> None:
    """Refuse here what is lost once workflows are a mapping."""
    if twins := [name for index, name in enumerate(names) if name in names[:index]]:
        raise ValueError(f"workflow `{twins[0]}` is named twice")


def _bad_words(rules: Rules) -> Iterator[Fault]:
    for index, check in enumerate(rules.checks):
        texts = (check.name, check.workflow, *check.depends_on)
        if not check.name or not all(isinstance(text, str) for text in texts):
            yield "a check needs a name, and names are texts", ("check", index, "name")
        for key, value, known in (("role", check.role, get_args(Role)), ("axis", check.axis, get_args(Axis))):
            if value not in known:
                yield f"`{value}` is none of {', '.join(known)}", ("check", index, key)
    for index, measure in enumerate(rules.efficiency):
        if not isinstance(measure.name, str) or not measure.name:
            yield "a measure is named by a text", ("efficiency", index, "measure")
        if measure.direction not in get_args(Direction):
            yield f"`{measure.direction}` is neither less nor more", ("efficiency", index, "direction")


def _bad_weights(rules: Rules) -> Iterator[Fault]:
    tables: list[tuple[str, list[Any]]] = [
        ("workflow", list(rules.workflows.values())),
        ("check", [check.weight for check in rules.checks]),
        ("efficiency", [measure.weight for measure in rules.efficiency]),
    ]
    for table, weights in tables:
        for index, weight in enumerate(weights):
            if not _is_number(weight) or not 0 <= weight <= MOST_WEIGHT:
                yield f"a weight is a number from 0 to {MOST_WEIGHT:g}, not {weight!r}", (table, index, "weight")
    if not _is_number(rules.quality_weight) or not 0 <= rules.quality_weight <= 1:
        yield f"should lie between 0 and 1, not {rules.quality_weight!r}", ("quality_weight",)


def _is_number(value: Any) -> bool:
    if isinstance(value, int):
        return not isinstance(value, bool)  # one of TOML may be too large for a float, and the range refuses it
    return isinstance(value, float) and math.isfinite(value)


def _bad_names(rules: Rules) -> Iterator[Fault]:
    names = {check.name for check in rules.checks}
    seen: set[str] = set()
    for index, check in enumerate(rules.checks):
        if check.name in seen:
            yield f"`{check.name}` is named twice", ("check", index, "name")
        seen.add(check.name)
        if check.workflow and check.workflow not in rules.workflows:
            yield f"there is no workflow `{check.workflow}`", ("check", index, "workflow")
        for parent in check.depends_on:
            if parent not in names:
                yield f"there is no check `{parent}`", ("check", index, "depends_on")
    filled = {check.workflow for check in rules.checks if check.is_unit}
    for index, workflow in enumerate(rules.workflows):
        if workflow not in filled:
            yield f"workflow `{workflow}` has no check that counts towards correctness", ("workflow", index, "name")
    measured: set[str] = set()
    for index, measure in enumerate(rules.efficiency):
        place = ("efficiency", index, "measure")
        if measure.name in measured:
            yield f"`{measure.name}` is measured twice", place
        elif measure.name in OWN_MEASURES and measure.name in names:
            yield f"`{measure.name}` is what a rollout cost, and a check too: give the check another name", place
        elif measure.name not in OWN_MEASURES and measure.name not in names:
            yield f"there is no check `{measure.name}`, and a rollout has only {', '.join(OWN_MEASURES)}", place
        measured.add(measure.name)


def _nothing_counts(rules: Rules) -> Iterator[Fault]:
    loose = [check for check in rules.checks if check.is_unit and not check.workflow]
    units = [*rules.workflows.values(), *(check.weight for check in loose)]
    if not any(check.is_unit or check.role == "gate" for check in rules.checks):
        yield "no check counts towards correctness, so everything would be correct", ("check",)
    elif units and not any(units):
        yield "all weights are 0, so nothing counts", ("check",)

"""Turn rewardkit's aggregations into the units of a grading.toml: weights, and workflows where all must pass.

A weighted mean of means is one mean, with the weights multiplied. `all-pass` and `required-pass` are workflows. The
others have no counterpart; their criteria count by the weighted mean, and that is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fairtrial.checks.rewardkit.folder import Component, Group, Scoring

ALL = ("all-pass", "required-pass")
MEAN = "weighted-mean"


@dataclass(frozen=True, slots=True)
class Unit:
    """One criterion in its place: what it weighs of the whole, or which workflow it belongs to."""

    component: Component
    number: int
    """Which criterion of the component."""
    weight: float
    workflow: str = ""
    is_optional: bool = False
    """It decides nothing: `required-pass` leaves it out, or its weight is negative."""


@dataclass(frozen=True, slots=True)
class Units:
    """What a folder comes to."""

    units: tuple[Unit, ...]
    workflows: dict[str, float]
    differs: tuple[str, ...]


def units_of(group: Group) -> Units:
    """Return the units of the top folder."""
    workflows: dict[str, float] = {}
    differs: list[str] = []
    if any(isinstance(one, Group) for one in group.inputs.values()) and group.scoring is None:
        names = ", ".join(group.inputs)
        differs.append(f"{names} are rewards of their own there; here the reward is their mean")
    differs += [f"the further reward `{one.name}` is left out: there is one reward" for one in group.others]
    units = tuple(_of_group(group, 1.0, workflows, differs))
    return Units(units, workflows, tuple(differs))


def _of_group(group: Group, share: float, workflows: dict[str, float], differs: list[str]) -> Iterator[Unit]:
    scoring = group.scoring or Scoring()
    where = group.path or "the folder"
    if scoring.aggregation in ALL and len(group.inputs) >= 1 and all(map(_is_conjunction, group.inputs.values())):
        name = group.path or "all"
        workflows[name] = share
        yield from _every(group, name)
        return
    if scoring.aggregation != MEAN:
        differs.append(_told(where, scoring))
    weights = {name: float(scoring.weights.get(name, one.weight)) for name, one in group.inputs.items()}
    total = sum(weight for weight in weights.values() if weight > 0)
    for name, one in group.inputs.items():
        part = share * max(weights[name], 0.0) / total if total else 0.0
        if isinstance(one, Group):
            yield from _of_group(one, part, workflows, differs)
        else:
            yield from _of_component(one, part, workflows, differs)


def _of_component(one: Component, share: float, workflows: dict[str, float], differs: list[str]) -> Iterator[Unit]:
    weights = [_weight(one, number) for number in range(_count(one))]
    if one.scoring.aggregation in ALL:
        workflows[one.path] = share
        yield from _every(one, one.path)
        return
    if one.scoring.aggregation != MEAN and len(weights) > 1:
        differs.append(_told(one.path, one.scoring))
    total = sum(weight for weight in weights if weight > 0)
    for number, weight in enumerate(weights):
        if weight < 0:
            differs.append(f"{one.path}: criterion {number + 1} has a negative weight; here it decides nothing")
        part = share * weight / total if total and weight > 0 else 0.0
        yield Unit(one, number, part, is_optional=weight < 0)


def _every(node: Component | Group, workflow: str) -> Iterator[Unit]:
    """Yield all criteria below as parts of one workflow."""
    if isinstance(node, Group):
        for one in node.inputs.values():
            yield from _every(one, workflow)
        return
    for number in range(_count(node)):
        optional = node.scoring.aggregation == "required-pass" and _is_optional(node, number)
        yield Unit(node, number, 0.0 if optional else 1.0, "" if optional else workflow, optional)


def _is_conjunction(node: Component | Group) -> bool:
    """Say whether the node's score is 1 exactly where all its criteria pass."""
    scoring = node.scoring or Scoring()
    if isinstance(node, Component):
        return scoring.aggregation in ALL or (
            scoring.aggregation == MEAN and all(_weight(node, number) > 0 for number in range(_count(node)))
        )
    weights = [float(scoring.weights.get(name, one.weight)) for name, one in node.inputs.items()]
    is_mean = scoring.aggregation == MEAN and all(weight > 0 for weight in weights)
    return (is_mean or scoring.aggregation in ALL) and all(map(_is_conjunction, node.inputs.values()))


def _told(where: str, scoring: Scoring) -> str:
    return f"{where}: the aggregation `{scoring.aggregation}` has no counterpart; here the weighted mean counts"


def _count(one: Component) -> int:
    return len(one.calls) or len(one.criteria)


def _weight(one: Component, number: int) -> float:
    stated: Any = one.calls[number].named.get("weight", 1.0) if one.calls else one.criteria[number].get("weight", 1.0)
    return float(stated) if isinstance(stated, int | float) else 1.0


def _is_optional(one: Component, number: int) -> bool:
    if one.calls:
        return False
    criterion = one.criteria[number]
    noted = str(criterion.get("annotations", {}).get("importance", "")).lower()
    return bool(criterion.get("optional", "optional" in noted))

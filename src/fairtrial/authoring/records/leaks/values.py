"""Fields that hold what was recorded later: in how many tasks, against how many by chance.

For each field that is shown and each field of a later event (the choice, the outcome, what followed): how often both
hold one value of the same entity, and how often they would if entities were mixed. A claim that is paid in full does
so rightly, so this is a lead, and `fields.accepted` settles it. Fields that nearly every kind of event carries are
attributes and are not compared; if they tell, `predicting` sees it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from fairtrial.authoring.records.events import Desk
from fairtrial.authoring.records.leaks.finding import EXAMPLES, Leak, Searched
from fairtrial.authoring.records.leaks.shown import ShownTask
from fairtrial.authoring.records.visible import is_before

LEAST_TASKS = 10
LEAST_SHARE, LEAST_ABOVE_CHANCE = 0.5, 0.3
CARRIED_BY = 0.8
"""Share of the kinds of events that carry an attribute."""


def search_values(shown: Sequence[ShownTask], desk: Desk) -> Searched:
    """Return a lead for each shown field that holds what a later event says."""
    attributes = _attributes(desk)
    later = [_later_values(task, desk) for task in shown]
    names = sorted({place for values in later for place in values if place[1] not in attributes})
    columns: dict[str, list[tuple[int, str]]] = {}
    for at, task in enumerate(shown):
        for name, value in task.fields.items():
            columns.setdefault(name, []).append((at, _plain(value)))
    best: dict[str, tuple[float, Leak]] = {}
    compared = 0
    for field, cells in columns.items():
        for place in names:
            pairs = [(at, value, later[at][place]) for at, value in cells if place in later[at]]
            if len(pairs) < LEAST_TASKS:
                continue
            compared += 1
            same = [at for at, value, other in pairs if value == other]
            share, chance = len(same) / len(pairs), _by_chance(pairs)
            if share >= LEAST_SHARE and share - chance >= LEAST_ABOVE_CHANCE and share > best.get(field, (0.0,))[0]:
                best[field] = (share, _leak(field, place, same, pairs, chance, shown))
    leaks = tuple(leak for _, leak in best.values())
    few = f"values of later events: no field is shown beside one in {LEAST_TASKS} tasks"
    return Searched(leaks, () if compared else (few,))


def _leak(
    field: str,
    name: tuple[str, str],
    same: list[int],
    pairs: Sequence[tuple[int, str, str]],
    chance: float,
    shown: Sequence[ShownTask],
) -> Leak:
    share = len(same) / len(pairs)
    claim = f"`{field}` is what a later `{name[0]}` says in `{name[1]}`: {share:.0%} of tasks, {chance:.0%} by chance."
    return Leak(test="values", severity="lead", field=field, claim=claim, tasks=len(same), of=len(pairs),
                examples=tuple(shown[at].name for at in same[:EXAMPLES]))  # fmt: skip


def _attributes(desk: Desk) -> set[str]:
    kinds: dict[str, set[str]] = {}
    actions = set()
    for entity in desk.entities.values():
        for versions in entity.events.values():
            actions.add(versions[-1].action)
            for name in versions[-1].fields:
                kinds.setdefault(name, set()).add(versions[-1].action)
    return {name for name, carriers in kinds.items() if len(carriers) >= max(2.0, CARRIED_BY * len(actions))}


def _later_values(task: ShownTask, desk: Desk) -> dict[tuple[str, str], str]:
    """Return (action, field) -> value of what was recorded later, the first of each."""
    decision = task.case.decision
    versions = [held[-1] for held in desk.entities[decision.entity].events.values()
                if not any(is_before(version, decision.event) for version in held)]  # fmt: skip
    found: dict[tuple[str, str], str] = {}
    for event in sorted(versions, key=lambda one: one.recorded.earliest):
        for name, value in event.fields.items():
            found.setdefault((event.action, name), _plain(value))
    return found


def _by_chance(pairs: Sequence[tuple[int, str, str]]) -> float:
    mine, other = Counter(value for _, value, _ in pairs), Counter(value for _, _, value in pairs)
    return sum(count * other[value] for value, count in mine.items()) / len(pairs) ** 2


def _plain(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value) if not isinstance(value, Mapping) else repr(sorted(value.items()))
    return f"{value:g}" if abs(value) < 1e6 else repr(float(value))

"""Rebuild every decision of the experts: when, by whom, what was visible then, what was chosen, what came of it.

A decision that cannot be rebuilt is dropped with its reason: nobody is named who made it, a parameter is missing, two
choices were made at one moment, its record was changed later, nothing was visible. Not covered: decisions that left no
event, such as to do nothing.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from fairtrial.authoring.records.events import Desk, Entity, Event
from fairtrial.authoring.records.outcomes import Found, Outcome, matches_any, outcome_of
from fairtrial.authoring.records.schema import Action, Declared
from fairtrial.authoring.records.times import Span
from fairtrial.authoring.records.visible import Visible, moment_of, visible_at

ID_DIGITS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One choice of an expert, with what was visible to them then."""

    id: str
    entity: str
    group: str
    """What it may not be parted from: related entities share it; the entity itself where there is none."""
    made_at: datetime
    actor: str
    action: str
    parameters: dict[str, Any]
    visible: Visible
    event: Event
    outcome: Outcome | None
    why_no_outcome: str


@dataclass(slots=True)
class Rebuilt:
    """The decisions, in the order in which they were made, and how many were dropped for which reason."""

    decisions: list[Decision] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)


class _DroppedError(Exception):
    """A decision that cannot be rebuilt, and why."""


def rebuild(desk: Desk, declared: Declared) -> Rebuilt:
    """Return every decision of the experts that the records hold."""
    rebuilt = Rebuilt()
    for entity in desk.entities.values():
        made = list(_decision_events(entity, declared))
        deciders = {version.actor.casefold() for versions in made for version in versions}
        moments: dict[Span, list[float | None]] = {}
        for versions in made:
            moments.setdefault(moment_of(versions[0]), []).append(versions[0].sequence)
        for versions in made:
            try:
                there, mine = moments[moment_of(versions[0])], versions[0].sequence
                if len(there) > 1 and (mine is None or there.count(mine) > 1):
                    raise _DroppedError("two choices at one time")
                place = sum(one is not None and mine is not None and one < mine for one in there)
                rebuilt.decisions.append(_decision(entity, versions, declared, deciders, place))
            except _DroppedError as reason:
                rebuilt.dropped[str(reason)] += 1
    rebuilt.decisions.sort(key=lambda one: (one.made_at, one.entity, one.event.sequence or 0.0, one.id))
    return rebuilt


def _decision_events(entity: Entity, declared: Declared) -> Iterator[list[Event]]:
    for versions in entity.events.values():
        if any(declared.action_of(version.action) for version in versions):
            yield versions


def _decision(
    entity: Entity, versions: list[Event], declared: Declared, deciders: Collection[str], place: int
) -> Decision:
    """Return one decision, by `place` among those of its moment. Raise _DroppedError where it cannot be rebuilt."""
    first = versions[0]
    if versions[-1].is_withdrawn:
        raise _DroppedError("taken back later")
    if not first.actor:
        raise _DroppedError("nobody is named who decided")
    if not matches_any(first.actor, declared.toml.experts.actors):
        raise _DroppedError("decided by somebody who is no expert")
    event = _version_that_counts(versions, declared)
    action = declared.action_of(event.action)
    if action is None:
        raise _DroppedError("was recorded as something else at first")
    visible = visible_at(entity, first, declared.toml.fields)
    if not visible.shown:
        raise _DroppedError("nothing was on record before it")
    found = Found(None, "there is no [outcome]")
    if declared.toml.outcome is not None:
        found = outcome_of(entity, first, declared.toml.outcome, deciders)
    made_at = moment_of(first).earliest
    stated = f"{entity.name}\0{made_at.isoformat()}\0{place}"  # not the event's id, which may tell the choice
    return Decision(id=hashlib.sha256(stated.encode()).hexdigest()[:ID_DIGITS], entity=entity.name,
                    group=f"group:{entity.group}" if entity.group else f"entity:{entity.name}", made_at=made_at,
                    actor=first.actor, action=action.name, parameters=parameters_of(action, event), visible=visible,
                    event=first, outcome=found.outcome, why_no_outcome=found.why)  # fmt: skip


def _version_that_counts(versions: list[Event], declared: Declared) -> Event:
    """Return the version whose choice counts. Raise _DroppedError for a choice that was changed later."""
    first, last = versions[0], versions[-1]
    if (first.action, first.fields) == (last.action, last.fields):
        return first
    how = declared.toml.experts.corrected
    if how == "drop":
        raise _DroppedError("its record was changed later")
    return first if how == "first" else last


def parameters_of(action: Action, event: Event) -> dict[str, Any]:
    """Return the parameters of a choice. Raise _DroppedError for one that is missing or no value."""
    found: dict[str, Any] = {}
    for parameter in action.parameter:
        value = event.fields.get(parameter.source)
        if value is None:
            raise _DroppedError(f"`{parameter.name}` of `{action.name}` is missing")
        if parameter.kind == "number":
            value = number(value)
            if value is None:
                raise _DroppedError(f"`{parameter.name}` of `{action.name}` is no number")
        else:
            value = str(value)
            if parameter.choices and value not in parameter.choices:
                raise _DroppedError(f"`{parameter.name}` of `{action.name}` is none of its choices")
        found[parameter.name] = value
    return found


def number(value: Any) -> float | int | None:
    """Return a number as the records write it; None where it is none.

    >>> number("1200"), number(" 12.5"), number("12,50"), number(True), number("nan")
    (1200, 12.5, None, None, None)
    """
    if isinstance(value, bool):
        return None
    try:
        found = float(value)
    except (TypeError, ValueError):
        return None
    if found != found or abs(found) == float("inf"):
        return None
    return int(found) if found == int(found) and abs(found) < 2**53 else found

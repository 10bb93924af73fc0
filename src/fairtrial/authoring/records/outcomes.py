"""What came of a decision, who recorded it, and whether that was somebody else than who decided.

An outcome counts from the version that holds last, if it was recorded after the decision, within the days that
RECORDS.toml allows. Independent: recorded by somebody who is named, may record one, and decided nothing on the case.
Whether the recorder knew of the decision is not in the records; the report says that it is not measured.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fnmatch import fnmatchcase
from typing import Any, Literal

from fairtrial.authoring.records.events import OUTCOME, Entity, Event
from fairtrial.authoring.records.schema import OutcomeTable
from fairtrial.authoring.records.times import Span
from fairtrial.authoring.records.visible import moment_of

Independence = Literal["independent", "self_recorded", "not_a_recorder", "no_recorder"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of a decision, as somebody recorded it."""

    value: str
    recorder: str
    recorded_at: datetime
    independence: Independence
    fields: dict[str, Any]
    event: Event


@dataclass(frozen=True, slots=True)
class Found:
    """The outcome that counts, or why there is none."""

    outcome: Outcome | None
    why: str = ""


def matches_any(actor: str, patterns: Collection[str]) -> bool:
    """Say whether a name matches one of the patterns.

    >>> matches_any("adj-7", ["adj-*"]), matches_any("inv-1", ["adj-*"])
    (True, False)
    """
    return any(fnmatchcase(actor, pattern) for pattern in patterns)


def outcome_of(entity: Entity, decision: Event, table: OutcomeTable, deciders: Collection[str]) -> Found:
    """Return what came of `decision`: an independent outcome before any other, and none where two of these disagree."""
    after = timedelta(days=table.after_days)
    within = None if table.within_days is None else timedelta(days=table.within_days)
    made = moment_of(decision)
    found: list[Outcome] = []
    why = "no outcome was recorded"
    for event in outcome_events(entity, table):
        value = event.fields.get(table.field)
        said = _first_said(entity, event, table)
        if value is None:
            why = f"the outcome says no `{table.field}`"
        elif said.earliest <= made.latest:
            why = "the outcome was recorded before the decision"
        elif said.earliest - made.latest < after:
            why = "the outcome was recorded too soon after"
        elif within is not None and said.latest - made.earliest > within:
            why = "the outcome was recorded too late"
        else:
            found.append(_outcome(event, str(value), table, deciders))
    if not found:
        return Found(None, why)
    best = [one for one in found if one.independence == "independent"] or found
    if len({one.value for one in best}) > 1:
        return Found(None, "recorded outcomes disagree")
    return Found(best[0])


def outcome_events(entity: Entity, table: OutcomeTable) -> Sequence[Event]:
    """Return the events that record an outcome, each in its last version, the first recorded first."""
    last = [versions[-1] for versions in entity.events.values() if versions[-1].action == (table.action or OUTCOME)]
    return sorted((one for one in last if not one.is_withdrawn), key=lambda one: (one.recorded.latest, one.id))


def _first_said(entity: Entity, event: Event, table: OutcomeTable) -> Span:
    """Return when a version of an event first said what its last one says: an entry may be touched up long after."""
    value = event.fields.get(table.field)
    return next(one.recorded for one in entity.events[event.id] if one.fields.get(table.field) == value)


def _outcome(event: Event, value: str, table: OutcomeTable, deciders: Collection[str]) -> Outcome:
    independence: Independence = "independent"
    if not event.actor:
        independence = "no_recorder"
    elif event.actor.casefold() in deciders:
        independence = "self_recorded"
    elif table.recorders and not matches_any(event.actor, table.recorders):
        independence = "not_a_recorder"
    elif "" in deciders and not table.recorders:
        independence = "not_a_recorder"  # somebody decided who is not named, and it may have been them
    return Outcome(value=value, recorder=event.actor, recorded_at=event.recorded.latest, independence=independence,
                   fields=dict(event.fields), event=event)  # fmt: skip

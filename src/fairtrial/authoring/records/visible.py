"""What of an entity's record was visible at a moment: recorded strictly before it, in the version that then held.

Both times of an event must lie before: when it was recorded and when it happened, so an entry dated ahead is not shown.
Of two records made at one moment, a sequence number decides where both have one; else the event is hidden. A field that
RECORDS.toml says is filled by a later event is blank until such an event is visible. Not covered: notes in free text
that were rewritten in place; the records do not show it (`leaks` looks for its traces).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fairtrial.authoring.records.events import Entity, Event
from fairtrial.authoring.records.schema import Fields
from fairtrial.authoring.records.times import Span


@dataclass(frozen=True, slots=True)
class Shown:
    """One event as the task shows it: the version that held, and the fields that may be seen."""

    event: Event
    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Visible:
    """What was visible at a decision, and what was hidden from it for which reason."""

    shown: tuple[Shown, ...]
    hidden: Counter[str]


TIE = "recorded at the very time of the decision"
LATE = "happened before, recorded later"
AHEAD = "recorded before, dated later"
BLANKED = "field filled later"


def moment_of(decision: Event) -> Span:
    """Return when a decision was made: the earlier of its time and its recording."""
    return min(decision.time, decision.recorded, key=lambda span: (span.earliest, span.latest))


def visible_at(entity: Entity, decision: Event, fields: Fields) -> Visible:
    """Return what of `entity` was visible when `decision` was made, oldest first, the decision itself left out."""
    held: list[Event] = []
    hidden: Counter[str] = Counter()
    for versions in entity.events.values():
        if versions[0].id == decision.id:
            continue
        known = [version for version in versions if _is_recorded_before(version, decision)]
        if known and not known[-1].is_withdrawn:
            if is_before(known[-1], decision):
                held.append(known[-1])
            else:  # as the record stood then, it lay ahead, whatever an earlier version said
                hidden[_why_hidden(known[-1], decision) or AHEAD] += 1
        elif not known and (why := _why_hidden(versions[0], decision)):
            hidden[why] += 1
    held.sort(key=lambda one: (one.time.earliest, one.recorded.latest, one.sequence or 0.0, one.id))
    there = {one.action for one in held}
    shown = []
    for event in held:
        kept = {}
        for name, value in event.fields.items():
            filler = fields.filled_by.get(name)
            if name in fields.hide:
                continue
            if filler is not None and filler not in there:
                hidden[BLANKED] += 1
                continue
            kept[name] = value
        shown.append(Shown(event, kept))
    return Visible(tuple(shown), hidden)


def is_before(event: Event, decision: Event) -> bool:
    """Say whether `event` was known before `decision` was made, whatever its stamps may mean."""
    made = moment_of(decision)
    if not _is_recorded_before(event, decision):
        return False
    return event.time.latest < made.earliest or (
        event.recorded.latest >= made.earliest and event.time.earliest <= made.earliest
    )


def _is_recorded_before(event: Event, decision: Event) -> bool:
    """Say whether `event` was entered before `decision` was made, or at its moment with a lower sequence."""
    made = moment_of(decision)
    if event.recorded.latest < made.earliest:
        return True
    ordered = event.sequence is not None and decision.sequence is not None and event.sequence < decision.sequence
    return ordered and (event.recorded.earliest, event.recorded.latest) == (made.earliest, made.latest)


def _why_hidden(event: Event, decision: Event) -> str:
    """Return why an event that a reader may miss is hidden; empty where it simply came later."""
    made = moment_of(decision)
    if event.recorded.latest >= made.earliest and event.recorded.earliest <= made.latest:
        return TIE
    if event.recorded.latest < made.earliest:
        return AHEAD
    return LATE if event.time.latest < made.earliest else ""


def values_of(visible: Sequence[Shown]) -> dict[str, Any]:
    """Return the last value of each field that was visible."""
    return {name: value for shown in visible for name, value in shown.fields.items()}

"""Rows of the records as events of entities: versions of one event together, copies once.

An event has a time (when it happened) and one of recording (when a reader could know); where the records name no second
one, the first stands for both. A row that cannot be placed (no entity, no action, no time that can be read) is counted
with its reason and left out. Not covered: which of them an expert saw; that is `visible`.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, field, replace
from datetime import date, time, timedelta, tzinfo
from decimal import Decimal
from typing import Any
from uuid import UUID

import orjson

from fairtrial.authoring.records.schema import Columns, Declared
from fairtrial.authoring.records.sources import Row
from fairtrial.authoring.records.times import Span, as_day, is_midnight, span_reader, zone_of
from fairtrial.records import FormatError, InputError

OUTCOME = "(outcome)"
"""Action of an event made of outcome columns."""
TRUE = {"true", "t", "yes", "y", "1"}
SHOWN_PLACES = 3
ENOUGH_DAYS = 3
"""Events of a kind whose times must all be midnight to be taken for days."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One version of one event."""

    id: str
    entity: str
    group: str
    time: Span
    recorded: Span
    actor: str
    action: str
    fields: Mapping[str, Any]
    sequence: float | None
    is_withdrawn: bool
    where: str

    @property
    def content(self) -> tuple[Any, ...]:
        """Return what makes two versions differ."""
        packed = orjson.dumps(self.fields, option=orjson.OPT_SORT_KEYS, default=str)
        return self.entity, self.time, self.actor, self.action, packed, self.is_withdrawn


@dataclass(slots=True)
class Entity:
    """Everything on record of one entity: event id -> its versions, in the order of recording."""

    name: str
    group: str = ""
    events: dict[str, list[Event]] = field(default_factory=dict)


@dataclass(slots=True)
class Desk:
    """All records, by entity, with what was odd about the rows."""

    entities: dict[str, Entity] = field(default_factory=dict)
    rows: int = 0
    odd: Counter[str] = field(default_factory=Counter)
    places: dict[str, list[str]] = field(default_factory=dict)
    """What was odd -> where, the first few."""

    def note(self, what: str, where: str) -> None:
        """Count something odd."""
        self.odd[what] += 1
        places = self.places.setdefault(what, [])
        if len(places) < SHOWN_PLACES:
            places.append(where)


def read_events(declared: Declared, rows: Iterable[Row]) -> Desk:
    """Return the events of `rows` by entity. Raise InputError for a missing column, or where nothing is left."""
    columns, records = declared.toml.columns, declared.toml.records
    try:
        zone = zone_of(records.time_zone)
        read = span_reader(zone, records.time_format)
    except ValueError as error:
        raise FormatError(str(error), path=declared.path, field="records.time_zone") from None
    desk = Desk()
    names: list[str] = []
    for where, row in rows:
        if not desk.rows:
            names = _field_columns(declared, row)
        desk.rows += 1
        for event in _events_of(desk, declared, read, names, (where, row)):
            _add(desk, event, has_ids=bool(columns.event))
    if not desk.entities:
        raise InputError(f"no row of {desk.rows:,} could be read as an event", path=declared.path,
                         hint="; ".join(f"{what}: {count:,}" for what, count in desk.odd.most_common(3)))  # fmt: skip
    _check_named(declared, desk, names)
    _widen_days(desk, zone)
    for entity in desk.entities.values():
        _settle(desk, entity)
    return desk


def _check_named(declared: Declared, desk: Desk, names: list[str]) -> None:
    """Raise InputError for a field to be hidden that no event carries: a slip there would show what must not be."""
    carried = {name for entity in desk.entities.values() for versions in entity.events.values()
               for version in versions for name in version.fields} | set(names)  # fmt: skip
    for key, names in (("hide", declared.toml.fields.hide), ("filled_by", list(declared.toml.fields.filled_by))):
        for name in names:
            if name not in carried:
                raise InputError(f"no event carries a field `{name}`", path=declared.path, field=f"fields.{key}",
                                 hint=f"There are: {', '.join(sorted(carried))[:200]}.")  # fmt: skip


def _widen_days(desk: Desk, zone: tzinfo | None) -> None:
    """Take stamps of one kind of event that are all midnight for days, as a database hands out a column of dates."""
    held: dict[tuple[str, str], list[Span]] = {}
    for entity in desk.entities.values():
        for versions in entity.events.values():
            for one in versions:
                held.setdefault((one.action, "time"), []).append(one.time)
                held.setdefault((one.action, "recorded"), []).append(one.recorded)
    days = {key for key, spans in held.items()
            if len(spans) >= ENOUGH_DAYS and all(is_midnight(span, zone) for span in spans)}  # fmt: skip
    if not days:
        return
    for entity in desk.entities.values():
        for name, versions in entity.events.items():
            entity.events[name] = [_of_days(one, days, desk) for one in versions]


def _of_days(event: Event, days: Set[tuple[str, str]], desk: Desk) -> Event:
    happened, recorded = (event.action, "time") in days, (event.action, "recorded") in days
    if not (happened or recorded):
        return event
    desk.note("time at midnight, as all of its kind of event: taken for a day", event.where)
    return replace(event, time=as_day(event.time) if happened else event.time,
                   recorded=as_day(event.recorded) if recorded else event.recorded)  # fmt: skip


def _field_columns(declared: Declared, row: Mapping[str, Any]) -> list[str]:
    """Return the columns that hold fields. Raise InputError where one that RECORDS.toml names is not there."""
    columns = declared.toml.columns
    stated = columns.model_dump(exclude={"fields"})
    for key, name in stated.items():
        if name and name not in row:
            raise InputError(f"there is no column `{name}`; there are: {', '.join(map(str, row))}", path=declared.path,
                             field=f"columns.{key}")  # fmt: skip
    listed = [columns.fields] if isinstance(columns.fields, str) else columns.fields
    for name in listed:
        if name not in row:
            raise InputError(f"there is no column `{name}`; there are: {', '.join(map(str, row))}", path=declared.path,
                             field="columns.fields")  # fmt: skip
    later = set(stated.values()) | _outcome_columns(declared)
    return [name for name in listed or row if name not in later]


def _outcome_columns(declared: Declared) -> set[str]:
    """Return the columns in which an outcome beside an event holds what would have been right: never shown."""
    table = declared.toml.outcome
    return set(table.parameters.values()) if table is not None and declared.toml.columns.outcome else set()


def _events_of(
    desk: Desk, declared: Declared, read: Callable[[Any], Span], names: list[str], row: Row
) -> Iterable[Event]:
    """Yield the event of a row, and the outcome that its columns may hold; count what cannot be read."""
    columns, (where, values) = declared.toml.columns, row
    try:
        event = _event(columns, read, names, where, values)
    except ValueError as error:
        desk.note(str(error), where)
        return
    for span in {event.time.doubt, event.recorded.doubt} - {""}:
        desk.note(_DOUBTS[span], where)
    yield event
    outcome = _text(values.get(columns.outcome)) if columns.outcome else ""
    if outcome and declared.toml.outcome is not None:
        try:
            came = _span(read, values.get(columns.outcome_time), "outcome")
        except ValueError as error:
            desk.note(str(error), where)
            return
        wanted = declared.toml.outcome.parameters.values()
        fields = {declared.toml.outcome.field: outcome} | {
            k: _as_json(values[k]) for k in wanted if _is_filled(values.get(k))
        }
        yield Event(id=f"{OUTCOME}{event.id}", entity=event.entity, group=event.group, time=came, recorded=came,
                    actor=_text(values.get(columns.outcome_actor)), action=OUTCOME, fields=fields, sequence=None,
                    is_withdrawn=False, where=where)  # fmt: skip


_DOUBTS = {
    "month": "time to the month or year alone: nothing else of it counts as earlier",
    "week": "time to the week alone: nothing else of that week counts as earlier",
    "hour": "time to the hour alone: nothing else of that hour counts as earlier",
    "day": "time to the day alone: nothing else of that day counts as earlier",
    "minute": "time to the minute alone: nothing else of that minute counts as earlier",
    "twice": "time that the clock of its zone went through twice: later where it might show, earlier where it decides",
    "never": "time that the clock of its zone left out",
    "no_zone": "time without a zone, taken as UTC",
}


def _event(
    columns: Columns, read: Callable[[Any], Span], names: list[str], where: str, values: Mapping[str, Any]
) -> Event:
    """Return the event of one row. Raise ValueError with what keeps it from being one."""
    entity, action = _text(values.get(columns.entity)), _text(values.get(columns.action))
    if not entity or not action:
        raise ValueError(f"row without {'an entity' if not entity else 'an action'}")
    happened = _span(read, values.get(columns.time), "time")
    recorded = happened
    if columns.recorded:
        recorded = _span(read, values.get(columns.recorded), "time of recording")
    sequence = None
    if columns.sequence and _is_filled(values.get(columns.sequence)):
        try:
            sequence = float(values[columns.sequence])
        except (TypeError, ValueError):
            raise ValueError("row whose sequence is no number") from None
    fields = _fields(columns, names, values)
    event = _text(values.get(columns.event)) if columns.event else ""
    if not event:
        if columns.event:
            raise ValueError("row without an event's id")
        stated = [entity, action, happened.earliest.isoformat(), _text(values.get(columns.actor)), sequence, fields,
                  recorded.earliest.isoformat()]  # fmt: skip
        packed = orjson.dumps(stated, option=orjson.OPT_SORT_KEYS, default=str)
        event = hashlib.sha256(packed).hexdigest()[:16]
    is_withdrawn = bool(columns.withdrawn) and _text(values.get(columns.withdrawn)).lower() in TRUE
    group = _text(values.get(columns.group)) if columns.group else ""
    return Event(id=event, entity=entity, group=group, time=happened, recorded=recorded,
                 actor=_text(values.get(columns.actor)), action=action, fields=fields,
                 sequence=sequence, where=where, is_withdrawn=is_withdrawn)  # fmt: skip


def _span(read: Callable[[Any], Span], stamp: Any, what: str) -> Span:
    if not _is_filled(stamp):
        raise ValueError(f"row without a {what}" if what != "outcome" else "outcome without a time")
    try:
        return read(stamp)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{what} that cannot be read: {str(error)[:80]}") from None


def _fields(columns: Columns, names: list[str], values: Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(columns.fields, str):
        return {name: _as_json(values[name]) for name in names if _is_filled(values.get(name))}
    held = values.get(columns.fields)
    if isinstance(held, str | bytes):
        if not held.strip():
            return {}
        try:
            held = orjson.loads(held)
        except orjson.JSONDecodeError:
            raise ValueError(f"row whose `{columns.fields}` is no JSON") from None
    if held is None:
        return {}
    if not isinstance(held, Mapping):
        raise ValueError(f"row whose `{columns.fields}` is no JSON object")
    return {str(name): _as_json(value) for name, value in held.items() if _is_filled(value)}


def _as_json(value: Any) -> Any:
    """Return a value of a typed column as JSON would hold it: decimals as numbers, times as text."""
    if isinstance(value, Decimal) and value.is_finite():
        value = int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, Decimal) or (isinstance(value, int) and not -(2**63) <= value < 2**64):
        return str(value)  # no number that JSON's readers take
    if isinstance(value, float) and math.isinf(value):
        return str(value)
    if isinstance(value, date | time | timedelta | UUID):
        return value.isoformat() if isinstance(value, date | time) else str(value)
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Mapping):
        return {str(name): _as_json(inner) for name, inner in value.items()}
    return [_as_json(inner) for inner in value] if isinstance(value, list | tuple) else value


def _is_filled(value: Any) -> bool:
    return value is not None and value != "" and value == value  # NaN stands for an empty cell in many a Parquet file


def _text(value: Any) -> str:
    return str(value).strip() if _is_filled(value) else ""


def _add(desk: Desk, event: Event, *, has_ids: bool) -> None:
    """Add a version to its entity, unless the very same is there."""
    entity = desk.entities.setdefault(event.entity, Entity(event.entity))
    if event.group:
        if entity.group and entity.group != event.group:
            desk.note("entity of two groups: the first counts", event.where)
        entity.group = entity.group or event.group
    versions = entity.events.setdefault(event.id, [])
    same = [one for one in versions if one.content == event.content]
    if same and (not has_ids or any(one.recorded == event.recorded for one in same)):
        desk.note("copy of another row", event.where)
        return
    versions.append(event)


def _settle(desk: Desk, entity: Entity) -> None:
    """Put versions in the order of recording; an event with two versions of one moment is taken out and counted."""
    for name, versions in list(entity.events.items()):
        versions.sort(key=lambda one: (one.recorded.latest, one.sequence or 0.0))
        places = [(one.recorded.latest, one.sequence) for one in versions]
        if len(set(places)) < len(places):
            desk.note("event with two versions recorded at one time: nobody can say which held", versions[-1].where)
            del entity.events[name]
        elif len(versions) > 1:
            desk.note("event that was changed later", versions[-1].where)

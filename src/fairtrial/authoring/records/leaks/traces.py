"""Traces of later records in what is shown: their ids, and times that lie after the decision.

The id of a record that was made later is a proof. A time after the decision is a lead, since things are planned;
where it is the very time of a later record of the entity, on no mark of five minutes, in three tasks or more, it is a
proof: nobody plans such a moment. Not covered: times in words, ids that are short numbers (they are
everywhere).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any

from fairtrial.authoring.records.events import Desk, Event
from fairtrial.authoring.records.leaks.finding import EXAMPLES, Leak, Searched
from fairtrial.authoring.records.leaks.shown import ShownTask
from fairtrial.authoring.records.schema import Records
from fairtrial.authoring.records.telling import HISTORY
from fairtrial.authoring.records.times import Span, span_reader, zone_of
from fairtrial.authoring.records.visible import is_before

LEAST_ID = 4
ENOUGH = 3
"""Tasks in which the time of a later entry must show to be no accident."""
Reader = Callable[[Any], Span]
_STAMP = re.compile(r"\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?")


def search_traces(shown: Sequence[ShownTask], desk: Desk, records: Records) -> Searched:
    """Return what tells of later records by their ids or times."""
    ids = _ids_of_one_entity(desk)
    zone = zone_of(records.time_zone)
    iso, own = span_reader(zone), span_reader(zone, records.time_format)
    with_ids: list[str] = []
    stamps: dict[str, list[tuple[str, bool]]] = {}
    for task in shown:
        later = _later(task, desk)
        text = "\n".join((*task.texts, *task.texts.values()))
        named = {event.id for event in later} & ids
        if any(_holds(text, name) for name in named if name in text):
            with_ids.append(task.name)
        entered = {event.recorded for event in later} | {event.time for event in later}
        last = max((span.latest for span in entered), default=task.case.decision.made_at)
        exact = {span.earliest for span in entered if _is_no_plan(span)}
        for field, span in _stamps(task, iso, own if records.time_format != "iso" else None, last):
            stamps.setdefault(field, []).append((task.name, _is_no_plan(span) and span.earliest in exact))
    found = []
    if with_ids:
        found.append(Leak(test="traces", severity="proof", field="", tasks=len(with_ids), of=len(shown),
                          claim="The id of a record that was made after the decision stands in what is shown.",
                          examples=tuple(with_ids[:EXAMPLES])))  # fmt: skip
    found += [_of_stamps(field, seen, len(shown)) for field, seen in sorted(stamps.items())]
    without = "ids of later records: the records' ids are short numbers, or none are named"
    return Searched(tuple(found), () if ids else (without,))


def _of_stamps(field: str, seen: list[tuple[str, bool]], of: int) -> Leak:
    tasks = list(dict.fromkeys(name for name, _ in seen))
    exact = list(dict.fromkeys(name for name, is_exact in seen if is_exact))
    if len(exact) >= ENOUGH:
        return Leak(test="traces", severity="proof", field=field, tasks=len(exact), of=of,
                    claim=f"`{field}` holds the time at which a later record was made.",
                    examples=tuple(exact[:EXAMPLES]))  # fmt: skip
    return Leak(test="traces", severity="lead", field=field, tasks=len(tasks), of=of,
                claim=f"`{field}` holds a time after the decision: a plan, or a trace of what came later.",
                examples=tuple(tasks[:EXAMPLES]))  # fmt: skip


def _later(task: ShownTask, desk: Desk) -> list[Event]:
    """Return every version of the entity's events that was not known before the decision, the decision included."""
    decision = task.case.decision
    entity = desk.entities[decision.entity]
    return [
        version for versions in entity.events.values() for version in versions
        if not is_before(version, decision.event) and not any(is_before(other, decision.event) for other in versions)
    ]  # fmt: skip


def _ids_of_one_entity(desk: Desk) -> set[str]:
    """Return the ids that can be looked for: no short number, and of one entity alone."""
    seen: dict[str, int] = {}
    for entity in desk.entities.values():
        for name in entity.events:
            seen[name] = seen.get(name, 0) + 1
    return {
        name for name, count in seen.items() if count == 1 and len(name) >= LEAST_ID + 4 * name.isdigit()
    }  # fmt: skip


def _holds(text: str, name: str) -> bool:
    return re.search(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])", text) is not None


def _is_no_plan(span: Span) -> bool:
    """Say whether a stamp is of a moment that nobody plans: one moment, and on no mark of five minutes."""
    at = span.earliest
    return at == span.latest and (at.minute % 5, at.second, at.microsecond) != (0, 0, 0)


def _stamps(task: ShownTask, iso: Reader, own: Reader | None, last: datetime) -> Iterator[tuple[str, Span]]:
    """Yield every time after the decision that is shown, with the field or file that holds it.

    Times are looked for in ISO's form in all text, and in the records' `own` one where a value is nothing else.
    """
    made = task.case.decision.made_at
    for name, read, stamp in _written(task, iso, own):
        span = _span(read, stamp)
        if span is not None and span.earliest > made and not (stamp.isdigit() and span.earliest > last):
            yield name, span  # a count of seconds beyond all records is some other number


def _written(task: ShownTask, iso: Reader, own: Reader | None) -> Iterator[tuple[str, Reader, str]]:
    for line in task.lines:
        for field, value in line["fields"].items():
            yield from ((field, iso, stamp) for stamp in _STAMP.findall(str(value)))
            if own is not None and isinstance(value, str | int | float):
                yield field, own, str(value)
        yield from ((field, iso, str(line[field])) for field in ("time", "recorded") if field in line)
    for name, text in task.texts.items():
        if not name.endswith(HISTORY):
            yield from ((name, iso, stamp) for stamp in _STAMP.findall(text))


def _span(read: Reader, stamp: str) -> Span | None:
    try:
        return read(stamp)
    except (ValueError, OverflowError):
        return None

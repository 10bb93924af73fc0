"""Traces of later records in what is shown: their ids, and times that lie after the decision.

The id of a record that was made later is a proof. A time after the decision is a lead, since things are planned;
where it is, to the second, the time at which a later record of the entity was made, in three tasks or more, it is a
proof: nobody plans the second of an entry. Not covered: times in words, ids that are short numbers (they are
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
from fairtrial.authoring.records.telling import HISTORY
from fairtrial.authoring.records.times import Span, span_reader
from fairtrial.authoring.records.visible import is_before

LEAST_ID = 4
ENOUGH = 3
"""Tasks in which the time of a later entry must show to be no accident."""
_STAMP = re.compile(r"\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?")


def search_traces(shown: Sequence[ShownTask], desk: Desk) -> Searched:
    """Return what tells of later records by their ids or times."""
    ids = _ids_of_one_entity(desk)
    with_ids: list[str] = []
    stamps: dict[str, list[tuple[str, bool]]] = {}
    for task in shown:
        later = _later(task, desk)
        text = "\n".join((*task.texts, *task.texts.values()))
        named = {event.id for event in later} & ids
        if any(_holds(text, name) for name in named if name in text):
            with_ids.append(task.name)
        entered = {event.recorded.earliest for event in later}
        for field, moment in _stamps(task):
            stamps.setdefault(field, []).append((task.name, moment in entered))
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


def _stamps(task: ShownTask) -> Iterator[tuple[str, datetime]]:
    """Yield every time after the decision that is shown, with the field or file that holds it."""
    read = span_reader(None)
    made = task.case.decision.made_at
    for line in task.lines:
        for field, value in line["fields"].items():
            for stamp in _STAMP.findall(str(value)):
                if (moment := _moment(read, stamp)) is not None and moment > made:
                    yield field, moment
        for field in ("time", "recorded"):
            if (moment := _moment(read, str(line.get(field, "")))) is not None and moment > made:
                yield field, moment
    for name, text in task.texts.items():
        if not name.endswith(HISTORY):
            for stamp in _STAMP.findall(text):
                if (moment := _moment(read, stamp)) is not None and moment > made:
                    yield name, moment


def _moment(read: Callable[[Any], Span], stamp: str) -> datetime | None:
    try:
        return read(stamp).earliest
    except ValueError:
        return None

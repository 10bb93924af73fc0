"""Every line of a history must be a record from before the decision, and every file must be of one age.

Lines are looked up in the records themselves, whatever chose them: the same time and action, the same fields with the
same values, in a version that was recorded, and happened, before. A text may be the new name of an actor or a case
instead; what lies inside lists and objects is compared by its field alone. Not covered: a record that was overwritten
in place; it is from before, and holds the future.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from fairtrial.authoring.records.events import Desk, Event
from fairtrial.authoring.records.leaks.finding import EXAMPLES, Leak, Searched
from fairtrial.authoring.records.leaks.shown import ShownTask
from fairtrial.authoring.records.times import said
from fairtrial.authoring.records.visible import is_before

_NEW_NAME = re.compile(r"actor-\d+|case-[0-9a-f]+")


def search_lines(shown: Sequence[ShownTask], desk: Desk) -> Searched:
    """Return a proof for lines that no record from before the decision bears out, and for files of several ages."""
    found: list[Leak] = []
    strange = [task.name for task in shown if any(not _is_borne_out(line, task, desk) for line in task.lines)]
    if strange:
        found.append(Leak(test="lines", severity="proof", field="", tasks=len(strange), of=len(shown),
                          claim="A line of the history is no record from before the decision.",
                          examples=tuple(strange[:EXAMPLES])))  # fmt: skip
    ages = {age for task in shown for age in task.changed_at}
    if len(ages) > 1:
        mixed = [task.name for task in shown if task.changed_at != shown[0].changed_at or len(task.changed_at) > 1]
        found.append(Leak(test="files", severity="lead", field="", tasks=len(mixed) or 1, of=len(shown),
                          claim="Files were changed at different times, which may tell tasks apart.",
                          examples=tuple(mixed[:EXAMPLES])))  # fmt: skip
    return Searched(tuple(found))


def _is_borne_out(line: Mapping[str, Any], task: ShownTask, desk: Desk) -> bool:
    decision = task.case.decision
    entity = desk.entities[decision.entity]
    return any(
        _says(version, line) and is_before(version, decision.event)
        for versions in entity.events.values()
        for version in versions
    )


def _says(version: Event, line: Mapping[str, Any]) -> bool:
    if said(version.time.earliest) != line.get("time") or version.action != line.get("action"):
        return False
    fields = line.get("fields", {})
    return all(name in version.fields and _is_same(value, version.fields[name]) for name, value in fields.items())


def _is_same(shown: Any, recorded: Any) -> bool:
    """Say whether a field shows what was recorded, or the new name of it."""
    if isinstance(shown, list | dict):
        return isinstance(recorded, type(shown)) or not isinstance(recorded, str | int | float)
    if isinstance(shown, str):
        return (
            shown in (recorded, str(recorded))
            or not isinstance(recorded, str)
            or _NEW_NAME.fullmatch(shown) is not None
        )
    return bool(shown == recorded)

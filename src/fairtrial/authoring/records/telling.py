"""What a task tells the agent: its instruction, and the history as it was visible then, one event a line.

Entities and actors go by new names unless RECORDS.toml says otherwise, in ids and wherever a field holds exactly such a
name, unless that is a number. Not covered: names inside free text, and other personal data; `fields.hide` is for those.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from fairtrial.authoring.records.decisions import number
from fairtrial.authoring.records.grading import Case
from fairtrial.authoring.records.schema import Declared, Parameter
from fairtrial.authoring.records.times import said

HISTORY, DECISION = "history.jsonl", "decision.json"


def case_name(case: Case, declared: Declared) -> str:
    """Return the name by which a task calls its entity."""
    shown = declared.toml.task.entities == "shown"
    return case.decision.entity if shown else f"case-{case.decision.id}"


def history(case: Case, declared: Declared) -> list[dict[str, Any]]:
    """Return the lines of the history, oldest first."""
    names = _new_names(case, declared)
    lines = []
    for shown in case.decision.visible.shown:
        event = shown.event
        line: dict[str, Any] = {"time": said(event.time.earliest)}
        if event.recorded != event.time:
            line["recorded"] = said(event.recorded.earliest)
        if declared.toml.task.actors != "hidden":
            line["actor"] = names.get(event.actor, event.actor) or None
        line["action"] = event.action
        line["fields"] = {name: _renamed(value, names) for name, value in shown.fields.items()}
        lines.append(line)
    return lines


def history_bytes(case: Case, declared: Declared) -> bytes:
    """Return the history as the task's file holds it."""
    packed = [orjson.dumps(line, default=str) + b"\n" for line in history(case, declared)]
    return b"".join(packed)


def _new_names(case: Case, declared: Declared) -> dict[str, str]:
    """Return name -> its new form; the number of an actor is the place in which they first show."""
    names: dict[str, str] = {}
    if declared.toml.task.entities == "renamed":
        names[case.decision.entity] = case_name(case, declared)
    if declared.toml.task.actors == "numbered":
        for shown in case.decision.visible.shown:
            if shown.event.actor:
                names.setdefault(shown.event.actor, f"actor-{len(names)}")
    return names


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Return a field's value with names in their new form; a name that is a number would take amounts with it."""
    if isinstance(value, Mapping):
        return {key: _renamed(inner, names) for key, inner in value.items()}
    if isinstance(value, list):
        return [_renamed(inner, names) for inner in value]
    return names.get(value, value) if isinstance(value, str) and number(value) is None else value


def instruction(case: Case, declared: Declared) -> str:
    """Return the task's instruction."""
    task = declared.toml.task
    files = "".join(f"\n`/app/{name.rsplit('/', 1)[-1]}` lies beside it." for name in task.files)
    offered = "\n".join(_offered(name, declared) for name in case.offered)
    return f"""{task.text}

The case is `{case_name(case, declared)}`, and it is {said(case.decision.made_at)}.
`/app/{HISTORY}` holds all that is on record of it, oldest first, one event a line: `time`, `recorded` where it was
recorded at another time, `actor`, `action`, `fields`.{files}
Leave these files as they are.

Choose one of these actions:

{offered}

Write your decision to `/app/{DECISION}`: one JSON object with the key `action`, each parameter of the action you chose,
and, if you like, `reason`, a text that is not graded. No other keys.
"""


def _offered(name: str, declared: Declared) -> str:
    action = declared.action(name)
    says = f": {action.says}" if action.says else ""
    return f"- `{name}`{says}" + "".join(f"\n    - `{one.name}`, {_kind(one)}" for one in action.parameter)


def _kind(parameter: Parameter) -> str:
    if parameter.kind == "choice":
        return "one of " + ", ".join(f"`{choice}`" for choice in parameter.choices)
    if parameter.kind == "text":
        return "a text, letter for letter as the records write it"
    spread = [f"{parameter.within:g}"] if parameter.within else []
    spread += [f"{parameter.share:.0%}"] if parameter.share else []
    return f"a number, right within {' or '.join(spread)} (the larger counts)" if len(spread) > 1 else (
        f"a number, right within {spread[0]}" if spread else "a number")  # fmt: skip


def case_text(case: Case, declared: Declared) -> str:
    """Return what the task shows of its case as one text, for a search for near copies."""
    return "\n".join(
        f"{line['action']} {orjson.dumps(line['fields'], default=str).decode()}" for line in history(case, declared)
    )

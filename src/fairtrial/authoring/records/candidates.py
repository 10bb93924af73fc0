"""The key's half of an emitted task: checks, rules of the score, the reference, and candidates whose score is known.

Candidates are made of what is known: every other action is wrong where only one is right, so each is a defect; a
parameter beyond its margin is one; the same choice in another layout and within the margin is an alternative; a list of
all actions, and a history that was edited, are hacks.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from fairtrial.authoring.records.grading import Case
from fairtrial.authoring.records.schema import Declared, Parameter
from fairtrial.authoring.records.telling import DECISION, HISTORY

MOST_DEFECTS = 4
"""Other actions that are declared as defects; the rest would show the same."""

DECISION_PY = '''"""Check the action of a decision: a JSON object with an offered action, its parameters, no more."""

from fairtrial.checks import Inside, Result
from fairtrial.checks.reading import WorkError, json_value, of_the_work

MOST_WORDS = 4000


@of_the_work
def decides(path: Inside, right: list[str], offered: dict[str, list[str]]) -> Result:
    """Check that the action is among the right ones; `offered` maps each action to its parameters."""
    decision = json_value(path)
    if not isinstance(decision, dict):
        raise WorkError("the decision is no JSON object")
    action = decision.get("action")
    if not isinstance(action, str) or action not in offered:
        raise WorkError(f"`action` is {str(action)[:60]!r}, and none that was offered")
    needed, there = set(offered[action]), set(decision) - {"action", "reason"}
    if needed != there:
        raise WorkError(f"`{action}` takes {sorted(needed)} and was given {sorted(there)[:9]}"[:300])
    if len(str(decision.get("reason", ""))) > MOST_WORDS:
        raise WorkError("`reason` has no end")
    return Result(action in right, f"the action is `{action}`")
'''


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A submission whose score is known, as a script."""

    name: str
    kind: str
    solve: str
    fails: tuple[str, ...] = ()


def writes(decision: Mapping[str, Any], *, before: str = "", indent: bool = True) -> str:
    """Return a script that writes this decision."""
    text = orjson.dumps(decision, option=orjson.OPT_INDENT_2 if indent else 0).decode()
    end = "DECISION"
    while end in text:
        end += "_"
    return f"#!/bin/bash\n{before}cat >/app/{DECISION} <<'{end}'\n{text}\n{end}\n"


def reference(case: Case) -> dict[str, Any]:
    """Return the decision of the reference."""
    return {"action": case.reference, **case.example}


def checks_toml(case: Case, declared: Declared) -> str:
    """Return the checks of a task."""
    offered = {name: [one.name for one in declared.action(name).parameter] for name in case.offered}
    parts = [
        "end_others = true\n",
        f'[[check]]\nname = "action"\nuse = "./decision.py:decides"\npath = "/app/{DECISION}"\n'
        f"right = {_toml(list(case.right))}\noffered = {_toml(offered)}\n",
    ]
    for parameter in declared.action(case.reference).parameter:
        if parameter.name in case.parameters:
            parts.append(_parameter_check(parameter, case.parameters[parameter.name]))
    parts.append(f'[[check]]\nname = "records_untouched"\nuse = "files_unchanged"\npath = "/app"\n'
                 f'before = "original.sha256"\nallow = ["{DECISION}"]\n')  # fmt: skip
    return "\n".join(parts)


def _parameter_check(parameter: Parameter, value: Any) -> str:
    head = f'[[check]]\nname = "{_check_name(parameter)}"\nuse = "json_value"\npath = "/app/{DECISION}"\n'
    head += f"at = {_toml('$.' + parameter.name if _is_plain(parameter.name) else _quoted(parameter.name))}\n"
    if parameter.kind != "number":
        return f"{head}equals = {_toml(value)}\n"
    margin = margin_of(parameter, value)
    return f"{head}equals = {_toml(value)}\n" + (f"tolerance = {_toml(margin)}\n" if margin else "")


def _is_plain(name: str) -> bool:
    return name.replace("_", "a").isalnum() and not name[0].isdigit()


def _quoted(name: str) -> str:
    return f"$['{name}']"


def _check_name(parameter: Parameter) -> str:
    return parameter.name if parameter.name != "records_untouched" else "records_untouched_"


def margin_of(parameter: Parameter, value: float) -> float:
    """Return the largest difference that still agrees with a number."""
    return max(parameter.within, parameter.share * abs(value))


def grading_toml(case: Case, declared: Declared) -> str:
    """Return the rules of the score: the action; graded parameters, which build on it; untouched records, a gate."""
    parts = ['[[check]]\nname = "action"\n']
    for parameter in declared.action(case.reference).parameter:
        if parameter.name in case.parameters:
            parts.append(f'[[check]]\nname = "{_check_name(parameter)}"\ndepends_on = ["action"]\n')
    parts.append('[[check]]\nname = "records_untouched"\nrole = "gate"\n')
    return "\n".join(parts)


def originals(files: Mapping[str, bytes]) -> str:
    """Return the digests of the files that must stay, as `sha256sum` prints them."""
    return "".join(f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files))


def candidates(case: Case, declared: Declared) -> list[Candidate]:
    """Return the candidates of a task whose score is known."""
    right = reference(case)
    graded = [one for one in declared.action(case.reference).parameter if one.name in case.parameters]
    found: list[Candidate] = []
    for name in [one for one in case.offered if one not in case.right][:MOST_DEFECTS]:
        chosen = {"action": name, **_placeholders(declared, name)}
        fails = ["action", *(_check_name(one) for one in graded if not _agrees(one, case, chosen.get(one.name)))]
        found.append(Candidate(name=f"defect-{name}", kind="defect", solve=writes(chosen), fails=tuple(fails)))
    for one in graded:
        off = right | {one.name: _beyond(one, case.parameters[one.name])}
        found.append(
            Candidate(name=f"defect-{one.name}-off", kind="defect", solve=writes(off), fails=(_check_name(one),))
        )
    found.append(Candidate(name="defect-no-object", kind="defect", solve=writes_text(case.reference),
                           fails=("action", *(_check_name(one) for one in graded))))  # fmt: skip
    near = {one.name: _within(one, case.parameters[one.name]) for one in graded}
    other_form = {"reason": "As the record stands.", **dict(reversed(list((right | near).items())))}
    found.append(Candidate(name="alternative-layout", kind="alternative", solve=writes(other_form, indent=False)))
    for name in [one for one in case.right if one != case.reference][:1]:
        also = {"action": name, **_placeholders(declared, name)}
        found.append(Candidate(name=f"alternative-{name}", kind="alternative", solve=writes(also)))
    every = right | {"action": list(case.offered)}
    found.append(Candidate(name="hack-every-action", kind="hack", solve=writes(every)))
    edit = f'echo \'{{"action": "{case.reference}"}}\' >>/app/{HISTORY}\n'
    found.append(Candidate(name="hack-history-edited", kind="hack", solve=writes(right, before=edit)))
    return found


def writes_text(action: str) -> str:
    """Return a script that writes a bare text where a JSON object belongs."""
    return f"#!/bin/bash\necho '\"{action}\"' >/app/{DECISION}\n"


def _placeholders(declared: Declared, action: str) -> dict[str, Any]:
    """Return a value for each parameter of an action: one that fits its form."""
    return {one.name: 0 if one.kind == "number" else one.choices[0] if one.choices else "-"
            for one in declared.action(action).parameter}  # fmt: skip


def _agrees(parameter: Parameter, case: Case, value: Any) -> bool:
    right = case.parameters[parameter.name]
    if parameter.kind != "number" or not isinstance(value, int | float):
        return bool(value == right)
    return bool(abs(value - right) <= margin_of(parameter, right))


def _beyond(parameter: Parameter, value: Any) -> Any:
    """Return a value just too far from the right one."""
    if parameter.kind == "number":
        return value + margin_of(parameter, value) * 1.5 + 1
    if parameter.choices:
        return next((choice for choice in parameter.choices if choice != value), f"not {value}")
    return f"not {value}"


def _within(parameter: Parameter, value: Any) -> Any:
    """Return another value that agrees, where the margin allows one."""
    margin = margin_of(parameter, value) if parameter.kind == "number" else 0
    return value + margin / 2 if margin else value


def proof_toml(made: list[Candidate]) -> str:
    """Return the proof.toml that declares these candidates."""
    parts = []
    for one in made:
        fails = f"fails = {_toml(list(one.fails))}\n" if one.fails else ""
        parts.append(f'[[candidate]]\nname = "{one.name}"\nkind = "{one.kind}"\n'
                     f'solve = "candidates/{one.name}/solve.sh"\n{fails}')  # fmt: skip
    return "\n".join(parts)


def _toml(value: Any) -> str:
    """Write a text, number, list or table of these as TOML; a basic string of TOML is one of JSON."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_toml(key)} = {_toml(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, float):
        return repr(value)
    return orjson.dumps(value).decode().replace("\x7f", "\\u007f")


toml = _toml

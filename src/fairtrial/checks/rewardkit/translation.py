"""Translate a rewardkit folder: its tree of criteria as the text of a checks.toml and of a grading.toml.

Where rewardkit follows links, runs commands with the grader's own environment, or takes true for 1, our checks do not:
docs/checks-state.md lists it. A judge's criterion becomes a question with the answers yes and no.
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairtrial.checks.rewardkit.calls import Called
from fairtrial.checks.rewardkit.criteria import OF_ALL, SIGNATURES, Declares, NoCounterpart, declared
from fairtrial.checks.rewardkit.folder import Component, own_of, read_folder
from fairtrial.checks.rewardkit.units import Unit, Units, units_of
from fairtrial.records.errors import FormatError

WORKSPACE = "/app"
_OF_OTHER_TYPES = (TypeError, ValueError, AttributeError, OverflowError)
"""What reading values as rewardkit's files have them raises where they are others: a list for a weight."""


@dataclass(frozen=True, slots=True)
class Translation:
    """What a rewardkit folder says, in our files, and what of it could not be said."""

    checks: str
    """The text of a checks.toml; "" where nothing could be translated."""
    grading: str
    """The text of a grading.toml, "" likewise."""
    untranslated: tuple[str, ...]
    """Criteria that are missing in both, each with its place and the reason."""
    differs: tuple[str, ...]
    """What is there and means something else than in rewardkit."""


def read_rewardkit(folder: Path, workspace: str = WORKSPACE) -> Translation:
    """Read the rewardkit `folder` whose criteria look at `workspace`. Raise FormatError for a file that is unreadable.

    No file of the folder is run.
    """
    found, own = _read(folder), own_of(folder)
    checks: list[str] = []
    rules: list[str] = []
    untranslated: list[str] = []
    differs = list(found.differs)
    names: set[str] = set()
    used: set[str] = set()
    for unit in found.units:
        label, place = _label(unit), f"{unit.component.file.relative_to(folder)}{_line(unit)}"
        try:
            one = _declared(unit, workspace, folder)
        except NoCounterpart as error:
            defined = own.get(_criterion(unit), "")
            untranslated.append(f"{place}: `{label}`: {error}" + (f", defined at {defined}" if defined else ""))
            continue
        name = _unique(f"{unit.component.path}:{label}", names)
        differs += [f"{place}: `{label}`: {told}" for told in _differences(unit, one)]
        checks.append(_table("check", {"name": name, "use": one.use} | dict(one.parameters)))
        rules.append(_table("check", {"name": name} | _rule(unit)))
        used.add(unit.workflow)
    workflows = [
        _table("workflow", {"name": name, "weight": _short(w)}) for name, w in found.workflows.items() if name in used
    ]
    return Translation("\n".join(checks), "\n".join([*workflows, *rules]), tuple(untranslated), tuple(differs))


def _read(folder: Path) -> Units:
    try:
        return units_of(read_folder(folder))
    except _OF_OTHER_TYPES as error:
        raise FormatError(f"is not made as rewardkit's files are: {error}", path=folder) from error


def _rule(unit: Unit) -> dict[str, Any]:
    if unit.is_optional:
        return {"role": "quality"}
    return {"workflow": unit.workflow} if unit.workflow else {"weight": _short(unit.weight)}


def _short(weight: float) -> float:
    return float(f"{weight:.6g}")


def _criterion(unit: Unit) -> str:
    return unit.component.calls[unit.number].name if unit.component.calls else ""


def _line(unit: Unit) -> str:
    return f":{unit.component.calls[unit.number].line}" if unit.component.calls else ""


def _label(unit: Unit) -> str:
    """Return the criterion's name as rewardkit gives it, where it is known."""
    if not unit.component.calls:
        criterion = unit.component.criteria[unit.number]
        return str(criterion.get("name") or str(criterion["description"])[:50])
    call = unit.component.calls[unit.number]
    if call.named.get("name"):
        return str(call.named["name"])
    try:
        first = next(iter(_arguments(call).values()), None)
    except NoCounterpart:
        first = None
    return call.name if first is None else f"{call.name}:{str(first)[:50]}"


def _declared(unit: Unit, workspace: str, folder: Path) -> Declares:
    try:
        if not unit.component.calls:
            return _judged(unit.component, unit.component.criteria[unit.number], workspace, folder)
        call = unit.component.calls[unit.number]
        if call.unread:
            raise NoCounterpart(call.unread)
        made = declared(call.name, _arguments(call), workspace)
        toml(made.parameters)
        return made
    except _OF_OTHER_TYPES as error:
        raise NoCounterpart(f"what it is given is of another type than it takes: {error}") from error


def _arguments(call: Called) -> Mapping[str, Any]:
    """Return what the criterion is given, by name."""
    if call.unread:
        return {}
    parameters = SIGNATURES.get(call.name, ())
    if len(call.positional) > len(parameters) and call.name in SIGNATURES:
        raise NoCounterpart(f"it has {len(call.positional)} arguments, and takes {len(parameters)}")
    given = dict(zip(parameters, call.positional, strict=False))
    given |= {name: value for name, value in call.named.items() if name not in OF_ALL}
    if strange := sorted(set(given) - set(parameters)):
        raise NoCounterpart(f"it has no argument `{strange[0]}`" if parameters else "rewardkit has no such criterion")
    return given


def _differences(unit: Unit, one: Declares) -> Iterator[str]:
    if one.differs:
        yield one.differs
    if unit.component.calls and unit.component.calls[unit.number].named.get("isolated"):
        yield "runs on a copy of the workspace there; here on the workspace itself"


def _judged(component: Component, criterion: Mapping[str, Any], workspace: str, folder: Path) -> Declares:
    kind = criterion.get("type", "binary")
    if kind != "binary":
        raise NoCounterpart(f"it asks for a grade ({kind}); a criterion of ours is answered by yes or no")
    judge = component.judge
    if judge.get("prompt_template"):
        differs = "has a prompt of its own there, which is not read"
    elif judge.get("guard", "off") != "off":
        differs = "has a guard against injection there; here the work is always quoted as data"
    else:
        differs = ""
    noted = str(criterion.get("annotations", {}).get("type", "")).lower()
    negate = bool(criterion.get("negate", "negative" in noted))
    files = [posixpath.join(workspace, one) for one in (*judge.get("files", ()), *criterion.get("files", ()))]
    stated: dict[str, Any] = {"criterion": str(criterion["description"])}
    trajectory = bool(judge.get("atif-trajectory") or judge.get("atif_trajectory"))
    if files or not trajectory:
        stated["artifacts"] = files or [str(judge.get("cwd") or workspace)]
    if trajectory:
        stated["trajectory"] = True
    if judge.get("reference"):
        stated["reference"] = [_beside(str(judge["reference"]), folder)]
    if int(judge.get("samples", 1)) > 1:
        stated["votes"] = int(judge["samples"])
    return Declares("judged", stated | ({"passes_on": "no"} if negate else {}), differs)


def _beside(reference: str, folder: Path) -> str:
    """Return a path of the tests folder as from there."""
    for top in (f"{folder}/", "/tests/"):
        if reference.startswith(top):
            return reference.removeprefix(top)
    return reference.lstrip("/")


def _unique(name: str, taken: set[str]) -> str:
    number, unique = 1, name
    while unique in taken:
        number += 1
        unique = f"{name} #{number}"
    taken.add(unique)
    return unique


def _table(kind: str, values: Mapping[str, Any]) -> str:
    return f"[[{kind}]]\n" + "".join(f"{_key(key)} = {toml(value)}\n" for key, value in values.items())


def _key(name: str) -> str:
    return name if name and all(c.isascii() and (c.isalnum() or c in "-_") for c in name) else toml(name)


def toml(value: Any) -> str:
    r"""Return `value` as TOML says it within a line. Raise TypeError for what TOML cannot say.

    >>> toml({"a b": [1, True, "x\n\x7f"]})
    '{ "a b" = [1, true, "x\\n\\u007f"] }'
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        clean = value.encode("utf-8", "backslashreplace").decode()
        return json.dumps(clean, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(str(key))} = {toml(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(toml(one) for one in value) + "]"
    raise TypeError(f"a value of type {type(value).__name__} has no form in TOML")

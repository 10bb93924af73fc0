"""Read a workflows.toml: where an app is, how it is started, and what a user does there, step by step.

base_url = "http://127.0.0.1:8000"
start = "python3 /app/server.py"     # run in the box; left out where the app is up already
folder = "/app"                      # where it is started
user = "nobody"                      # as whom; the grader's own user unless set
seconds = 20                         # most time until it answers
[[workflow]]
name = "refund"
step = [
  { open = "/orders/4711" },
  { fill = { reason = "broken" } },
  { click = "Refund" },
  { expect = "refund-shown", text = "Refunded: 12.50" },
]
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from fairtrial.checks.reading import said
from fairtrial.records.errors import FormatError

ACTIONS: Mapping[str, type | tuple[type, ...]] = {
    "open": str, "fill": dict, "click": str, "submit": str, "request": dict, "keep": dict,
}  # fmt: skip
BESIDE: Mapping[str, frozenset[str]] = {"click": frozenset({"within"})}
FACTS: Mapping[str, type | tuple[type, ...]] = {
    "status": int, "url": str, "title": str, "text": (str, list), "lacks": (str, list), "regex": (str, list),
    "fields": dict, "json": str, "after": str, "read": str, "equals": object, "kind": str, "tolerance": (int, float),
}  # fmt: skip
VALUED = frozenset({"json", "after", "read"})
"""What yields a value, which `equals` states."""
REQUEST = frozenset({"method", "path", "json", "form", "body", "headers"})
TOP = frozenset({"base_url", "start", "folder", "user", "seconds", "workflow"})
MOST_SECONDS = 600.0
_KEPT = re.compile(r"\{([A-Za-z_]\w*)\}")


@dataclass(frozen=True, slots=True)
class Step:
    """Something a user does."""

    number: int
    action: str
    value: Any
    within: str = ""
    """Words of the row, list item or form that a link or button is in."""

    @property
    def said(self) -> str:
        """Return the step in words."""
        return f"step {self.number} ({self.action} {said(self.value, 60)})"


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that must hold at this point."""

    number: int
    name: str
    states: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Workflow:
    """Steps and facts, in order."""

    name: str
    steps: tuple[Step | Fact, ...]

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Return what must hold."""
        return tuple(step for step in self.steps if isinstance(step, Fact))


@dataclass(frozen=True, slots=True, kw_only=True)
class Workflows:
    """A workflows.toml that was read."""

    base_url: str
    start: str = ""
    folder: str = "/"
    user: str = ""
    seconds: float = 20.0
    workflows: Mapping[str, Workflow] = field(default_factory=dict)


def filled(value: Any, kept: Mapping[str, str]) -> Any:
    """Return `value` with `{name}` replaced by what was kept under that name; other braces stay.

    >>> filled({"open": "/orders/{order}?{x}"}, {"order": "7"})
    {'open': '/orders/7?{x}'}
    """
    if isinstance(value, str):
        return _KEPT.sub(lambda found: kept.get(found[1], found[0]), value)
    if isinstance(value, Mapping):
        return {name: filled(one, kept) for name, one in value.items()}
    return [filled(one, kept) for one in value] if isinstance(value, list) else value


def read_workflows(path: Path) -> Workflows:
    """Read the workflows.toml at `path`. Raise FormatError naming what does not fit."""
    try:
        values = tomllib.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror}", path=path) from error
    except ValueError as error:
        raise FormatError(f"is not TOML: {error}", path=path) from error
    _refuse_strange(path, values, TOP, "")
    base = _typed(path, values, "base_url", str, "")
    address = urlsplit(base)
    if address.scheme not in ("http", "https") or not address.hostname:
        raise FormatError(f"{said(base)} is no http(s) address", path=path, field="base_url")
    seconds = _typed(path, values, "seconds", (int, float), 20.0)
    if not 0 < seconds <= MOST_SECONDS:
        raise FormatError(f"{seconds} is not above 0 and at most {MOST_SECONDS:g}", path=path, field="seconds")
    found: dict[str, Workflow] = {}
    for index, table in enumerate(_tables(path, values.get("workflow"), "workflow")):
        one = _workflow(path, table, f"workflow[{index}]")
        if one.name in found:
            raise FormatError(f"{said(one.name)} is named twice", path=path, field=f"workflow[{index}].name")
        found[one.name] = one
    return Workflows(
        base_url=base.rstrip("/"), start=_typed(path, values, "start", str, ""), seconds=float(seconds),
        folder=_typed(path, values, "folder", str, "/"), user=_typed(path, values, "user", str, ""), workflows=found,
    )  # fmt: skip


def _workflow(path: Path, table: Mapping[str, Any], at: str) -> Workflow:
    _refuse_strange(path, table, {"name", "step"}, at)
    name = table.get("name")
    if not isinstance(name, str) or not name:
        raise FormatError("needs a name, a text", path=path, field=f"{at}.name")
    steps = [
        _step(path, one, number, f"{at}.step[{number - 1}]")
        for number, one in enumerate(_tables(path, table.get("step"), f"{at}.step"), 1)
    ]
    names = [one.name for one in steps if isinstance(one, Fact)]
    if twice := next((one for one in names if names.count(one) > 1), ""):
        raise FormatError(f"expects {said(twice)} twice", path=path, field=at)
    if not names:
        raise FormatError("expects nothing, so it checks nothing", path=path, field=at, hint="Add { expect = … }.")
    return Workflow(name, tuple(steps))


def _step(path: Path, table: Mapping[str, Any], number: int, at: str) -> Step | Fact:
    if "expect" in table:
        return _fact(path, table, number, at)
    actions = [key for key in table if key in ACTIONS]
    if len(actions) != 1:
        known = ", ".join((*ACTIONS, "expect"))
        raise FormatError(f"a step does exactly one of {known}", path=path, field=at)
    action = actions[0]
    _refuse_strange(path, table, {action, *BESIDE.get(action, ())}, at)
    value = _typed(path, table, action, ACTIONS[action], None, at)
    if action == "request":
        _refuse_strange(path, value, REQUEST, f"{at}.request")
        if not isinstance(value.get("path"), str):
            raise FormatError("needs a `path`", path=path, field=f"{at}.request")
    if action == "keep":
        for name, pattern in value.items():
            if not isinstance(pattern, str) or not _has_group(pattern):
                raise FormatError("should be a pattern with a group", path=path, field=f"{at}.keep.{name}")
    return Step(number, action, value, _typed(path, table, "within", str, "", at))


def _fact(path: Path, table: Mapping[str, Any], number: int, at: str) -> Fact:
    name = _typed(path, table, "expect", str, "", at)
    if not name:
        raise FormatError("needs a name, a text", path=path, field=f"{at}.expect")
    _refuse_strange(path, table, {"expect", *FACTS}, at)
    states = {key: _typed(path, table, key, FACTS[key], None, at) for key in table if key != "expect"}
    valued = VALUED & states.keys()
    if not states:
        raise FormatError("expects nothing", path=path, field=at, hint=f"It may state: {', '.join(FACTS)}.")
    if len(valued) > 1:
        raise FormatError(f"takes its value from one of {', '.join(sorted(VALUED))}", path=path, field=at)
    if bool(valued) != ("equals" in states):
        raise FormatError("`equals` goes with `json`, `after` or `read`", path=path, field=at)
    if valued & {"after", "read"} and not isinstance(states["equals"], str):
        raise FormatError("should be a text, as it is shown", path=path, field=f"{at}.equals")
    return Fact(number, name, states)


def _has_group(pattern: str) -> bool:
    try:
        return re.compile(pattern).groups >= 1
    except re.error:
        return False


def _tables(path: Path, value: Any, at: str) -> list[Mapping[str, Any]]:
    if not isinstance(value, list) or not value or not all(isinstance(one, dict) for one in value):
        raise FormatError("needs at least one table", path=path, field=at)
    return value


def _typed(path: Path, table: Mapping[str, Any], key: str, kind: Any, default: Any, at: str = "") -> Any:
    value = table.get(key, default)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise FormatError(f"should not be {said(value, 40)}", path=path, field=f"{at}.{key}".lstrip("."))
    return value


def _refuse_strange(path: Path, table: Mapping[str, Any], known: Any, at: str) -> None:
    if strange := next((key for key in table if key not in known), ""):
        hint = f"Known: {', '.join(sorted(known))}."
        raise FormatError(f"has no key `{strange}`", path=path, field=f"{at}.{strange}".lstrip("."), hint=hint)

"""Find a check by its name, and call it with the parameters that a checks.toml states.

A family is a sub-package with a table `CHECKS`: name -> function. Families of BOX run inside a task's tests and are
part of the kit; those of OUTSIDE need what lies out of the agent's reach (the trajectory, a judge).
"""

from __future__ import annotations

import difflib
import importlib
import inspect
import types
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairtrial.checks.protocol import Check, CheckError, Given, Inside, Result
from fairtrial.records.errors import InputError

BOX = ("state", "code", "cost")
OUTSIDE = ("process", "judged")
OUTSIDE_NAMES: frozenset[str] = frozenset({
    "at_most",
    "comes_after",
    "comes_before",
    "forbidden",
    "judged",
    "judged_workflow",
    "looked_before_edit",
    "money",
    "required",
    "tests_own_work",
    "tokens",
    "turns",
})  # fmt: skip
"""Names of the checks of OUTSIDE, stated here because the kit knows them without holding them (a test compares)."""


def checks_of(family: str) -> Mapping[str, Check]:
    """Return the checks of `family` by name."""
    found: Mapping[str, Check] = importlib.import_module(f"fairtrial.checks.{family}").CHECKS
    return found


def catalogue(families: tuple[str, ...] = BOX + OUTSIDE) -> dict[str, Check]:
    """Return every check of `families` by name."""
    return {name: check for family in families for name, check in checks_of(family).items()}


def find(name: str, families: tuple[str, ...] = BOX + OUTSIDE) -> Check:
    """Return the check called `name`. Raise InputError naming the nearest known."""
    known = catalogue(families)
    if name in known:
        return known[name]
    close = difflib.get_close_matches(name, known, n=1)
    hint = f"Did you mean `{close[0]}`?" if close else "`fairtrial check --list` names them all."
    raise InputError(f"there is no check `{name}`", field="use", hint=hint)


def needs(check: Check) -> tuple[type[Given], ...]:
    """Return what a caller must provide for `check` besides its parameters."""
    return tuple(hint for hint in _hints(check).values() if inspect.isclass(hint) and issubclass(hint, Given))


def bound(
    check: Check, stated: Mapping[str, Any], given: Mapping[type[Given], Given], root: Path, beside: Path
) -> dict[str, Any]:
    """Return the arguments for `check`: what is `stated`, paths resolved, and what is `given`.

    Raise InputError for a parameter that is unknown, missing or of another type.
    """
    hints = _hints(check)
    parameters = inspect.signature(check).parameters
    filled = {name for name, hint in hints.items() if inspect.isclass(hint) and issubclass(hint, Given)}
    for name in stated:
        if name not in parameters or name in filled:
            known = ", ".join(p for p in parameters if p not in filled)
            raise InputError(f"`{_name(check)}` has no parameter `{name}`", field=name, hint=f"It has: {known}.")
    arguments: dict[str, Any] = {}
    for name, parameter in parameters.items():
        if name in filled:
            if hints[name] not in given:
                raise CheckError(f"`{_name(check)}` needs {hints[name].NAME}, and there is none here")
            arguments[name] = given[hints[name]]
        elif name in stated:
            arguments[name] = _fitted(stated[name], hints.get(name, Any), name, root, beside)
        elif parameter.default is inspect.Parameter.empty:
            raise InputError(f"`{_name(check)}` needs the parameter `{name}`", field=name)
    return arguments


def called(
    check: Check, stated: Mapping[str, Any], given: Mapping[type[Given], Given], root: Path, beside: Path
) -> Result:
    """Run `check` with `stated` parameters; see `bound` for what is raised, besides CheckError."""
    return check(**bound(check, stated, given, root, beside))


def _name(check: Check) -> str:
    return getattr(check, "__name__", repr(check))


def _hints(check: Check) -> dict[str, Any]:
    hints = typing.get_type_hints(check, include_extras=True)
    hints.pop("return", None)
    return hints


def _fitted(value: Any, hint: Any, name: str, root: Path, beside: Path) -> Any:
    """Return `value` as `hint` wants it: paths resolved (in lists too), whole numbers as floats."""
    if hint == Inside and isinstance(value, str):
        return str(root / value.lstrip("/")) if value.startswith("/") else str(beside / value)
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        fitting = [option for option in typing.get_args(hint) if _fits(value, option)]
        if fitting:
            return _fitted(value, fitting[0], name, root, beside)
    elif origin in (list, tuple) and isinstance(value, list):
        item = typing.get_args(hint)[0]
        return [_fitted(one, item, name, root, beside) for one in value]
    elif origin is dict and isinstance(value, dict):
        item = typing.get_args(hint)[1]
        return {key: _fitted(one, item, name, root, beside) for key, one in value.items()}
    if not _fits(value, hint):
        raise InputError(f"should be {_worded(hint)}, not {value!r:.60}", field=name)
    return float(value) if hint is float else value


def _fits(value: Any, hint: Any) -> bool:
    if hint is Any:
        return True
    if hint == Inside:
        return isinstance(value, str)
    origin = typing.get_origin(hint) or hint
    if origin is typing.Literal:
        return value in typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return any(_fits(value, option) for option in typing.get_args(hint))
    if origin is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if origin is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if origin is tuple:
        return isinstance(value, list)
    return isinstance(value, origin) if inspect.isclass(origin) else True


def _worded(hint: Any) -> str:
    if typing.get_origin(hint) is typing.Literal:
        return "one of " + ", ".join(map(str, typing.get_args(hint)))
    return {str: "text", bool: "true or false", int: "a whole number", float: "a number"}.get(hint, str(hint))

"""Give code the names that tests use, in memory: modules of aliases; no file is changed and no text replaced.

The text of this file and a call of `alias` with rows {"needs", "has", "parameters", "order"} run before the tests.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import sys
import types
from typing import Any


def module(name: str) -> Any:
    """Return the module `name`; an empty one where the code has none."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as lacking:
        if lacking.name is None or not f"{name}.".startswith(f"{lacking.name}."):
            raise
    above, _, last = name.rpartition(".")
    made = types.ModuleType(name)
    made.__path__ = []
    sys.modules[name] = made
    if above:
        setattr(module(above), last, made)
    return made


def translated(target: Any, row: Any, skip: int) -> Any:
    """Return a function that takes arguments as the tests give them and calls `target`; `skip` is 1 for `self`."""
    names, order = row.get("parameters", {}), row.get("order", [])
    if not names and not order:
        return target

    @functools.wraps(target)
    def called(*arguments: Any, **named: Any) -> Any:
        given = {names.get(name, name): value for name, value in named.items()}
        if order:
            by_name = dict(zip(order, arguments[skip:]))  # noqa: B905 - older Pythons have no strict
            given.update({names.get(name, name): value for name, value in by_name.items()})
            arguments = arguments[:skip] + arguments[skip + len(by_name) :]
        return target(*arguments, **given)

    return called


def member(row: Any) -> None:
    """Give a class of the work the member that the tests use."""
    place, _, inside = row["has"].partition(":")
    owner_name, _, has = inside.partition(".")
    owner, wanted = getattr(module(place), owner_name), row["needs"].rpartition(".")[2]
    if has == wanted and not row.get("parameters") and not row.get("order"):
        return
    try:
        found = inspect.getattr_static(owner, has)
    except AttributeError:
        found = None
    if found is None or not (callable(found) or isinstance(found, (property, staticmethod, classmethod))):
        found = property(lambda self: getattr(self, has), lambda self, value: setattr(self, has, value))
    elif isinstance(found, (staticmethod, classmethod)):
        found = type(found)(translated(found.__func__, row, int(isinstance(found, classmethod))))
    elif not isinstance(found, property):
        found = translated(found, row, 1)
    setattr(owner, wanted, found)


def alias(rows: Any) -> None:
    """Apply every row: names of modules first, then members of classes."""
    for row in rows:
        place, _, name = row["needs"].partition(":")
        if "." not in name:
            origin, _, has = row["has"].partition(":")
            target = getattr(module(origin), has)
            if isinstance(target, type):
                if row.get("parameters"):
                    target.__init__ = translated(target.__init__, row, 1)  # type: ignore[misc]
            else:
                target = translated(target, row, 0)
            setattr(module(place), name, target)
    for row in rows:
        if "." in row["needs"].partition(":")[2]:
            member(row)

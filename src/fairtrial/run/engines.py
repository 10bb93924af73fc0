"""Find an engine by name: a built-in one, an entry point `fairtrial.engine`, or a dotted path given by a person.

What is found is called with `workers` (None: as many as there are cores) and `address` (of a cluster; empty for none)
and returns a context manager that is the engine. A dotted path is never taken from a file that came with a suite.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from importlib.metadata import entry_points
from types import TracebackType
from typing import Protocol, Self

from fairtrial.records import InputError
from fairtrial.run.engine import Engine, LocalEngine
from fairtrial.run.engine_ray import RayEngine

GROUP = "fairtrial.engine"


class OpenEngine(Engine, Protocol):
    """An engine that is entered before it is used, and left when it is no longer needed."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def _local(*, workers: int | None, address: str) -> OpenEngine:
    if address:
        raise InputError("names a cluster, and the engine `local` is this machine", field="--address",
                         hint="Add --engine ray.")  # fmt: skip
    return LocalEngine(workers)


def _ray(*, workers: int | None, address: str) -> OpenEngine:
    return RayEngine(workers, address)


BUILT_IN: dict[str, Callable[..., OpenEngine]] = {"local": _local, "ray": _ray}


def find(name: str, *, workers: int | None = None, address: str = "", from_person: bool = False) -> OpenEngine:
    """Return the engine called `name`; a dotted path `module:attribute` only where a person gave it.

    Raise InputError where there is none.
    """
    make: object = BUILT_IN.get(name)
    points = {point.name: point for point in entry_points(group=GROUP)}
    if make is None and name in points:
        make = points[name].load()
    if make is None and ":" in name and from_person:
        make = _attribute(name)
    if make is None:
        hint = f"Known: {', '.join(sorted({*BUILT_IN, *points}))}; or module:attribute on the command line."
        raise InputError(f"there is no engine `{name}`", field="--engine", hint=hint)
    made: object = make(workers=workers, address=address) if callable(make) else make
    if not all(hasattr(made, method) for method in ("map", "__enter__", "__exit__")):
        raise InputError(f"`{name}` is not an engine", field="--engine", hint="It needs map, __enter__ and __exit__.")
    return made  # type: ignore[return-value]


def _attribute(name: str) -> object:
    module, _, attribute = name.partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise InputError(f"cannot load the engine `{name}`: {error}", field="--engine") from error

"""Find the grader that a name means, and the adapter for its framework.

A name is `module:path` or `file.py:path`; the path may go through attributes, keys and positions (`ZOO.3.reward`).
A class is made without arguments, a factory called without arguments. Nothing is told apart by the names of packages
alone: the parameters and the methods of what is found decide.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from .errors import UnusableError
from .inspect_scorer import adapter as inspect_adapter
from .shapes import CHAT, COMPLETION, EITHER, WHOLE, PlainGrader
from .trl import TrlGrader
from .verifiers_v0 import adapter as rubric_adapter
from .verifiers_v1 import adapter as taskset_adapter

METHODS = ("grade", "score", "verify", "compute_score", "evaluate", "reward", "check")
MOST_FACTORIES = 3
MOST_SOURCE = 200_000


def load(target: dict[str, Any], framework: str, columns: frozenset[str]) -> Any:
    """Return the adapter of the grader. Raise UnusableError where there is none."""
    found = _attribute(_module(target), target["path"], target["name"])
    return adapted(found, framework, columns, target["name"])


def _module(target: dict[str, Any]) -> ModuleType:
    for folder in reversed(target["folders"]):
        sys.path.insert(0, folder)
    name = target["module"]
    try:
        if not target["file"]:
            return importlib.import_module(name)
        if "." in name:  # a file in a package, whose root is among the folders
            return importlib.import_module(name)
        spec = importlib.util.spec_from_file_location(name, target["file"])
        if spec is None or spec.loader is None:
            raise UnusableError(f"{target['file']} is no Python file", "name")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        return module
    except ModuleNotFoundError as error:
        kind = "name" if error.name and f"{name}.".startswith(f"{error.name}.") else "grader"
        raise UnusableError(f"no module named `{error.name}`", kind) from error


def _attribute(module: ModuleType, path: str, name: str) -> Any:
    found: Any = module
    for step in path.split("."):
        try:
            if step.lstrip("-").isdecimal() and not hasattr(found, step):
                found = found[int(step)]
            elif isinstance(found, dict) and step in found:
                found = found[step]
            else:
                found = getattr(found, step)
        except (AttributeError, IndexError, KeyError, TypeError) as error:
            names = sorted(one for one, value in vars(module).items() if not one.startswith("_") and callable(value))
            known = f"; it has {', '.join(names[:12])}" if names and found is module else ""
            raise UnusableError(f"`{name}` has no `{step}`{known}", "name") from error
    return found


def adapted(found: Any, framework: str, columns: frozenset[str], name: str) -> Any:
    """Return an adapter for the object `found`, whatever of a class, factory, task or function it is."""
    for _ in range(MOST_FACTORIES):
        if framework in ("auto", "verifiers"):
            made = taskset_adapter(found) or rubric_adapter(found)
            if made is not None:
                return made
        if framework in ("auto", "inspect"):
            scorer = inspect_adapter(found)
            if scorer is not None:
                return scorer
        found, again = _unwrapped(found, framework)
        if not again:
            break
    if framework in ("verifiers", "inspect"):
        raise UnusableError(f"`{name}` is nothing that {framework} scores with", "name")
    if not callable(found):
        raise UnusableError(f"`{name}` cannot be called: it is of type {type(found).__name__}", "name")
    if framework == "trl" or (framework == "auto" and "completions" in _names(found)):
        return TrlGrader(found, columns)
    return PlainGrader(found, columns)


def _unwrapped(found: Any, framework: str) -> tuple[Any, bool]:
    """Return what a class or a factory makes, and whether anything was made."""
    if inspect.isclass(found):
        return _made(found), True
    if inspect.isroutine(found) or inspect.isfunction(found):
        if framework != "trl" and _is_factory(found):
            return _made(found), True
        return found, False
    method = next((getattr(found, one) for one in METHODS if callable(getattr(found, one, None))), None)
    if method is not None and not isinstance(found, type(sys)):
        return method, False
    return found, False


def _is_factory(function: Callable[..., Any]) -> bool:
    """Say whether a function asks for nothing: no parameter is required, and none is called as a completion is."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    if any(one.default is one.empty for one in parameters):
        return False
    asked = {one.name.lower() for one in parameters}
    return not asked & {*COMPLETION, *EITHER, *CHAT, *WHOLE, "completions"}


def _made(maker: Any) -> Any:
    made = maker()
    if inspect.iscoroutine(made):
        made.close()
        raise UnusableError(f"`{_name(maker)}` takes no completion: it is async and asks for nothing", "name")
    if not callable(made) and not any(callable(getattr(made, one, None)) for one in METHODS):
        raise UnusableError(f"`{_name(maker)}` takes no completion, and what it returns cannot be called", "name")
    return made


def _name(maker: Any) -> str:
    return str(getattr(maker, "__qualname__", None) or type(maker).__name__)


def _names(function: Any) -> list[str]:
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return []


def source_of(adapter: Any) -> str:
    """Return the source text of the file that the grader was defined in; empty where it cannot be read."""
    inner = getattr(adapter, "function", None)
    try:
        path = inspect.getsourcefile(inspect.unwrap(inner)) if inner is not None else None
    except (TypeError, ValueError):
        return ""
    if not path or not Path(path).is_file() or Path(path).stat().st_size > MOST_SOURCE:
        return ""
    return Path(path).read_text(encoding="utf-8", errors="replace")

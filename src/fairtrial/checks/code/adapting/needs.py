"""Read what tests ask of the code under test: names by module, how they are called, members of classes.

Read from the tests' syntax and the reference's definitions; nothing runs. Not covered: names in strings
(`mock.patch("package.module.name")`), in `getattr`, and in code that the tests make up.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from fairtrial.checks.code.adapting.definitions import Definition, Modules
from fairtrial.checks.code.trees import Tree


@dataclass(frozen=True, slots=True)
class Call:
    """The shape of one call: how many arguments by place, and which by keyword."""

    by_place: int
    keywords: frozenset[str]
    is_open: bool = False
    """It spreads arguments (`*`, `**`), so that more cannot be said."""


@dataclass(slots=True)
class Need:
    """A name that tests use as the reference has it."""

    module: str
    name: str
    reference: Definition
    calls: set[Call] = field(default_factory=set)
    members: dict[str, set[Call]] = field(default_factory=dict)
    sure: set[str] = field(default_factory=set)
    """Those members that are seen to be used on this class, not perhaps on another that has them, too."""

    @property
    def place(self) -> str:
        """Return `module:name` as the tests say it."""
        return f"{self.module}:{self.name}"


def needs_of(tests: Tree, reference: Modules) -> dict[str, Need]:
    """Return what `tests` need of the code, by place."""
    found: dict[str, Need] = {}
    sources = []
    for path, entry in tests.items():
        if path.endswith(".py"):
            try:
                sources.append(ast.parse(entry.data()))
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue
    readers = [_Reader(reference, found) for _ in sources]
    for reader, source in zip(readers, sources, strict=True):
        reader.read(source)
    for reader, source in zip(readers, sources, strict=True):
        _add_members(source, found, reader.meant)
    return found


class _Reader:
    """Reads one file of tests."""

    def __init__(self, reference: Modules, found: dict[str, Need]) -> None:
        self.reference = reference
        self.found = found
        self.names: dict[str, str] = {}
        """Name in the file -> place."""
        self.modules: dict[str, str] = {}
        """Name in the file, dotted too -> module."""

    def read(self, source: ast.Module) -> None:
        for node in ast.walk(source):
            if isinstance(node, ast.ImportFrom) and not node.level:
                self._from(node)
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    if self._is_ours(alias.name):
                        self.modules[alias.asname or alias.name] = alias.name
        for node in ast.walk(source):
            if isinstance(node, ast.Attribute) and (place := self._place(node)):
                self._need(*place)
        for node in ast.walk(source):
            if isinstance(node, ast.Call) and (place := self._place(node.func)) and (need := self._need(*place)):
                need.calls.add(shape_of(node))

    def meant(self, node: ast.expr) -> str:
        """Return the place of the name that an expression means, "" if it is none of the code's."""
        return ":".join(self._place(node) or ())

    def _is_ours(self, module: str) -> bool:
        return any(name == module or name.startswith(f"{module}.") for name in self.reference)

    def _from(self, node: ast.ImportFrom) -> None:
        origin = node.module or ""
        for alias in node.names:
            if f"{origin}.{alias.name}" in self.reference and alias.name not in self.reference.get(origin, {}):
                self.modules[alias.asname or alias.name] = f"{origin}.{alias.name}"
            elif origin in self.reference and self._need(origin, alias.name):
                self.names[alias.asname or alias.name] = f"{origin}:{alias.name}"

    def _place(self, node: ast.expr) -> tuple[str, str] | None:
        """Return module and name that an expression means, if it is one of the code's."""
        if isinstance(node, ast.Name) and node.id in self.names:
            module, _, name = self.names[node.id].partition(":")
            return module, name
        if isinstance(node, ast.Attribute):
            above = _dotted(node.value)
            for name, module in self.modules.items():
                full = module + above[len(name) :]
                if (above == name or above.startswith(f"{name}.")) and full in self.reference:
                    return full, node.attr
        return None

    def _need(self, module: str, name: str) -> Need | None:
        definition = self.reference.get(module, {}).get(name)
        if definition is None:
            return None
        return self.found.setdefault(f"{module}:{name}", Need(module, name, definition))


def shape_of(node: ast.Call) -> Call:
    """Return the shape of a call."""
    spread = any(isinstance(one, ast.Starred) for one in node.args) or any(one.arg is None for one in node.keywords)
    return Call(len(node.args), frozenset(one.arg for one in node.keywords if one.arg), spread)


def _add_members(source: ast.Module, found: Mapping[str, Need], meant: Callable[[ast.expr], str]) -> None:
    """Note every attribute that the file uses and a needed class of the reference has.

    Where what it is used on is seen to be an instance of a class, it is that one's and needed; else it may be any's.
    """
    classes = {place: need for place, need in found.items() if need.reference.kind == "class"}
    made = dict(_instances(source, meant))
    calls = {id(node.func): node for node in ast.walk(source) if isinstance(node, ast.Call)}
    for node in ast.walk(source):
        if not isinstance(node, ast.Attribute) or node.attr.startswith("__"):
            continue
        on = made.get(_dotted(node.value)) or _made_by(node.value, meant) or meant(node.value)
        owners = {place: one for place, one in classes.items() if node.attr in one.reference.members}
        for place, need in {on: owners[on]}.items() if on in owners else owners.items():
            shapes = need.members.setdefault(node.attr, set())
            shapes.update([shape_of(calls[id(node)])] if id(node) in calls else ())
            if on == place or len(owners) == 1:
                need.sure.add(node.attr)


def _instances(source: ast.Module, meant: Callable[[ast.expr], str]) -> Iterator[tuple[str, str]]:
    """Yield variables of the file that hold an instance, with the place of its class; of one that holds several, ""."""
    held: dict[str, set[str]] = {}
    for node in ast.walk(source):
        pairs: list[tuple[ast.expr, ast.expr]] = []
        if isinstance(node, ast.Assign):
            pairs = [(target, node.value) for target in node.targets]
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            pairs = [(node.optional_vars, node.context_expr)]
        for target, value in pairs:
            held.setdefault(_dotted(target), set()).add(_made_by(value, meant))
    for name, classes in held.items():
        yield name, next(iter(classes)) if len(classes) == 1 else ""


def _made_by(value: ast.expr, meant: Callable[[ast.expr], str]) -> str:
    return meant(value.func) if isinstance(value, ast.Call) else ""


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    return f"{_dotted(node.value)}.{node.attr}" if isinstance(node, ast.Attribute) else "?"

"""Read what tests ask of the code under test: names by module, how they are called, members of classes.

Read from the tests' syntax and the reference's definitions; nothing runs. Not covered: names in strings
(`mock.patch("package.module.name")`), in `getattr`, and in code that the tests make up.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
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
    for source in sources:
        _Reader(reference, found).read(source)
    for source in sources:
        _add_members(source, found)
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
            if above in self.modules:
                return self.modules[above], node.attr
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


def _add_members(source: ast.Module, found: Mapping[str, Need]) -> None:
    """Note every attribute that the file uses and a needed class of the reference has, whatever it is used on."""
    classes = [need for need in found.values() if need.reference.kind == "class"]
    for attribute, call in _attributes(source):
        for need in classes:
            if attribute in need.reference.members and not attribute.startswith("__"):
                need.members.setdefault(attribute, set()).update([shape_of(call)] if call else ())


def _attributes(source: ast.Module) -> Iterator[tuple[str, ast.Call | None]]:
    called: set[int] = set()
    for node in ast.walk(source):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            called.add(id(node.func))
            yield node.func.attr, node
    for node in ast.walk(source):
        if isinstance(node, ast.Attribute) and id(node) not in called:
            yield node.attr, None


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    return f"{_dotted(node.value)}.{node.attr}" if isinstance(node, ast.Attribute) else "?"

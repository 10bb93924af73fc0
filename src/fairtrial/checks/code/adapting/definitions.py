"""Read what Python code defines, without running it: functions, classes with their members, constants, by module.

Names that a module takes over from another of the tree (`from .slots import merge`) are its own, too. Not covered:
names that exist only at run time (`setattr`, `__getattr__`, star imports of what is not here).
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from fairtrial.checks.code.globs import matches
from fairtrial.checks.code.laying import NAMES_OF_TESTS
from fairtrial.checks.code.trees import Tree

MOST_BYTES = 1_000_000
MOST_HOPS = 8
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters of a function, `self` left out."""

    names: tuple[str, ...] = ()
    """Those that can be given by place, then those by keyword alone."""
    by_place: int = 0
    required: frozenset[str] = frozenset()
    takes_more: bool = False
    """`*args`."""
    takes_any: bool = False
    """`**kwargs`."""


@dataclass(frozen=True, slots=True)
class Definition:
    """One thing that code defines."""

    module: str
    name: str
    kind: str
    """`function`, `class`, `method`, `attribute` or `constant`."""
    signature: Signature = field(default_factory=Signature)
    words: frozenset[str] = frozenset()
    """Words of its docstring."""
    shape: Mapping[str, int] = field(default_factory=dict)
    """Kinds of syntax, names called and constants in it, counted."""
    members: Mapping[str, Definition] = field(default_factory=dict)

    @property
    def place(self) -> str:
        """Return `module:name`."""
        return f"{self.module}:{self.name}"


Modules = Mapping[str, Mapping[str, Definition]]
"""Module -> name as it is known there -> what it is; the definition knows where it stands."""


def modules_of(tree: Tree, import_from: Sequence[str], but: Sequence[str] = ()) -> dict[str, dict[str, Definition]]:
    """Return what the Python files of `tree` define, by the module that each is where `import_from` are the roots."""
    parsed: dict[str, ast.Module] = {}
    packages: set[str] = set()
    for path, entry in tree.items():
        if not path.endswith(".py") or entry.size > MOST_BYTES or matches(path, (*NAMES_OF_TESTS, *but)):
            continue
        module = _module_of(path, import_from)
        try:
            parsed[module] = ast.parse(entry.data())
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        if path.endswith("__init__.py"):
            packages.add(module)
    own = {module: dict(_defined(module, source)) for module, source in parsed.items()}
    for _ in range(MOST_HOPS):
        for module, source in parsed.items():
            for name, taken in _taken_over(module, source, module in packages, own):
                own[module].setdefault(name, taken)
    return own


def words_of(name: str) -> list[str]:
    """Return the words of a name, in small letters.

    >>> words_of("minutesTaken"), words_of("HTTPServer_v2")
    (['minutes', 'taken'], ['http', 'server', 'v', '2'])
    """
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)]


def _module_of(path: str, import_from: Sequence[str]) -> str:
    roots = sorted((root.strip("./") for root in import_from), key=len, reverse=True)
    for root in roots:
        if root and path.startswith(f"{root}/"):
            path = path[len(root) + 1 :]
            break
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _defined(module: str, source: ast.Module) -> Iterator[tuple[str, Definition]]:
    for node in _statements(source.body):
        if isinstance(node, Function):
            yield node.name, _function(module, node.name, node, "function")
        elif isinstance(node, ast.ClassDef):
            yield node.name, _class(module, node)
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            for name in _names_assigned(node):
                yield name, Definition(module, name, "constant", shape={ast.dump(node.value)[:500]: 1})


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a body, and those under its `if` and `try`."""
    for node in body:
        if isinstance(node, ast.If | ast.Try):
            parts = [node.body, node.orelse, *([h.body for h in node.handlers] if isinstance(node, ast.Try) else [])]
            for part in parts:
                yield from _statements(part)
        else:
            yield node


def _taken_over(module: str, source: ast.Module, is_package: bool, known: Modules) -> Iterator[tuple[str, Definition]]:
    above = module.split(".") if is_package else module.split(".")[:-1]
    for node in _statements(source.body):
        if isinstance(node, ast.ImportFrom):
            base = above[: len(above) - node.level + 1] if node.level else []
            origin = ".".join([*base, *([node.module] if node.module else [])])
            for alias in node.names:
                found = known.get(origin, {})
                for name in found if alias.name == "*" else [alias.name]:
                    if name in found:
                        yield alias.asname or name, found[name]


def _function(module: str, name: str, node: Function, kind: str) -> Definition:
    return Definition(module, name, kind, _signature(node, kind == "method"), _documented(node), _shape(node))


def _class(module: str, node: ast.ClassDef) -> Definition:
    members: dict[str, Definition] = {}
    fields: list[ast.AnnAssign] = []
    for item in node.body:
        if isinstance(item, Function):
            is_property = any(isinstance(d, ast.Name) and "property" in d.id for d in item.decorator_list)
            kind = "attribute" if is_property else "method"
            members[item.name] = _function(module, f"{node.name}.{item.name}", item, kind)
            for name in _set_on_self(item):
                members.setdefault(name, Definition(module, f"{node.name}.{name}", "attribute"))
        elif isinstance(item, ast.AnnAssign | ast.Assign):
            fields += [item] if isinstance(item, ast.AnnAssign) else []
            for name in _names_assigned(item):
                members.setdefault(name, Definition(module, f"{node.name}.{name}", "attribute"))
    made = members["__init__"].signature if "__init__" in members else _from_fields(fields)
    shape = _shape(node) if not members else {name: 1 for member in members for name in words_of(member)}
    return Definition(module, node.name, "class", made, _documented(node), shape, members)


def _from_fields(fields: list[ast.AnnAssign]) -> Signature:
    """Return the signature of a class that is made from its fields, as dataclasses and models are."""
    named = [(item.target.id, item.value is None) for item in fields if isinstance(item.target, ast.Name)]
    return Signature(tuple(n for n, _ in named), len(named), frozenset(n for n, needed in named if needed))


def _signature(node: Function, is_method: bool) -> Signature:
    given = node.args
    places = [one.arg for one in (*given.posonlyargs, *given.args)]
    needed = places[: len(places) - len(given.defaults)]
    is_static = any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in node.decorator_list)
    if is_method and not is_static and places:
        needed = [name for name in needed if name != places[0]]
        places = places[1:]
    alone = [one.arg for one in given.kwonlyargs]
    needed += [name for name, default in zip(alone, given.kw_defaults, strict=True) if default is None]
    return Signature(
        (*places, *alone), len(places), frozenset(needed), given.vararg is not None, given.kwarg is not None
    )


def _documented(node: Function | ast.ClassDef) -> frozenset[str]:
    return frozenset(word for word in words_of(ast.get_docstring(node) or "") if len(word) > 3)


def _shape(node: ast.AST) -> Counter[str]:
    found: Counter[str] = Counter()
    for part in ast.walk(node):
        found[type(part).__name__] += 1
        if isinstance(part, ast.Call):
            called = part.func
            found[f"calls {called.attr if isinstance(called, ast.Attribute) else getattr(called, 'id', '')}"] += 1
        elif isinstance(part, ast.Constant) and not isinstance(part.value, str):
            found[f"says {part.value!r}"] += 1
    return found


def _names_assigned(node: ast.Assign | ast.AnnAssign) -> list[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _set_on_self(node: Function) -> Iterator[str]:
    me = node.args.args[0].arg if node.args.args else ""
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store) and isinstance(part.value, ast.Name):
            yield from [part.attr] if part.value.id == me else []

"""Which expressions of a Python grader hold the agent's work: a small, optimistic reading, for hints alone.

Paths below the agent's folders, what is read from them, what the agent's programs print, modules of the agent's, and
(in text graders) the parameters that carry a reply. One pass over a module until nothing changes; names are told apart
by function, not by line. Results of comparisons are verdicts, not work.
Not covered: attributes of objects, containers by key, other modules, strings that are put together piece by piece.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from fairtrial.attack.reading.known_calls import Kind, kind_of_call, kind_of_method

Key = TypeVar("Key")
Function = ast.FunctionDef | ast.AsyncFunctionDef

_TELLING = (
    ast.Assign,
    ast.AnnAssign,
    ast.AugAssign,
    ast.NamedExpr,
    ast.withitem,
    ast.For,
    ast.comprehension,
    ast.Return,
    ast.Yield,
    ast.YieldFrom,
    ast.Call,
    ast.Import,
    ast.ImportFrom,
    ast.FunctionDef,
    ast.AsyncFunctionDef,
)
"""Nodes that say something about names, parameters and returns."""
WORK: frozenset[Kind] = frozenset({"file", "process", "text", "texts", "data", "number"})
"""Kinds that are the work itself, rather than where it lies or how much of it there is."""

_WEAKEST_FIRST: tuple[Kind, ...] = (
    "",
    "exists",
    "length",
    "status",
    "path",
    "module",
    "file",
    "process",
    "number",
    "data",
    "texts",
    "text",
)
_STRENGTH = {kind: strength for strength, kind in enumerate(_WEAKEST_FIRST)}
_LOOPBACK = re.compile(r"(https?|wss?)://(localhost|127\.0\.0\.1|0\.0\.0\.0)\b")
_ROUNDS = 8
_REPLIES = re.compile(
    r"^(completions?|responses?|outputs?|repl(y|ies)|predictions?|preds?|submissions?|candidates?|"
    r"generated|generations?|guess(es)?|model_(answer|output|response)|hypothes[ie]s|student_answer|"
    r"transcript|text|state)$"
)
_REFERENCES = re.compile(r"^(expected|gold|truth|ground_truth|reference|target|label|want|correct|key)s?(_answer)?$")


@dataclass(slots=True)
class Flow:
    """What is known of a module's names."""

    roots: tuple[str, ...]
    """Folders of the agent's, absolute."""
    replies: bool = False
    """Parameters named for a reply carry the agent's work (text graders)."""
    agent_modules: frozenset[str] = frozenset()
    names: dict[tuple[str, str], Kind] = field(default_factory=dict)
    """(function, or "" for the module; name) -> kind."""
    returns: dict[str, Kind] = field(default_factory=dict)
    scopes: dict[int, str] = field(default_factory=dict)
    """id of a node -> the function that it stands in."""

    settled: bool = False
    """Everything is learnt: kinds do not change any more, and are kept."""
    kept: dict[int, Kind] = field(default_factory=dict)

    def kind(self, node: ast.expr | None) -> Kind:
        """Return what `node` holds of the agent's; nothing if it holds nothing."""
        if not self.settled or id(node) not in self.scopes:  # a node that a rule made may share its id with a later one
            return self._kind(node)
        if id(node) not in self.kept:
            self.kept[id(node)] = self._kind(node)
        return self.kept[id(node)]

    def _kind(self, node: ast.expr | None) -> Kind:
        match node:
            case ast.Constant(value=str(text)):
                return "path" if self.is_agent_path(text) else ""
            case ast.JoinedStr(values=values):
                first = self.kind(values[0]) if values else ""
                inner = [self.kind(v.value) for v in values if isinstance(v, ast.FormattedValue)]
                return "path" if first == "path" else "text" if any(k in WORK for k in inner) else strongest(inner)
            case ast.Name(id=name):
                scope = self.scopes.get(id(node), "")
                return self.names.get((scope, name)) or self.names.get(("", name), "")
            case ast.Attribute():
                return self._attribute(node)
            case ast.Subscript(value=value, slice=index):
                held = self.kind(value)
                if held == "texts":
                    return "texts" if isinstance(index, ast.Slice) else "text"
                return "data" if held in ("file", "process") else held
            case ast.Call():
                return self._call(node)
            case ast.Compare() | ast.Lambda() | ast.UnaryOp(op=ast.Not()):
                return ""
        return self._parts(node)

    def is_work(self, node: ast.expr | None) -> bool:
        """Say whether `node` holds something that the agent made."""
        return self.kind(node) in WORK

    def mentions_agent(self, node: ast.AST) -> bool:
        """Say whether anything in `node` is the agent's, or a place of the agent's."""
        return any(self.kind(part) for part in ast.walk(node) if isinstance(part, ast.expr))

    def is_agent_path(self, text: str) -> bool:
        """Say whether `text` is a path in one of the agent's folders."""
        if _LOOPBACK.match(text):
            return True  # a service that the agent made
        cleaned = text.removeprefix("file:")
        return any(cleaned == root or cleaned.startswith(f"{root}/") for root in self.roots)

    def _attribute(self, node: ast.Attribute) -> Kind:
        held = self.kind(node.value)
        if held == "process":
            return "status" if node.attr == "returncode" else "text"
        if held == "module":
            return "data"
        return held

    def _call(self, node: ast.Call) -> Kind:
        passed = [self.kind(argument) for argument in _arguments(node)]
        if isinstance(node.func, ast.Name):
            name = node.func.id
            if self.names.get(("", name)) == "module":
                return "data"
            if name in self.returns and name not in ("open", "str"):
                own = self.returns[name]
                return own or ("data" if any(kind in ("path", "file") for kind in passed) else "")
            return kind_of_call(name, passed)
        if isinstance(node.func, ast.Attribute):
            held = self.kind(node.func.value)
            if held:
                return kind_of_method(node.func.attr, held)
            name = node.func.attr
            if isinstance(node.func.value, ast.Name) and node.func.value.id in ("self", "cls") and name in self.returns:
                return self.returns[name]
            return kind_of_call(f"{_name(node.func.value)}.{name}", passed)
        return strongest(passed)

    def _parts(self, node: ast.expr | None) -> Kind:
        """Return the strongest kind among the parts of a node that holds several."""
        if node is None:
            return ""
        if isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp):
            inner = self.kind(node.elt)
            return "texts" if inner == "text" else "data" if inner else ""
        if isinstance(node, ast.List | ast.Tuple | ast.Set | ast.Dict | ast.DictComp):
            inner = strongest([self.kind(child) for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)])
            return "data" if inner in WORK else inner
        if isinstance(node, ast.IfExp):
            return strongest([self.kind(node.body), self.kind(node.orelse)])
        if isinstance(node, ast.NamedExpr):
            return self.kind(node.value)
        return strongest([self.kind(child) for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)])


def flow_of(
    tree: ast.Module, roots: tuple[str, ...], *, replies: bool = False, agent_modules: frozenset[str] = frozenset()
) -> Flow:
    """Follow the agent's work through `tree`."""
    flow = Flow(roots=roots, replies=replies, agent_modules=agent_modules)
    _number_scopes(tree, "", flow.scopes)
    nodes = [node for node in ast.walk(tree) if isinstance(node, _TELLING)]
    functions = {node.name: node for node in nodes if isinstance(node, Function)}
    for function in functions.values():
        flow.returns.setdefault(function.name, "")
        if replies:
            _bind_replies(function, flow)
    for _ in range(_ROUNDS):
        before = (dict(flow.names), dict(flow.returns))
        for node in nodes:
            _learn(node, flow, functions)
        if before == (flow.names, flow.returns):
            break
    flow.settled = True
    return flow


def strongest(kinds: list[Kind]) -> Kind:
    """Return the kind that says most about the agent's work.

    >>> strongest(["", "path", "text"])
    'text'
    """
    return max(kinds, key=lambda kind: _STRENGTH[kind], default="")


def _learn(node: ast.AST, flow: Flow, functions: dict[str, Function]) -> None:
    """Take from one node what it says about names, parameters and returns."""
    for target, kind in _bindings(node, flow):
        _bind(target, kind, flow)
    if isinstance(node, ast.Return | ast.Yield | ast.YieldFrom) and node.value is not None:
        _strengthen(flow.returns, flow.scopes.get(id(node), ""), flow.kind(node.value))
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda) and isinstance(node.targets[0], ast.Name):
        _strengthen(flow.returns, node.targets[0].id, flow.kind(node.value.body))
    if isinstance(node, ast.Call):
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        called = functions.get(name)
        if called is not None:
            _bind_parameters(node, called, flow)
        _learn_written(node, flow)
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.name.split(".")[0] in flow.agent_modules:
                flow.names["", alias.asname or alias.name.split(".")[0]] = "module"
    if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in flow.agent_modules:
        flow.names.update({("", alias.asname or alias.name): "module" for alias in node.names})


def _learn_written(call: ast.Call, flow: Flow) -> None:
    """Learn of collections that the work is put into, and of files that a text grader writes the reply to."""
    if not isinstance(call.func, ast.Attribute) or not isinstance(call.func.value, ast.Name):
        return
    if call.func.attr in ("add", "append", "extend", "update", "insert") and any(map(flow.is_work, call.args)):
        _bind(call.func.value, "data", flow)
    if not flow.replies:
        return
    if call.func.attr in ("write", "write_text", "write_bytes") and any(flow.is_work(part) for part in call.args):
        _bind(call.func.value, "path", flow)


def _bindings(node: ast.AST, flow: Flow) -> Iterator[tuple[ast.expr, Kind]]:
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                if isinstance(target, ast.Subscript) and flow.is_work(value):
                    yield target.value, "data"
                if (
                    isinstance(target, ast.Tuple)
                    and isinstance(value, ast.Tuple)
                    and len(target.elts) == len(value.elts)
                ):
                    yield from ((one, flow.kind(held)) for one, held in zip(target.elts, value.elts, strict=True))
                else:
                    yield target, flow.kind(value)
        case ast.AnnAssign(target=target, value=value) if value is not None:
            yield target, flow.kind(value)
        case ast.AugAssign(target=target, value=value) | ast.NamedExpr(target=target, value=value):
            yield target, flow.kind(value)
        case ast.withitem(context_expr=held, optional_vars=target) if target is not None:
            yield target, flow.kind(held)
        case ast.For(target=target, iter=items) | ast.comprehension(target=target, iter=items):
            yield target, _item_kind(flow.kind(items))


def _item_kind(kind: Kind) -> Kind:
    return "text" if kind in ("texts", "text", "file") else "path" if kind == "path" else kind


def _bind(target: ast.expr, kind: Kind, flow: Flow) -> None:
    if isinstance(target, ast.Name):
        _strengthen(flow.names, (flow.scopes.get(id(target), ""), target.id), kind)
    elif isinstance(target, ast.Tuple | ast.List):
        for part in target.elts:
            _bind(part, "text" if kind == "texts" else kind, flow)
    elif isinstance(target, ast.Starred):
        _bind(target.value, kind, flow)


def _bind_parameters(call: ast.Call, called: Function, flow: Flow) -> None:
    names = [argument.arg for argument in (*called.args.posonlyargs, *called.args.args)]
    if names[:1] in (["self"], ["cls"]) and isinstance(call.func, ast.Attribute):
        names = names[1:]
    for name, value in zip(names, call.args, strict=False):
        _strengthen(flow.names, (called.name, name), flow.kind(value))
    for keyword in call.keywords:
        if keyword.arg is not None:
            _strengthen(flow.names, (called.name, keyword.arg), flow.kind(keyword.value))


def _bind_replies(function: Function, flow: Flow) -> None:
    """Mark the parameters that carry a reply; `answer` is one only where nothing else is and a reference stands by."""
    arguments = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
    names = [argument.arg for argument in arguments]
    found = [name for name in names if _REPLIES.match(name)]
    if not found and any(_REFERENCES.match(name) for name in names):
        found = [name for name in names if name in ("answer", "answers", "solution", "result", "actual")]
    for name in found:
        many = name.endswith("s") and name not in ("guess", "hypothesis")
        flow.names[function.name, name] = "texts" if many else "text"


def _strengthen(table: dict[Key, Kind], key: Key, kind: Kind) -> None:
    if _STRENGTH[kind] > _STRENGTH[table.get(key, "")]:
        table[key] = kind


def _number_scopes(node: ast.AST, scope: str, scopes: dict[int, str]) -> None:
    scopes[id(node)] = scope
    inner = node.name if isinstance(node, Function) else scope
    for child in ast.iter_child_nodes(node):
        _number_scopes(child, inner, scopes)


def _arguments(call: ast.Call) -> Iterator[ast.expr]:
    yield from (argument.value if isinstance(argument, ast.Starred) else argument for argument in call.args)
    yield from (keyword.value for keyword in call.keywords)


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")

"""What a Python program does to files, processes and the network, followed through names, joins and replacements.

Functions are read where they are called, and once for themselves where nothing calls them. Loops over literals are
unrolled. Not covered: what other modules do, texts that are computed from data, dynamic attributes.
"""

from __future__ import annotations

import ast
import functools
import posixpath
import re
import shlex
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field

from fairtrial.attack.detectors.effects import Effect, EffectKind
from fairtrial.attack.detectors.python_calls import (
    COPIES,
    DELETES,
    FETCHERS,
    FETCHES,
    JOINS,
    KNOWN_FOLDERS,
    LOADS,
    OPENS,
    READS,
    RUNS_CODE,
    SAME,
    SAVES,
    STARTS,
)
from fairtrial.attack.detectors.python_values import (
    UNKNOWN_PART,
    FileText,
    Handle,
    Value,
    added,
    decoded,
    dotted,
    joined,
    replaced,
)

MOST_CODE = 100_000
MOST_EFFECTS = 300
MOST_ROUNDS = 20
DEEPEST = 60
MOST_CALLED = 3
MOST_VISITS = 20_000


@functools.lru_cache(maxsize=512)
def parsed(code: str) -> ast.Module | None:
    """Return the syntax tree of Python code, None where it is none or is too long."""
    if len(code) > MOST_CODE:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


@functools.lru_cache(maxsize=512)
def python_effects(code: str) -> tuple[Effect, ...]:
    """Return what a program does, in order; empty for what is no Python.

    >>> python_effects("p = 'tests/' + 'a.py'\\nopen(p, 'w').write('pass')")
    (Effect(kind='write', path='tests/a.py', text='pass', old='', sources=(), appends=False, is_certain=True),)
    """
    tree = parsed(code)
    if tree is None:
        return ()
    walk = _Walk()
    walk.body(tree.body)
    walk.uncalled()
    return tuple(walk.effects)


@dataclass(slots=True)
class _Walk:
    names: dict[str, Value] = field(default_factory=dict)
    effects: list[Effect] = field(default_factory=list)
    functions: dict[str, ast.FunctionDef | ast.AsyncFunctionDef] = field(default_factory=dict)
    called: set[str] = field(default_factory=set)
    depth: int = 0
    calls: int = 0
    branches: int = 0
    visits: int = 0

    def body(self, statements: Iterable[ast.stmt]) -> None:
        """Read statements in order."""
        for statement in statements:
            self.statement(statement)

    def uncalled(self) -> None:
        """Read the functions that nothing has called."""
        self.branches += 1
        for name, function in list(self.functions.items()):
            if name not in self.called:
                self.called.add(name)
                self.body(function.body)
        self.branches -= 1

    def statement(self, node: ast.stmt) -> None:
        """Read one statement."""
        self.visits += 1
        if self.depth > DEEPEST or self.visits > MOST_VISITS or len(self.effects) > MOST_EFFECTS:
            return
        self.depth += 1
        match node:
            case ast.Assign(targets=targets, value=value):
                found = self.value(value)
                for target in targets:
                    self._bind(target, found)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._bind(target, self.value(value))
            case ast.AugAssign(target=ast.Name(id=name), value=value):
                self.names[name] = added(self.names.get(name), self.value(value))
            case ast.Expr(value=value) | ast.Return(value=ast.expr() as value):
                self.value(value)
            case ast.With() | ast.AsyncWith():
                for item in node.items:
                    found = self.value(item.context_expr)
                    if item.optional_vars is not None:
                        self._bind(item.optional_vars, found)
                self.body(node.body)
            case ast.For() | ast.AsyncFor():
                self._for(node)
            case ast.If() | ast.While():
                self.value(node.test)
                self._branch(node.body if _is_main(node.test) else [], certain=True)
                self._branch([] if _is_main(node.test) else node.body)
                self._branch(node.orelse)
            case ast.Try():
                self.body(node.body)
                for handler in node.handlers:
                    self._branch(handler.body)
                self.body([*node.orelse, *node.finalbody])
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self.functions[node.name] = node
            case ast.ClassDef():
                for inner in node.body:
                    self.statement(inner)
            case ast.Delete() | ast.Assert() | ast.Raise():
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.expr):
                        self.value(child)
        self.depth -= 1

    def _branch(self, statements: list[ast.stmt], *, certain: bool = False) -> None:
        self.branches += not certain
        self.body(statements)
        self.branches -= not certain

    def _for(self, node: ast.For | ast.AsyncFor) -> None:
        over = self.value(node.iter)
        if isinstance(over, tuple) and 0 < len(over) <= MOST_ROUNDS:
            for one in over:
                self._bind(node.target, one)
                self.body(node.body)
            return
        self._bind(node.target, over if isinstance(over, str | FileText) else None)
        self.body(node.body)

    def _bind(self, target: ast.expr, found: Value) -> None:
        if isinstance(target, ast.Name):
            self.names[target.id] = found
        elif isinstance(target, ast.Tuple | ast.List):
            parts = found if isinstance(found, tuple) and len(found) == len(target.elts) else (None,) * len(target.elts)
            for one, part in zip(target.elts, parts, strict=True):
                self._bind(one, part)

    def value(self, node: ast.expr) -> Value:
        """Return what an expression comes to, and note what it does."""
        self.visits += 1
        if self.depth > DEEPEST or self.visits > MOST_VISITS:
            return None
        self.depth += 1
        found = self._value(node)
        self.depth -= 1
        return found

    def _value(self, node: ast.expr) -> Value:
        match node:
            case ast.Constant(value=str() as text):
                return text
            case ast.Constant(value=bytes() as raw):
                return raw.decode("utf-8", "replace")
            case ast.Constant(value=constant):
                return None if constant is None or constant is ... else str(constant)
            case ast.Name(id=name):
                return self.names.get(name)
            case ast.JoinedStr(values=values):
                parts = [self.value(v.value) if isinstance(v, ast.FormattedValue) else self.value(v) for v in values]
                return "".join(part if isinstance(part, str) else UNKNOWN_PART for part in parts)
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                first, second = self.value(left), self.value(right)
                return joined([first, second]) if isinstance(first, str) or isinstance(second, str) else None
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return added(self.value(left), self.value(right))
            case ast.BinOp(left=left, right=right):
                first, _ = self.value(left), self.value(right)
                return first if isinstance(node.op, ast.Mod) else None
            case ast.List(elts=elements) | ast.Tuple(elts=elements) | ast.Set(elts=elements):
                return tuple(self.value(one) for one in elements)
            case ast.Subscript(value=of, slice=at):
                return _item(self.value(of), self.value(at))
            case ast.Attribute(value=of, attr=name):
                held = self.value(of)
                if isinstance(held, str) and name in ("parent", "name"):
                    return posixpath.dirname(held) if name == "parent" else posixpath.basename(held)
                return held if name in ("text", "content", "stdout") else None
            case ast.Call():
                return self._call(node)
            case _:
                every = [self.value(child) for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
                return next((one for one in every if isinstance(one, FileText)), None)

    def _call(self, node: ast.Call) -> Value:
        name = dotted(node.func)
        last = name.rpartition(".")[2]
        held = self.value(node.func.value) if isinstance(node.func, ast.Attribute) else None
        given = [
            self.value(argument.value if isinstance(argument, ast.Starred) else argument) for argument in node.args
        ]
        named = {word.arg or "": self.value(word.value) for word in node.keywords}
        first = given[0] if given else next((named[k] for k in ("path", "file", "args", "url") if k in named), None)
        if name in self.functions:
            return self._inlined(name, given, named)
        if last in OPENS:
            return self._opened(held, given, named)
        if last in KNOWN_FOLDERS and not isinstance(held, str):
            return KNOWN_FOLDERS[last]
        if self._noted(name, held, first, given, named):
            return None
        if last in READS:
            at = held if isinstance(held, str | Handle) else first
            return self._read(at) if isinstance(at, str | Handle) else held or first
        return _made(last, held, given, named)

    def _noted(self, name: str, held: Value, first: Value, given: list[Value], named: dict[str, Value]) -> bool:
        """Note what a call does; False where it does nothing that is noted."""
        before, _, last = name.rpartition(".")
        second = given[1] if len(given) > 1 else None
        if last in ("write", "writelines", "write_text", "write_bytes") and held is not None:
            self._written(held, first)
        elif name == "print" and isinstance(named.get("file"), Handle):
            self._written(named["file"], first)
        elif last == "dump" and isinstance(second, Handle):
            self._written(second, first)
        elif last == "copyfileobj" or (
            last in COPIES and (before.rpartition(".")[2] in ("shutil", "os") or name == last)
        ):
            self._copied(first, second)
        elif last in ("symlink_to", "hardlink_to") and isinstance(held, str):
            self._copied(first, held)
        elif last in ("rename", "replace") and isinstance(held, str) and len(given) == 1:
            self._copied(held, first)
        elif last in DELETES:
            self._delete(held if isinstance(held, str) else first)
        elif last in STARTS and (before.rpartition(".")[2] in ("os", "subprocess", "sp", "asyncio") or name == last):
            self._note("shell", text=_line(first))
        elif name in RUNS_CODE and isinstance(first, str):
            self._note("code", text=first)
        elif last in ("run_path", "run_module") and isinstance(first, str):
            self._note("shell", text=f"python {'-m ' if last == 'run_module' else ''}{shlex.quote(first)}")
        elif last in SAVES:
            self._note("write", path=first if isinstance(first, str) else "")
        elif last in LOADS:
            self._note("read", path=_path(first))
        elif last in FETCHES and before and any(one in before.lower() for one in FETCHERS):
            self._note("fetch", path=first if isinstance(first, str) else "")
        else:
            return False
        return True

    def _inlined(self, name: str, given: list[Value], named: dict[str, Value]) -> Value:
        """Read a function of the program with what it is called with."""
        self.called.add(name)
        if self.calls >= MOST_CALLED:
            return None
        function = self.functions[name]
        outer, self.calls = dict(self.names), self.calls + 1
        arguments = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
        self.names |= dict(zip(arguments, given, strict=False)) | {k: v for k, v in named.items() if k in arguments}
        self.body(function.body)
        last = function.body[-1]
        found = self.value(last.value) if isinstance(last, ast.Return) and last.value is not None else None
        self.names, self.calls = outer, self.calls - 1
        return found

    def _opened(self, held: Value, given: list[Value], named: dict[str, Value]) -> Value:
        path, modes = (held, given) if isinstance(held, str) else (given[0] if given else named.get("file"), given[1:])
        mode = modes[0] if modes else named.get("mode")
        return Handle(_path(path), mode if isinstance(mode, str) else "r")

    def _read(self, at: str | Handle) -> FileText:
        path = at.path if isinstance(at, Handle) else at
        self._note("read", path=path)
        return FileText(path)

    def _written(self, at: Value, what: Value) -> None:
        path = _path(at)
        appends = isinstance(at, Handle) and at.mode.startswith("a")
        if isinstance(what, FileText) and what.path == path and path:
            for old, new in what.changes:
                self._note("edit", path=path, text=new, old=old)
        elif isinstance(what, FileText):
            self._note("write", path=path, text="\n".join(new for _, new in what.changes), sources=(what.path,))
        else:
            text = what if isinstance(what, str) else "\n".join(w for w in what or () if isinstance(w, str)) if (
                isinstance(what, tuple)) else ""  # fmt: skip
            self._note("write", path=path, text=text, appends=appends)

    def _copied(self, source: Value, target: Value) -> None:
        self._note("read", path=_path(source))
        self._note("write", path=_path(target), sources=(_path(source),) if _path(source) else ())

    def _delete(self, at: Value) -> None:
        self._note("delete", path=_path(at))

    def _note(self, kind: EffectKind, *, path: str = "", text: str = "", old: str = "",
              sources: tuple[str, ...] = (), appends: bool = False) -> None:  # fmt: skip
        if len(self.effects) <= MOST_EFFECTS:
            self.effects.append(Effect(kind=kind, path=path, text=text, old=old, sources=sources, appends=appends,
                                       is_certain=not self.branches))  # fmt: skip


def _made(last: str, held: Value, given: list[Value], named: dict[str, Value]) -> Value:
    """Return what a call comes to that does nothing but make a value."""
    first = given[0] if given else None
    if last == "replace" and len(given) > 1:
        return replaced(held, first, given[1])
    if last in ("sub", "subn") and len(given) > 2:
        return replaced(given[2], first, given[1])
    if last == "sub" and len(given) == 2:
        return replaced(given[1], "", first)
    if last == "join" and isinstance(first, tuple) and isinstance(held, str):
        return held.join(one if isinstance(one, str) else UNKNOWN_PART for one in first)
    if last in JOINS and not (last == "join" and isinstance(first, FileText)):
        parts = [held, *given] if isinstance(held, str) else given
        return joined(parts) if any(isinstance(part, str) for part in parts) else first
    if "decode" in last or last in ("fromhex", "unhexlify", "a2b_hex", "a2b_base64"):
        is_of_itself = last == "decode" and isinstance(held, str)
        return decoded(
            last, held if is_of_itself else first, first if is_of_itself else given[1] if given[1:] else None
        )
    if last in SAME:
        return held if held is not None else first
    return next((one for one in (held, *given, *named.values()) if isinstance(one, FileText)), None)


def _path(at: Value) -> str:
    if isinstance(at, Handle | FileText):
        return at.path
    return at if isinstance(at, str) and len(at) < 1000 and "\n" not in at else ""


_INDEX = re.compile(r"-?\d{1,9}")


def _item(of: Value, at: Value) -> Value:
    if isinstance(of, tuple) and isinstance(at, str) and _INDEX.fullmatch(at) and -len(of) <= int(at) < len(of):
        return of[int(at)]
    return of if isinstance(of, str | FileText) else None


def _line(first: Value) -> str:
    if isinstance(first, tuple):
        return shlex.join(one if isinstance(one, str) else UNKNOWN_PART for one in first)
    return first if isinstance(first, str) else ""


def _is_main(test: ast.expr) -> bool:
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__"

"""Find the criteria that a rewardkit Python file registers, in order, with the values they are given.

Loops over known values are unrolled. Functions of the file are not followed: a call that may register something and is
not understood is named.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairtrial.checks.rewardkit.values import Reader, Unknown

PACKAGE = "rewardkit"
MOST_CALLS = 10_000
OWN = "it is a function of the folder's own"


@dataclass(frozen=True, slots=True)
class Called:
    """One criterion that a file registers; `unread` says why it is not known how, or that it is the file's own."""

    name: str
    positional: tuple[Any, ...]
    named: dict[str, Any]
    line: int
    unread: str = ""
    is_automatic: bool = False
    """It was registered as it was defined; an explicit call takes its place."""


def own_criteria(tree: ast.Module) -> dict[str, int]:
    """Return name -> line of each function that the file makes a criterion (`@criterion`, `@rk.criterion(…)`)."""
    return {
        node.name: node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and any(map(_is_criterion, node.decorator_list))
    }


def _is_criterion(decorator: ast.expr) -> bool:
    spelled = decorator.func if isinstance(decorator, ast.Call) else decorator
    name = spelled.attr if isinstance(spelled, ast.Attribute) else getattr(spelled, "id", "")
    return name == "criterion"


def calls_of(path: Path, folder: Path, own: frozenset[str]) -> list[Called]:
    """Return what the file at `path` registers. `own` are the names of criteria that the folder defines itself."""
    tree = ast.parse(path.read_text(encoding="utf-8"), filename=path.name)
    found = list(_File(path, folder, own).statements(tree.body))
    called = {one.name for one in found if not one.is_automatic}
    return [one for one in found if not one.is_automatic or one.name not in called]


class _File:
    """Walks the statements of one file."""

    def __init__(self, path: Path, folder: Path, own: frozenset[str]) -> None:
        self.reader = Reader(path, folder)
        self.own = own
        self.modules: set[str] = set()
        self.direct: dict[str, str] = {}
        self.functions: dict[str, ast.AST] = {}
        self.left = MOST_CALLS

    def statements(self, body: list[ast.stmt]) -> Iterator[Called]:
        """Yield what `body` registers."""
        for node in body:
            yield from self._statement(node)

    def _statement(self, node: ast.stmt) -> Iterator[Called]:
        if isinstance(node, ast.Import | ast.ImportFrom):
            self._imported(node)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            self.functions[node.name] = node
            if not isinstance(node, ast.ClassDef) and _registers_itself(node):
                yield Called(node.name, (), {}, node.lineno, OWN, is_automatic=True)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            yield from self._assigned(node)
        elif isinstance(node, ast.Expr):
            yield from self._expression(node.value)
        elif isinstance(node, ast.For):
            yield from self._loop(node)
        elif isinstance(node, ast.If):
            yield from self._branch(node)
        elif isinstance(node, ast.With | ast.Try | ast.While | ast.Delete | ast.AugAssign):
            yield from self._opaque(node, "it is registered under conditions that are not followed")

    def _imported(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            name = alias.asname or alias.name.partition(".")[0]
            if isinstance(node, ast.Import):
                if alias.name.partition(".")[0] == PACKAGE:
                    self.modules.add(name)
            elif node.module == PACKAGE and alias.name == "criteria":
                self.modules.add(alias.asname or alias.name)
            elif node.module in (PACKAGE, f"{PACKAGE}.criteria"):
                self.direct[alias.asname or alias.name] = alias.name

    def _assigned(self, node: ast.Assign | ast.AnnAssign) -> Iterator[Called]:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if node.value is None:
            return
        if any(True for _ in self._criterion_calls(node.value)):
            yield from self._expression(node.value)
            return
        for target in targets:
            try:
                self.reader.bind(target, self.reader.value(node.value))
            except Unknown:
                self.reader.forget(target)

    def _expression(self, node: ast.expr) -> Iterator[Called]:
        if isinstance(node, ast.Call) and self._name(node):
            yield self._called(node)
        elif isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp):
            try:
                for _ in self.reader.loops(node.generators):
                    yield from self._expression(node.elt)
            except Unknown as unknown:
                yield from self._opaque(node, f"it is registered for values that are not known ({unknown})")
        else:
            yield from self._opaque(node, "it is registered in a way that is not followed")

    def _loop(self, node: ast.For) -> Iterator[Called]:
        try:
            values = list(self.reader.value(node.iter))
            for value in values:
                self.left -= 1
                if self.left < 0:
                    raise Unknown("too many")
                self.reader.bind(node.target, value)
                yield from self.statements(node.body)
        except (Unknown, TypeError) as unknown:
            yield from self._opaque(node, f"it is registered for values that are not known ({unknown})")

    def _branch(self, node: ast.If) -> Iterator[Called]:
        if ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING", "__name__ == '__main__'"):
            return
        try:
            yield from self.statements(node.body if self.reader.value(node.test) else node.orelse)
        except Unknown:
            yield from self._opaque(node, "it is registered under a condition that is not known")

    def _opaque(self, node: ast.AST, why: str) -> Iterator[Called]:
        """Yield each criterion below `node` as unread, and calls of functions that register some."""
        for call in self._criterion_calls(node):
            yield Called(self._name(call), (), {}, call.lineno, why)
        for other in ast.walk(node):
            if isinstance(other, ast.Call) and isinstance(other.func, ast.Name) and other.func.id in self.functions:
                for inner in self._criterion_calls(self.functions[other.func.id]):
                    told = f"`{other.func.id}` registers it when called"
                    yield Called(self._name(inner), (), {}, inner.lineno, told)

    def _criterion_calls(self, node: ast.AST) -> Iterator[ast.Call]:
        for call in ast.walk(node):
            if isinstance(call, ast.Call) and self._name(call):
                yield call

    def _name(self, call: ast.Call) -> str:
        """Return the criterion that `call` registers, "" for any other call."""
        function = call.func
        if isinstance(function, ast.Name):
            name = self.direct.get(function.id, "")
        elif isinstance(function, ast.Attribute):
            owner = ast.unparse(function.value)
            known = owner in self.modules or owner in {f"{module}.criteria" for module in self.modules}
            name = function.attr if known else ""
        else:
            return ""
        return "" if name in NO_CRITERIA else name

    def _called(self, node: ast.Call) -> Called:
        name = self._name(node)
        if name in self.own:
            return Called(name, (), self._known(node), node.lineno, OWN)
        try:
            positional = tuple(self.reader.value(one) for one in node.args)
            if any(one.arg is None for one in node.keywords):
                raise Unknown("`**`")
            named = {str(one.arg): self.reader.value(one.value) for one in node.keywords}
        except Unknown as unknown:
            return Called(name, (), self._known(node), node.lineno, f"its arguments are not known ({unknown})")
        return Called(name, positional, named, node.lineno)

    def _known(self, node: ast.Call) -> dict[str, Any]:
        """Return the weight and the name of a call, as far as they are known."""
        found: dict[str, Any] = {}
        for one in node.keywords:
            if one.arg in ("weight", "name"):
                try:
                    found[one.arg] = self.reader.value(one.value)
                except Unknown:
                    continue
        return found


NO_CRITERIA = {
    "criterion", "run", "run_multi", "discover", "compare", "format_comparison", "format_trajectory", "register_agent",
    "Reward", "Score", "Criterion", "Binary", "Likert", "Numeric", "Rubric", "LLMJudge", "AgentJudge", "JevJudge",
    "MCPServerConfig", "ComparisonResult", "AgentAttempt", "AgentBackend", "Aggregation", "OutputFormat",
}  # fmt: skip
"""What the package offers besides criteria."""


def _registers_itself(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Say whether decorating `node` registers it: it takes the workspace alone and is not shared."""
    for decorator in node.decorator_list:
        if _is_criterion(decorator):
            shared = isinstance(decorator, ast.Call) and any(
                one.arg == "shared" and not (isinstance(one.value, ast.Constant) and not one.value.value)
                for one in decorator.keywords
            )
            arguments = node.args
            return not shared and len(arguments.posonlyargs + arguments.args) <= 1 and not arguments.kwonlyargs
    return False

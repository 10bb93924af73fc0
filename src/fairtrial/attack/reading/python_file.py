"""A Python source of a grader, parsed, with what of it holds the agent's work.

Nothing is executed. Small questions that several rules ask of a syntax tree are answered here.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from fairtrial.attack.reading.flow import Flow

Function = ast.FunctionDef | ast.AsyncFunctionDef
_FAILS = re.compile(r"(fail|error|wrong|bad|problem|issue|missing|reasons?)s?(\.(append|add|fail))?$", re.IGNORECASE)
_RESULT = re.compile(
    r"(^|_)(ok|passed|pass|result|results|score|reward|status|success|valid|correct|verdict|good|grade)$"
)


@dataclass(frozen=True, kw_only=True)
class PythonFile:
    """One module, or a program that a shell script holds in a here-document."""

    name: str
    """As hits show it."""
    text: str
    """The whole file, of which `tree` may be a part."""
    tree: ast.Module
    """Line numbers are those of `text`."""
    flow: Flow
    decides: bool = True
    """Runs in the process that gives the verdict; a program that the grader starts apart does not."""

    def line(self, number: int) -> str:
        """Return a source line without its indentation."""
        lines = self.text.splitlines()
        return lines[number - 1].strip() if 0 < number <= len(lines) else ""

    @functools.cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Return every node; rules walk the tree many times."""
        return tuple(ast.walk(self.tree))

    @functools.cached_property
    def parents(self) -> dict[int, ast.AST]:
        """Return id of a node -> the node around it."""
        return {id(child): node for node in self.nodes for child in ast.iter_child_nodes(node)}

    @functools.cached_property
    def texts(self) -> tuple[str, ...]:
        """Return every literal text."""
        return tuple(
            node.value for node in self.nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)
        )

    @functools.cached_property
    def calls(self) -> tuple[tuple[ast.Call, str], ...]:
        """Return every call with the dotted name of what is called (`subprocess.run`, `.read_text`)."""
        return tuple((node, dotted(node.func)) for node in self.nodes if isinstance(node, ast.Call))

    @functools.cached_property
    def compares(self) -> tuple[tuple[ast.Compare, ast.cmpop, ast.expr, ast.expr], ...]:
        """Return every pairwise comparison: the node, the operator, left, right."""
        return tuple(
            (node, operator, left, right)
            for node in self.nodes
            if isinstance(node, ast.Compare)
            for operator, left, right in zip(node.ops, [node.left, *node.comparators], node.comparators, strict=False)
        )

    @functools.cached_property
    def assigned(self) -> dict[str, ast.expr]:
        """Return name -> what it is first assigned, whatever the scope."""
        found: dict[str, ast.expr] = {}
        for node in self.nodes:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                found.setdefault(node.targets[0].id, node.value)
        return found

    def value_of(self, node: ast.expr) -> ast.expr:
        """Return what a name is assigned; any other node as it is."""
        return self.assigned.get(node.id, node) if isinstance(node, ast.Name) else node

    def is_verdict(self, node: ast.AST) -> bool:
        """Say whether the truth of `node` can decide: asserted, returned, kept, or a condition of failing.

        A filter of a comprehension, and a condition that only steers the reading of a file, do not decide.
        """
        inner, outer = node, self.parents.get(id(node))
        while outer is not None:
            if isinstance(outer, ast.comprehension):
                return False
            if isinstance(outer, ast.If | ast.While):
                return inner is outer.test and isinstance(outer, ast.If) and gives_verdict(outer.body)
            if isinstance(outer, ast.stmt):
                return isinstance(
                    outer, ast.Assert | ast.Return | ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr
                )
            if isinstance(outer, ast.Lambda):
                keyword = self.parents.get(id(outer))
                return not isinstance(keyword, ast.keyword)
            if isinstance(outer, ast.Subscript) and inner is outer.slice:
                return False
            inner, outer = outer, self.parents.get(id(outer))
        return False

    def functions(self) -> Iterator[Function]:
        """Yield every function."""
        return (node for node in self.nodes if isinstance(node, Function))

    def scopes(self) -> Iterator[ast.Module | Function]:
        """Yield the module, then every function."""
        yield self.tree
        yield from self.functions()


def gives_verdict(body: list[ast.stmt]) -> bool:
    """Say whether a branch ends with a verdict: returns or raises, exits, notes a failure, or sets a result."""
    last = body[-1]
    if isinstance(last, ast.Return | ast.Raise | ast.Assert):
        return True
    if isinstance(last, ast.Assign | ast.AugAssign):
        target = last.targets[0] if isinstance(last, ast.Assign) else last.target
        return is_verdict_name(dotted(target)) or bool(_FAILS.search(dotted(target)))
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
        name = dotted(last.value.func)
        return name in ("sys.exit", "exit", "fail") or bool(_FAILS.search(name))
    return False


def is_verdict_name(name: str) -> bool:
    """Say whether a variable of this name holds a result.

    >>> [is_verdict_name(name) for name in ("score", "all_ok", "line")]
    [True, True, False]
    """
    return bool(_RESULT.search(name.lower()))


def is_pass(node: ast.expr | None) -> bool:
    """Say whether `node` is a literal that means success."""
    value = constant(node)
    if isinstance(node, ast.Dict):
        return any(is_pass(held) for held in node.values)
    if isinstance(node, ast.Tuple):
        return bool(node.elts) and is_pass(node.elts[0])
    return value is True or value in (1, 1.0, "1", "passed", "pass", "PASS", "ok", "C", "CORRECT")


def is_fail(node: ast.expr | None) -> bool:
    """Say whether `node` is a literal that means failure."""
    value = constant(node)
    return value is False or (value is not None and value in (0, "0", "failed", "fail", "FAIL", "I", "INCORRECT"))


def dotted(node: ast.expr) -> str:
    """Return `a.b.c` of a name or attribute; `.c` where what it hangs on has no name; else nothing.

    >>> [dotted(ast.parse(text, mode="eval").body) for text in ("a.b", "f().g", "1")]
    ['a.b', '.g', '']
    """
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return ""


def own_nodes(scope: ast.Module | Function | ast.Lambda) -> Iterator[ast.AST]:
    """Yield what belongs to `scope` itself, and not to functions or classes within it; lambdas count as its own."""
    body: list[ast.AST] = [scope.body] if isinstance(scope, ast.Lambda) else list(scope.body)
    while body:
        node = body.pop(0)
        yield node
        if not isinstance(node, Function | ast.ClassDef):
            body[:0] = ast.iter_child_nodes(node)


def number(node: ast.expr | None) -> float | None:
    """Return the value of a literal number, signed or not; None for anything else.

    >>> [number(ast.parse(text, mode="eval").body) for text in ("-1e-3", "True", "x")]
    [-0.001, None, None]
    """
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = number(node.operand)
        return -inner if inner is not None else None
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return float(node.value)
    return None


def constant(node: ast.expr | None) -> object:
    """Return the value of a literal; None for anything else."""
    return node.value if isinstance(node, ast.Constant) else None


def argument(call: ast.Call, name: str) -> ast.expr | None:
    """Return the argument passed by this keyword."""
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)


def strings(node: ast.AST) -> Iterator[str]:
    """Yield every literal text in `node`."""
    return (n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str))

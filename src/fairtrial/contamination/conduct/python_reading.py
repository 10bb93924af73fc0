"""What a Python program calls, with the texts that its arguments come to: read, not run.

Names are followed through imports, assignments, defaults, arguments of calls in the same program, options of argparse,
files and environment variables in sight. A branch whose condition is known to be false is left out. Not covered: what
other modules do with what they are given, values computed from data.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from fairtrial.attack.detectors.python_program import parsed
from fairtrial.contamination.conduct.python_expressions import Expressions
from fairtrial.contamination.conduct.python_scope import DEEPEST, MOST_VISITS, Around, Called
from fairtrial.contamination.conduct.python_values import Made, Value, joined, one_of

__all__ = ["Around", "Called", "Program", "read_program"]
_MAGIC = re.compile(r"^[ \t]*[%!].*$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """What was read of one program."""

    calls: tuple[Called, ...] = ()
    imports: tuple[tuple[str, int], ...] = ()
    """(module, line)."""
    texts: tuple[tuple[str, int], ...] = ()
    """(text, line) of every literal and of what literals were put together to."""
    is_read: bool = True
    """False for what is no Python, or too long."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """Environment variables, with those that it sets itself."""
    settings: Mapping[str, Value] = field(default_factory=dict)
    """Attributes of modules that it sets: `openai.api_base`."""


def read_program(code: str, around: Around | None = None) -> Program:
    """Read a program twice: the second time with what the first saw functions called with."""
    around = around or Around()
    tree = parsed(code) or parsed(_MAGIC.sub("pass", code)) or parsed(textwrap.dedent(code))
    if tree is None:
        return Program(is_read=False)
    first = _Walk(around)
    first.read(tree)
    second = _Walk(around, arguments=first.passed, tables=first.options)
    second.read(tree)
    named = {one.id for one in ast.walk(tree) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}
    named |= {one.attr for one in ast.walk(tree) if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Load)}
    dormant = () if around.is_module else _dormant(tree, named)
    for one in second.calls:
        one.is_used = second.is_used(one.number, named)
        one.is_dormant = any(start <= one.line <= end for start, end in dormant)
    return Program(calls=tuple(second.calls), imports=tuple(second.imports), texts=tuple(second.texts),
                   variables=second.variables, settings=second.settings)  # fmt: skip


def _dormant(tree: ast.Module, named: set[str]) -> tuple[tuple[int, int], ...]:
    """Return the lines of functions that nothing names and nothing decorates."""
    return tuple(
        (one.lineno, one.end_lineno or one.lineno)
        for one in tree.body
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) and one.name not in named and not one.decorator_list
    )


class _Walk(Expressions):
    """Reads statements."""

    def read(self, tree: ast.Module) -> None:
        """Read a whole program."""
        for one in ast.walk(tree):
            if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
                self.functions.setdefault(one.name, one)
        self.body(tree.body)

    def is_used(self, number: int, named: set[str]) -> bool:
        """Say whether what a call gave is looked at: passed on, or bound to a name that is read somewhere."""
        return number not in self.loose and (number not in self.bound or self.bound[number] in named)

    def body(self, statements: Iterable[ast.stmt]) -> None:
        """Read statements in order."""
        for statement in statements:
            self.visits += 1
            if self.visits < MOST_VISITS and self.depth < DEEPEST:
                self.depth += 1
                self.statement(statement)
                self.depth -= 1

    def statement(self, node: ast.stmt) -> None:
        """Read one statement."""
        match node:
            case ast.Import(names=names):
                for one in names:
                    self.imports.append((one.name, node.lineno))
                    self.imported[one.asname or one.name.partition(".")[0]] = (
                        one.name if one.asname else one.name.partition(".")[0]
                    )
            case ast.ImportFrom(module=module, names=names):
                for one in names:
                    full = f"{module or ''}.{one.name}".strip(".")
                    self.imports.append((full, node.lineno))
                    self.imported[one.asname or one.name] = full
            case ast.Assign(targets=targets, value=value):
                found = self.value(value)
                for target in targets:
                    self.bind(target, found)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self.bind(target, self.value(value))
            case ast.AugAssign(target=target, value=value):
                self.bind(target, joined([self.value(target), self.value(value)]))
            case ast.Expr(value=value):
                self.loosely(value)
            case ast.If(test=test, body=body, orelse=other):
                self.branch(test, body, other)
            case ast.For(target=target, iter=items) | ast.AsyncFor(target=target, iter=items):
                found = self.value(items)
                self.bind(target, one_of(found) if isinstance(found, tuple) else found)
                self.apart([*node.body, *node.orelse])
            case ast.With() | ast.AsyncWith():
                for item in node.items:
                    found = self.value(item.context_expr)
                    if item.optional_vars is not None:
                        self.bind(item.optional_vars, found)
                self.body(node.body)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self.function(node)
            case ast.ClassDef():
                self.class_(node)
            case _:
                self.rest(node)

    def class_(self, node: ast.ClassDef) -> None:
        """Read a class; what its body sets are attributes of what it makes."""
        self.classes.add(node.name)
        self.body(node.body)
        for one in node.body:
            target = (
                one.target
                if isinstance(one, ast.AnnAssign)
                else one.targets[0]
                if isinstance(one, ast.Assign)
                else None
            )
            if isinstance(target, ast.Name) and target.id in self.names:
                self.names.setdefault(f".{target.id}", self.names[target.id])

    def rest(self, node: ast.stmt) -> None:
        """Read the expressions and blocks of any other statement."""
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.value(child)
            elif isinstance(child, ast.stmt):
                self.apart([child])
            elif isinstance(child, ast.ExceptHandler | ast.match_case):
                self.apart(child.body)

    def loosely(self, value: ast.expr) -> None:
        """Read an expression that stands alone: what its outermost call gives is dropped."""
        found = self.value(value)
        if isinstance(found, Made):
            self.loose.add(found.number)

    def apart(self, statements: Iterable[ast.stmt]) -> None:
        """Read statements that may not happen: names keep what they were, too."""
        self.branches += 1
        self.body(statements)
        self.branches -= 1

    def branch(self, test: ast.expr, body: list[ast.stmt], other: list[ast.stmt]) -> None:
        """Read what a condition leaves possible."""
        truth = self.truth(test)
        if truth is None:
            self.apart(body)
            self.apart(other)
        else:
            self.body(body if truth else other)

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Read a function with the defaults of its parameters and what it was called with."""
        for decorator in node.decorator_list:
            self.value(decorator)
        outer, self.names = self.names, dict(self.names)
        every = [*node.args.posonlyargs, *node.args.args]
        defaults = dict(zip([one.arg for one in every][::-1], node.args.defaults[::-1], strict=False))
        defaults |= {one.arg: d for one, d in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True) if d}
        passed = self.arguments.get(node.name, {})
        for one in (*every, *node.args.kwonlyargs):
            held = [passed[one.arg]] if one.arg in passed else []
            if one.arg in defaults and not held:
                held = [self.value(defaults[one.arg])]
            self.names[one.arg] = one_of(held)
        before, self.branches = self.branches, 0
        self.body(node.body)
        self.branches = before
        kept = {name: value for name, value in self.names.items() if "." in name}
        self.names = outer | kept

"""Every place of a Python program where one small change can be made, and the text after it.

Changes are spliced into the text, so that all else stays letter for letter. Left alone: docstrings, annotations, the
words of error messages, the test of the main guard, inside of f-strings (the parser says no exact places there), and
whatever compiles to the same byte code. Not covered: changes that need more than one place.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from fairtrial.attack.code.python_code import Function, Text, byte_code, is_docstring, is_main_guard, parse


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """One change to one place."""

    operator: str
    """Its kind: `comparison`, `constant`, `removed_statement`."""
    line: int
    start: int
    end: int
    """Bytes of the text that it replaces."""
    new: str
    what: str
    """The change in words, with the line."""


_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.Lt), ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
}  # fmt: skip
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.FloorDiv, ast.FloorDiv: ast.Div,
    ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitAnd,
}  # fmt: skip
_EITHER_WAY = frozenset({"min", "max", "gcd", "math.gcd", "math.hypot"})
"""Calls that mean the same with their arguments swapped."""


def sites(text: str) -> list[Site]:
    """Return every change, in order of place; an empty list for what is no Python.

    >>> [site.operator for site in sites("def f(a):\\n    return a < 3")]
    ['return_first_argument', 'return_value', 'comparison', 'comparison', 'constant', 'constant', 'constant']
    """
    tree = parse(text)
    if tree is None:
        return []
    indexed = Text.of(text)
    found = [site for node in _reachable(tree) for site in _changes(node, indexed)]
    return sorted(dict.fromkeys(found), key=lambda site: (site.start, site.end, site.operator, site.new))


def mutated(text: str, *chosen: Site) -> str | None:
    """Return the text with the changes made, from the last to the first; None where they compile to nothing else."""
    ordered = sorted(chosen, key=lambda site: site.start, reverse=True)
    new = text
    for site in ordered:
        new = Text.of(new).replaced(site.start, site.end, site.new)
    code = byte_code(new)
    return new if code is not None and code != byte_code(text) else None


def _reachable(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes below `node` that a change may touch."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.JoinedStr | ast.Import | ast.ImportFrom) or _is_annotation(node, child):
            continue
        if isinstance(child, ast.stmt) and (is_docstring(child) or _is_about_itself(child)):
            continue
        if isinstance(child, ast.Raise):
            yield child  # its message is for readers
            continue
        if isinstance(child, ast.While):
            yield child
            yield from _outside_loop_control(child)
            continue
        if isinstance(child, ast.If) and is_main_guard(child):
            for statement in child.body:
                yield statement
                yield from _reachable(statement)
            continue
        yield child
        yield from _reachable(child)


def _outside_loop_control(loop: ast.While) -> Iterator[ast.AST]:
    """Leave out what moves the loop on: without it a program never ends, which costs a time-out and tells nothing."""
    watched = {node.id for node in ast.walk(loop.test) if isinstance(node, ast.Name)}
    yield from _reachable(ast.Expr(loop.test))
    for statement in (*loop.body, *loop.orelse):
        names = [node for node in ast.walk(statement) if isinstance(node, ast.Name)]
        written = {name.id for name in names if isinstance(name.ctx, ast.Store)}
        if not written & watched:
            yield statement
            yield from _reachable(statement)


def _is_annotation(node: ast.AST, child: ast.AST) -> bool:
    return child in (getattr(node, "annotation", None), getattr(node, "returns", None)) or (
        isinstance(node, ast.keyword) and node.arg in ("encoding", "newline", "help", "description", "prog")
    )


def _is_about_itself(statement: ast.stmt) -> bool:
    """Say whether `statement` sets `__all__`, `__version__` or the like."""
    return isinstance(statement, ast.Assign) and all(
        isinstance(one, ast.Name) and one.id.startswith("__") for one in statement.targets
    )


def _changes(node: ast.AST, text: Text) -> Iterator[Site]:
    if isinstance(node, ast.expr):
        for operator, new, what in _expressions(node):
            start, end = text.span(node)
            yield Site(operator=operator, line=node.lineno, start=start, end=end, new=f"({ast.unparse(new)})",
                       what=f"{what} on line {node.lineno}")  # fmt: skip
    elif isinstance(node, ast.stmt):
        for operator, part, new_text, what in _statements(node):
            start, end = text.span(part)
            yield Site(operator=operator, line=part.lineno, start=start, end=end, new=new_text,
                       what=f"{what} on line {part.lineno}")  # fmt: skip
    if isinstance(node, Function):
        yield from _first_argument(node, text)


def _expressions(node: ast.expr) -> Iterator[tuple[str, ast.expr, str]]:
    match node:
        case ast.Compare(ops=[only], comparators=[right]):
            for comparison in _COMPARISONS[type(only)]:
                yield "comparison", ast.Compare(node.left, [comparison()], [right]), "a comparison changed"
        case ast.BinOp():
            if not (isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant | ast.JoinedStr)):
                new = ast.BinOp(node.left, _ARITHMETIC.get(type(node.op), ast.Sub)(), node.right)
                yield "arithmetic", new, "an arithmetic operator changed"
        case ast.BoolOp():
            other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield "boolean", ast.BoolOp(other, node.values), "`and` and `or` exchanged"
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield "boolean" if isinstance(node.op, ast.Not) else "sign", node.operand, "a `not` or minus dropped"
        case ast.Constant():
            for value in _other_values(node.value):
                yield "constant", ast.Constant(value), f"{_shown(node.value)} made {_shown(value)}"
        case ast.IfExp():
            yield "condition", ast.IfExp(node.test, node.orelse, node.body), "the branches of a condition exchanged"
        case ast.Subscript(slice=ast.Slice() as part):
            yield from _slices(node, part)
        case ast.Call():
            yield from _calls(node)


def _other_values(value: object) -> tuple[bool | int | float | str | bytes, ...]:
    match value:
        case bool():
            return (not value,)
        case int():
            return tuple(dict.fromkeys((value + 1, value - 1, 0))) if value else (1, -1)
        case float():
            return (value + 1, 0.0) if value else (1.0,)
        case str() | bytes():
            return (value[:0],) if value else ()
        case _:
            return ()


def _shown(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 24 else f"{shown[:20]}…{shown[0]}"


def _is_symmetric(function: ast.expr) -> bool:
    name = ast.unparse(function)
    return name in _EITHER_WAY or name.rpartition(".")[2].startswith("assert")


def _slices(node: ast.Subscript, part: ast.Slice) -> Iterator[tuple[str, ast.expr, str]]:
    one = ast.Constant(1)
    if part.lower is not None:
        moved = ast.Slice(ast.BinOp(part.lower, ast.Add(), one), part.upper, part.step)
        yield "off_by_one", ast.Subscript(node.value, moved, ast.Load()), "a slice begun one later"
    if part.upper is not None:
        moved = ast.Slice(part.lower, ast.BinOp(part.upper, ast.Sub(), one), part.step)
        yield "off_by_one", ast.Subscript(node.value, moved, ast.Load()), "a slice ended one earlier"
    if part.step is not None:
        yield "off_by_one", ast.Subscript(node.value, ast.Slice(part.lower, part.upper), ast.Load()), "a step dropped"


def _calls(node: ast.Call) -> Iterator[tuple[str, ast.expr, str]]:
    plain = [one for one in node.args if not isinstance(one, ast.Starred)]
    if isinstance(node.func, ast.Name) and node.func.id == "range" and plain:
        last = 0 if len(node.args) == 1 else 1
        for kind, what in ((ast.Add, "a range one longer"), (ast.Sub, "a range one shorter")):
            arguments = list(node.args)
            arguments[last] = ast.BinOp(arguments[last], kind(), ast.Constant(1))
            yield "off_by_one", ast.Call(node.func, arguments, node.keywords), what
    elif len(plain) >= 2 and len(plain) == len(node.args) and not _is_symmetric(node.func):
        swapped = [node.args[1], node.args[0], *node.args[2:]]
        yield "swapped_arguments", ast.Call(node.func, swapped, node.keywords), "two arguments swapped"
    if node.keywords and all(keyword.arg for keyword in node.keywords):
        yield "keyword_dropped", ast.Call(node.func, node.args, node.keywords[1:]), "a keyword argument dropped"


def _statements(node: ast.stmt) -> Iterator[tuple[str, ast.expr | ast.stmt, str, str]]:
    match node:
        case ast.If() | ast.While():
            yield "negated_condition", node.test, f"(not ({ast.unparse(node.test)}))", "a condition negated"
        case ast.Return(value=ast.expr() as value):
            for new in ("None", "0") if ast.unparse(value) == "None" else ("None",):
                yield "return_value", node, f"return {new}", f"`return {new}`"
        case ast.Raise():
            yield "removed_raise", node, "pass", "a `raise` removed"
        case ast.Break():
            yield "loop", node, "continue", "`break` made `continue`"
        case ast.Continue():
            yield "loop", node, "break", "`continue` made `break`"
        case ast.AugAssign():
            other = _ARITHMETIC.get(type(node.op), ast.Sub)()
            yield ("arithmetic", node, ast.unparse(ast.AugAssign(node.target, other, node.value)),
                   "an augmented assignment changed")  # fmt: skip
            yield "removed_statement", node, "pass", "a statement removed"
        case ast.Assign() | ast.Delete() | ast.Expr(value=ast.Call() | ast.Await()):
            yield "removed_statement", node, "pass", "a statement removed"
        case ast.Try(handlers=[only]) if len(only.body) == 1:
            yield "swallowed_exception", only.body[0], "pass", "what an `except` does removed"


def _first_argument(node: Function, text: Text) -> Iterator[Site]:
    """Return each of the first arguments in place of the result: the laziest way to look busy."""
    arguments = [*node.args.posonlyargs, *node.args.args]
    if not arguments or arguments[0].arg in ("self", "cls"):
        return
    for statement in ast.walk(node):
        if isinstance(statement, ast.Return) and statement.value is not None:
            start, end = text.span(statement)
            yield Site(operator="return_first_argument", line=statement.lineno, start=start, end=end,
                       new=f"return {arguments[0].arg}",
                       what=f"`return {arguments[0].arg}` on line {statement.lineno}")  # fmt: skip

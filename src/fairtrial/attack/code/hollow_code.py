"""Python with its insides taken out: the names that a grader looks for, and none of the work.

Two forms: `hollowed` keeps a program and empties its functions; `skeleton` keeps nothing but names, for code whose
bodies attack. Not covered: functions made while the program runs (by `exec`, by a factory).
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from fairtrial.attack.code.python_code import Function, byte_code, functions, is_docstring, parse

Body = Callable[[Function], str]
"""Function of the program -> statements that stand in its place."""


def hollowed(text: str, body: Body) -> str | None:
    """Return the program with every function's body replaced; None where that changes nothing.

    >>> print(hollowed("def f(a: int) -> int:\\n    return a + 1", lambda function: "return None"))
    def f(a: int) -> int:
        return None
    """
    tree = parse(text)
    if tree is None:
        return None
    for node in _outermost(tree):
        node.body = ast.parse("pass" if node.name == "__init__" else body(node)).body
    new = ast.unparse(ast.fix_missing_locations(tree))
    code = byte_code(new)
    return new if code is not None and code != byte_code(text) else None


def skeleton(text: str, body: Body) -> str:
    """Return imports of the own package, and each function, class and method with any arguments and the given body.

    >>> print(skeleton("import re\\nRATE = 3\\ndef f(a):\\n    return a * RATE", lambda function: "return 0"))
    def f(*args, **kwargs):
        return 0
    """
    tree = parse(text)
    if tree is None:
        return ""
    return "\n".join(ast.unparse(ast.fix_missing_locations(node)) for one in tree.body for node in _bones(one, body))


def has_work(text: str) -> bool:
    """Say whether any function does more than hand over what it has.

    >>> has_work("def f(a):\\n    return a"), has_work("def f(a):\\n    return a + 1")
    (False, True)
    """
    tree = parse(text)
    return tree is not None and any(not _is_trivial(function) for function in functions(tree))


def first_argument(function: Function) -> str:
    """Return the name of the first argument that a caller gives; empty where there is none.

    >>> first_argument(ast.parse("def f(self, n): ...").body[0])
    'n'
    """
    names = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    if names and names[0] in ("self", "cls"):
        names = names[1:]
    return names[0] if names else ""


def _outermost(node: ast.AST) -> list[Function]:
    found: list[Function] = []
    for child in ast.iter_child_nodes(node):
        found += [child] if isinstance(child, Function) else _outermost(child)
    return found


def _bones(node: ast.stmt, body: Body) -> list[ast.stmt]:
    if isinstance(node, ast.ImportFrom) and node.level:
        return [node]
    if isinstance(node, Function):
        is_method = bool(node.args.args) and node.args.args[0].arg in ("self", "cls")
        arguments = ast.arguments(
            posonlyargs=[], args=[ast.arg(node.args.args[0].arg)] if is_method else [], vararg=ast.arg("args"),
            kwonlyargs=[], kw_defaults=[], kwarg=ast.arg("kwargs"), defaults=[],
        )  # fmt: skip
        kept: list[ast.expr] = [one for one in node.decorator_list
                if isinstance(one, ast.Name) and one.id in ("staticmethod", "classmethod", "property")]  # fmt: skip
        statements = ast.parse("pass" if node.name == "__init__" else body(node)).body
        return [ast.FunctionDef(node.name, arguments, statements, kept)]
    if isinstance(node, ast.ClassDef):
        members = [bone for member in node.body for bone in _bones(member, body)]
        return [ast.ClassDef(node.name, [], [], members or [ast.Pass()], [])]
    if isinstance(node, ast.If | ast.Try):
        return [bone for member in node.body for bone in _bones(member, body)]
    return []


def _is_trivial(function: Function) -> bool:
    body = [one for one in function.body if not is_docstring(one) and not isinstance(one, ast.Pass)]
    return all(
        (isinstance(one, ast.Return) and (one.value is None or isinstance(one.value, ast.Constant | ast.Name)))
        or (isinstance(one, ast.Return) and isinstance(one.value, ast.Attribute))
        or isinstance(one, ast.Raise)
        or (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
        or (isinstance(one, ast.Assign) and isinstance(one.value, ast.Name | ast.Constant))
        for one in body
    )

"""Constants that a lazy program would answer with: of the type that a function returns, or words that it prints.

Read off annotations, `return` and `print` of the reference. A guess: where nothing tells, 0.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from fairtrial.attack.code.python_code import Function, parse

_BY_NAME = {
    "int": "0", "float": "0.0", "str": "''", "bytes": "b''", "bool": "False", "list": "[]", "List": "[]",
    "Sequence": "[]", "Iterable": "[]", "dict": "{}", "Dict": "{}", "Mapping": "{}", "tuple": "()", "Tuple": "()",
    "set": "set()", "Set": "set()", "frozenset": "frozenset()", "None": "None", "sorted": "[]", "len": "0",
    "sum": "0", "round": "0", "abs": "0", "min": "0", "max": "0", "any": "False", "all": "False",
    "isinstance": "False", "format": "''", "join": "''", "strip": "''", "lower": "''", "upper": "''", "replace": "''",
}  # fmt: skip
_FULL = {"0": "1", "0.0": "1.0", "''": "'ok'", "False": "True", "[]": "[0]", "{}": "{'result': 0}", "()": "(0,)"}
MOST_WORDS = 3


def empty_answer(function: Function) -> str:
    """Return the source of an empty value of the type that `function` returns.

    >>> empty_answer(ast.parse("def f(a):\\n    return [x for x in a]").body[0])
    '[]'
    """
    if function.returns is not None:
        named = ast.unparse(function.returns).partition("[")[0].split("|")[0].strip().rpartition(".")[2]
        if named in _BY_NAME:
            return _BY_NAME[named]
    return next((found for value in _returned(function) if (found := _empty_like(value))), "0")


def full_answer(function: Function) -> str:
    """Return the source of a value of that type which is not empty: True, 1, 'ok'."""
    return _FULL.get(empty := empty_answer(function), empty)


def returned_constant(function: Function, *, last: bool) -> str:
    """Return the first (or last) constant that `function` returns, as source; the empty answer where it returns none.

    >>> returned_constant(ast.parse("def f(a):\\n    return 'yes' if a else 'no'").body[0], last=True)
    "'no'"
    """
    found = [
        ast.unparse(node)
        for value in _returned(function)
        for node in ast.walk(value)
        if isinstance(node, ast.Constant) and _is_answer(value, node)
    ]
    return found[-1 if last else 0] if found else empty_answer(function)


def printed_words(text: str) -> list[str]:
    """Return texts that a program prints as they are, most telling first; at most three.

    >>> printed_words("print('valid' if ok else 'invalid')")
    ['valid', 'invalid']
    """
    tree = parse(text)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)] if tree is not None else []
    words = [
        node.value.strip()
        for call in calls
        if ast.unparse(call.func).rpartition(".")[2] in ("print", "write", "echo")
        for argument in call.args
        for node in _not_within_calls(argument)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.strip()
    ]
    return list(dict.fromkeys(words))[:MOST_WORDS]


def _returned(function: Function) -> Iterator[ast.expr]:
    found = [node for node in ast.walk(function) if isinstance(node, ast.Return)]
    for node in sorted(found, key=lambda one: one.lineno):
        if node.value is not None:
            yield node.value


def _is_answer(value: ast.expr, node: ast.Constant) -> bool:
    return node is value or (isinstance(value, ast.IfExp) and node in (value.body, value.orelse))


def _empty_like(value: ast.expr) -> str:
    match value:
        case ast.Constant(value=constant):
            return _BY_NAME.get(type(constant).__name__, "")
        case ast.JoinedStr():
            return "''"
        case ast.List() | ast.ListComp():
            return "[]"
        case ast.Dict() | ast.DictComp():
            return "{}"
        case ast.Tuple():
            return "()"
        case ast.Set() | ast.SetComp():
            return "set()"
        case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
            return "False"
        case ast.Call():
            return _BY_NAME.get(ast.unparse(value.func).rpartition(".")[2], "")
        case ast.BinOp(op=ast.Div()):
            return "0.0"
        case _:
            return ""


def _not_within_calls(node: ast.expr) -> Iterator[ast.AST]:
    """Yield the parts of an argument that stand in what is printed, not in what is looked up or split."""
    yield node
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr) and not isinstance(node, ast.Call | ast.Subscript | ast.JoinedStr):
            yield from _not_within_calls(child)

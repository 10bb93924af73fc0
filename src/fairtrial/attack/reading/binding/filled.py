"""Follow a name into the helper that reads with it: `section("Decisions")`, where `section` looks for `## {title}`.

A parameter that stands in a pattern, in a wording or as a key is filled in with what each call passes. One level deep.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from fairtrial.attack.reading.python_file import Function, PythonFile, constant, dotted


def fillings(file: PythonFile, node: ast.expr) -> Iterator[tuple[int, str, str]]:
    """Yield (line of the call, what it passes, the text that results) for a text `node` with one parameter in it.

    A literal yields itself, at its own line.
    """
    text = constant(node)
    if isinstance(text, str):
        yield node.lineno, text, text
        return
    parts = node.values if isinstance(node, ast.JoinedStr) else [ast.FormattedValue(node, -1)]
    names = {
        part.value.id for part in parts if isinstance(part, ast.FormattedValue) and isinstance(part.value, ast.Name)
    }
    around = _function_around(file, node)
    if around is None or len(names) != 1:
        return
    name = names.pop()
    for line, passed in _passed(file, around, name):
        literals = (constant(part) if isinstance(part, ast.Constant) else passed for part in parts)
        yield line, passed, "".join(str(literal) for literal in literals)


def _function_around(file: PythonFile, node: ast.expr) -> Function | None:
    outer = file.parents.get(id(node))
    while outer is not None and not isinstance(outer, Function):
        outer = file.parents.get(id(outer))
    return outer


def _passed(file: PythonFile, function: Function, name: str) -> Iterator[tuple[int, str]]:
    """Yield (line, literal) of what calls of `function` pass for its parameter `name`."""
    parameters = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    if name not in parameters:
        return
    place = parameters.index(name)
    for call, called in file.calls:
        if called.rpartition(".")[2] != function.name:
            continue
        given = {keyword.arg: keyword.value for keyword in call.keywords}
        argument = given.get(name) or (call.args[place] if place < len(call.args) else None)
        value = constant(argument)
        if isinstance(value, str) and dotted(call.func):
            yield call.lineno, value

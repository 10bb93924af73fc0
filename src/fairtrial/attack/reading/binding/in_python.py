"""Find in Python graders what is read of the agent's work by name, by wording, by order and by position.

It follows the work as the other rules do (`flow`). Not covered: names that are put together piece by piece, and
helpers in other modules.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from fairtrial.attack.reading.binding.filled import fillings
from fairtrial.attack.reading.binding.finding import Bound
from fairtrial.attack.reading.binding.stated import Told
from fairtrial.attack.reading.binding.wording import bare, is_title, titles_of_pattern
from fairtrial.attack.reading.python_file import PythonFile, constant

_CUTS = {
    "split",
    "partition",
    "rpartition",
    "rsplit",
    "startswith",
    "endswith",
    "index",
    "find",
    "removeprefix",
    "count",
}
_PATTERNS = {"re.search", "re.match", "re.findall", "re.finditer", "re.fullmatch", "re.split", "re.compile"}
_FIELD = re.compile(r"[A-Za-z_][\w .-]*")


def bindings(file: PythonFile, told: Told) -> Iterator[Bound]:
    """Yield where `file` binds to a form that the agent was not told of."""
    yield from _fields(file, told)
    yield from _keys_compared(file, told)
    yield from _files(file, told)
    yield from _titles(file, told)
    yield from _orders(file, told)
    yield from _positions(file, told)


def _fields(file: PythonFile, told: Told) -> Iterator[Bound]:
    for node in file.nodes:
        key: ast.expr | None = None
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            key = node.slice if file.flow.kind(node.value) == "data" else None
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("get", "pop"):
            is_data = file.flow.kind(node.func.value) == "data"
            key = node.args[0] if is_data and node.args else None
        for line, name, whole in fillings(file, key) if key is not None else ():
            if name == whole and not _is_own(node, name) and _FIELD.fullmatch(name) and not told.states(name):
                yield Bound(file.name, line, "field", name)


def _is_own(node: ast.AST, name: str) -> bool:
    """Say whether the grader itself put `name` into what it now reads: `answers(package, {"a": …})["a"]`."""
    return sum(isinstance(part, ast.Constant) and part.value == name for part in ast.walk(node)) > 1


def _keys_compared(file: PythonFile, told: Told) -> Iterator[Bound]:
    """Yield the keys of a dictionary that is written down and compared with the agent's as a whole."""
    for _, _, left, right in file.compares:
        for work, other in ((left, right), (right, left)):
            held = file.value_of(other)
            if file.flow.kind(work) == "data" and isinstance(held, ast.Dict):
                for key in held.keys:
                    name = constant(key)
                    if isinstance(name, str) and key is not None and _FIELD.fullmatch(name) and not told.states(name):
                        yield Bound(file.name, key.lineno, "field", name)


def _files(file: PythonFile, told: Told) -> Iterator[Bound]:
    for node in file.nodes:
        path = constant(node) if isinstance(node, ast.Constant) else None
        if isinstance(path, str) and file.flow.is_agent_path(path) and "://" not in path:
            name = path.rpartition("/")[2]
            if re.fullmatch(r"[\w-]+\.\w{1,5}", name) and not told.states(name):
                yield Bound(file.name, node.lineno, "file", path)  # type: ignore[attr-defined]


def _titles(file: PythonFile, told: Told) -> Iterator[Bound]:
    for _, operator, left, right in file.compares:
        if isinstance(operator, ast.In | ast.NotIn) and file.flow.kind(right) in ("text", "texts"):
            yield from (bound for line, name, whole in fillings(file, left) if is_title(whole)
                        for bound in _title(file, line, name, told))  # fmt: skip
    for call, name in file.calls:
        if not call.args:
            continue
        if isinstance(call.func, ast.Attribute) and call.func.attr in _CUTS:
            if file.flow.kind(call.func.value) in ("text", "texts"):
                yield from (bound for line, name, whole in fillings(file, call.args[0]) if is_title(whole)
                            for bound in _title(file, line, name, told))  # fmt: skip
        elif name in _PATTERNS and (len(call.args) < 2 or file.flow.kind(call.args[1]) in ("text", "texts")):
            yield from _titles_of_pattern(file, file.value_of(call.args[0]), told)


def _titles_of_pattern(file: PythonFile, pattern: ast.expr, told: Told) -> Iterator[Bound]:
    for line, name, whole in fillings(file, pattern):
        for wording in titles_of_pattern(whole):
            yield from _title(file, line, name if name != whole and name in wording else wording, told)


def _title(file: PythonFile, line: int, wording: str, told: Told) -> Iterator[Bound]:
    if not told.states(bare(wording)):
        yield Bound(file.name, line, "title", wording.strip())


def _orders(file: PythonFile, told: Told) -> Iterator[Bound]:
    """Yield comparisons of a whole list of the agent's with a list that is written down, neither sorted."""
    if told.states_an_order:
        return
    for node, operator, left, right in file.compares:
        sides = (left, file.value_of(right)) if file.flow.is_work(left) else (right, file.value_of(left))
        if not isinstance(operator, ast.Eq | ast.NotEq) or not file.flow.is_work(sides[0]):
            continue
        if isinstance(sides[1], ast.List) and len(sides[1].elts) > 1 and _is_list(sides[0]):
            yield Bound(file.name, node.lineno, "order", ast.unparse(sides[0])[:60])


def _is_list(node: ast.expr) -> bool:
    """Say whether `node` may be a list in the agent's order: no call that sorts, counts or makes a set of it."""
    orderless = {"sorted", "set", "frozenset", "Counter", "sum", "len", "max", "min"}
    return not any(
        isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in orderless
        for part in ast.walk(node)
    )


def _positions(file: PythonFile, told: Told) -> Iterator[Bound]:
    """Yield cells that are read by number of a row that csv.reader or split made."""
    if told.states_a_layout:
        return
    for node in file.nodes:
        if not isinstance(node, ast.Subscript) or not isinstance(constant(node.slice), int):
            continue
        is_cut = isinstance(node.value, ast.Call) and bool(node.value.args)  # by a wording, which is told by itself
        if file.flow.kind(node.value) == "texts" and not is_cut:
            yield Bound(file.name, node.lineno, "position", f"`{ast.unparse(node)[:60]}`")

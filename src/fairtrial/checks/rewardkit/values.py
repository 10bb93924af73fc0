"""Work out the values that a rewardkit file passes to its criteria, without running it.

Understood: literals, names given once to such values, f-strings, `+`, `%`, `*`, indexing, a few pure functions and
methods, paths, and JSON or text read from files of the folder itself. Everything else is Unknown.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Mapping
from pathlib import Path, PurePath
from typing import Any

MOST = 100_000
"""Elements or characters of one value."""
SPELLED = {"Path", "PurePath", "PosixPath"}
FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "str": str, "int": int, "float": float, "bool": bool, "len": len, "list": list, "tuple": tuple, "dict": dict,
    "sorted": sorted, "reversed": lambda one: list(reversed(one)), "range": lambda *ends: _range(*ends),
    "enumerate": lambda one, start=0: list(enumerate(one, start)), "zip": lambda *all_: list(zip(*all_, strict=False)),
    "min": min, "max": max, "sum": sum, "round": round, "set": lambda one=(): sorted(set(one)),
}  # fmt: skip
METHODS: Mapping[type, tuple[str, ...]] = {
    str: ("format", "join", "strip", "lstrip", "rstrip", "lower", "upper", "title", "replace", "split", "splitlines",
          "removeprefix", "removesuffix", "zfill", "startswith", "endswith"),
    dict: ("items", "keys", "values", "get"),
    PurePath: ("resolve", "absolute", "joinpath", "with_suffix", "with_name", "as_posix"),
}  # fmt: skip
CONVERSIONS: Mapping[int, Callable[[Any], str]] = {114: repr, 115: str, 97: ascii}
PARTS = ("parent", "name", "stem", "suffix")


class Unknown(Exception):  # noqa: N818 - a limit of reading, no error
    """The value is known when the file runs, and not before."""


class Reader:
    """Evaluates expressions of one file with the names that were given values so far."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.folder = folder.resolve()
        self.names: dict[str, Any] = {"__file__": str(path.resolve()), "__name__": path.stem}

    def value(self, node: ast.expr) -> Any:
        """Return what `node` stands for. Raise Unknown for what is not understood."""
        try:
            found = self._value(node)
        except (TypeError, ValueError, KeyError, IndexError, AttributeError, ArithmeticError, OSError) as error:
            raise Unknown(str(error)) from None
        if isinstance(found, str | list | tuple | dict | set) and len(found) > MOST:
            raise Unknown("it is too large")
        return found

    def _value(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            if node.id not in self.names:
                raise Unknown(f"`{node.id}`")
            return self.names[node.id]
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            return [self.value(one) for one in node.elts]
        if isinstance(node, ast.Dict):
            return {self.value(k) if k else None: self.value(v) for k, v in zip(node.keys, node.values, strict=True)}
        if isinstance(node, ast.JoinedStr):
            return "".join(self._part(one) for one in node.values)
        if isinstance(node, ast.BinOp):
            return self._combined(self.value(node.left), node.op, self.value(node.right))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Not):
            inner = self.value(node.operand)
            return -inner if isinstance(node.op, ast.USub) else not inner
        if isinstance(node, ast.Subscript):
            return self.value(node.value)[self._place(node.slice)]
        if isinstance(node, ast.Attribute) and node.attr in PARTS:
            owner = self.value(node.value)
            if isinstance(owner, PurePath):
                return getattr(owner, node.attr)
        if isinstance(node, ast.Attribute) and node.attr == "parents":
            return list(Path(self.value(node.value)).parents)
        if isinstance(node, ast.Call):
            return self._called(node)
        if isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp):
            return [self.value(node.elt) for _ in self.loops(node.generators)]
        raise Unknown(ast.unparse(node)[:60])

    def loops(self, generators: list[ast.comprehension]) -> Any:
        """Bind the targets of a comprehension to each combination of values in turn."""
        if not generators:
            yield None
            return
        first = generators[0]
        values = list(self.value(first.iter))
        if first.ifs or len(values) > MOST:
            raise Unknown("a condition in a comprehension")
        for value in values:
            self.bind(first.target, value)
            yield from self.loops(generators[1:])

    def bind(self, target: ast.expr, value: Any) -> None:
        """Give `target`, a name or several, `value`. Raise Unknown for another kind of target."""
        if isinstance(target, ast.Name):
            self.names[target.id] = value
        elif isinstance(target, ast.Tuple | ast.List):
            values = list(value)
            if len(values) != len(target.elts):
                raise Unknown("another number of names")
            for one, inner in zip(target.elts, values, strict=True):
                self.bind(one, inner)
        else:
            raise Unknown(ast.unparse(target)[:60])

    def forget(self, target: ast.expr) -> None:
        """Know nothing more of the names in `target`."""
        for node in ast.walk(target):
            if isinstance(node, ast.Name):
                self.names.pop(node.id, None)

    def _part(self, node: ast.expr) -> str:
        if isinstance(node, ast.FormattedValue):
            value = self.value(node.value)
            value = CONVERSIONS[node.conversion](value) if node.conversion in CONVERSIONS else value
            return format(value, self._part(node.format_spec) if node.format_spec else "")
        return str(self.value(node))

    def _combined(self, left: Any, operator: ast.operator, right: Any) -> Any:
        if isinstance(operator, ast.Add):
            return left + right
        if isinstance(operator, ast.Sub):
            return left - right
        if isinstance(operator, ast.Div):
            return left / right
        if isinstance(operator, ast.Mod):
            return left % (tuple(right) if isinstance(left, str) and isinstance(right, list) else right)
        if isinstance(operator, ast.Mult):
            sizes = [len(one) if isinstance(one, str | list) else abs(one) for one in (left, right)]
            if sizes[0] * sizes[1] > MOST:
                raise Unknown("it is too large")
            return left * right
        raise Unknown(type(operator).__name__)

    def _place(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Slice):
            return slice(*(self.value(one) if one else None for one in (node.lower, node.upper, node.step)))
        return self.value(node)

    def _called(self, node: ast.Call) -> Any:
        given = [self.value(one) for one in node.args]
        named = {one.arg: self.value(one.value) for one in node.keywords if one.arg}
        if isinstance(node.func, ast.Name):
            if node.func.id in SPELLED:
                return Path(*map(str, given))
            if node.func.id == "open":
                return Path(given[0])
            if node.func.id in FUNCTIONS:
                return FUNCTIONS[node.func.id](*given, **named)
        if isinstance(node.func, ast.Attribute):
            spelled = ast.unparse(node.func)
            if spelled in ("json.loads", "json.load"):
                return json.loads(self._read(given[0]) if isinstance(given[0], PurePath) else given[0])
            if spelled in ("pathlib.Path", "os.path.join"):
                return Path(*map(str, given))
            owner = self.value(node.func.value)
            if node.func.attr in ("read_text", "read") and isinstance(owner, PurePath):
                return self._read(owner)
            for kind, methods in METHODS.items():
                if isinstance(owner, kind) and node.func.attr in methods:
                    found = getattr(owner, node.func.attr)(*given, **named)
                    return list(found) if isinstance(owner, dict) and node.func.attr != "get" else found
        raise Unknown(ast.unparse(node)[:60])

    def _read(self, path: PurePath) -> str:
        """Return the text of a file of the folder, and of no other."""
        real = Path(path).resolve()
        if not real.is_relative_to(self.folder) or not real.is_file() or real.stat().st_size > 10 * MOST:
            raise Unknown(f"what `{path}` holds")
        return real.read_text(encoding="utf-8")


def _range(*ends: int) -> list[int]:
    if len(range(*ends)) > MOST:
        raise Unknown("it is too large")
    return list(range(*ends))

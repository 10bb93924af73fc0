"""Read Python without running it: parse, compare what two texts mean to the compiler, cut a node's text out.

Never raises on any text. Equality is of syntax or of byte code: programs that differ there may still behave alike.
"""

from __future__ import annotations

import ast
import types
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

MOST_DEEP = 120
Function = ast.FunctionDef | ast.AsyncFunctionDef


def parse(text: str) -> ast.Module | None:
    """Return the syntax tree, or None for what Python cannot read and for what is nested too deep to walk.

    >>> parse("x = 1") is None, parse("x = = 1") is None
    (False, True)
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
    return tree if _is_shallow(tree) else None


def _is_shallow(tree: ast.Module) -> bool:
    """Say whether the tree can be walked and printed by functions that call themselves."""
    level: list[ast.AST] = [tree]
    for _ in range(MOST_DEEP):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return True
    return False


def byte_code(text: str, names: Mapping[str, str] = MappingProxyType({})) -> object | None:
    """Return what the compiler makes of `text`, without docstrings and places; None where it does not compile.

    Local names are taken as `names` maps them, so that a program with other local names can be compared.

    >>> byte_code("def f():\\n    'Doc.'\\n    return 1") == byte_code("def f():  # one\\n    return 1")
    True
    """
    tree = parse(text)
    if tree is None:
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | Function | ast.ClassDef) and node.body and is_docstring(node.body[0]):
            node.body[:1] = [] if len(node.body) > 1 else [ast.copy_location(ast.Pass(), node.body[0])]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return _comparable(compile(tree, "<code>", "exec", dont_inherit=True), names)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def _comparable(code: types.CodeType, names: Mapping[str, str]) -> object:
    constants = tuple(
        _comparable(one, names) if isinstance(one, types.CodeType) else (type(one).__name__, repr(one))
        for one in code.co_consts
    )
    locals_ = [tuple(names.get(one, one) for one in kind)
               for kind in (code.co_varnames, code.co_freevars, code.co_cellvars)]  # fmt: skip
    shape = (code.co_name, code.co_argcount, code.co_kwonlyargcount, code.co_flags, code.co_exceptiontable)
    return code.co_code, constants, code.co_names, locals_, shape


def functions(tree: ast.AST) -> Iterator[Function]:
    """Yield every function and method, outermost first."""
    for node in ast.walk(tree):
        if isinstance(node, Function):
            yield node


def is_docstring(statement: ast.stmt) -> bool:
    """Say whether `statement` is a lone string."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def is_main_guard(statement: ast.stmt) -> bool:
    """Say whether `statement` is `if __name__ == "__main__":`."""
    return isinstance(statement, ast.If) and any(
        isinstance(node, ast.Name) and node.id == "__name__" for node in ast.walk(statement.test)
    )


def acts_on_import(tree: ast.Module) -> bool:
    """Say whether the module does more at its top level than define: it is a script, whole or in part."""
    defining = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom
    passive = ast.Assign | ast.AnnAssign | ast.Pass
    return not all(
        isinstance(one, defining)
        or is_docstring(one)
        or is_main_guard(one)
        or (isinstance(one, passive) and not _calls(one))
        for one in tree.body
    )


def _calls(statement: ast.stmt) -> bool:
    return any(isinstance(node, ast.Call) for node in ast.walk(statement))


@dataclass(frozen=True, slots=True)
class Text:
    """A program's text, addressed as the parser does: lines from 1, columns in UTF-8 bytes."""

    data: bytes
    starts: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> Text:
        """Index `text`."""
        data = text.encode()
        starts = [0]
        for line in data.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        return cls(data, tuple(starts))

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """Return where `node` begins and ends, in bytes."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.starts[node.lineno - 1] + node.col_offset, self.starts[node.end_lineno - 1] + node.end_col_offset

    def replaced(self, start: int, end: int, new: str) -> str:
        """Return the text with bytes `start` to `end` replaced."""
        return (self.data[:start] + new.encode() + self.data[end:]).decode()

"""The same Python in other words: comments, layout, indentation, local names.

Every rewriting is certified before it is returned: the same syntax tree, or for local names the same byte code. A
program that looks at its own text or names is left alone, for then they matter. Not covered: other algorithms.
"""

from __future__ import annotations

import ast
import io
import re
import symtable
import tokenize
import warnings

from fairtrial.attack.code.python_code import Function, byte_code, parse

_LOOKS_AT_ITSELF = re.compile(
    r"\b(?:inspect|linecache|traceback|tracemalloc|getsource\w*|\w*lineno|__code__|_getframe|settrace|doctest)\b"
    r"|\b(?:locals|globals|vars|eval|exec|dir)\s*\(|open\(\s*__file__"
)
_INDENT = re.compile(r"^( {4})+", re.MULTILINE)


def looks_at_itself(text: str) -> bool:
    """Say whether a program may act on its own text or on its local names.

    >>> looks_at_itself("x = eval('1')"), looks_at_itself("def f(evaluate): ...")
    (True, False)
    """
    return _LOOKS_AT_ITSELF.search(text) is not None


def commented(text: str) -> str | None:
    """Return the program with comments and blank lines between its statements.

    >>> print(commented("a = 1\\nb = 2\\n"))
    a = 1
    <BLANKLINE>
    # Next.
    b = 2
    <BLANKLINE>
    # End.
    <BLANKLINE>
    """
    tree = parse(text)
    if tree is None:
        return None
    starts = {_first_line(one) for one in tree.body[1:] if one.col_offset == 0}
    lines = [f"\n# Next.\n{line}" if number in starts else line
             for number, line in enumerate(text.splitlines(keepends=True), 1)]  # fmt: skip
    ended = "".join(lines)
    return _certified(text, f"{ended}{'' if ended.endswith(chr(10)) else chr(10)}\n# End.\n")


def reformatted(text: str) -> str | None:
    """Return the program as the standard library prints its syntax tree: without comments, laid out afresh."""
    plain = _printed(text)
    return _certified(text, plain) if plain is not None else None


def _printed(text: str) -> str | None:
    tree = parse(text)
    return _first_lines(text) + ast.unparse(tree) + "\n" if tree is not None else None


def reindented(text: str) -> str | None:
    """Return the program indented by two spaces a level.

    >>> print(reindented("def f():\\n    return 1  # one"))
    def f():
      return 1
    <BLANKLINE>
    """
    plain = _printed(text)
    if plain is None:
        return None
    within = _within_strings(plain)
    lines = plain.splitlines(keepends=True)
    halved = [line if number in within else _INDENT.sub(lambda match: " " * (len(match[0]) // 2), line)
              for number, line in enumerate(lines, 1)]  # fmt: skip
    return _certified(text, "".join(halved))


def renamed(text: str) -> str | None:
    """Return the program with its functions' local variables renamed; None where there are none.

    >>> print(renamed("def f(a):\\n    total = a + 1\\n    return total"))
    def f(a):
        total_value = a + 1
        return total_value
    <BLANKLINE>
    """
    tree, code = parse(text), byte_code(text)
    if tree is None or code is None:
        return None
    names: dict[str, str] = {}
    scopes = _scopes(text)
    for function in _functions(tree):
        for name in sorted(_locals(function, scopes)):
            new = next(f"{name}_value{'_' * n}" for n in range(100) if f"{name}_value{'_' * n}" not in text)
            names[new] = name
            for statement in function.body:
                for node in ast.walk(statement):
                    if isinstance(node, ast.Name) and node.id == name:
                        node.id = new
    made = _first_lines(text) + ast.unparse(tree) + "\n"
    return made if names and byte_code(made, names) == code else None


def _certified(text: str, made: str) -> str | None:
    """Return `made` where its syntax tree is that of `text` and its letters are not."""
    before, after = parse(text), parse(made)
    is_same = before is not None and after is not None and ast.dump(before) == ast.dump(after)
    return made if is_same and made != text else None


def _first_line(statement: ast.stmt) -> int:
    decorators = statement.decorator_list if isinstance(statement, Function | ast.ClassDef) else []
    return min([statement.lineno, *(one.lineno for one in decorators)])


def _first_lines(text: str) -> str:
    """Return the lines that are comments to Python and orders to others: the interpreter's, the encoding's."""
    first = text.splitlines(keepends=True)[:2]
    return "".join(line for line in first if line.startswith("#!") or re.match(r"#.*coding[:=]", line))


def _within_strings(text: str) -> set[int]:
    """Return the numbers of lines that begin within a string."""
    found: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.STRING:
            found |= set(range(token.start[0] + 1, token.end[0] + 1))
    return found


def _functions(node: ast.AST) -> list[Function]:
    """Return functions that stand in no other function."""
    found: list[Function] = []
    for child in ast.iter_child_nodes(node):
        found += [child] if isinstance(child, Function) else _functions(child)
    return found


def _scopes(text: str) -> dict[tuple[str, int], symtable.SymbolTable]:
    """Return the compiler's tables of names: (function, line) -> table."""
    found: dict[tuple[str, int], symtable.SymbolTable] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        waiting = [symtable.symtable(text, "<code>", "exec")]
    while waiting:
        table = waiting.pop()
        found[(table.get_name(), table.get_lineno())] = table
        waiting += table.get_children()
    return found


def _locals(function: Function, scopes: dict[tuple[str, int], symtable.SymbolTable]) -> set[str]:
    """Return variables that only this function and those within it see, bound by assignment alone."""
    table = scopes.get((function.name, _first_line(function)))
    nodes = [node for statement in function.body for node in ast.walk(statement)]
    if table is None or any(isinstance(node, ast.ClassDef | ast.Match) for node in nodes):
        return set()
    bound_otherwise = {node.arg for node in nodes if isinstance(node, ast.arg)}
    for node in nodes:
        match node:
            case ast.Import() | ast.ImportFrom():
                bound_otherwise |= {(one.asname or one.name).partition(".")[0] for one in node.names}
            case ast.Global() | ast.Nonlocal():
                bound_otherwise |= set(node.names)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                bound_otherwise.add(node.name)
            case ast.ExceptHandler(name=str() as name):
                bound_otherwise.add(name)
    return {one.get_name() for one in table.get_symbols()
            if one.is_local() and not one.is_parameter()} - bound_otherwise  # fmt: skip

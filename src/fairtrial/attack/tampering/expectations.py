"""Expected values in the files of a grader: where each literal stands, and what it becomes when it is flipped.

Looked for in Python (compared values, tables and arguments of assertions), JSON, CSV and quoted words of shell. Only
literals that the reference's deliverable holds, or that a Python comparison compares with, are taken for expectations:
names of checks, statuses, paths and time-outs are not. Nothing is executed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fairtrial.attack.target import Target

MOST_BYTES = 400_000
_CODE = frozenset({".py", ".sh", ".bash", ".js", ".ts", ".json", ".csv", ".tsv", ".txt", ".sql", ""})
_DATA_LITERAL = re.compile(r"(?<![\w./-])-?\d+(?:\.\d+)?(?![\w.]|/)|\"([^\"\n\\]{2,60})\"|'([^'\n\\]{2,60})'")
_NO_EXPECTATION = frozenset(
    ["__main__", "passed", "failed", "skipped", "pending", "other", "ok", "PASS", "FAIL", "True", "False", "None"]
)
"""What graders compare with for their own ends."""
_WORD = re.compile(r"[\w.:+-]+")
_COMPARES = re.compile(r"\s==?\s|\s-eq\s|\bgrep\b|\bcase\b")
_PATH_OR_CODE = re.compile(r"^[/~.$]|[/\\{}]|\s{2}|^-")


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """One literal that seems to say what must come out."""

    file: str
    """Path below the tests folder."""
    start: int
    end: int
    """Where it stands, in bytes."""
    line: int
    old: str
    new: str
    """As source text."""
    strength: int
    """3: compared, and held by the deliverable; 2: compared; 1: held."""


def expectations(target: Target) -> list[Expectation]:
    """Return the expectations of the last step's tests, the surest first, at most one a line."""
    tests = target.key.steps[-1].tests
    held = _held(target)
    found: list[Expectation] = []
    for path in sorted(tests.rglob("*")):
        if path.is_file() and not path.is_symlink() and path.suffix in _CODE and path.stat().st_size <= MOST_BYTES:
            data = path.read_bytes()
            try:
                data.decode()
            except UnicodeDecodeError:
                continue
            name = path.relative_to(tests).as_posix()
            found += _in_python(name, data, held) if path.suffix == ".py" else _in_data(name, data, held)
    lines: dict[tuple[str, int], Expectation] = {}
    for one in sorted(found, key=lambda e: (-e.strength, e.file, e.start)):
        lines.setdefault((one.file, one.line), one)
    return list(lines.values())


def _held(target: Target) -> frozenset[str]:
    """Return the words of the reference's deliverables that the instruction does not hold."""
    words: set[str] = set()
    for change in target.changes:
        if change.after is not None and change.after.stat().st_size <= MOST_BYTES:
            words |= set(_WORD.findall(change.after.read_bytes().decode("utf-8", "replace")))
    return frozenset(words - set(_WORD.findall(target.task.instruction)))


def _in_python(name: str, data: bytes, held: frozenset[str]) -> Iterator[Expectation]:
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError):
        return
    compared = {id(node) for node in _compared(tree)}
    starts = [0]
    for line in data.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or node.end_col_offset is None or node.end_lineno != node.lineno:
            continue
        is_telling = len(str(node.value)) > 1 and str(node.value) not in _NO_EXPECTATION
        is_compared = is_telling and id(node) in compared
        is_held = is_telling and str(node.value) in held
        new = flipped(node.value) if is_compared or is_held else None
        if new is not None:
            start = starts[node.lineno - 1] + node.col_offset
            end = starts[node.lineno - 1] + node.end_col_offset
            yield Expectation(file=name, start=start, end=end, line=node.lineno, old=data[start:end].decode(),
                              new=repr(new), strength=2 * is_compared + is_held)  # fmt: skip


def _compared(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield the constants that are compared for equality: beside ==, in assertEqual, in tables of such values."""
    for node in ast.walk(tree):
        sides: list[ast.expr] = []
        if isinstance(node, ast.Compare) and any(isinstance(op, ast.Eq) for op in node.ops):
            sides = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and "qual" in node.func.attr:
            sides = list(node.args[:2])
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict | ast.List | ast.Tuple | ast.Set):
            sides = [node.value] if any(isinstance(t, ast.Name) and _is_table(t.id) for t in node.targets) else []
        for side in sides:
            yield from (one for one in ast.walk(side) if isinstance(one, ast.Constant) and not _is_key(one, side))


def _is_table(name: str) -> bool:
    return re.search(r"want|expect|gold|truth|answer|correct|right", name, re.IGNORECASE) is not None


def _is_key(node: ast.Constant, side: ast.expr) -> bool:
    """Say whether a constant is an index or a key rather than a value."""
    for parent in ast.walk(side):
        if isinstance(parent, ast.Subscript) and any(one is node for one in ast.walk(parent.slice)):
            return True
        if isinstance(parent, ast.Dict) and node in parent.keys:
            return True
        if isinstance(parent, ast.Call) and any(one is node for arg in parent.args for one in ast.walk(arg)):
            return True
    return False


def _in_data(name: str, data: bytes, held: frozenset[str]) -> Iterator[Expectation]:
    text = data.decode()
    lines = text.split("\n")
    for match in _DATA_LITERAL.finditer(text):
        value = match[1] or match[2] or match[0]
        if value not in held or len(value) < 2:
            continue
        new = flipped(value)
        if isinstance(new, str):
            start = len(text[: match.start()].encode())
            changed = match[0].replace(value, new)
            line = text.count("\n", 0, match.start()) + 1
            is_compared = _is_table(name) or (name.endswith("sh") and _COMPARES.search(lines[line - 1]) is not None)
            yield Expectation(file=name, start=start, end=start + len(match[0].encode()), old=match[0], new=changed,
                              line=line, strength=3 if is_compared else 1)  # fmt: skip


def flipped(value: object) -> object:
    """Return another value of the same form; None where there is none.

    >>> flipped(41), flipped("40.00"), flipped("valid"), flipped(True), flipped("/app/x")
    (42, '40.01', 'valie', False, None)
    """
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if not isinstance(value, str) or not value or _PATH_OR_CODE.search(value):
        return None
    for at in range(len(value) - 1, -1, -1):
        letter = value[at]
        if letter.isascii() and letter.isalnum():
            other = (
                str((int(letter) + 1) % 10) if letter.isdigit() else chr(ord(letter) + (-1 if letter in "zZ" else 1))
            )
            return value[:at] + other + value[at + 1 :]
    return None


def write_flipped(one: Expectation, tests: Path) -> None:
    """Replace the literal in the copy of the tests at `tests`."""
    path = tests / one.file
    data = path.read_bytes()
    path.write_bytes(data[: one.start] + one.new.encode() + data[one.end :])

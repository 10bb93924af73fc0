"""Tell what changed between two trees: files by kind of change, lines of code apart from comments and white space.

Renames are found by equal or mostly equal content. Lines are counted as a line diff has them: one changed line is one
taken away and one added. Comments are known in Python exactly (docstrings among them), elsewhere by the signs of their
language at the start of a line. Not covered: code that moved within a file (it counts as taken away and added).
"""

from __future__ import annotations

import ast
import hashlib
import io
import tokenize
from collections import Counter
from dataclasses import dataclass

from fairtrial.checks.code.trees import Entry, Tree

MOST_LINES_COMPARED = 50_000
MOST_BYTES_READ = 5_000_000
MOST_BYTES_COUNTED = 50_000_000
MOST_WIDE = 200  # characters that count as a line: code is not small for standing on one
_FEW = 8
ALIKE = 0.6
MOST_PAIRS = 2_000
_SIGNS = {
    "#": ".py .pyi .sh .bash .rb .pl .r .yaml .yml .toml .cfg .ini .mk .dockerfile .tf .jl .ex .exs",
    "//": ".c .h .cc .cpp .hpp .cs .java .js .jsx .ts .tsx .mjs .go .rs .swift .kt .scala .php .dart .zig",
    "--": ".sql .lua .hs .elm .ada",
    ";": ".lisp .clj .scm .el .asm",
    "%": ".tex .erl .m",
}
_SIGN_OF = {suffix: sign for sign, suffixes in _SIGNS.items() for suffix in suffixes.split()}
_DOCUMENTED = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_INDENTED = (".py", ".pyi", ".yaml", ".yml", ".mk", ".haml", ".nim")


@dataclass(frozen=True, slots=True)
class Change:
    """What happened to one file."""

    path: str
    kind: str
    """`added`, `removed`, `edited`, `renamed` (edited or not)."""
    was: str = ""
    """Its path before, where it was renamed."""
    code: int = 0
    """Lines of code taken away and added."""
    comments: int = 0
    spaces: int = 0
    is_binary: bool = False

    @property
    def lines(self) -> int:
        """Return all lines taken away and added."""
        return self.code + self.comments + self.spaces


def changes(before: Tree, after: Tree) -> list[Change]:
    """Return what changed from `before` to `after`, by path."""
    same = {name for name in before.keys() & after.keys() if _alike(before[name], after[name])}
    gone = {name: before[name] for name in sorted(before.keys() - after.keys())}
    new = {name: after[name] for name in sorted(after.keys() - before.keys())}
    found = [_change(name, "edited", before[name], after[name]) for name in before.keys() & after.keys() - same]
    for was, now in _renames(gone, new).items():
        found.append(_change(now, "renamed", gone.pop(was), new.pop(now), was))
    found += [_change(name, "removed", entry, None) for name, entry in gone.items()]
    found += [_change(name, "added", None, entry) for name, entry in new.items()]
    return sorted(found, key=lambda change: change.path)


def _alike(one: Entry, other: Entry) -> bool:
    same_kind = (one.kind, one.target) == (other.kind, other.target)
    return same_kind and one.size == other.size and one.data() == other.data()


def _renames(gone: Tree, new: Tree) -> dict[str, str]:
    """Return old path -> new path: equal content first, then the most alike, of one suffix."""
    found: dict[str, str] = {}
    by_hash: dict[bytes, list[str]] = {}
    for name, entry in new.items():
        if entry.kind == "file" and entry.size:
            by_hash.setdefault(hashlib.sha256(entry.data()).digest(), []).append(name)
    for name, entry in gone.items():
        waiting = by_hash.get(hashlib.sha256(entry.data()).digest()) if entry.kind == "file" and entry.size else None
        if waiting:
            found[name] = waiting.pop(0)
    left = [name for name in gone if name not in found]
    free = [name for name in new if name not in found.values()]
    pairs = [(was, now) for was in left for now in free if _suffix(was) == _suffix(now)]
    if len(pairs) > MOST_PAIRS:
        return found
    scored = sorted(((_likeness(gone[was], new[now]), was, now) for was, now in pairs), reverse=True)
    for score, was, now in scored:
        if score >= ALIKE and was not in found and now not in found.values():
            found[was] = now
    return found


def _likeness(one: Entry, other: Entry) -> float:
    a, b = Counter(one.data().splitlines()), Counter(other.data().splitlines())
    total = a.total() + b.total()
    return 2 * (a & b).total() / total if total else 0.0


def _change(path: str, kind: str, before: Entry | None, after: Entry | None, was: str = "") -> Change:
    old, new = before.data() if before else b"", after.data() if after else b""
    if b"\0" in old[:8000] or b"\0" in new[:8000]:
        return Change(path, kind, was, is_binary=True)
    if max(len(old), len(new)) > MOST_BYTES_READ:
        return Change(path, kind, was, code=_roughly(old, new))
    texts = [data.decode("utf-8", "replace") for data in (old, new)]
    suffix = _suffix(path)
    every = _changed(*(text.splitlines() for text in texts))
    told = _changed(*(_squeezed(text, suffix) for text in texts))
    code = _changed(*(_squeezed(_without_comments(text, suffix), suffix) for text in texts))
    return Change(path, kind, was, code, max(0, told - code), max(0, every - max(told, code)))


def _roughly(old: bytes, new: bytes) -> int:
    """Return how many lines of a file too large to read differ, wherever they stand: code is not small for hiding."""
    if max(len(old), len(new)) > MOST_BYTES_COUNTED:
        return (len(old) + len(new)) // MOST_WIDE
    a, b = Counter(old.splitlines()), Counter(new.splitlines())
    return ((a - b) + (b - a)).total()


def _suffix(path: str) -> str:
    name = path.rpartition("/")[2].lower()
    return ".dockerfile" if name == "dockerfile" else ".mk" if name == "makefile" else name[name.rfind(".") :]


def _squeezed(text: str, suffix: str) -> list[str]:
    """Return the lines that are not blank, with white space as far as it means nothing there taken out."""
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    if suffix not in _INDENTED:
        lines = ["".join(line.split()) if suffix in _SIGN_OF else " ".join(line.split()) for line in lines]
    return [line[at : at + MOST_WIDE] for line in lines for at in range(0, len(line), MOST_WIDE)]


def _without_comments(text: str, suffix: str) -> str:
    if suffix in (".py", ".pyi"):
        return _python_without_comments(text)
    sign = _SIGN_OF.get(suffix)
    if sign is None:
        return text
    kept, inside = [], False
    for line in text.splitlines():
        bare = line.strip()
        if sign == "//" and (inside or bare.startswith("/*")):
            inside = "*/" not in bare
            bare = bare.partition("*/")[2].strip() if not inside else ""
            if bare:
                kept.append(bare)
        elif not bare.startswith(sign):
            kept.append(line)
    return "\n".join(kept)


def _python_without_comments(text: str) -> str:
    """Return Python without comments and docstrings; of text that is no Python, without whole lines of comment."""
    lines = text.split("\n")
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                row, column = token.start
                lines[row - 1] = lines[row - 1][:column].rstrip()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
                docstring = node.body[0]
                for row in range(docstring.lineno, (docstring.end_lineno or 0) + 1):
                    lines[row - 1] = ""
    except (tokenize.TokenError, SyntaxError, ValueError, IndexError, RecursionError, MemoryError):
        return "\n".join(line for line in text.split("\n") if not line.lstrip().startswith("#"))
    return "\n".join(lines)


def _changed(before: list[str], after: list[str]) -> int:
    """Return how many lines were taken away and added.

    >>> _changed(["a", "b", "c"], ["a", "x", "c", "d"])
    3
    """
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    if max(len(old), len(new)) > MOST_LINES_COMPARED:
        a, b = Counter(old), Counter(new)
        return ((a - b) + (b - a)).total()
    return len(old) + len(new) - 2 * _in_common(old, new)


def _in_common(old: list[str], new: list[str]) -> int:
    """Return the length of the longest common subsequence, by Hyyrö's bit-vector recurrence: a word at a time."""
    places: dict[str, list[int]] = {}
    for number, line in enumerate(new):
        places.setdefault(line, []).append(number)
    masks = {line: sum(1 << number for number in found) for line, found in places.items() if len(found) > _FEW}
    every = (1 << len(new)) - 1
    row = every
    for line in old:
        if line in places:
            met = row & (masks[line] if line in masks else sum(1 << number for number in places[line]))
            row = ((row + met) | (row - met)) & every
    return len(new) - row.bit_count()

"""Values that a reading of Python knows without running it: texts, paths, what a file held with what was changed in it.

Only what literals, joins and replacements come to. Not covered: loops that build texts, classes, other modules.
"""

from __future__ import annotations

import ast
import base64
import binascii
import codecs
import posixpath
from dataclasses import dataclass, replace
from typing import TypeAlias

MOST_OF_A_VALUE = 100_000
UNKNOWN_PART = "*"


@dataclass(frozen=True, slots=True)
class FileText:
    """What a file holds, with what was replaced in it and added to it."""

    path: str
    changes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Handle:
    """An opened file."""

    path: str
    mode: str = "r"


Value: TypeAlias = "str | FileText | Handle | tuple[Value, ...] | None"


def added(left: Value, right: Value) -> Value:
    """Return the sum of two values.

    >>> added("a", "b"), added(FileText("x"), "b")
    ('ab', FileText(path='x', changes=(('', 'b'),)))
    """
    if isinstance(left, str) and isinstance(right, str):
        return (left + right)[:MOST_OF_A_VALUE]
    if isinstance(left, FileText):
        return replace(left, changes=(*left.changes, ("", right if isinstance(right, str) else "")))
    if isinstance(right, FileText):
        return replace(right, changes=(*right.changes, ("", left if isinstance(left, str) else "")))
    if isinstance(left, tuple) and isinstance(right, tuple):
        return (*left, *right)[:1000]
    return left if isinstance(left, str) and right is None else right if left is None else None


def replaced(value: Value, old: Value, new: Value) -> Value:
    """Return a value with a text replaced, be it by a pattern."""
    if isinstance(value, FileText):
        change = (old if isinstance(old, str) else "", new if isinstance(new, str) else "")
        return replace(value, changes=(*value.changes, change))
    if isinstance(value, str) and isinstance(old, str) and isinstance(new, str) and old:
        return value.replace(old, new)[:MOST_OF_A_VALUE]
    return value


def joined(parts: list[Value]) -> str:
    """Return a path of parts; what is unknown is a star.

    >>> joined(["tests", None, "a.py"])
    'tests/*/a.py'
    """
    texts = [part if isinstance(part, str) else UNKNOWN_PART for part in parts]
    return posixpath.join(*texts) if texts else ""


def decoded(name: str, value: Value, form: Value) -> Value:
    """Return what a decoding makes of a known text: base64, hex, rot13."""
    if not isinstance(value, str):
        return value
    try:
        if name in ("b64decode", "standard_b64decode", "urlsafe_b64decode", "decodebytes", "a2b_base64"):
            return base64.b64decode("".join(value.split())).decode("utf-8", "replace")
        if name in ("fromhex", "unhexlify", "a2b_hex"):
            return bytes.fromhex(value).decode("utf-8", "replace")
        if name == "decode" and form in ("rot13", "rot_13"):
            return codecs.decode(value, "rot13")
    except (binascii.Error, ValueError):
        return None
    return value


def dotted(node: ast.AST) -> str:
    """Return the dotted name that an expression is, from its last part that is none.

    >>> dotted(ast.parse("os.path.join", mode="eval").body), dotted(ast.parse("f().g", mode="eval").body)
    ('os.path.join', '.g')
    """
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    parts.append(node.id if isinstance(node, ast.Name) else "")
    return ".".join(reversed(parts))

"""What the standard library's calls make of the agent's work, by name: a table for `flow`, not a type checker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

Kind = Literal["", "path", "file", "process", "status", "text", "texts", "data", "number", "length", "exists", "module"]
"""What an expression holds of the agent's: nothing, a place, what lies there, or only a fact about it."""

_STARTS = {"run", "Popen", "call", "check_call", "getstatusoutput", "spawn"}
_REWRITTEN = {"sub", "normalize", "unescape", "dedent"}
_PRINTED = {"check_output", "getoutput", "popen"}
_FACTS = {"exists", "isfile", "isdir", "getsize", "stat", "is_file", "is_dir", "access", "lexists", "getmtime"}
_PATHS = {
    "Path",
    "PurePath",
    "join",
    "abspath",
    "realpath",
    "resolve",
    "absolute",
    "joinpath",
    "expanduser",
    "with_name",
    "with_suffix",
    "normpath",
    "relative_to",
}
_TEXTS = {"split", "splitlines", "readlines", "rsplit", "partition", "rpartition", "findall", "communicate"}
_STRING_METHODS = {
    "lower",
    "upper",
    "casefold",
    "strip",
    "lstrip",
    "rstrip",
    "replace",
    "decode",
    "removeprefix",
    "removesuffix",
    "title",
    "group",
    "read_text",
    "read",
    "readline",
    "getvalue",
    "translate",
    "expandtabs",
}
_NUMBERS = {"float", "int", "Decimal", "Fraction", "round", "abs", "sum", "min", "max", "fsum"}
_VERDICTS = {
    "isinstance",
    "any",
    "all",
    "callable",
    "hasattr",
    "isclose",
    "allclose",
    "startswith",
    "endswith",
    "match",
    "fullmatch",
    "isdigit",
    "issubset",
    "issuperset",
    "bool",
}
_SAME = {"sorted", "list", "tuple", "iter", "next", "reversed", "deepcopy", "copy", "enumerate", "filter", "deque"}

_BY_NAME: tuple[tuple[set[str], Kind], ...] = (
    (_STARTS, "process"),
    (_PRINTED, "text"),
    (_REWRITTEN, "text"),
    (_FACTS, "exists"),
    (_NUMBERS, "number"),
    (_TEXTS, "texts"),
    (_VERDICTS, ""),
)


def kind_of_call(name: str, passed: Sequence[Kind]) -> Kind:
    """Return what a call of a function makes of arguments of these kinds; `name` may be dotted.

    >>> kind_of_call("subprocess.run", ["path"]), kind_of_call("open", ["path"]), kind_of_call("len", ["data"])
    ('process', 'file', 'length')
    """
    last = name.rpartition(".")[2]
    held = [kind for kind in passed if kind]
    if not held:
        return ""
    first = held[0]
    by_name: Mapping[str, Kind] = {"open": "file", "len": "length", "str": "path" if first == "path" else "text"}
    if last in by_name:
        return by_name[last]
    for names, kind in _BY_NAME:
        if last in names:
            return kind
    if last in _PATHS and first == "path":
        return "path"
    if last in _SAME:
        return first
    return "data" if any(kind not in ("length", "exists", "status") for kind in held) else first


def kind_of_method(name: str, held: Kind) -> Kind:
    """Return what a method makes of an object of this kind.

    >>> kind_of_method("read_text", "path"), kind_of_method("exists", "path"), kind_of_method("lower", "data")
    ('text', 'exists', 'text')
    """
    if name in _FACTS:
        return "exists"
    if held in ("length", "exists", "status"):
        return held
    if name in _VERDICTS:
        return "data" if name in ("match", "fullmatch") else ""
    if name in _STRING_METHODS:
        return "text"
    if name in _TEXTS:
        return "texts"
    if name == "open" and held == "path":
        return "file"
    if held == "path":
        return "data" if name.startswith(("read", "iter")) else "path"
    return "status" if held == "process" and name in ("wait", "poll") else "data"

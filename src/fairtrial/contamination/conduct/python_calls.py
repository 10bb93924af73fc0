"""What calls of Python's own give back that only turn values into others: strip, decode, chr, Path, json.load."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import orjson

from fairtrial.contamination.conduct.python_values import (
    UNKNOWN,
    Held,
    Made,
    Table,
    Texts,
    Value,
    characters,
    decoded,
    joined,
    texts_of,
    valued,
)

if TYPE_CHECKING:
    from fairtrial.contamination.conduct.python_scope import Called

_SAME = frozenset({"strip", "rstrip", "lstrip", "encode", "str", "Path", "read", "dedent", "cast", "bytes",
                   "splitlines", "list", "tuple", "sorted", "expanduser", "HttpUrl", "URL", "SecretStr",
                   "removesuffix", "removeprefix", "copy", "set"})  # fmt: skip
_JOINS = frozenset({"urljoin", "joinpath"})
_ENTRY = re.compile(r"(?P<indent>\s*)(?:- )?[\"']?(?P<key>[\w.-]+)[\"']?\s*(?::(?=\s|$)|=)(?P<value>[^#\n]*)")
_HEADING = re.compile(r"\[([\w.-]+)\]\s*$")
_SPLITS = frozenset({"split", "partition"})


def combined(called: Called, held: Value, given: list[Value], named: dict[str, Value]) -> Value | None:
    """Return what a call makes of values, None where it makes something of its own."""
    del named
    last, first = called.last, given[0] if given else UNKNOWN
    if last == "replace" and len(given) > 1:
        return _replaced(held, given)
    if last in ("lower", "upper", "casefold"):
        return Texts(tuple(one.upper() if last == "upper" else one.lower() for one in texts_of(held)))
    if "decode" in last or last in ("fromhex", "unhexlify", "a2b_hex", "a2b_base64"):
        is_of_itself = last == "decode" and held != UNKNOWN and not isinstance(held, Made)
        return decoded(last, held if is_of_itself else first, first if is_of_itself else (given[1:] or [UNKNOWN])[0])
    if last == "chr" and texts_of(first):
        return characters((first,))
    if last in ("bytes", "bytearray") and isinstance(first, tuple):
        return characters(first)
    if last == "map" and len(given) > 1 and isinstance(given[1], tuple):
        return tuple(characters((one,)) for one in given[1])
    if last == "reversed" and texts_of(first):
        return Texts(tuple(text[::-1] for text in texts_of(first)))
    if last in ("load", "loads", "safe_load") and (text := next(iter(texts_of(first)), None)) is not None:
        return _document(text)
    if last == "get" and isinstance(held, Table):
        return held.entries.get(next(iter(texts_of(first)), ""), given[1] if len(given) > 1 else UNKNOWN)
    if last in _SPLITS and texts_of(held):
        parts = texts_of(held)[0].split(next(iter(texts_of(first)), None) or None)
        return tuple(Texts((part,)) for part in parts[:400])
    if last in ("items", "values") and isinstance(held, Table):
        pairs = held.entries.items()
        return tuple((Texts((key,)), value) if last == "items" else value for key, value in pairs)
    if (last == "dict" and isinstance(first, Made)) or (last == "dumps" and isinstance(first, Table)):
        return first
    if last == "dict":
        return Table(dict(called.named))
    if last in _JOINS:
        return joined([held, *given] if texts_of(held) else given, "/")
    if last in _SAME:
        return held if held != UNKNOWN and not isinstance(held, Made) else first
    return None


def _replaced(held: Value, given: list[Value]) -> Value:
    old, new = texts_of(given[0]), texts_of(given[1])
    if not old or not new:
        return held if isinstance(held, Texts | Held) else UNKNOWN
    return Texts(tuple(text.replace(old[0], new[0]) for text in texts_of(held)))


def _document(text: str) -> Value:
    """Return a JSON text as a value; of YAML and TOML, their tables by indentation and heading."""
    try:
        return valued(orjson.loads(text))
    except orjson.JSONDecodeError:
        pass
    whole = Table()
    open_tables: list[tuple[int, Table]] = [(-1, whole)]
    for line in text.splitlines():
        found = _ENTRY.match(line)
        if heading := _HEADING.match(line):
            table = Table()
            whole.entries[heading[1]] = table
            open_tables = [(-1, table)]
        elif found is not None:
            depth = len(found["indent"])
            while len(open_tables) > 1 and open_tables[-1][0] >= depth:
                open_tables.pop()
            held = found["value"].strip(" \"'")
            table = Table()
            open_tables[-1][1].entries[found["key"]] = Texts((held,)) if held else table
            if not held:
                open_tables.append((depth, table))
    return whole

"""JSON and JSON lines: every scalar is a leaf; the largest list (or object keyed by data) is the table.

A scanner of our own, since parsers keep no positions. Not covered: comments, duplicate keys (each is a leaf), more than
40 levels of nesting.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from fairtrial.attack.artifacts.leaves import Form, Kind, Leaf, Put
from fairtrial.attack.artifacts.reading.spliced import Span, Spliced, row_of

MOST_LEVELS = 40
_SPACE = re.compile(r"[ \t\r\n]*")
_WORD = re.compile(r"-?(?:\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|Infinity)|NaN|true|false|null")
_string: Callable[[str, int, bool], tuple[str, int]] = json.decoder.scanstring  # type: ignore[attr-defined]
IsField = Callable[[str], bool]
"""Says whether a key is the name of a field (the instruction names it) rather than data."""


@dataclass(frozen=True, slots=True)
class Node:
    """A value with its position; containers have members (key, start of the member, value)."""

    kind: str
    start: int
    end: int
    text: str = ""
    members: tuple[tuple[str, int, Node], ...] = ()


def read_json(text: str, encoding: str, is_field: IsField) -> Spliced | None:
    """Return a JSON document, or None where `text` is none."""
    try:
        root = scan(text)
    except ValueError:
        return None
    table = _table(root, is_field)
    row_spans = tuple((start, value.end) for _, start, value in table.members) if table else ()
    joint = text[row_spans[0][1] : row_spans[1][0]] if len(row_spans) > 1 else ", "
    return _spliced("json", text, encoding, list(_leaves(root, (), (), is_field)), row_spans, joint)


def read_json_lines(text: str, encoding: str, is_field: IsField) -> Spliced | None:
    """Return a document of one JSON value a line, or None where `text` is none."""
    found: list[tuple[Leaf, Span]] = []
    row_spans: list[Span] = []
    for match in re.finditer(r"[^\r\n]+", text):
        if not match[0].strip():
            continue
        try:
            root = scan(match[0])
        except ValueError:
            return None
        row_spans.append(match.span())
        prefix = f"line {len(row_spans)}"
        for leaf, (start, end) in _leaves(root, (), (), is_field):
            placed = Leaf(place=f"{prefix}, {leaf.place}", group=leaf.group, kind=leaf.kind, text=leaf.text)
            found.append((placed, (start + match.start(), end + match.start())))
    newline = "\r\n" if "\r\n" in text else "\n"
    return _spliced("jsonl", text, encoding, found, tuple(row_spans), newline) if row_spans else None


def scan(text: str) -> Node:
    """Return the value that `text` is. Raise ValueError where it is no JSON.

    >>> node = scan(' {"a": [1, "x"]}')
    >>> [(key, value.kind) for key, _, value in node.members], node.end
    ([('a', 'array')], 16)
    """
    node = _value(text, _skip(text, 0), 0)
    if _skip(text, node.end) != len(text):
        raise ValueError("something follows the value")
    return node


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _value(text: str, at: int, level: int) -> Node:
    if level > MOST_LEVELS:
        raise ValueError("too deep")
    if text.startswith('"', at):
        value, end = _string(text, at + 1, True)
        return Node("text", at, end, value)
    if text.startswith(("{", "["), at):
        return _container(text, at, level)
    if match := _WORD.match(text, at):
        names: dict[str, str] = {"true": "bool", "false": "bool", "null": "null"}
        return Node(names.get(match[0], "number"), at, match.end(), match[0])
    raise ValueError(f"no value at {at}")


def _container(text: str, start: int, level: int) -> Node:
    keyed = text[start] == "{"
    closing = "}" if keyed else "]"
    members: list[tuple[str, int, Node]] = []
    at = _skip(text, start + 1)
    while not text.startswith(closing, at):
        if members:
            if not text.startswith(",", at):
                raise ValueError(f"no comma at {at}")
            at = _skip(text, at + 1)
        first, key = at, str(len(members))
        if keyed:
            if not text.startswith('"', at):
                raise ValueError(f"no key at {at}")
            key, at = _string(text, at + 1, True)
            at = _skip(text, at)
            if not text.startswith(":", at):
                raise ValueError(f"no colon at {at}")
            at = _skip(text, at + 1)
        value = _value(text, at, level + 1)
        members.append((key, first, value))
        at = _skip(text, value.end)
    return Node("object" if keyed else "array", start, at + 1, "", tuple(members))


def _is_collection(node: Node, is_field: IsField) -> bool:
    """Say whether the members of `node` are rows: a list, or an object whose keys are data."""
    if node.kind == "array":
        return bool(node.members)
    if node.kind != "object" or len(node.members) < 2 or any(is_field(key) for key, _, _ in node.members):
        return False
    shapes = {(value.kind, tuple(sorted(key for key, _, _ in value.members))) for _, _, value in node.members}
    return len(shapes) == 1


def _table(node: Node, is_field: IsField) -> Node | None:
    """Return the collection with most members."""
    best = node if _is_collection(node, is_field) else None
    for _, _, value in node.members:
        inner = _table(value, is_field)
        if inner is not None and (best is None or len(inner.members) > len(best.members)):
            best = inner
    return best


def _leaves(
    node: Node, place: tuple[str, ...], group: tuple[str, ...], is_field: IsField
) -> Iterator[tuple[Leaf, Span]]:
    if node.kind not in ("object", "array"):
        kind: Kind = node.kind  # type: ignore[assignment]
        leaf = Leaf(place=".".join(place) or "value", group=".".join(group) or "*", kind=kind, text=node.text)
        yield leaf, (node.start, node.end)
    wild = _is_collection(node, is_field)
    for key, _, value in node.members:
        yield from _leaves(value, (*place, key), (*group, "*" if wild else key), is_field)


def _spliced(
    form: Form, text: str, encoding: str, found: list[tuple[Leaf, Span]], row_spans: tuple[Span, ...], joint: str
) -> Spliced:
    leaves = tuple(
        Leaf(place=leaf.place, group=leaf.group, kind=leaf.kind, text=leaf.text, row=row_of(span, row_spans))
        for leaf, span in found
    )
    return Spliced(
        form=form, text=text, encoding=encoding, leaves=leaves, spans=tuple(span for _, span in found),
        row_spans=row_spans, joint=joint, literal=literal,
    )  # fmt: skip


def literal(put: Put) -> str:
    """Return a value as JSON writes it.

    >>> literal(Put("a\\"b")), literal(Put("007", "number")), literal(Put("", "null"))
    ('"a\\\\"b"', '7', 'null')
    """
    if put.kind == "text":
        return json.dumps(put.text, ensure_ascii=False)
    if put.kind == "null":
        return "null"
    if put.kind == "number":
        return re.sub(r"^(-?)0+(?=\d)", r"\1", put.text.removeprefix("+"))
    return put.text

"""The texts of one row: every text field of a JSON object, at any depth, with the name of the place it came from.

Names, roles and ids are not text: `id`, `role`, `type` and the like are left out, for a grader of overlap must not
find that all rows share the word "assistant"; but where whole sentences stand in them (`source` and `target` of a
translation), they are. The arguments of a tool call are one text of `key: value` lines, whether they were written as
an object or as JSON in a string. Bytes (of Parquet) are text where they are UTF-8. Images (base64, or bytes) are left
out and counted. Numbers, booleans and null are no text: a figure alone cannot tell one row from another. Nor are the
keys of an object.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import orjson

NOT_TEXT = frozenset(("id", "role", "type", "name", "source", "split", "tool_call_id", "source_call_id"))
"""Fields that name a thing: what stands in them is no text unless it reads as one. Objects below are looked at."""

_ARGUMENTS = "arguments"
_IMAGE = "data:image;base64,"
_LONG_WORD = re.compile(r"[A-Za-z0-9+/=_-]{256}")
_NO_BASE64 = re.compile(r"[^A-Za-z0-9+/=_\-\r\n]")
_SHORT_CUTS = 40
"""Levels that the quick walk goes down; what lies deeper is walked without recursion."""


def texts_of(document: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Yield (place, text) for each text in `document`, in its order. Depth is not limited: nothing recurses.

    >>> list(texts_of({"id": "7", "messages": [{"role": "user", "content": "Why?"}]}))
    [('messages[0].content', 'Why?')]
    >>> list(texts_of({"arguments": '{"city": "Oslo", "days": 2}'}))
    [('arguments', 'city: Oslo\\ndays: 2')]
    """
    stack = [(place, document)]
    while stack:
        place, value = stack.pop()
        if isinstance(value, bytes):
            value = _decoded(value)
        if isinstance(value, str):
            if _is_text(value):
                yield place or "text", value
        elif isinstance(value, dict):
            stack.extend(reversed(list(_children(place, value))))
        elif isinstance(value, (list, tuple)):
            stack.extend((f"{place}[{number}]", value[number]) for number in range(len(value) - 1, -1, -1))


def _children(place: str, document: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in document.items():
        if key in NOT_TEXT:
            value = _unnamed(value)
        yield f"{place}.{key}" if place else str(key), _arguments(value) if key == _ARGUMENTS else value


def plain_texts(document: Any, left_out: list[str]) -> list[str]:
    """Return the texts that `texts_of` yields, without their places; add images to `left_out`. This is the quick one.

    >>> plain_texts({"question": "Why?", "answer": 42}, [])
    ['Why?']
    """
    found: list[str] = []
    _gather(document, found, left_out, _SHORT_CUTS)
    return found


def _gather(value: Any, found: list[str], left_out: list[str], levels: int) -> None:
    kind = type(value)
    if kind is str:
        _take(value, found, left_out)
    elif kind is bytes:
        _take(_decoded(value) or (_IMAGE if value else ""), found, left_out)
    elif levels == 0:
        found.extend(text for _, text in texts_of(value))
    elif kind is dict:
        for key, part in value.items():
            if type(part) is str and key != _ARGUMENTS:
                if key not in NOT_TEXT or _reads_as_text(part):
                    _take(part, found, left_out)
            elif part is not None:
                part = _unnamed(part) if key in NOT_TEXT else _arguments(part) if key == _ARGUMENTS else part
                _gather(part, found, left_out, levels - 1)
    elif kind is list or kind is tuple:
        for part in value:
            _gather(part, found, left_out, levels - 1)


def _take(text: str, found: list[str], left_out: list[str]) -> None:
    if _is_text(text):
        found.append(text)
    elif text and not text.isspace():
        left_out.append(text[:40])


def _is_text(text: str) -> bool:
    """Say whether anything is written there: not blank, not an image as base64.

    >>> [_is_text(text) for text in ("Why?", " ", "data:image/png;base64,iVBORw0KGgo=", "data: 7 rows")]
    [True, False, False, True]

    A question behind so long a word, or behind an image, is written there nonetheless.

    >>> [_is_text(before + "Why is it?") for before in ("a" * 300 + " ", "data:image/png;base64,iVBORw0KGgo= ")]
    [True, True]
    """
    if not text or text.isspace():
        return False
    if text.startswith("data:") and (head := text.find(";base64,", 0, 200)) >= 0:
        return _NO_BASE64.search(text, head + len(";base64,")) is not None
    return len(text) <= 256 or " " in text[:256] or _LONG_WORD.match(text) is None or bool(_NO_BASE64.search(text))


def _reads_as_text(text: str) -> bool:
    """Say whether what stands in a field of names is more than a name.

    >>> [_reads_as_text(text) for text in ("https://example.org/a_long_address_of_a_page", "Das Haus", "Er " * 9)]
    [False, False, True]
    """
    return len(text) >= 24 and (text.count(" ") >= 8 or not text.isascii())


def _is_name(value: Any) -> bool:
    text = _decoded(value) if isinstance(value, bytes) else value
    return isinstance(text, str) and not _reads_as_text(text)


def _unnamed(value: Any) -> Any:
    """Return what stands in a field of names, without the names: None in their place."""
    if isinstance(value, (list, tuple)):
        return [None if _is_name(part) else part for part in value]
    return None if _is_name(value) else value


def _decoded(value: bytes) -> str:
    """Return bytes as the text that they are; nothing where they are none."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return ""


def _arguments(value: Any) -> Any:
    """Return the arguments of a tool call as lines of `key: value`; anything else as it is."""
    if isinstance(value, str):
        if not value.lstrip().startswith("{"):
            return value
        try:
            parsed = orjson.loads(value)
        except orjson.JSONDecodeError:
            return value
        return _lines(parsed)
    return _lines(value) if isinstance(value, dict) else value


def _lines(document: dict[str, Any]) -> str:
    lines: list[str] = []
    stack: list[tuple[str, Any]] = [("", document)]
    while stack:
        name, value = stack.pop()
        if isinstance(value, dict):
            stack.extend(reversed([(f"{name}.{key}" if name else str(key), part) for key, part in value.items()]))
        elif isinstance(value, (list, tuple)):
            stack.extend((name, part) for part in reversed(value))
        elif not isinstance(value, str) or _is_text(value):
            lines.append(f"{name}: {value}")
    return "\n".join(lines)

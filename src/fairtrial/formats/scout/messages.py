"""Chat messages as Inspect and Scout keep them, as a trajectory.

Taken are texts, reasoning, tool calls and what tools answered; a tool's error is said where its answer stands. Content
of other kinds (images, audio, what a provider's own tools did) is said in one line each, since the trajectory's text
is what reviewers cite. Not covered: events.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from fairtrial.formats.atif import ToolCall
from fairtrial.formats.exports import Turn
from fairtrial.records import FormatError

_ROLES = ("system", "user", "assistant", "tool")


def turns_of(text: str) -> tuple[Turn, ...]:
    """Return the messages of a JSON text. Raise FormatError naming the message that is none."""
    try:
        found = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise FormatError(f"is not JSON: {error}", field="messages") from error
    if not isinstance(found, list):
        raise FormatError("is not a list", field="messages")
    return tuple(_turn(one, f"messages[{at}]") for at, one in enumerate(found))


def _turn(found: Any, at: str) -> Turn:
    if not isinstance(found, dict):
        raise FormatError("is not an object", field=at)
    role = found.get("role")
    if role not in _ROLES:
        raise FormatError(f"is not one of {', '.join(_ROLES)}", field=f"{at}.role")
    text, reasoning = _content(found.get("content"), f"{at}.content")
    calls = found.get("tool_calls") or []
    if not isinstance(calls, list):
        raise FormatError("is not a list", field=f"{at}.tool_calls")
    if role == "tool" and isinstance(error := found.get("error"), dict):
        text = "\n".join(part for part in (text, f"error: {error.get('message') or error.get('type')}") if part)
    return Turn(
        role=role, content=text, reasoning=reasoning,
        tool_calls=tuple(_call(call, f"{at}.tool_calls[{n}]") for n, call in enumerate(calls)),
        call=_name(found, "tool_call_id") if role == "tool" else "",
        tool=_name(found, "function") if role == "tool" else "",
    )  # fmt: skip


def _content(content: Any, at: str) -> tuple[str, str]:
    """Return the text and the reasoning of a message."""
    if content is None or isinstance(content, str):
        return content or "", ""
    if not isinstance(content, list):
        raise FormatError("is neither text nor a list of parts", field=at)
    texts: list[str] = []
    reasoning: list[str] = []
    for number, part in enumerate(content):
        if not isinstance(part, dict):
            raise FormatError("is not an object", field=f"{at}[{number}]")
        if part.get("type") == "reasoning":
            # What a provider encrypted is no text that anybody can read; its summary is.
            reasoning.append(_name(part, "summary" if part.get("redacted") else "reasoning"))
        else:
            texts.append(_part(part))
    return "\n".join(filter(None, texts)), "\n".join(filter(None, reasoning))


def _part(part: Mapping[str, Any]) -> str:
    """Return a part as text.

    >>> _part({"type": "text", "text": "hello"}), _part({"type": "image", "image": "data:..."})
    ('hello', '[image]')
    """
    kind = part.get("type")
    if kind == "text":
        return _name(part, "text")
    if kind == "tool_use":
        told = (part.get("name"), part.get("arguments"), part.get("result"), part.get("error"))
        return "[tool_use] " + "\n".join(str(value) for value in told if value)
    return f"[{kind or 'a part of no kind'}]"


def _call(found: Any, at: str) -> ToolCall:
    if not isinstance(found, dict):
        raise FormatError("is not an object", field=at)
    arguments = found.get("arguments") or {}
    if not isinstance(arguments, dict):
        arguments = {"arguments": arguments}
    return ToolCall(tool_call_id=_name(found, "id"), function_name=_name(found, "function"), arguments=arguments)


def _name(found: Mapping[str, Any], key: str) -> str:
    value = found.get(key)
    return value if isinstance(value, str) else ""

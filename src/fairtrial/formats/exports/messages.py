"""Turns as the messages that chat templates and chat servers take, and back.

Chat templates want the arguments of a tool call as an object, OpenAI's files as a JSON string; reading takes both.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, get_args

import orjson

from fairtrial.formats.atif import ToolCall
from fairtrial.formats.exports.rows import Prompt, Role, Turn
from fairtrial.records import FormatError


class Place(NamedTuple):
    """Where a message stands, for errors."""

    path: Path | None = None
    line: int | None = None


def message(turn: Turn, *, as_text: bool = False) -> dict[str, Any]:
    """Return one message; `as_text`: arguments of tool calls as a JSON string.

    >>> call = ToolCall(tool_call_id="c1", function_name="add", arguments={"a": 1})
    >>> message(Turn(role="assistant", content="", tool_calls=(call,)), as_text=True)["tool_calls"][0]["function"]
    {'name': 'add', 'arguments': '{"a":1}'}
    """
    found: dict[str, Any] = {"role": turn.role, "content": turn.content}
    if turn.reasoning:
        found["reasoning_content"] = turn.reasoning
    if turn.tool_calls:
        found["tool_calls"] = [_call(call, as_text) for call in turn.tool_calls]
    if turn.role == "tool":
        found |= {"tool_call_id": turn.call} | ({"name": turn.tool} if turn.tool else {})
    return found


def _call(call: ToolCall, as_text: bool) -> dict[str, Any]:
    arguments = orjson.dumps(dict(call.arguments)).decode() if as_text else dict(call.arguments)
    return {"id": call.tool_call_id, "type": "function",
            "function": {"name": call.function_name, "arguments": arguments}}  # fmt: skip


def prompt_messages(prompt: Prompt) -> tuple[Turn, ...]:
    """Return a prompt as turns; a text becomes one turn of the user.

    >>> prompt_messages("sort 4193=")[0].role
    'user'
    """
    return (Turn(role="user", content=prompt),) if isinstance(prompt, str) else prompt


def turns_of(found: Any, field: str, place: Place) -> tuple[Turn, ...]:
    """Read a list of messages. Raise FormatError naming the one that is none."""
    if not isinstance(found, list) or not found:
        raise FormatError("is no list of messages", path=place.path, line=place.line, field=field)
    return tuple(_turn(one, f"{field}[{at}]", place) for at, one in enumerate(found))


def _turn(found: Any, at: str, place: Place) -> Turn:
    wrong = FormatError("is no message: an object with `role` and `content`", path=place.path, line=place.line,
                        field=at)  # fmt: skip
    if not isinstance(found, Mapping):
        raise wrong
    role: Any = {"developer": "system"}.get(str(found.get("role")), found.get("role"))
    content = _content(found.get("content"))
    if role not in get_args(Role) or content is None:
        raise wrong
    told = found.get("tool_calls") or []
    if not isinstance(told, list):
        raise FormatError("is no list of tool calls", path=place.path, line=place.line, field=f"{at}.tool_calls")
    calls = tuple(_tool_call(one, f"{at}.tool_calls[{n}]", place) for n, one in enumerate(told))
    return Turn(role=role, content=content, reasoning=str(found.get("reasoning_content") or ""), tool_calls=calls,
                call=str(found.get("tool_call_id") or ""), tool=str(found.get("name") or "") if role == "tool" else "",
                is_trained=found.get("weight") != 0)  # fmt: skip


def tools_of(found: Any, place: Place) -> tuple[Mapping[str, Any], ...]:
    """Read definitions of tools: a list of objects, or such a list as a JSON string. Raise FormatError for another."""
    if isinstance(found, str):
        try:
            found = orjson.loads(found or "[]")
        except orjson.JSONDecodeError:
            pass
    if found is None:
        return ()
    if not isinstance(found, list) or not all(isinstance(one, Mapping) for one in found):
        raise FormatError("is no list of definitions of tools", path=place.path, line=place.line, field="tools")
    return tuple(found)


def _content(content: Any) -> str | None:
    """Return the text of a message; parts of it that are text are joined, and anything else makes it None."""
    if content is None or isinstance(content, str):
        return content or ""
    parts = content if isinstance(content, list) else [None]
    texts = [part.get("text") if isinstance(part, Mapping) else None for part in parts]
    told = [text for text in texts if isinstance(text, str)]
    return "\n".join(told) if len(told) == len(texts) else None


def _tool_call(found: Any, at: str, place: Place) -> ToolCall:
    function = found.get("function") if isinstance(found, Mapping) else None
    arguments = function.get("arguments") if isinstance(function, Mapping) else None
    if isinstance(arguments, str):
        try:
            arguments = orjson.loads(arguments or "{}")
        except orjson.JSONDecodeError:
            arguments = None
    if not isinstance(function, Mapping) or not isinstance(arguments, Mapping) or not function.get("name"):
        raise FormatError("is no tool call: a function with a name, and arguments that are an object",
                          path=place.path, line=place.line, field=at)  # fmt: skip
    return ToolCall(tool_call_id=str(found.get("id") or ""), function_name=str(function["name"]), arguments=arguments)

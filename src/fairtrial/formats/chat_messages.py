"""Messages of a chat, as others' files hold them, as the steps of an ATIF document: plain objects, ready to be written.

Takes OpenAI messages, v1's own (a call has `name` and `arguments` beside its `id`), calls written as JSON strings,
and a prompt or a completion that is one text. What came back from a tool stands in the step that called it. Arguments
that are no JSON object are kept as `{"input": TEXT}`. Images keep their URL; taking them in is `atif_pictures`.
Built as plain objects, not as `Trajectory`: that took five times as long, and the bytes are the same (a test compares).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import orjson

from fairtrial.formats.atif import VERSION
from fairtrial.records import FormatError

Content = str | list[dict[str, Any]]
_ROLES = {"system": "system", "developer": "system", "user": "user", "assistant": "agent"}
_COUNTS = ("prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd")


class Said(NamedTuple):
    """One message, and what is known of it beside."""

    message: Any
    is_sampled: bool = True
    """False for an assistant's message that no model made."""
    timestamp: str = ""
    metrics: dict[str, Any] | None = None


def said_of(messages: Any, field: str) -> list[Said]:
    """Return the messages of a prompt or a completion; a text is one message. Raise FormatError for anything else."""
    if messages is None:
        return []
    if isinstance(messages, str):
        role = "assistant" if field == "completion" else "user"
        return [Said({"role": role, "content": messages})] if messages else []
    if not isinstance(messages, list):
        raise FormatError("is not a list of messages", field=field)
    return [Said(message, is_sampled=field == "completion") for message in messages]


def steps_of(conversation: Iterable[Said]) -> list[dict[str, Any]]:
    """Return the steps, counted from 1. Raise FormatError for a message that is none.

    >>> steps_of([Said({"role": "user", "content": "2+2"}), Said({"role": "assistant", "content": "4"})])
    [{'step_id': 1, 'source': 'user', 'message': '2+2'}, {'step_id': 2, 'source': 'agent', 'message': '4'}]
    """
    steps: list[dict[str, Any]] = []
    for said in conversation:
        message = said.message
        if not isinstance(message, dict):
            raise FormatError("is no message: an object with `role` and `content`", field=f"message {len(steps) + 1}")
        role = message.get("role")
        if role == "tool" and steps and steps[-1]["source"] == "agent":
            observation = steps[-1].setdefault("observation", {"results": []})
            observation["results"].append(_result(message))
            continue
        source = "user" if role == "tool" else _ROLES.get(role if isinstance(role, str) else "")
        if source is None:
            raise FormatError(f"is of role {role!r}", field=f"message {len(steps) + 1}")
        step: dict[str, Any] = {"step_id": len(steps) + 1}
        if said.timestamp:
            step["timestamp"] = said.timestamp
        step["source"] = source
        step["message"] = content_of(message.get("content"))
        if source == "agent":
            _told_by_agent(step, said)
        steps.append(step)
    return steps


def _told_by_agent(step: dict[str, Any], said: Said) -> None:
    """Add what only the agent's steps have."""
    calls = said.message.get("tool_calls")
    if calls:
        if not isinstance(calls, list):
            raise FormatError("is no list of tool calls", field="tool_calls")
        step["tool_calls"] = [_call(call) for call in calls]
    if not said.is_sampled:
        step["llm_call_count"] = 0  # with it the format allows neither reasoning nor metrics
        return
    reasoning = said.message.get("reasoning_content") or said.message.get("reasoning")
    if reasoning and isinstance(reasoning, str):
        step["reasoning_content"] = reasoning
    if said.metrics:
        step["metrics"] = said.metrics


def _result(message: dict[str, Any]) -> dict[str, Any]:
    call = message.get("tool_call_id")
    content = content_of(message.get("content"))
    return {"source_call_id": call, "content": content} if call else {"content": content}


def content_of(content: Any) -> Content:
    """Return a message's content as ATIF has it: a text, or parts where there is an image. Audio is left out."""
    if isinstance(content, str):
        return content
    if content is None:
        return ""
    if not isinstance(content, list):
        raise FormatError("has content that is neither text nor a list of parts", field="content")
    texts = [part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str)]
    if len(texts) == len(content):
        return "\n".join(texts)
    parts = [found for part in content if isinstance(part, dict) and (found := _part(part))]
    return parts if any(part["type"] == "image" for part in parts) else "\n".join(texts)


def _part(part: dict[str, Any]) -> dict[str, Any] | None:
    if isinstance(part.get("text"), str):
        return {"type": "text", "text": part["text"]}
    image = part.get("image_url")
    url = image.get("url") if isinstance(image, dict) else image
    if not isinstance(url, str) or not url:
        return None
    opening = url[5:].partition(";")[0] if url.startswith("data:") else ""
    return {"type": "image", "source": {"media_type": opening or "image/png", "path": url}}


def _call(call: Any) -> dict[str, Any]:
    if isinstance(call, str):
        call = _json(call, None)
    if not isinstance(call, dict):
        raise FormatError("is no tool call: an object with a name and arguments", field="tool_calls")
    function = call.get("function")
    function = function if isinstance(function, dict) else call
    name, arguments = function.get("name"), function.get("arguments")
    if not isinstance(name, str) or not name:
        raise FormatError("is a tool call without a name", field="tool_calls")
    if namespace := call.get("namespace"):
        name = f"{namespace}.{name}"
    found = _json(arguments or "{}", arguments) if isinstance(arguments, str) else arguments
    if not isinstance(found, dict):
        found = {} if found is None else {"input": found}
    return {"tool_call_id": str(call.get("id") or ""), "function_name": name, "arguments": found}


def _json(text: str, otherwise: Any) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return otherwise


def tools_of(tools: Any) -> list[dict[str, Any]]:
    """Return definitions of tools as OpenAI function schemas; v1 and late v0 files write the function alone."""
    found = [tool for tool in tools if isinstance(tool, dict)] if isinstance(tools, list) else []
    return [tool if "function" in tool else {"type": "function", "function": tool} for tool in found]


class Named(NamedTuple):
    """Whose trajectory it is."""

    agent: str
    version: str = ""
    model: str = ""
    id: str = ""
    """Of the rollout, as the source has it."""
    run: str = ""


def document_of(
    named: Named, steps: Sequence[dict[str, Any]], tools: Sequence[dict[str, Any]], notes: str = ""
) -> bytes:
    """Return the ATIF v1.8 document as it is stored."""
    agent: dict[str, Any] = {"name": named.agent, "version": named.version or "unknown"}
    if named.model:
        agent["model_name"] = named.model
    if tools:
        agent["tool_definitions"] = tools
    whole: dict[str, Any] = {"schema_version": VERSION}
    if named.run:
        whole["session_id"] = named.run
    if named.id:
        whole["trajectory_id"] = named.id
    whole |= {"agent": agent, "steps": steps}
    if notes:
        whole["notes"] = notes
    totals = {f"total_{name}": total for name in _COUNTS if (total := _sum(steps, name)) is not None}
    whole["final_metrics"] = totals | {"total_steps": len(steps)}
    return orjson.dumps(whole)


def _sum(steps: Sequence[dict[str, Any]], name: str) -> Any:
    known = [metrics[name] for step in steps if (metrics := step.get("metrics")) and name in metrics]
    return sum(known) if known else None

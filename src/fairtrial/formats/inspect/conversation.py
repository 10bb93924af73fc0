"""A sample's conversation as the steps of an ATIF document.

It is the sample's `messages`; where those hold no answer of a model although models were called (a solver of one's own
kept them to itself), it is rebuilt from the model events outside scoring: each message that a model was given or gave,
once, in order. A tool's answer stands in the step that called the tool. An answer's time and tokens come from its model
event, found by the message's id (logs before 2025 have none). An assistant's message that was part of the input is
marked as one that no model made. Not covered: sub-agents' own conversations, sound, video, and documents, of which the
name is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from fairtrial.formats.chat_messages import tools_of
from fairtrial.formats.inspect.pools import Pools
from fairtrial.formats.times import utc_or_empty
from fairtrial.records import FormatError

Step = dict[str, Any]
_SOURCES = {"system": "system", "user": "user", "assistant": "agent"}
MOST = 10**15
"""Of tokens, dollars or seconds: beyond, and below 0, it is no amount."""
_COUNTS = ("input_tokens", "input_tokens_cache_read", "input_tokens_cache_write", "output_tokens")
_NAMED = {"audio": "audio", "video": "video", "document": "filename"}


@dataclass(frozen=True, slots=True)
class Conversation:
    """What was said in a sample."""

    steps: list[Step]
    tools: list[dict[str, Any]]
    """That the first model was given, as OpenAI function schemas."""
    has_images: bool


def conversation_of(sample: Mapping[str, Any]) -> Conversation:
    """Return the conversation, its steps counted from 1. Raise FormatError for a message that is none."""
    pools, events = Pools(sample), _model_events(sample)
    messages = sample.get("messages") or []
    if not isinstance(messages, list):
        raise FormatError("is not a list", field="messages")
    if events and not any(isinstance(message, dict) and message.get("role") == "assistant" for message in messages):
        messages = list(_rebuilt(events, pools)) or messages
    making = _Steps(pools, {key: event for event in events if (key := _output_id(event))})
    making.take(messages)
    tools = events[0].get("tools") if events else None
    return Conversation(making.steps, tools_of(pools.resolved(tools)), making.has_images)


def steps_of(sample: Mapping[str, Any]) -> list[Step]:
    """Return the steps alone, of whatever has `messages` as a sample has. Raise FormatError for what is none."""
    return conversation_of(sample).steps


def _model_events(sample: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the calls of models outside scoring: a grader's are no part of the attempt."""
    found: list[Mapping[str, Any]] = []
    scoring: set[Any] = set()
    events = sample.get("events")
    for event in events if isinstance(events, list) else ():
        if not isinstance(event, dict):
            continue
        kind = event.get("event")
        if kind == "span_begin" and (event.get("type") in ("scorers", "scorer") or event.get("parent_id") in scoring):
            scoring.add(event.get("id"))
        elif kind == "step" and event.get("type") == "scorer":
            (scoring.add if event.get("action") == "begin" else scoring.discard)("step")
        elif kind == "model" and event.get("span_id") not in scoring and "step" not in scoring:
            found.append(event)
    return found


def _output(event: Mapping[str, Any]) -> Any:
    """Return the message that a model event's model gave, None where it gave none."""
    output = event.get("output")
    choices = output.get("choices") if isinstance(output, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    return first.get("message") if isinstance(first, dict) else None


def _output_id(event: Mapping[str, Any]) -> str:
    message = _output(event)
    key = message.get("id") if isinstance(message, dict) else None
    return key if isinstance(key, str) else ""


def _rebuilt(events: Sequence[Mapping[str, Any]], pools: Pools) -> Iterator[Any]:
    seen: set[bytes] = set()
    for event in events:
        for message in (*pools.model_input(event), _output(event)):
            if not isinstance(message, dict):
                continue
            key = str(message.get("id") or "").encode() or orjson.dumps(message, option=orjson.OPT_SORT_KEYS)
            if key not in seen:
                seen.add(key)
                yield message


class _Steps:
    """Makes the steps of one sample."""

    def __init__(self, pools: Pools, events: Mapping[str, Mapping[str, Any]]) -> None:
        self.pools = pools
        self.events = events
        self.steps: list[Step] = []
        self.callers: dict[str, Step] = {}
        """Id of a call -> the step that made it."""
        self.has_images = False

    def take(self, messages: Sequence[Any]) -> None:
        """Add the steps of these messages."""
        for number, message in enumerate(messages):
            if not isinstance(message, dict):
                raise FormatError("is no message: an object with `role` and `content`", field=f"messages[{number}]")
            role = message.get("role")
            if role == "tool":
                self._answer(message)
            elif role in _SOURCES:
                self._step(_SOURCES[role], message)
            else:
                raise FormatError(f"is of role {role!r}", field=f"messages[{number}].role")

    def _step(self, source: str, message: Mapping[str, Any]) -> None:
        content, parts = self._content(message)
        step: Step = {"step_id": len(self.steps) + 1, "source": source, "message": content}
        self.steps.append(step)
        if source != "agent":
            return
        event = self.events.get(message.get("id") or "")
        if event is None and message.get("source") == "input":
            step["llm_call_count"] = 0  # with it the format allows neither reasoning nor metrics
        else:
            reasoning = (parts.reasoning if parts else "") or message.get("reasoning")
            if isinstance(reasoning, str) and reasoning:
                step["reasoning_content"] = reasoning
            if event is not None:
                _measure(step, event)
        made = message.get("tool_calls")
        if made or (parts and parts.served):
            self._calls(step, made if isinstance(made, list) else [], parts.served if parts else [])

    def _content(self, message: Mapping[str, Any]) -> tuple[Any, _Parts | None]:
        """Return a message's content as ATIF has it, and its parts where it has any."""
        content = message.get("content")
        if isinstance(content, str):
            return self.pools.resolved(content), None
        parts = _Parts(self.pools, content)
        self.has_images |= parts.has_images
        return parts.content, parts

    def _calls(self, step: Step, made: Sequence[Any], served: Sequence[dict[str, Any]]) -> None:
        calls = [_call(call, self.pools.resolved(call.get("arguments"))) for call in (*served, *made)
                 if isinstance(call, dict)]  # fmt: skip
        step["tool_calls"] = calls
        for call in calls:
            self.callers[call["tool_call_id"]] = step
        for call in served:
            said = call.get("error") or call.get("result")
            self._observed(step, str(call.get("id") or ""), self.pools.resolved(said) or "")

    def _answer(self, message: Mapping[str, Any]) -> None:
        key = str(message.get("tool_call_id") or "")
        content, _ = self._content(message)
        error = message.get("error")
        if isinstance(error, dict) and not content:
            content = f"{error.get('type')}: {self.pools.resolved(error.get('message'))}"
        last = self.steps[-1] if self.steps and self.steps[-1]["source"] == "agent" else None
        caller = self.callers.get(key, last)
        if caller is None:
            self.steps.append({"step_id": len(self.steps) + 1, "source": "user", "message": content})
        else:
            self._observed(caller, key if key in self.callers else "", content)

    def _observed(self, step: Step, key: str, content: Any) -> None:
        result = {"source_call_id": key, "content": content} if key else {"content": content}
        step.setdefault("observation", {"results": []})["results"].append(result)


def _measure(step: Step, event: Mapping[str, Any]) -> None:
    """Add the time and the tokens of the model's call that gave this step."""
    time = event.get("timestamp")
    if isinstance(time, str) and (time := time if time.endswith("+00:00") else utc_or_empty(time)):
        step["timestamp"] = time
    output = event.get("output")
    if metrics := metrics_of(output.get("usage") if isinstance(output, dict) else None):
        step["metrics"] = metrics


class _Parts:
    """The content of one message in parts: a text, or parts where it has images; reasoning and served calls apart."""

    def __init__(self, pools: Pools, content: Any) -> None:
        self.pools = pools
        self.reasoning = ""
        self.served: list[dict[str, Any]] = []
        """Tools that the provider ran itself."""
        parts = [self._part(part) for part in content if isinstance(part, dict)] if isinstance(content, list) else []
        shown = [part for part in parts if part]
        texts = [part["text"] for part in shown if "text" in part]
        self.has_images = len(texts) < len(shown)
        self.content: Any = shown if self.has_images else "\n".join(texts)

    def _part(self, part: Mapping[str, Any]) -> dict[str, Any] | None:
        kind = part.get("type")
        if kind == "text":
            return {"type": "text", "text": str(self.pools.resolved(part.get("text")) or "")}
        if kind == "reasoning":
            said = part.get("summary") if part.get("redacted") else part.get("reasoning") or part.get("summary")
            self.reasoning += ("\n" if self.reasoning else "") + str(self.pools.resolved(said) or "")
        elif kind == "tool_use":
            self.served.append({**part, "function": part.get("name")})
        elif kind == "image":
            return _image(str(self.pools.resolved(part.get("image")) or ""))
        elif kind in _NAMED:
            named = str(part.get(_NAMED[kind]) or "") if kind == "document" else ""
            return {"type": "text", "text": f"[{kind}{' ' if named else ''}{named}]"}
        return None


def _image(path: str) -> dict[str, Any]:
    """Return an image part, or a text where the format would not take it."""
    kind = path[5:].partition(";")[0] if path.startswith("data:") else f"image/{path.rpartition('.')[2].lower()}"
    kind = kind.replace("image/jpg", "image/jpeg")
    if kind in ("image/jpeg", "image/png", "image/gif", "image/webp"):
        return {"type": "image", "source": {"media_type": kind, "path": path}}
    return {"type": "text", "text": f"[image {path[:200]}]" if "://" in path[:200] else "[image]"}


def _call(call: Mapping[str, Any], arguments: Any) -> dict[str, Any]:
    if isinstance(arguments, str):
        try:
            read = orjson.loads(arguments)
        except orjson.JSONDecodeError:
            read = None
        arguments = read if isinstance(read, dict) else {"input": arguments}
    name = call.get("function")
    return {"tool_call_id": str(call.get("id") or ""), "function_name": name if isinstance(name, str) else "unknown",
            "arguments": arguments if isinstance(arguments, dict) else {}}  # fmt: skip


def metrics_of(usage: Any) -> dict[str, Any]:
    """Return a model's usage as ATIF has it: prompt tokens with the cached ones, which Inspect counts apart.

    >>> metrics_of({"input_tokens": 10, "input_tokens_cache_read": 7, "output_tokens": 3, "total_tokens": 20})
    {'prompt_tokens': 17, 'completion_tokens': 3, 'cached_tokens': 7}
    """
    if not isinstance(usage, dict):
        return {}
    counts = {name: value for name in _COUNTS if type(value := usage.get(name)) is int and 0 <= value <= MOST}
    found: dict[str, Any] = {}
    if "input_tokens" in counts:
        cached = counts.get("input_tokens_cache_read", 0) + counts.get("input_tokens_cache_write", 0)
        found["prompt_tokens"] = counts["input_tokens"] + cached
    if "output_tokens" in counts:
        found["completion_tokens"] = counts["output_tokens"]
    if "input_tokens_cache_read" in counts:
        found["cached_tokens"] = counts["input_tokens_cache_read"]
    cost = usage.get("total_cost")
    if isinstance(cost, int | float) and not isinstance(cost, bool) and 0 <= cost <= MOST:
        found["cost_usd"] = cost
    return found

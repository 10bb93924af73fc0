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
from typing import Any

import orjson

from fairtrial.formats.inspect.pools import Pools
from fairtrial.formats.times import utc_or_empty
from fairtrial.formats.verifiers.messages import tools_of
from fairtrial.records import FormatError

Step = dict[str, Any]
_SOURCES = {"system": "system", "user": "user", "assistant": "agent"}
_NAMED = {"audio": "audio", "video": "video", "document": "filename"}


def steps_of(sample: Mapping[str, Any]) -> list[Step]:
    """Return the steps, counted from 1. Raise FormatError for a message that is none."""
    pools, events = Pools(sample), _model_events(sample)
    messages = sample.get("messages") or []
    if not isinstance(messages, list):
        raise FormatError("is not a list", field="messages")
    if events and not any(isinstance(message, dict) and message.get("role") == "assistant" for message in messages):
        messages = list(_rebuilt(events, pools)) or messages
    return _Steps(pools, {key: event for event in events if (key := _output_id(event))}).of(messages)


def tools_of_models(sample: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the tools that the first model of the sample was given, as OpenAI function schemas."""
    first = next(iter(_model_events(sample)), {})
    tools = first.get("tools")
    return tools_of(Pools(sample).resolved(tools)) if isinstance(tools, list) else []


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

    def of(self, messages: Sequence[Any]) -> list[Step]:
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
        return self.steps

    def _step(self, source: str, message: Mapping[str, Any]) -> None:
        parts = _Parts(self.pools, message.get("content"))
        step: Step = {"step_id": len(self.steps) + 1, "source": source, "message": parts.content}
        self.steps.append(step)
        if source != "agent":
            return
        event = self.events.get(str(message.get("id") or ""))
        if event is None and message.get("source") == "input":
            step["llm_call_count"] = 0  # with it the format allows neither reasoning nor metrics
        else:
            reasoning = parts.reasoning or message.get("reasoning")
            if isinstance(reasoning, str) and reasoning:
                step["reasoning_content"] = reasoning
            if event is not None:
                self._measured(step, event)
        self._calls(step, message, parts)

    def _measured(self, step: Step, event: Mapping[str, Any]) -> None:
        if time := utc_or_empty(str(event.get("timestamp") or "")):
            step["timestamp"] = time
        output = event.get("output")
        metrics = metrics_of(output.get("usage") if isinstance(output, dict) else None)
        if metrics:
            step["metrics"] = metrics

    def _calls(self, step: Step, message: Mapping[str, Any], parts: _Parts) -> None:
        made = [call for call in message.get("tool_calls") or () if isinstance(call, dict)]
        calls = [_call(call, self.pools.resolved(call.get("arguments"))) for call in (*parts.served, *made)]
        if calls:
            step["tool_calls"] = calls
        for call in calls:
            self.callers[call["tool_call_id"]] = step
        for served in parts.served:
            said = served.get("error") or served.get("result")
            self._observed(step, str(served.get("id") or ""), self.pools.resolved(said) or "")

    def _answer(self, message: Mapping[str, Any]) -> None:
        key = str(message.get("tool_call_id") or "")
        content = _Parts(self.pools, message.get("content")).content
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


class _Parts:
    """The content of one message: a text, or parts where it has images; its reasoning and served calls apart."""

    def __init__(self, pools: Pools, content: Any) -> None:
        self.pools = pools
        self.reasoning = ""
        self.served: list[Mapping[str, Any]] = []
        """Tools that the provider ran itself."""
        parts = [self._part(part) for part in content if isinstance(part, dict)] if isinstance(content, list) else []
        shown = [part for part in parts if part]
        texts = [part["text"] for part in shown if "text" in part]
        if isinstance(content, list):
            self.content: Any = shown if len(texts) < len(shown) else "\n".join(texts)
        else:
            self.content = pools.resolved(content) if isinstance(content, str) else ""

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
    counts = {name: value for name, value in usage.items() if isinstance(value, int) and not isinstance(value, bool)}
    found: dict[str, Any] = {}
    if "input_tokens" in counts:
        cached = counts.get("input_tokens_cache_read", 0) + counts.get("input_tokens_cache_write", 0)
        found["prompt_tokens"] = counts["input_tokens"] + cached
    if "output_tokens" in counts:
        found["completion_tokens"] = counts["output_tokens"]
    if "input_tokens_cache_read" in counts:
        found["cached_tokens"] = counts["input_tokens_cache_read"]
    cost = usage.get("total_cost")
    if isinstance(cost, int | float) and not isinstance(cost, bool):
        found["cost_usd"] = cost
    return found

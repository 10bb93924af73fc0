"""ATIF, Harbor's interchange format of trajectories: typed, written as v1.8, read in any version.

Reading is tolerant of what it does not know: other versions and unknown keys are taken, token ids, log probabilities
and sub-agents are left out; of content parts text and images are taken (`atif_content`). Writing gives exactly what
v1.8 allows. Import of such files is `atif_import`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any, Literal

import orjson

from fairtrial.formats.atif_content import Picture, content_read, content_written
from fairtrial.records import FormatError

VERSION = "ATIF-v1.8"

Source = Literal["system", "user", "agent"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One call of a tool by the agent."""

    tool_call_id: str
    function_name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What came back: of one tool call, or of something else where `source_call_id` is empty."""

    content: str
    source_call_id: str = ""
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Metrics:
    """What one step cost. `prompt_tokens` includes the cached ones."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AtifStep:
    """One step. All but message, pictures, timestamp and observations is for agent steps only."""

    source: Source
    message: str = ""
    pictures: tuple[Picture, ...] = ()
    """Of the message."""
    timestamp: str = ""
    """ISO 8601; empty where not recorded."""
    reasoning: str = ""
    model: str = ""
    """Where it differs from the trajectory's."""
    tool_calls: tuple[ToolCall, ...] = ()
    observations: tuple[Observation, ...] = ()
    metrics: Metrics | None = None
    is_copied: bool = False
    """Copied from an earlier trajectory; not to be trained on."""
    llm_calls: int | None = None
    """Inferences behind this step; 0 for a step that no model made, None where not recorded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trajectory:
    """The steps of one rollout."""

    agent: str
    agent_version: str = "unknown"
    model: str = ""
    steps: tuple[AtifStep, ...] = ()
    run: str = ""
    """ATIF's `session_id`: the run that it belongs to."""
    id: str = ""
    """ATIF's `trajectory_id`."""
    tools: tuple[Mapping[str, Any], ...] = ()
    """Definitions of the agent's tools, as OpenAI function schemas."""
    notes: str = ""
    schema_version: str = VERSION
    stated: Metrics | None = None
    """Totals as the document states them; None: to be summed."""

    def totals(self) -> Metrics:
        """Return the totals stated, else the sums over steps; a figure no step records is None."""
        found = self.stated or Metrics()
        recorded = [step.metrics for step in self.steps if step.metrics is not None and not step.is_copied]
        names = ("prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd")
        sums = {name: _sum([getattr(metrics, name) for metrics in recorded]) for name in names}
        return Metrics(**{name: sums[name] if getattr(found, name) is None else getattr(found, name) for name in names})

    @property
    def final_message(self) -> str:
        """Return the last message of the agent; empty if it said nothing."""
        return next((s.message for s in reversed(self.steps) if s.source == "agent" and s.message), "")


def _sum(values: list[Any]) -> Any:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def document(trajectory: Trajectory) -> dict[str, Any]:
    """Return the ATIF v1.8 document: only keys that the format allows, none that is empty.

    >>> said = AtifStep(source="user", message="Do it.")
    >>> document(Trajectory(agent="a", steps=(said,)))["steps"]
    [{'step_id': 1, 'source': 'user', 'message': 'Do it.'}]
    """
    agent = {"name": trajectory.agent, "version": trajectory.agent_version, "model_name": trajectory.model,
             "tool_definitions": [dict(tool) for tool in trajectory.tools]}  # fmt: skip
    totals = trajectory.totals()
    final = {"total_prompt_tokens": totals.prompt_tokens, "total_completion_tokens": totals.completion_tokens,
             "total_cached_tokens": totals.cached_tokens, "total_cost_usd": totals.cost_usd,
             "total_steps": len(trajectory.steps)}  # fmt: skip
    whole = {"schema_version": VERSION, "session_id": trajectory.run, "trajectory_id": trajectory.id,
             "agent": _stated(agent, "name", "version"),
             "steps": [_step(number, step) for number, step in enumerate(trajectory.steps, start=1)],
             "notes": trajectory.notes, "final_metrics": _stated(final)}  # fmt: skip
    return _stated(whole, "steps")


def _stated(content: dict[str, Any], *always: str) -> dict[str, Any]:
    """Leave out what is empty or None, but not 0 and not the keys in `always`."""
    return {key: value for key, value in content.items() if key in always or value not in ("", None, [], {})}


def _step(number: int, step: AtifStep) -> dict[str, Any]:
    results = [
        _stated({"source_call_id": o.source_call_id, "content": content_written(o.content, o.pictures)}, "content")
        for o in step.observations
    ]
    content: dict[str, Any] = {"step_id": number, "timestamp": step.timestamp, "source": step.source,
                               "message": content_written(step.message, step.pictures)}  # fmt: skip
    if step.source == "agent":
        calls = [{"tool_call_id": call.tool_call_id, "function_name": call.function_name,
                  "arguments": dict(call.arguments)} for call in step.tool_calls]  # fmt: skip
        content |= {"model_name": step.model, "tool_calls": calls, "llm_call_count": step.llm_calls}
        if step.llm_calls != 0:  # the format forbids both on a step that no model made
            content |= {"reasoning_content": step.reasoning, "metrics": _metrics(step.metrics)}
    content["observation"] = {"results": results} if results else None
    content["is_copied_context"] = True if step.is_copied else None
    return _stated(content, "message")


def _metrics(metrics: Metrics | None) -> dict[str, Any]:
    if metrics is None:
        return {}
    return _stated({"prompt_tokens": metrics.prompt_tokens, "completion_tokens": metrics.completion_tokens,
                    "cached_tokens": metrics.cached_tokens, "cost_usd": metrics.cost_usd})  # fmt: skip


def read_trajectory(source: Path | bytes) -> Trajectory:
    """Read an ATIF document from a file or from its bytes. Raise FormatError naming the field that is wrong."""
    path = source if isinstance(source, Path) else None
    try:
        found = orjson.loads(source.read_bytes() if isinstance(source, Path) else source)
    except orjson.JSONDecodeError as error:
        raise FormatError(f"is not JSON: {error}", path=path) from error
    return _Reading(path).trajectory(found)


@dataclass(frozen=True, slots=True)
class _Reading:
    """Reads the parts of one document and names the field that is wrong."""

    path: Path | None

    def trajectory(self, found: Any) -> Trajectory:
        whole = self._object(found, "(root)")
        version = self._text(whole, "schema_version", "schema_version")
        if not version.upper().startswith("ATIF"):
            raise FormatError("is no ATIF version", path=self.path, field="schema_version")
        agent = self._object(whole.get("agent"), "agent")
        steps = [self._step(step, f"steps[{at}]") for at, step in enumerate(self._list(whole.get("steps"), "steps"))]
        final = self._object(whole.get("final_metrics") or {}, "final_metrics")
        return Trajectory(
            agent=self._text(agent, "name", "agent.name"),
            agent_version=self._text(agent, "version", "agent.version") or "unknown",
            model=self._text(agent, "model_name", "agent.model_name"),
            steps=tuple(steps),
            run=self._text(whole, "session_id", "session_id"),
            id=self._text(whole, "trajectory_id", "trajectory_id"),
            tools=tuple(self._list(agent.get("tool_definitions") or [], "agent.tool_definitions")),
            notes=self._text(whole, "notes", "notes"),
            schema_version=version,
            stated=self._metrics(final, "total_", "final_metrics") if final else None,
        )

    def _step(self, found: Any, at: str) -> AtifStep:
        step = self._object(found, at)
        source = step.get("source")
        if source not in ("system", "user", "agent"):
            raise FormatError("is not system, user or agent", path=self.path, field=f"{at}.source")
        observation = self._object(step.get("observation") or {}, f"{at}.observation")
        results = self._list(observation.get("results") or [], f"{at}.observation.results")
        calls = self._list(step.get("tool_calls") or [], f"{at}.tool_calls")
        metrics = step.get("metrics")
        message, pictures = content_read(step.get("message"))
        return AtifStep(
            source=source,
            message=message,
            pictures=pictures,
            timestamp=self._text(step, "timestamp", f"{at}.timestamp"),
            reasoning=self._text(step, "reasoning_content", f"{at}.reasoning_content"),
            model=self._text(step, "model_name", f"{at}.model_name"),
            tool_calls=tuple(self._call(call, f"{at}.tool_calls[{n}]") for n, call in enumerate(calls)),
            observations=tuple(self._result(r, f"{at}.observation.results[{n}]") for n, r in enumerate(results)),
            metrics=None
            if metrics is None
            else self._metrics(self._object(metrics, f"{at}.metrics"), "", f"{at}.metrics"),
            is_copied=bool(step.get("is_copied_context")),
            llm_calls=self._number(step.get("llm_call_count"), int, f"{at}.llm_call_count"),
        )

    def _call(self, found: Any, at: str) -> ToolCall:
        call = self._object(found, at)
        arguments = call.get("arguments")
        return ToolCall(
            tool_call_id=self._text(call, "tool_call_id", f"{at}.tool_call_id"),
            function_name=self._text(call, "function_name", f"{at}.function_name"),
            arguments=self._object({} if arguments is None else arguments, f"{at}.arguments"),
        )

    def _result(self, found: Any, at: str) -> Observation:
        result = self._object(found, at)
        call = self._text(result, "source_call_id", f"{at}.source_call_id")
        text, pictures = content_read(result.get("content"))
        return Observation(content=text, source_call_id=call, pictures=pictures)

    def _metrics(self, found: Mapping[str, Any], prefix: str, at: str) -> Metrics:
        names = ("prompt_tokens", "completion_tokens", "cached_tokens")
        counts = {name: self._number(found.get(prefix + name), int, f"{at}.{prefix}{name}") for name in names}
        return Metrics(**counts, cost_usd=self._number(found.get(f"{prefix}cost_usd"), float, f"{at}.{prefix}cost_usd"))

    def _object(self, found: Any, at: str) -> dict[str, Any]:
        if not isinstance(found, dict):
            raise FormatError("is missing" if found is None else "is not an object", path=self.path, field=at)
        return found

    def _list(self, found: Any, at: str) -> list[Any]:
        if not isinstance(found, list):
            raise FormatError("is missing" if found is None else "is not a list", path=self.path, field=at)
        return found

    def _text(self, found: Mapping[str, Any], key: str, at: str) -> str:
        value = found.get(key)
        if value is not None and not isinstance(value, str):
            raise FormatError("is not text", path=self.path, field=at)
        return value or ""

    def _number(self, value: Any, wanted: type, at: str) -> Any:
        if value is None:
            return None
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or not isfinite(value)
            or wanted(value) != value
        ):
            raise FormatError("is not a number", path=self.path, field=at)
        return wanted(value)

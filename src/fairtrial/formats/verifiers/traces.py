"""verifiers v1: one episode a line of `traces.jsonl`, each of its traces a rollout; a line may also be one bare trace.

Bare traces are what 0.2 wrote: rewards were numbers, weighted already, and a trace was well where it had no error.

The conversation is the path from a root of the message graph to its last leaf, as verifiers' own `messages`; how many
messages lie on other branches is said in the trajectory's notes. Attempts have ids and no numbers: `attempt` is
derived from the trace's id. Not covered: token ids, log probabilities, artifacts, calls of judges.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fairtrial.formats.batch import Options
from fairtrial.formats.chat_messages import Named, Said, document_of, steps_of, tools_of
from fairtrial.formats.json_files import Fields, attempt_number
from fairtrial.formats.verifiers.records import (
    HASH_DIGITS,
    Kept,
    Record,
    error_reason,
    hash_of,
    plain_text,
    seconds_of,
    verdict_of,
)
from fairtrial.formats.verifiers.rewards import finite, graded, reward_of, whole
from fairtrial.records import FormatError, Rollout, Verdict, canonical_json, digest

STOPS: Mapping[str, str] = {
    "agent_completed": "finished", "user_closed": "finished", "max_turns": "turn_limit",
    "max_input_tokens": "context_limit", "max_total_tokens": "context_limit", "max_output_tokens": "output_limit",
    "compaction_failed": "context_limit", "harness_error": "agent_error",
}  # fmt: skip
_SETTINGS = ("sampling", "max_turns", "max_input_tokens", "max_output_tokens", "max_total_tokens")
_MOST_MESSAGE = 2000
_OWN_AGENT = "agent"
"""The name of the only agent of an environment that names none."""


@dataclass(slots=True)
class Traces:
    """Makes records of the lines of one file."""

    path: Path
    options: Options
    model: str = ""
    """Of traces that name none, from the run's configuration beside the file."""
    beyond: Set[str] = frozenset()
    """Rewards that exceed 1 somewhere in the file."""
    kept: Kept = field(default_factory=Kept)

    def records(self, row: dict[str, Any]) -> list[Record]:
        """Return the rollouts of a line. Raise FormatError naming the field that is wrong."""
        episode = row if "traces" in row else {**row, "traces": [row]}
        whole = Fields(self.path, episode)
        traces = whole.inners("traces")
        if not traces:
            traces = [_unbegun(whole)]
        return [self._record(whole, trace) for trace in traces]

    def _record(self, episode: Fields, trace: Fields) -> Record:
        task = trace.inner("task") or episode.inner("task")
        if task is None:
            raise trace.wrong("task", "is missing")
        rollout = self._rollout(episode, trace, task)
        data = task.content.get("data")
        key = data.get("answer") if isinstance(data, dict) else None
        return rollout, self._verdict(episode, trace, rollout, plain_text(key))

    def _rollout(self, episode: Fields, trace: Fields, task: Fields) -> Rollout:
        agent, steps, name = trace.inner("agent") or Fields(self.path, {}), [], trace.text("id") or episode.text("id")
        config = agent.inner("config") or agent  # 0.2 had no `config` around it
        sampling = config.inner("sampling") or Fields(self.path, {})
        model = config.text("model") or self.model or self.options.model
        if not model:
            raise agent.wrong("config.model", "is missing, and no --model was given")
        scaffold = _scaffold(agent.text("name"), config)
        used = _used(trace)
        try:
            path = path_to_leaf(trace, used)
            steps = steps_of(path)
        except FormatError as error:
            self.kept.without_trajectory(error)
            path = []
        env, run = episode.inner("env"), episode.inner("run") or Fields(self.path, {})
        work = run.inner("work") or Fields(self.path, {})
        group = episode.inner("group")
        blob = self._document(trace, Named(scaffold, _version(trace), model, name, run.text("id")), steps, len(path))
        start, seconds = _span(trace)
        return Rollout(
            task=task_name(task), model=model, agent=scaffold, effort=sampling.text("reasoning_effort"),
            suite=(env.text("id") if env else "") or self.options.suite, attempt=attempt_number(name) if name else 0,
            settings=_settings(config), group=(group.text("id") if group else "") or run.text("id"),
            step=work.integer("step"), split="train" if work.text("type") == "train" else "", trajectory=blob,
            answer=_answer(trace, steps, task), task_hash=task.text("hash"), stop=_stop(trace), label=name,
            source=str(self.path), steps=sum(step["source"] == "agent" for step in steps) if steps else None,
            seconds=seconds, recorded_at=start, **_spent(used),
        )  # fmt: skip

    def _document(self, trace: Fields, named: Named, steps: list[dict[str, Any]], on_path: int) -> str:
        """Keep the trajectory; return its address, empty where there are no messages."""
        if not steps:
            return ""
        nodes = trace.content["nodes"]
        beside = len(nodes) - on_path
        notes = f"{beside} of {len(nodes)} messages lie on other branches and are not kept here" if beside else ""
        tools = trace.content.get("tools") or next((n["tools"] for n in nodes if n.get("tools")), None)
        return self.kept.keep(document_of(named, steps, tools_of(tools), notes), self.path.parent)

    def _verdict(self, episode: Fields, trace: Fields, rollout: Rollout, expected: str | None) -> Verdict | None:
        rewards = trace.content.get("rewards") or {}
        if not isinstance(rewards, dict):
            raise trace.wrong("rewards", "is not an object")
        agent = trace.content.get("agent")
        if not rewards and isinstance(agent, dict) and agent.get("trainable") is False:
            return None  # a judge or a simulated user: it was not up for grading
        found = graded(rewards, _broken(episode, trace), trace.content.get("metrics"), self.options,
                       self.beyond)  # fmt: skip
        errors = [error for part in (episode, trace) for error in _errors(part)]
        evidence = {
            "as_recorded": reward_of(rewards) if rewards else None, "rewards": rewards,
            "metrics": trace.content.get("metrics") or {}, "stop_condition": trace.content.get("stop_condition"),
            "errors": [_error(error) for error in errors], "episode": episode.content.get("id"),
        }  # fmt: skip
        return verdict_of(rollout, found, evidence, self.options, expected)


Used = list[tuple[Any, dict[str, Any]]]
"""Of each call, the node that it made and what it used, as ATIF's metrics."""


def path_to_leaf(trace: Fields, used: Used) -> list[Said]:
    """Return the messages from the root to the last leaf. Raise FormatError where the parents make no tree."""
    nodes = trace.inners("nodes")
    if not nodes:
        return []
    parents = [node.content.get("parent") for node in nodes]
    for at, parent in enumerate(parents):
        if parent is not None and (type(parent) is not int or not 0 <= parent < at):
            raise nodes[at].wrong("parent", f"is {parent!r}: no node before it")
    path = [len(nodes) - 1]  # the last node has no child: parents come first
    while (parent := parents[path[-1]]) is not None:
        path.append(parent)
    made = {node: metrics for node, metrics in used if isinstance(node, int)}
    return [_said(nodes[at].content, made.get(at)) for at in reversed(path)]


def _said(node: Mapping[str, Any], metrics: dict[str, Any] | None) -> Said:
    made = node.get("timestamp")
    return Said(node.get("message"), bool(node.get("sampled")), _time(made), metrics)


def _used(trace: Fields) -> Used:
    return [(call.content.get("node"), _metrics(usage)) for call in trace.inners("calls")
            if isinstance(usage := call.content.get("usage"), dict)]  # fmt: skip


def _metrics(usage: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a call used; ATIF counts the cached tokens among the prompt's, verifiers beside them."""
    prompt, cached = whole(usage.get("prompt_tokens")), whole(usage.get("cached_input_tokens"))
    told = {"prompt_tokens": None if prompt is None else prompt + (cached or 0),
            "completion_tokens": whole(usage.get("completion_tokens")), "cached_tokens": cached,
            "cost_usd": finite(usage.get("cost"))}  # fmt: skip
    return {name: value for name, value in told.items() if value is not None}


def _spent(used: Used) -> dict[str, Any]:
    """Return tokens and cost of every call, those of other branches included."""
    names = {"input_tokens": "prompt_tokens", "output_tokens": "completion_tokens", "cost_usd": "cost_usd"}
    sums = {ours: [one[theirs] for _, one in used if theirs in one] for ours, theirs in names.items()}
    return {ours: sum(values) if values else None for ours, values in sums.items()}


def task_name(task: Fields) -> str:
    """Return the task's own key, else its source's id, else a name that its content's hash makes unique."""
    key, hashed, data = task.text("key"), task.text("hash"), task.inner("data") or task
    if key and key != hashed:
        return key
    if name := data.text("id"):
        return name
    hashed = hashed or digest(canonical_json(data.content)).removeprefix("sha256:")
    return f"{data.text('name') or task.text('type') or 'task'}-{hashed[:HASH_DIGITS]}"


def _scaffold(name: str, config: Fields) -> str:
    """Return the harness, of an environment of several agents with the agent's name before it."""
    harness = config.content.get("harness")
    told = str(harness.get("id") or "") if isinstance(harness, dict) else ""
    own = name if name != _OWN_AGENT else ""
    return f"{own}/{told}" if own and told else own or told or _OWN_AGENT


def _settings(config: Fields) -> str:
    """Return the hash of what the model was run with; empty where nothing is recorded."""
    told = {name: value for name in _SETTINGS if (value := config.content.get(name)) not in (None, {})}
    return hash_of(told)


def _version(trace: Fields) -> str:
    build = trace.content.get("verifiers")
    return str(build.get("version") or "") if isinstance(build, dict) else ""


def _stop(trace: Fields) -> str:
    stop = trace.text("stop_condition")
    return STOPS.get(stop, "error" if stop.endswith("_error") else stop)


def _broken(episode: Fields, trace: Fields) -> str:
    """Return why the grading cannot be trusted; empty where it can. A trace that is `ok` may hold errors of retries."""
    if not _is_ok(trace):
        errors = _errors(trace) or _errors(episode)
        return error_reason(errors[-1].get("type")) if errors and isinstance(errors[-1], dict) else "not_completed"
    stop = trace.content.get("stop_condition")
    if stop in ("setup_timeout", "finalize_timeout", "scoring_timeout"):
        return str(stop)
    return "" if _is_ok(episode) else "episode_error"


def _is_ok(part: Fields) -> bool:
    """Say whether a trace or an episode ended well; 0.2 did not say it and is asked for its errors."""
    if "ok" in part.content:
        return part.content["ok"] is True
    return part.content.get("is_completed") is True and not part.content.get("errors")


def _errors(part: Fields) -> list[Any]:
    found = part.content.get("errors")
    return found if isinstance(found, list) else []


def _error(error: Any) -> Any:
    if not isinstance(error, dict):
        return str(error)[:_MOST_MESSAGE]
    return {"type": error.get("type"), "message": str(error.get("message") or "")[:_MOST_MESSAGE]}


def _answer(trace: Fields, steps: list[dict[str, Any]], task: Fields) -> str | None:
    """Return the last reply, where the task has an answer to hold it against."""
    data = task.content.get("data")
    if not isinstance(data, dict) or plain_text(data.get("answer")) is None:
        return None
    root = trace.content.get("root_reply")
    if isinstance(root, str):
        return root.strip()
    said = [step["message"] for step in steps if step["source"] == "agent" and isinstance(step["message"], str)]
    return said[-1].strip() if said else None


def _span(trace: Fields) -> tuple[str, float | None]:
    """Return when the trace began, and the seconds that the agent took."""
    timing = trace.inner("timing")
    agent = timing.inner("agent") if timing else None
    start, end = (agent.content.get(name) if agent else None for name in ("start", "end"))
    return _time(timing.content.get("start")) if timing else "", seconds_of(start, end)


def _time(seconds: Any) -> str:
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat() if finite(seconds) else ""
    except (OverflowError, OSError, ValueError):
        return ""


def _unbegun(episode: Fields) -> Fields:
    """Return an empty trace for an episode in which no agent ran: an attempt that nobody could grade."""
    return Fields(episode.path, {"id": episode.content.get("id"), "ok": False, "rewards": {}}, episode.at)

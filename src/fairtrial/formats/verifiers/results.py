"""verifiers v0: one rollout a line of `results.jsonl`, `{example_id or id, prompt, completion, reward, error, …}`.

What the model was and what ran it stands in `metadata.json` beside. Rollouts of one example are numbered in the order
of the file. verifiers writes 0.0 where no reward was given and leaves errors out of its pass@k: here a reward that is
missing, an error, and a reply of no turn at all are ungraded, the last unless such replies earned something in the same
file, which then keeps none. A file in which a reward exceeds 1 is on a scale of its
own: nobody knows where it passes, so all its rows are ungraded; `--columns score=NAME` takes one of its metrics.
Not covered: `trajectory`, the calls one by one, which repeats the messages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairtrial.formats.batch import Options
from fairtrial.formats.chat_messages import Named, document_of, said_of, steps_of, tools_of
from fairtrial.formats.json_files import Fields, read_fields
from fairtrial.formats.times import utc_or_empty
from fairtrial.formats.verifiers.records import Kept, Record, error_reason, hash_of, plain_text, seconds_of, verdict_of
from fairtrial.formats.verifiers.rewards import SCALE, Graded, finite, outcome_of, whole
from fairtrial.records import FormatError, Rollout

_AGENT = "verifiers"
_STOPS: Mapping[str, str] = {
    "max_turns_reached": "turn_limit", "prompt_too_long": "context_limit", "has_error": "error",
    "max_total_completion_tokens_reached": "output_limit", "timeout_reached": "agent_timeout",
    "no_tools_called": "finished", "mcp_no_tool_calls": "finished", "has_final_env_response": "finished",
    "agent_completed": "finished", "answer_ready": "finished", "is_done": "finished", "openenv_done": "finished",
}  # fmt: skip
_NOT_EVIDENCE = frozenset({"prompt", "completion", "trajectory", "info", "tool_defs", "oai_tools", "timing", "answer"})


@dataclass(slots=True)
class Results:
    """Makes records of the rows of one file, and numbers the attempts."""

    path: Path
    options: Options
    scale_is_known: bool = True
    keeps_replies: bool = True
    kept: Kept = field(default_factory=Kept)
    metadata: Fields = field(init=False)
    seen: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        """Read metadata.json where it is there. Raise FormatError where it is no JSON object."""
        beside = self.path.parent / "metadata.json"
        self.metadata = read_fields(beside) if beside.is_file() else Fields(beside, {})

    def records(self, content: dict[str, Any]) -> list[Record]:
        """Return the rollout of a row. Raise FormatError naming the field that is wrong."""
        row = Fields(self.path, content)
        rollout = self._rollout(row)
        found, evidence = self._graded(row), {"as_recorded": content.get("reward"), **_more(content)}
        key = plain_text(content.get("answer"))
        return [(rollout, verdict_of(rollout, found, evidence, self.options, key))]

    def _rollout(self, row: Fields) -> Rollout:
        meta = self.metadata
        env = meta.text("env_id") or meta.text("env") or self.options.suite
        model = meta.text("model") or self.options.model
        if not model:
            raise meta.wrong("model", "is missing, and no --model was given")
        task = _task(row, env)
        steps = self._steps(row)
        attempt = self.seen[task]
        self.seen[task] += 1
        replies = [step["message"] for step in steps if step["source"] == "agent" and isinstance(step["message"], str)]
        has_key = plain_text(row.content.get("answer")) is not None
        stop = row.text("stop_condition")
        settings = {name: meta.content[name] for name in ("sampling_args", "env_args") if meta.content.get(name)}
        return Rollout(
            task=task, model=model, suite=env, agent=_AGENT, attempt=attempt, effort=_effort(meta),
            settings=hash_of(settings), group=meta.path.parent.resolve().name if meta.content else "",
            trajectory=self._document(row, steps, model), answer=replies[-1].strip() if has_key and replies else None,
            stop=_STOPS.get(stop, stop) or ("error" if row.content.get("error") else ""), source=str(self.path),
            steps=sum(step["source"] == "agent" for step in steps) if steps else None, seconds=_seconds(row),
            recorded_at=utc_or_empty(meta.text("date")), **_tokens(row),
        )  # fmt: skip

    def _steps(self, row: Fields) -> list[dict[str, Any]]:
        try:
            return steps_of(
                [said for name in ("prompt", "completion") for said in said_of(row.content.get(name), name)]
            )
        except FormatError as error:
            self.kept.without_trajectory(error)
            return []

    def _document(self, row: Fields, steps: list[dict[str, Any]], model: str) -> str:
        if not steps:
            return ""
        info = row.content.get("info")
        tools = row.content.get("tool_defs") or (info.get("oai_tools") if isinstance(info, dict) else None)
        return self.kept.keep(document_of(Named(_AGENT, model=model), steps, tools_of(tools)), self.path.parent)

    def _graded(self, row: Fields) -> Graded:
        chosen = self.options.columns.get("score")
        value = row.content.get(chosen or "reward")
        metrics = row.content.get("metrics")
        if value is None and chosen and isinstance(metrics, dict):
            value = metrics.get(chosen)
        score = finite(value)
        reason = "" if score is not None else "reward_missing" if value is None else "reward_invalid"
        if reason or self.options.as_recorded:
            return outcome_of(score, reason or ("" if chosen or self.scale_is_known else SCALE))
        if error := row.content.get("error"):
            return Graded("ungraded", error_reason(error.get("error") if isinstance(error, dict) else error))
        if self.keeps_replies and not row.content.get("completion"):
            return Graded("ungraded", "no_completion")
        return outcome_of(score, "" if chosen or self.scale_is_known else SCALE)


def keeps_replies(rows: Iterable[Mapping[str, Any]]) -> bool:
    """Say whether no row without a reply earned anything: else the file keeps none, and an empty one says nothing.

    >>> keeps_replies([{"reward": 0.0, "completion": []}]), keeps_replies([{"reward": 1.0, "completion": []}])
    (True, False)
    """
    return not any(
        not row.get("completion") and not row.get("error") and (finite(row.get("reward")) or 0.0) > 0 for row in rows
    )


def scale_is_known(rows: Iterable[Mapping[str, Any]]) -> bool:
    """Say whether no reward exceeds 1, which a scale from 0 to 1 does not allow.

    >>> scale_is_known([{"reward": 1.0}, {"reward": 0.0}]), scale_is_known([{"reward": 0.2}, {"reward": 1.2}])
    (True, False)
    """
    return all((finite(row.get("reward")) or 0.0) <= 1 + 1e-9 for row in rows)


def _task(row: Fields, env: str) -> str:
    """Return the example's name: its number, with what it is an example of before it."""
    number = row.text("example_id") or row.text("id")
    if not number:
        raise row.wrong("example_id", "is missing")
    route = row.content.get("task")
    named = route if isinstance(route, str) and route not in ("", "default") else env
    return f"{named}-{number}" if named else number


def _effort(meta: Fields) -> str:
    arguments = meta.content.get("sampling_args")
    return str(arguments.get("reasoning_effort") or "") if isinstance(arguments, dict) else ""


def _seconds(row: Fields) -> float | None:
    """Return the seconds of the generation: v0 wrote milliseconds, later a span of seconds; 0 was never measured."""
    timing = row.content.get("timing")
    told = timing if isinstance(timing, dict) else row.content
    span = told.get("generation")
    if isinstance(span, dict):
        return seconds_of(span.get("start"), span.get("end"))
    milliseconds = finite(told.get("generation_ms"))
    return milliseconds / 1000 if milliseconds and milliseconds > 0 else None


def _tokens(row: Fields) -> dict[str, Any]:
    usage = row.content.get("token_usage")
    found = usage if isinstance(usage, dict) else {}
    return {name: whole(found.get(name)) for name in ("input_tokens", "output_tokens")}


def _more(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the other columns: the reward functions' values, the error, how it ended."""
    return {name: value for name, value in content.items() if name not in _NOT_EVIDENCE and name != "reward"}

"""One transcript as a rollout, its verdict and its trajectory: those of others, and those that we wrote.

Ours say every field, and are the rollouts that they were; where the trajectory that was written beside is missing or
is not what its address says, it is made from the messages, and the rollout has another id then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from fairtrial.formats.atif import document
from fairtrial.formats.batch import Options
from fairtrial.formats.exports import Turn, trajectory_of
from fairtrial.formats.scout.columns import ROLLOUT
from fairtrial.formats.scout.messages import turns_of
from fairtrial.formats.scout.verdicts import Graded, graded
from fairtrial.formats.times import utc_or_empty
from fairtrial.records import CheckResult, FormatError, Rollout, Verdict, digest

OURS = (*ROLLOUT, "outcome", "reason", "verdict_score", "grader", "checks")
"""Columns of ours that are read. Labels of the task, `effort` and `answer` are taken from others' files too."""
GRADER = "score of the transcript"
_ID_DIGITS = 12
_KEPT = ("score", "score_explanation", "error", "limit", "source_type", "source_id", "source_uri", "total_tokens")


@dataclass(frozen=True, slots=True)
class Made:
    """The records of one transcript."""

    rollout: Rollout
    verdict: Verdict | None
    trajectory: bytes


@dataclass(slots=True)
class Making:
    """Makes records, and numbers the attempts of transcripts that do not."""

    options: Options
    seen: Counter[tuple[str, ...]] = field(default_factory=Counter)

    def of_theirs(self, row: Mapping[str, Any], source: Path) -> Made:
        """Return the records of a transcript. Raise FormatError where it names no model, or its messages are none."""
        turns = _turns(row)
        model = _text(row, "model") or self.options.model or _text(row, "agent")
        if not model:
            raise FormatError("names neither a model nor an agent: say whose it is with --model NAME", field="model")
        task, suite = _task(row, turns), _text(row, "task_set") or self.options.suite
        agent = _text(row, "agent")
        blob = _blob(turns, agent or "unknown", model)
        rollout = Rollout(
            task=task, model=model, suite=suite, agent=agent, attempt=self._attempt(row, suite, task, model, agent),
            trajectory=digest(blob) if blob else "", label=_id(row), source=str(source), stop=_stop(row),
            steps=sum(turn.role == "assistant" for turn in turns) if turns else None,
            answer=_text(row, "answer") or None, seconds=_amount(row.get("total_time")),
            recorded_at=utc_or_empty(_text(row, "date")), domain=_text(row, "domain"), family=_text(row, "family"),
            cluster=_text(row, "cluster"), split=_text(row, "split"), effort=_text(row, "effort"),
        )  # fmt: skip
        said = graded(dict(row), self.options.as_recorded)
        return Made(rollout, None if said is None else _verdict(rollout, said, row), blob)

    def of_ours(self, row: Mapping[str, Any], kept: bytes, source: Path) -> Made:
        """Return the records of a transcript that we wrote."""
        address = _text(row, "trajectory")
        blob = kept if kept and digest(kept) == address else b""
        if address and not blob:
            blob = _blob(_turns(row), _text(row, "agent") or "unknown", _text(row, "model"))
        fields = {name: row[name] for name in ROLLOUT if row.get(name) is not None} | {
            "task": _text(row, "task_id"), "model": _text(row, "model"), "agent": _text(row, "agent"),
            "trajectory": digest(blob) if blob else "", "source": str(source),
        }  # fmt: skip
        if not (fields["task"] and fields["model"]):
            raise FormatError("names no task or no model", field="task_id" if not fields["task"] else "model")
        rollout = Rollout(**fields)
        if not row.get("outcome") or row.get("reason") == "not_graded":
            return Made(rollout, None, blob)
        checks = orjson.loads(_text(row, "checks") or "{}")
        verdict = Verdict(
            rollout=rollout.id, outcome=row["outcome"], reason=_text(row, "reason"), score=row.get("verdict_score"),
            grader=_text(row, "grader"), recorded_at=rollout.recorded_at, task_hash=rollout.task_hash,
            checks=tuple(CheckResult(name, status) for name, status in checks.items()),
        )  # fmt: skip
        return Made(rollout, verdict, blob)

    def _attempt(self, row: Mapping[str, Any], *run: str) -> int:
        stated = row.get("task_repeat")
        if isinstance(stated, int) and not isinstance(stated, bool):
            return stated
        number = self.seen[run]
        self.seen[run] += 1
        return number


def _verdict(rollout: Rollout, said: Graded, row: Mapping[str, Any]) -> Verdict:
    evidence = {name: row[name] for name in _KEPT if row.get(name) not in (None, "")}
    return Verdict(rollout=rollout.id, outcome=said.outcome, reason=said.reason, score=said.score, grader=GRADER,
                   recorded_at=rollout.recorded_at,
                   evidence=orjson.dumps(evidence, default=str, option=orjson.OPT_SORT_KEYS).decode())  # fmt: skip


def _turns(row: Mapping[str, Any]) -> tuple[Turn, ...]:
    messages = row.get("messages")
    return turns_of(messages) if isinstance(messages, str) and messages else ()


def _blob(turns: tuple[Turn, ...], agent: str, model: str) -> bytes:
    if not turns:
        return b""
    return orjson.dumps(document(trajectory_of(turns, agent=agent, model=model)), option=orjson.OPT_SORT_KEYS)


def _task(row: Mapping[str, Any], turns: tuple[Turn, ...]) -> str:
    """Return the task's name; where none is stated, `prompt-` and a hash of what came before the first reply."""
    if stated := _text(row, "task_id"):
        return stated
    first = next((at for at, turn in enumerate(turns) if turn.role == "assistant"), len(turns))
    if not first:
        return _id(row)
    asked = digest(orjson.dumps([[turn.role, turn.content] for turn in turns[:first]])).removeprefix("sha256:")
    return f"prompt-{asked[:_ID_DIGITS]}"


def _id(row: Mapping[str, Any]) -> str:
    found = row.get("transcript_id")
    if found in (None, ""):
        raise FormatError("is missing", field="transcript_id")
    return str(found)


def _stop(row: Mapping[str, Any]) -> str:
    """Return why it stopped, in the words of rollouts.

    >>> _stop({"limit": "token"}), _stop({"limit": "time"}), _stop({"error": "x"}), _stop({})
    ('token_limit', 'agent_timeout', 'error', '')
    """
    limit = _text(row, "limit").removesuffix("s")
    if limit:
        return {"time": "agent_timeout", "turn": "turn_limit"}.get(limit, f"{limit}_limit")
    return "error" if _text(row, "error") else ""


def _text(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    return "" if value is None else value if isinstance(value, str) else str(value)


def _amount(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and 0 <= value < float("inf") else None

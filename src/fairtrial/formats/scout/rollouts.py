"""One transcript as a rollout, its verdict and its trajectory: those of others, and those that we wrote.

Others' transcripts are read as Inspect's logs are: the epoch is the attempt, a limit is the agent's own doing. Ours say
every field, and are the rollouts that they were; where the trajectory that was written beside is missing or is not
what its address says, it is made from the messages, and the rollout has another id then.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args

import orjson
import pyarrow as pa

from fairtrial.formats.atif_pictures import with_pictures
from fairtrial.formats.chat_messages import Named, document_of
from fairtrial.formats.inspect.conversation import steps_of
from fairtrial.formats.inspect.records import STOPS
from fairtrial.formats.json_files import attempt_number
from fairtrial.formats.scout.columns import ROLLOUT
from fairtrial.formats.scout.verdicts import EVAL_LOG, graded
from fairtrial.formats.times import utc_or_empty
from fairtrial.records import CheckResult, CheckStatus, FormatError, Outcome, Rollout, Verdict, digest
from fairtrial.records.rollout import Origin

OURS = (*ROLLOUT, "outcome", "reason", "verdict_score", "grader", "checks")
"""Columns of ours that are read; of others' files too where they are there: labels of the task, effort, answer."""
INSPECT = ("target", "sample_metadata", "working_time")
"""Columns that Scout adds for transcripts of Inspect's logs, and that are read."""
GRADER = "scout"
_ID_DIGITS = 12
_MOST_TEXT = 4000
_KEPT = ("score", "success", "score_explanation", "error", "limit", "source_type", "source_id", "source_uri",
         "total_tokens")  # fmt: skip
_LABELS = ("domain", "family", "cluster", "split")
_ATTEMPTS = 2**63
_WITHOUT = "the rollout is kept without its trajectory"
_FORGED = "the trajectory beside it is not what its address says; it is made from the messages"


@dataclass(frozen=True, slots=True)
class Made:
    """The records of one transcript."""

    rollout: Rollout
    verdict: Verdict | None
    blobs: tuple[bytes, ...] = ()
    notes: tuple[str, ...] = ()
    """What of the trajectory could not be kept, one line each."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """A trajectory as it is stored: the document, then its images."""

    blobs: tuple[bytes, ...] = ()
    notes: tuple[str, ...] = ()
    asked: str = ""
    """Hash of what came before the first reply, some digits of it."""
    steps: int | None = None

    @property
    def address(self) -> str:
        return digest(self.blobs[0]) if self.blobs else ""


@dataclass(slots=True)
class Making:
    """Makes records of rows."""

    suite: str = ""
    """Of transcripts that name none; so is `model`."""
    model: str = ""
    as_recorded: bool = False

    def of_theirs(self, row: Mapping[str, Any], source: Path) -> Made:
        """Return the records of a transcript. Raise FormatError where it names no model."""
        model, agent = _text(row, "model") or self.model or _text(row, "agent"), _text(row, "agent")
        if not model:
            raise FormatError("names neither a model nor an agent: say whose it is with --model NAME", field="model")
        kept = _kept(row, agent or "unknown", model, source)
        task = _text(row, "task_id") or (f"prompt-{kept.asked}" if kept.asked else _id(row))
        suite = _text(row, "task_set") or self.suite
        seconds = (_amount(row.get(name)) for name in ("working_time", "total_time"))
        rollout = Rollout(
            task=task, model=model, suite=suite, agent=agent, effort=_effort(row), answer=_text(row, "answer") or None,
            attempt=_attempt(row), trajectory=kept.address, label=_id(row), group=_text(row, "source_id"),
            source=str(source), stop=_stop(row), steps=kept.steps,
            seconds=next((one for one in seconds if one is not None), None),
            recorded_at=utc_or_empty(_text(row, "date")), **_labels(row),
        )  # fmt: skip
        return Made(rollout, self._verdict(rollout, row), kept.blobs, kept.notes)

    def of_ours(self, row: Mapping[str, Any], beside: bytes, source: Path) -> Made:
        """Return the records of a transcript that we wrote; `beside` is the trajectory that lay beside, if any."""
        address = _text(row, "trajectory")
        kept = _Kept((beside,)) if beside and digest(beside) == address else _Kept()
        if address and not kept.blobs:
            kept = _kept(row, _text(row, "agent") or "unknown", _text(row, "model"), source)
            kept = replace(kept, notes=(*kept.notes, _FORGED) if beside else kept.notes)
        fields = _fields_of_ours(row) | {
            "task": _text(row, "task_id"), "model": _text(row, "model"), "agent": _text(row, "agent"),
            "trajectory": kept.address, "source": str(source),
        }  # fmt: skip
        for name, column in (("task", "task_id"), ("model", "model")):
            if not fields[name]:
                raise FormatError("is missing", field=column)
        rollout = Rollout(**fields)
        return Made(rollout, _verdict_of_ours(rollout, row), kept.blobs, kept.notes)

    def _verdict(self, rollout: Rollout, row: Mapping[str, Any]) -> Verdict | None:
        said = graded(row, self.as_recorded)
        if said is None:
            return None
        evidence = {name: value[-_MOST_TEXT:] if isinstance(value := row[name], str) else value
                    for name in _KEPT if row.get(name) not in (None, "")}  # fmt: skip
        expected = _text(row, "target") if row.get("source_type") == EVAL_LOG else ""
        return Verdict(
            rollout=rollout.id, outcome=said.outcome, reason=said.reason, score=said.score, expected=expected or None,
            grader=f"{GRADER}/as-recorded" if self.as_recorded else GRADER, recorded_at=rollout.recorded_at,
            evidence=orjson.dumps(evidence, default=str, option=orjson.OPT_SORT_KEYS).decode(),
        )  # fmt: skip


def _fields_of_ours(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what our own columns say of a rollout. Raise FormatError for what is not of its column's kind."""
    found = {name: row[name] for name in ROLLOUT if row.get(name) is not None}
    for name, value in found.items():
        kind = int if ROLLOUT[name] == pa.int64() else float if ROLLOUT[name] == pa.float64() else str
        if type(value) is not kind or (isinstance(value, float) and not math.isfinite(value)):
            raise FormatError(f"is {value!r}, which no rollout has there", field=name)
    if found.get("origin") not in (None, *get_args(Origin)):
        raise FormatError(f"is {found['origin']!r}, not {' or '.join(get_args(Origin))}", field="origin")
    return found


def _attempt(row: Mapping[str, Any]) -> int:
    """Return the attempt that is stated, else one of the transcript's own id: the same whatever else is read."""
    stated = row.get("task_repeat")
    if type(stated) is int and 0 <= stated < _ATTEMPTS:
        return stated
    return attempt_number(_id(row))


def _verdict_of_ours(rollout: Rollout, row: Mapping[str, Any]) -> Verdict | None:
    """Return the verdict as it was. Raise FormatError for one that no ledger holds: somebody wrote in the file."""
    outcome, reason, score, checks = (row.get("outcome"), _text(row, "reason"), row.get("verdict_score"),
                                      _object(row, "checks"))  # fmt: skip
    if not outcome or reason == "not_graded":
        return None
    if outcome not in get_args(Outcome) or (reason and outcome != "ungraded"):
        raise FormatError(f"is {outcome!r} with the reason {reason!r}, which is no verdict", field="outcome")
    if score is not None and (type(score) is not float or not 0 <= score <= 1):
        raise FormatError(f"is {score!r}, not a number in [0, 1]", field="verdict_score")
    if not all(status in get_args(CheckStatus) for status in checks.values()):
        raise FormatError("names a status that no check has", field="checks")
    return Verdict(
        rollout=rollout.id, outcome=outcome, reason=reason, score=score,
        grader=_text(row, "grader"), recorded_at=rollout.recorded_at, task_hash=rollout.task_hash,
        checks=tuple(CheckResult(name, status) for name, status in checks.items()),
    )  # fmt: skip


def _kept(row: Mapping[str, Any], agent: str, model: str, source: Path) -> _Kept:
    """Return the messages as a trajectory, with the images that they hold."""
    text = row.get("messages")
    if not isinstance(text, str) or not text:
        return _Kept()
    named = Named(agent, model=model, id=_id(row))
    try:
        steps = steps_of({"messages": orjson.loads(text)})
        taken = with_pictures(document_of(named, steps, []), source.parent)
    except orjson.JSONDecodeError as error:  # half a character, too, which no document can hold
        return _Kept(notes=(f"messages: is not JSON: {error}; {_WITHOUT}",))
    except FormatError as error:
        return _Kept(notes=(f"{error.field}: {error.what}; {_WITHOUT}",))
    if not steps:
        return _Kept()
    first = next((at for at, step in enumerate(steps) if step["source"] == "agent"), len(steps))
    asked = digest(orjson.dumps([[step["source"], step["message"]] for step in steps[:first]])) if first else ""
    notes = tuple(f"{why}; the trajectory is kept without it" for why in taken.missing)
    return _Kept((taken.document, *taken.blobs), notes, asked.removeprefix("sha256:")[:_ID_DIGITS],
                 sum(step["source"] == "agent" for step in steps))  # fmt: skip


def _labels(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the columns, or the metadata of an Inspect sample, say of a task's kind."""
    metadata = _object(row, "sample_metadata")
    found = {name: row.get(name) or metadata.get(name) for name in _LABELS}
    return {name: str(value) for name, value in found.items() if isinstance(value, str | int) and value != ""}


def _effort(row: Mapping[str, Any]) -> str:
    told = _text(row, "effort") or _object(row, "model_options").get("reasoning_effort")
    return told if isinstance(told, str) else ""


def _object(row: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a column of JSON as an object, empty where it is none."""
    text = row.get(name)
    try:
        found = orjson.loads(text) if isinstance(text, str) and text else {}
    except orjson.JSONDecodeError:
        found = {}
    return found if isinstance(found, dict) else {}


def _id(row: Mapping[str, Any]) -> str:
    found = row.get("transcript_id")
    if found in (None, ""):
        raise FormatError("is missing", field="transcript_id")
    return str(found)


def _stop(row: Mapping[str, Any]) -> str:
    """Return why it stopped, in the words of rollouts; empty where that is not said.

    >>> _stop({"limit": "token"}), _stop({"limit": "time"}), _stop({"error": "x"}), _stop({})
    ('token_limit', 'agent_timeout', 'error', '')
    """
    limit = _text(row, "limit")
    if limit:
        return STOPS.get(limit.removesuffix("s"), f"{limit}_limit")
    return "error" if _text(row, "error") else ""


def _text(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    return "" if value is None else value if isinstance(value, str) else str(value)


def _amount(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and 0 <= value < float("inf") else None

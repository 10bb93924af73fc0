"""A sample as a rollout, its verdict and its trajectory.

The epoch is the attempt. What was under way when an error struck, was cancelled, ended by an operator or was declared
invalid is ungraded, whatever score it was given; the score as recorded stands in the verdict's evidence and, with
`as_recorded`, is the verdict. A limit is the agent's own doing, and its score counts. A sample of a log in which no
scorer ran has no verdict. Tokens and cost are those of the model under test: a grader's of another model are left out,
and those of the role `grader` where it is played by the same model. The answer is the model's last output, whatever a
scorer made of it: scoring a log anew must not make another rollout of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from fairtrial.formats.atif_pictures import with_pictures
from fairtrial.formats.batch import Options, Skipped
from fairtrial.formats.chat_messages import Named, document_of
from fairtrial.formats.inspect.conversation import MOST, conversation_of, metrics_of
from fairtrial.formats.inspect.log import Found
from fairtrial.formats.inspect.run import GRADER_ROLE, Run, sandbox_of
from fairtrial.formats.inspect.scores import FULL, Graded, reason_of
from fairtrial.formats.json_files import Fields
from fairtrial.formats.times import seconds_between, utc_or_empty
from fairtrial.records import FormatError, Rollout, Verdict, digest, storable

STOPS: Mapping[str, str] = {
    "context": "context_limit", "time": "agent_timeout", "working": "agent_timeout", "message": "message_limit",
    "token": "token_limit", "turn": "turn_limit", "cost": "cost_limit", "operator": "operator", "custom": "limit",
}  # fmt: skip
_MOST_TEXT = 4000
"""Characters of an explanation that are kept, as many as of the output of our own graders."""
_LABELS = ("domain", "family", "cluster", "split")


@dataclass(frozen=True, slots=True)
class Sampled:
    """The records of one sample."""

    rollout: Rollout
    verdict: Verdict | None
    blobs: tuple[bytes, ...]
    notes: tuple[Skipped, ...]
    graded: Graded


def sampled(run: Run, found: Found, options: Options) -> Sampled:
    """Return the records of a sample. Raise FormatError where it names no task or its fields are of no use."""
    sample = Fields(run.path, found.content, f"{found.where}: ")
    kept = _kept(run, found)
    rollout = _rollout(run, sample, options, kept)
    scores = sample.inner("scores")
    graded = run.choice.graded(scores.content if scores else {})
    is_graded = run.is_graded or graded.told is not None or sample.content.get("error") is not None
    verdict = _verdict(run, rollout, sample, graded, options) if is_graded else None
    return Sampled(rollout, verdict, kept.blobs, kept.notes, graded)


@dataclass(frozen=True, slots=True)
class _Kept:
    """A trajectory as it is stored: the document, then its images; nothing but a note where it cannot be read."""

    blobs: tuple[bytes, ...] = ()
    notes: tuple[Skipped, ...] = ()
    steps: int | None = None
    """Of the agent."""

    @property
    def address(self) -> str:
        return digest(self.blobs[0]) if self.blobs else ""


def _kept(run: Run, found: Found) -> _Kept:
    if found.is_summary:
        return _Kept()
    place = f"{run.path}, {found.where}"
    try:
        said = conversation_of(found.content)
        name = Named(run.agent or "inspect", model=run.model, id=str(found.content.get("uuid") or ""))
        document = document_of(name, said.steps, said.tools)
    except (FormatError, TypeError) as error:  # TypeError: half a character, which no document can hold
        what = f"{error.field}: {error.what}" if isinstance(error, FormatError) else str(error)
        return _Kept(notes=(Skipped(place, f"{what}; the sample is kept without its trajectory"),))
    steps = len([step for step in said.steps if step["source"] == "agent"])
    if not said.has_images:
        return _Kept((document,), steps=steps)
    taken = with_pictures(document, run.path.parent)
    notes = tuple(Skipped(place, f"{why}; the trajectory is kept without it") for why in taken.missing)
    return _Kept((taken.document, *taken.blobs), notes, steps)


def _rollout(run: Run, sample: Fields, options: Options, kept: _Kept) -> Rollout:
    task, epoch = sample.text("id"), sample.integer("epoch")
    if not task:
        raise sample.wrong("id", "is missing")
    started, ended = (utc_or_empty(sample.text(name)) for name in ("started_at", "completed_at"))
    times = (sample.number("working_time"), sample.number("total_time"), seconds_between(started, ended))
    return Rollout(
        task=storable(task), model=run.model, agent=run.agent, effort=run.effort, suite=run.suite, seed=run.seed,
        attempt=1 if epoch is None else epoch, settings=run.settings,
        environment=sandbox_of(sample.content.get("sandbox")) or run.environment, trajectory=kept.address,
        group=_group(run, sample, kept),
        answer=_answer(sample), stop=_stop(sample), label=sample.text("uuid"), source=str(run.path),
        steps=kept.steps, seconds=next((time for time in times if time is not None and 0 <= time <= MOST), None),
        recorded_at=started or run.started, **_spent(run, sample), **_labels(sample, options),
    )  # fmt: skip


def _group(run: Run, sample: Fields, kept: _Kept) -> str:
    """Return what tells an attempt from that of another run where no trajectory with the sample's uuid does.

    Without it two runs that gave the same answers would be one. Logs of before 2025 have no uuid: the time of the first
    event stands for it, which a retried log copies as it does a uuid.
    """
    if uuid := sample.text("uuid"):
        return "" if kept.address else uuid
    events = sample.content.get("events")
    first = events[0] if isinstance(events, list) and events else None
    time = first.get("timestamp") if isinstance(first, dict) else None
    return utc_or_empty(time) if isinstance(time, str) and utc_or_empty(time) else run.id


def _answer(sample: Fields) -> str | None:
    """Return the model's last output, as the sample's output states it."""
    output = sample.content.get("output")
    if not isinstance(output, dict):
        return None
    said = output.get("completion")
    if not isinstance(said, str):
        choices = output.get("choices")
        first = choices[0] if isinstance(choices, list) and choices else {}
        message = first.get("message") if isinstance(first, dict) else None
        said = message.get("content") if isinstance(message, dict) else None
    if isinstance(said, list):
        said = "\n".join(part["text"] for part in said if isinstance(part, dict) and isinstance(part.get("text"), str))
    return storable(said) if isinstance(said, str) and said else None


def _stop(sample: Fields) -> str:
    if (error := sample.content.get("error")) is not None:
        return "cancelled" if _error_reason(error) == "cancelled" else "error"
    limit = sample.inner("limit")
    kind = limit.text("type") if limit else ""
    return STOPS.get(kind, f"{kind}_limit" if kind else "finished")


def _error_reason(error: Any) -> str:
    message = error.get("message") if isinstance(error, dict) else error
    reason = reason_of(message, "error") if isinstance(message, str) else "error"
    return "cancelled" if reason in ("cancelled", "cancelled_error") else reason


def _labels(sample: Fields, options: Options) -> dict[str, Any]:
    """Return what the metadata say of a task's kind, under our names or those that the user gave."""
    metadata = sample.content.get("metadata")
    if not isinstance(metadata, dict):
        return {}
    found = {ours: metadata.get(options.columns.get(ours, ours)) for ours in _LABELS}
    return {ours: storable(str(value)) for ours, value in found.items()
            if isinstance(value, str | int) and not isinstance(value, bool)}  # fmt: skip


def _spent(run: Run, sample: Fields) -> dict[str, Any]:
    """Return the tokens and the cost of the model under test; of all models but the grader's where it has none."""
    by_model, by_role = sample.inner("model_usage"), sample.inner("role_usage")
    usage = by_model.content if by_model else {}
    own = [usage[run.model]] if run.model in usage else list(usage.values())
    grader = by_role.content.get(GRADER_ROLE) if by_role and (run.shares_grader or run.model not in usage) else None
    names = {"input_tokens": "prompt_tokens", "output_tokens": "completion_tokens", "cost_usd": "cost_usd"}
    spent, graders = [metrics_of(one) for one in own], metrics_of(grader)
    found: dict[str, Any] = {}
    for ours, theirs in names.items():
        known = [one[theirs] for one in spent if theirs in one]
        if known:
            found[ours] = max(0, sum(known) - graders.get(theirs, 0))
    return found


def _verdict(run: Run, rollout: Rollout, sample: Fields, graded: Graded, options: Options) -> Verdict:
    recorded = options.as_recorded and graded.score is not None
    reason = graded.reason if recorded else _broken(sample) or graded.reason
    outcome: dict[str, Any] = {"outcome": "ungraded", "reason": reason} if reason or graded.score is None else {
        "outcome": "passed" if graded.score >= FULL else "failed", "score": graded.score}  # fmt: skip
    name = f"inspect/{graded.scorer}" if graded.scorer else "inspect"
    return Verdict(
        rollout=rollout.id, **outcome, checks=graded.checks, expected=_expected(sample),
        evidence=_evidence(sample, graded), grader=storable(f"{name}/as-recorded" if options.as_recorded else name),
        recorded_at=utc_or_empty(sample.text("completed_at")) or run.ended or rollout.recorded_at,
    )  # fmt: skip


def _broken(sample: Fields) -> str:
    """Return why the score of a sample does not count, empty where it does."""
    if sample.content.get("invalidation"):
        return "invalidated"
    if (error := sample.content.get("error")) is not None:
        return _error_reason(error)
    limit = sample.inner("limit")
    return "operator" if limit and limit.text("type") == "operator" else ""


def _expected(sample: Fields) -> str | None:
    target = sample.content.get("target")
    if isinstance(target, list):
        target = target[0] if len(target) == 1 else None
    return storable(target) if isinstance(target, str) and target else None


def _evidence(sample: Fields, graded: Graded) -> str:
    told = graded.told or {}
    error, limit = sample.content.get("error"), sample.content.get("limit")
    history, retries = told.get("history"), sample.content.get("error_retries")
    evidence: dict[str, Any] = {
        "as_recorded": graded.value, "answer": _cut(told.get("answer")), "explanation": _cut(told.get("explanation")),
        "reason": told.get("reason"), "error": _cut(error.get("message") if isinstance(error, dict) else error),
        "limit": limit, "edits": len(history) if isinstance(history, list) else 0,
        "retries": len(retries) if isinstance(retries, list) else 0,
    }  # fmt: skip
    told_of = {name: value for name, value in evidence.items() if value or name == "as_recorded"}
    return orjson.dumps(told_of, default=str).decode()


def _cut(text: Any) -> str:
    """Return the end of a text: there stands what a scorer, or an error, came to."""
    return storable(text[-_MOST_TEXT:]) if isinstance(text, str) else ""

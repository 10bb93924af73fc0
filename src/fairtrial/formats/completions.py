"""Rollouts of what another trainer logged or trained on: a conversation, and perhaps a score; one row a rollout.

The conversation is kept as a trajectory, so that reviewers and detectors see what was asked. A row of a trainer's log
that names no task has its prompt for one: `prompt-` and twelve digits of its hash. Scores become verdicts: passed from
1 - 1e-9 on, or as the reward function's own `acc` says; a score that is missing, or outside [0, 1] with no `acc`
beside it, is ungraded. Not covered: which columns a trainer writes (one file a format).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson

from fairtrial.formats.atif import document
from fairtrial.formats.batch import Options
from fairtrial.formats.exports.conversation import trajectory_of
from fairtrial.formats.exports.rows import Turn
from fairtrial.records import InputError, Outcome, Rollout, Verdict, digest

AGENT = "completion"
FULL = 1 - 1e-9
_ID_DIGITS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged:
    """One row: what was asked and said, and what is known of it."""

    prompt: tuple[Turn, ...]
    reply: tuple[Turn, ...]
    task: str = ""
    step: int | None = None
    """Training step in which it was sampled; None for a row of a training set."""
    score: float | None = None
    accuracy: bool | None = None
    """What the reward function itself calls right, where it says so."""
    is_scored: bool = False
    """False: nobody graded it, and it has no verdict."""
    expected: str | None = None
    more: Mapping[str, Any] = field(default_factory=dict)
    """Other columns, kept as evidence."""


@dataclass(slots=True)
class Making:
    """Makes records of the rows of one file or folder, and numbers the attempts."""

    options: Options
    seen: Counter[tuple[str, int | None]] = field(default_factory=Counter)
    now: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))

    def __post_init__(self) -> None:
        """Raise InputError where no model is named: such files name none."""
        if not self.options.model:
            raise InputError("such files name no model", field="--model", hint="Say whose they are: --model NAME.")

    def records(self, row: Logged, source: Path, group: bool) -> tuple[Rollout, Verdict | None, bytes]:
        """Return the rollout, its verdict and its trajectory; `group`: rows of one step and prompt were compared."""
        told = trajectory_of((*row.prompt, *row.reply), agent=AGENT, model=self.options.model)
        blob = orjson.dumps(document(told), option=orjson.OPT_SORT_KEYS)
        asked = digest(orjson.dumps([[turn.role, turn.content] for turn in row.prompt])).removeprefix("sha256:")
        task = row.task or f"prompt-{asked[:_ID_DIGITS]}"
        attempt = self.seen[task, row.step]
        self.seen[task, row.step] += 1
        rollout = Rollout(
            task=task, model=self.options.model, suite=self.options.suite, attempt=attempt, agent=AGENT, step=row.step,
            group=f"step-{row.step}-{asked[:_ID_DIGITS]}" if group else "", split="train", trajectory=digest(blob),
            answer=row.reply[-1].content, steps=sum(turn.role == "assistant" for turn in row.reply), source=str(source),
            recorded_at=self.now,
        )  # fmt: skip
        return rollout, self._verdict(row, rollout), blob

    def _verdict(self, row: Logged, rollout: Rollout) -> Verdict | None:
        if not row.is_scored:
            return None
        outcome, reason = _outcome(row)
        score = row.score if row.score is not None and 0 <= row.score <= 1 and not reason else None
        evidence = {"score": row.score if row.score is not None and math.isfinite(row.score) else None, **row.more}
        return Verdict(rollout=rollout.id, outcome=outcome, reason=reason, score=score, grader="reward of the trainer",
                       expected=row.expected, recorded_at=self.now,
                       evidence=orjson.dumps(evidence, default=str, option=orjson.OPT_SORT_KEYS).decode())  # fmt: skip


def _outcome(row: Logged) -> tuple[Outcome, str]:
    """Return the outcome, and the reason where it is ungraded.

    >>> said = Turn(role="assistant", content="4")
    >>> [_outcome(Logged(prompt=(), reply=(said,), score=score, accuracy=acc))
    ...  for score, acc in ((1.0, None), (0.5, None), (-1.0, None), (-1.0, False), (None, None))]
    [('passed', ''), ('failed', ''), ('ungraded', 'score_out_of_range'), ('failed', ''), ('ungraded', 'score_missing')]
    """
    if row.accuracy is not None:
        return ("passed" if row.accuracy else "failed"), ""
    if row.score is None or math.isnan(row.score):
        return "ungraded", "score_missing"
    if not 0 <= row.score <= 1:
        return "ungraded", "score_out_of_range"
    return ("passed" if row.score >= FULL else "failed"), ""


def number(value: Any) -> float | None:
    """Return a number; None for what is none."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None

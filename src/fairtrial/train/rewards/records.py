"""Rollouts sampled in training, for a ledger: one an attempt, with step and group, of split `train`.

Ids are hashes of content, so that what a resumed run samples again is the same record. Records wait until `keep`,
which a stage calls before a checkpoint is published: a ledger holds every step up to the last checkpoint. Its verdicts
are those of the task's own grader, whatever the reward was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from fairtrial.grade.text import text_grader_hash
from fairtrial.ledger import Ledger, Writer
from fairtrial.records import Rollout, Verdict, record_id
from fairtrial.tasks import Task
from fairtrial.tasks.text import TextKey
from fairtrial.train.rewards.protocol import Graded, Sampled

AGENT, ENVIRONMENT, SPLIT = "completion", "text", "train"
Entry = tuple[Rollout, tuple[Verdict, ...], tuple[bytes, ...]]


@dataclass(slots=True, kw_only=True)
class TrainingRecords:
    """Collects what was sampled in one stage of one seed."""

    ledger: Path
    model: str
    seed: int
    settings: Mapping[str, object]
    keys: Mapping[str, TextKey]
    _waiting: list[Entry] = field(default_factory=list)

    def add(self, sampled: Sequence[Sampled], graded: Sequence[Graded]) -> None:
        """Take one group."""
        self._waiting += [self._entry(one, said) for one, said in zip(sampled, graded, strict=True)]

    def keep(self) -> None:
        """Write what waits; on return it is safe on disk."""
        if self._waiting:
            ledger = Ledger.open(self.ledger, create=True)
            ledger.put_blobs([blob for _, _, blobs in self._waiting for blob in blobs])
            with Writer(ledger, records=len(self._waiting) + 1, seconds=60) as writer:
                for rollout, verdicts, _ in self._waiting:
                    writer.add(rollout, *verdicts)
            self._waiting = []

    def _entry(self, one: Sampled, said: Graded) -> Entry:
        rollout, verdicts, blobs = said.records or self._of_text(one, said)
        placed = replace(rollout, model=self.model, seed=self.seed, step=one.step, group=one.group, split=SPLIT,
                         attempt=one.number)  # fmt: skip
        return placed, tuple(replace(verdict, rollout=placed.id) for verdict in verdicts), blobs

    def _of_text(self, one: Sampled, said: Graded) -> Entry:
        assert not isinstance(one.task, Task)
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        task, key, grading = one.task, self.keys[one.task.name], said.grading
        rollout = Rollout(
            task=task.name, model=self.model, suite=task.suite, task_hash=task.hash, domain=task.domain,
            family=task.family, cluster=task.cluster, agent=AGENT, environment=ENVIRONMENT, answer=one.completion,
            settings=record_id("settings/1", self.settings), stop="finished" if one.finished else "output_limit",
            steps=1, output_tokens=one.tokens, recorded_at=now,
        )  # fmt: skip
        verdict = Verdict(rollout="", outcome=grading.outcome, reason=grading.reason, score=grading.score,
                          grader=text_grader_hash(key), expected=key.answer, task_hash=task.hash,
                          recorded_at=now)  # fmt: skip
        return rollout, (verdict,), ()

"""A trial: one attempt, and the grading of what it handed in. This is the job that the engine's workers do.

The grader holds the key and is asked only about what was taken out of the agent's box; the agent is never given it.
"""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import orjson

from fairtrial.formats.atif import document
from fairtrial.grade import Grader, Grading, HarborGrader
from fairtrial.ledger import Writer
from fairtrial.models import ModelSpec
from fairtrial.models.spec import BASE_URL_VARIABLE
from fairtrial.records import Rollout, Verdict, digest
from fairtrial.run.attempt import Assignment, Attempt
from fairtrial.run.protocol import Carries
from fairtrial.run.trajectory import seen_by_grader, trajectory_of
from fairtrial.sandbox import Box, Taken
from fairtrial.sandbox.cache import scratch_folder
from fairtrial.tasks import Step

MOST_KEPT_BYTES = 8_000_000
MOST_SAID = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """What a trial came to: records for the ledger, and the blobs they name."""

    rollout: Rollout
    gradings: tuple[Grading, ...]
    """One, or as many as the trial was asked for, all of the same deliverable."""
    verdicts: tuple[Verdict, ...]
    """Of those gradings, in order."""
    blobs: tuple[bytes, ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()
    """What the agent left that is not part of the deliverable, and why."""
    said: str = ""
    """End of what the agent's last action printed."""

    def keep(self, writer: Writer) -> None:
        """Hand all of it to `writer`, blobs first: what a ledger names, it holds."""
        for blob in self.blobs:
            writer.put_blob(blob)
        writer.add(self.rollout, *self.verdicts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """Make one attempt and grade it."""

    assignment: Assignment
    grader: Grader
    times: int = 1
    """How often what was handed in is graded; more than once shows a grader that is not of one mind."""
    keep: bool = True
    """Keep trajectory and deliverable as blobs; known candidates can be made again, so they are not kept."""

    def __call__(self) -> Tried:
        """Return the records of the attempt and of its grading."""
        with scratch_folder() as scratch:
            with Attempt(self.assignment, scratch) as attempt:
                first = self._act_and_grade(attempt)
            again = [self._grade_again(attempt) for _ in range(self.times - 1)] if not attempt.broken else []
            return self._tried(attempt, (self._combined(attempt, first), *again))

    def carries(self) -> Iterator[Path]:
        """Yield the files and folders that it reads, for the machine it is done on."""
        task, agent = self.assignment.task, self.assignment.agent
        named = [task.environment.context, *(step.workdir for step in task.steps)]
        named += [mount.source for mount in agent.mounts()]
        named += agent.carries() if isinstance(agent, Carries) else ()
        if isinstance(self.grader, HarborGrader):
            key = self.grader.key
            named += [key.path, key.grading]
            named += [path for step in key.steps for path in (step.tests, step.solution)]
        yield from (path for path in named if path is not None)

    def variables(self) -> Iterator[str]:
        """Yield the names of the environment variables that say where its models are and hold their keys."""
        for spec in (getattr(self.assignment.agent, "spec", None), getattr(self.grader, "judge", None)):
            if isinstance(spec, ModelSpec):
                yield spec.api_key_variable
                if not spec.base_url:
                    yield BASE_URL_VARIABLE

    def why_not_here(self) -> str:
        """Return why this machine cannot do it, empty where it can."""
        sandbox = self.assignment.sandbox
        capability = sandbox.capability()
        return "" if capability.available else f"the sandbox `{sandbox.name}` does not work there: {capability.why}"

    def _act_and_grade(self, attempt: Attempt) -> list[Grading]:
        task = self.assignment.task
        gradings: list[Grading] = []
        for step in task.steps:
            deliverable = attempt.act(step)
            if deliverable is None:
                break
            is_live = self.assignment.is_live
            if not is_live and attempt.box is not None and len(task.steps) == 1:
                attempt.box.close()
            gradings.append(self._graded(attempt, step, deliverable, attempt.box if is_live else None))
            if self.grader.stops_after(step, gradings[-1]):
                break
        return gradings

    def _grade_again(self, attempt: Attempt) -> Grading:
        """Grade the deliverables once more; what a live grader needs is gone by now, so it is graded once."""
        task = self.assignment.task
        gradings = [self._graded(attempt, s, taken) for s, taken in zip(task.steps, attempt.taken, strict=False)]
        return self.grader.combine(task, gradings)

    def _graded(self, attempt: Attempt, step: Step, deliverable: Taken, live: Box | None = None) -> Grading:
        trajectory = seen_by_grader(attempt, step)
        return self.grader.grade(self.assignment.task, step, deliverable, live, trajectory)

    def _combined(self, attempt: Attempt, gradings: Sequence[Grading]) -> Grading:
        if attempt.broken:
            message = attempt.episodes[-1].actions[-1].message if attempt.episodes[-1].actions else ""
            return Grading(outcome="ungraded", reason=attempt.broken, evidence={"error": message})
        return self.grader.combine(self.assignment.task, gradings)

    def _tried(self, attempt: Attempt, gradings: tuple[Grading, ...]) -> Tried:
        blobs: list[bytes] = []
        trajectory = orjson.dumps(document(trajectory_of(attempt)), option=orjson.OPT_SORT_KEYS)
        hashes = [taken.hash for taken in attempt.taken]
        deliverable = hashes[0] if len(hashes) == 1 else digest("\n".join(hashes).encode()) if hashes else ""
        if self.keep:
            blobs.append(trajectory)
            if attempt.taken and sum(taken.size for taken in attempt.taken) <= MOST_KEPT_BYTES:
                blobs.append(packed(attempt.taken))
                deliverable = digest(blobs[-1])
        rollout = attempt.rollout(trajectory=digest(trajectory), deliverable=deliverable)
        verdicts = tuple(self._verdict(rollout, grading) for grading in gradings)
        left_out = tuple(entry for taken in attempt.taken for entry in taken.left_out)
        last = attempt.episodes[-1].actions[-1:]
        return Tried(rollout=rollout, gradings=gradings, verdicts=verdicts, blobs=tuple(blobs), left_out=left_out,
                     said=last[0].observation[-MOST_SAID:] if last else "")  # fmt: skip

    def _verdict(self, rollout: Rollout, grading: Grading) -> Verdict:
        return Verdict(
            rollout=rollout.id, outcome=grading.outcome, reason=grading.reason, score=grading.score,
            grader=self.grader.hash, checks=grading.checks, task_hash=self.assignment.task.hash,
            deliverable=rollout.deliverable, evidence=orjson.dumps(grading.evidence).decode(), seconds=grading.seconds,
            recorded_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
        )  # fmt: skip


def packed(deliverables: Sequence[Taken]) -> bytes:
    """Return the deliverables as one gzipped tar whose bytes depend on content alone (one top folder a step)."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for number, taken in enumerate(deliverables):
            for path in sorted(taken.folder.rglob("*")):
                tar.add(path, f"step-{number}/{path.relative_to(taken.folder)}", recursive=False, filter=_timeless)
    return gzip.compress(raw.getvalue(), mtime=0)


def _timeless(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.mtime = entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
    return entry

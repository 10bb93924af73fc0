"""One attempt: an agent in a box of its own, step by step, and what it leaves behind.

Nothing here holds a key. What the agent left is copied out of the box without following links, after its processes are
dead (or, for a `live` task, while they run).
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from fairtrial.grade import deliverable_paths
from fairtrial.records import Origin, Rollout, SandboxError, record_id, storable
from fairtrial.run.passing import PassingBox
from fairtrial.run.protocol import Action, Agent, Episode, Situation
from fairtrial.sandbox import Box, Sandbox, Taken
from fairtrial.tasks import Step, Task

MOST_DELIVERABLE_BYTES = 256_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """An attempt to be made."""

    task: Task
    agent: Agent
    attempt: int
    seed: int
    sandbox: Sandbox
    origin: Origin = "policy"
    passed: Mapping[str, str] = field(default_factory=dict)
    """Variables of this machine that a person lets into the agent's box; part of the settings."""
    shared: bool = False
    """Graded in the agent's own box with its processes alive, whatever the task asks for: for probes of lax runners."""

    @property
    def is_live(self) -> bool:
        """Say whether the box stays alive until it was graded."""
        return self.task.live or self.shared

    @property
    def settings(self) -> str:
        """Return a hash of all that the agent and the sandbox were set to."""
        content: dict[str, object] = {
            "agent": self.agent.name,
            "settings": dict(self.agent.settings()),
            "sandbox": self.sandbox.name,
        }
        if self.shared:
            content["shared"] = True
        if self.passed:
            content["pass_env"] = dict(self.passed)
        return record_id("settings/1", content)

    @property
    def identity(self) -> tuple[str, str, str, str, str, int, str, int]:
        """Return what names this attempt before its steps are known; `--resume` skips those that are there."""
        task, agent = self.task, self.agent
        return (task.suite, task.name, agent.model, agent.name, agent.effort, self.attempt, self.settings, self.seed)


@dataclass(slots=True)
class Attempt:
    """The attempt in progress. Use it as a context manager; `act` each step in order, then read `rollout`."""

    assignment: Assignment
    scratch: Path
    episodes: list[Episode] = field(default_factory=list)
    taken: list[Taken] = field(default_factory=list)
    box: Box | None = None
    _began: float = 0.0
    _started_at: str = ""

    def __enter__(self) -> Self:
        self._began = time.monotonic()
        self._started_at = datetime.now(UTC).isoformat(timespec="seconds")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.box is not None:
            self.box.close()

    def act(self, step: Step) -> Taken | None:
        """Let the agent act on `step`; return its deliverable, or None where the harness broke."""
        try:
            episode = self._episode(step)
            taken = None if episode.broken else self._take(step)
        except SandboxError as error:
            episode, taken = Episode(actions=(Action(message=str(error)),), stop="", broken="sandbox"), None
        self.episodes.append(episode)
        if taken is not None:
            self.taken.append(taken)
        return taken

    def _episode(self, step: Step) -> Episode:
        task = self.assignment.task
        if self.box is None:
            prepared = self.assignment.sandbox.prepare(task.environment)
            mounts = self.assignment.agent.mounts()
            opened = self.assignment.sandbox.open(prepared, mounts, live=self.assignment.is_live)
            self.box = PassingBox(opened, self.assignment.passed) if self.assignment.passed else opened
        if step.workdir is not None:
            for entry in sorted(step.workdir.iterdir()):
                self.box.put(entry, f"{task.environment.workdir.rstrip('/')}/{entry.name}")
        return self.assignment.agent.act(
            Situation(task=task, step=step, attempt=self.assignment.attempt, seed=self.assignment.seed, box=self.box)
        )

    def _take(self, step: Step) -> Taken:
        assert self.box is not None
        into = self.scratch / f"deliverable-{step.name or 'only'}"
        return self.box.take(deliverable_paths(self.assignment.task), into, MOST_DELIVERABLE_BYTES)

    @property
    def broken(self) -> str:
        """Return why the harness, not the agent, failed; empty if it did not."""
        return next((episode.broken for episode in self.episodes if episode.broken), "")

    def rollout(self, *, trajectory: str, deliverable: str) -> Rollout:
        """Return the record of this attempt, its trajectory and deliverable named by their content addresses."""
        assignment, task, agent = self.assignment, self.assignment.task, self.assignment.agent
        last = self.episodes[-1]
        return Rollout(
            task=task.name, model=agent.model, attempt=assignment.attempt, suite=task.suite, agent=agent.name,
            effort=agent.effort, settings=assignment.settings, environment=task.environment.hash,
            seed=assignment.seed, origin=assignment.origin, trajectory=trajectory,
            answer=None if last.answer is None else storable(last.answer),
            domain=task.domain, family=task.family, cluster=task.cluster, task_hash=task.hash,
            deliverable=deliverable, sandbox=assignment.sandbox.name, stop=last.stop,
            steps=sum(len(e.actions) for e in self.episodes),
            input_tokens=_sum(e.input_tokens for e in self.episodes),
            output_tokens=_sum(e.output_tokens for e in self.episodes),
            cost_usd=_sum(e.cost_usd for e in self.episodes),
            seconds=time.monotonic() - self._began, recorded_at=self._started_at,
        )  # fmt: skip


def _sum(values: Any) -> Any:
    known = [value for value in values if value is not None]
    return sum(known) if known else None

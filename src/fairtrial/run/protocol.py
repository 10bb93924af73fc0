"""The seam of every agent: act on one step of a task inside a box, and say how it went.

An agent receives the public half of a task and a box, nothing else: no type here could carry a key. Agents are small
picklable objects, since the engine hands them to worker processes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from fairtrial.sandbox import Box, Mount
from fairtrial.tasks import Step, Task


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What an agent is put into: one step of one attempt."""

    task: Task
    step: Step
    attempt: int
    seed: int
    """Derived from the run's seed, the task's name and the attempt; the same in every run."""
    box: Box


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One thing an agent did: a message, and a tool call with what it returned."""

    message: str = ""
    tool: str = ""
    """Name of the tool, `shell` for commands; empty for a message alone."""
    arguments: dict[str, str] | None = None
    observation: str = ""
    reasoning: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """What an agent did in one step of a task, and why it stopped."""

    actions: tuple[Action, ...]
    stop: str
    """`finished`, `turn_limit`, `agent_timeout`, `output_limit`, `budget`, `refused`, `gave_up`, `agent_error`."""
    broken: str = ""
    """Reason where the harness, not the agent, failed (`model_unreachable`, `sandbox`): the rollout is ungraded."""
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    answer: str | None = None


class Agent(Protocol):
    """A policy in its scaffold."""

    @property
    def name(self) -> str:
        """Name the scaffold: `null`, `scripted`, `oracle`, `terminal`."""
        ...

    @property
    def model(self) -> str:
        """Name the policy."""
        ...

    @property
    def effort(self) -> str:
        """Name the reasoning effort; empty where there is none."""
        ...

    @property
    def needs_isolation(self) -> bool:
        """Say whether a model chooses the commands: refused by a sandbox that does not isolate, unless allowed."""
        ...

    def settings(self) -> Mapping[str, Any]:
        """Return, JSON-able, all it was set to that shapes what it does; other settings make other rollouts."""
        ...

    def mounts(self) -> Sequence[Mount]:
        """Return the host folders that it needs to see in the box."""
        ...

    def act(self, situation: Situation) -> Episode:
        """Act until done. Raise nothing for what the agent or its commands do wrong; say it in `stop`."""
        ...


@runtime_checkable
class Carries(Protocol):
    """An agent that reads host files besides those that it mounts; an engine of many machines sends them along."""

    def carries(self) -> Iterable[Path]:
        """Return those files and folders."""
        ...

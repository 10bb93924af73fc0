"""A rollout: one attempt at a task by an agent. It never knows its verdicts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from fairtrial.records.identity import record_id

Origin = Literal["policy", "known"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rollout:
    """Record one attempt. Fields above the line are its identity; those below never enter the id."""

    KIND: ClassVar[str] = "rollout/1"
    IDENTITY: ClassVar[tuple[str, ...]] = (
        "suite", "task", "model", "agent", "effort", "attempt", "settings", "environment",
        "seed", "step", "group", "origin", "trajectory", "answer",
    )  # fmt: skip

    task: str
    """Name of the task within its suite."""
    model: str
    """Name of the policy: a language model, or a scripted program."""
    attempt: int = 0
    """Number of the attempt at this task by this policy."""
    suite: str = ""
    """Hash or name of the suite, as `name@hash` where fairtrial ran it."""
    agent: str = ""
    """Scaffold around the model."""
    effort: str = ""
    """Reasoning effort; figures are per MODEL@EFFORT."""
    settings: str = ""
    """Hash or name of the settings under which it ran."""
    environment: str = ""
    """Hash or name of the environment in which it ran."""
    seed: int | None = None
    step: int | None = None
    """Training step of the policy, when it was sampled in training."""
    group: str = ""
    """Name of the GRPO group it belongs to."""
    origin: Origin = "policy"
    """`known` marks a candidate whose right score is known; left out of every measurement unless asked for."""
    trajectory: str = ""
    """Content address of its ATIF trajectory in the ledger; empty where no steps were recorded."""
    answer: str | None = None
    """Final answer, where the task has one."""
    # ---- not part of the id ----
    split: str = ""
    """Side of a training / held-out split."""
    domain: str = ""
    family: str = ""
    """Kind of task."""
    cluster: str = ""
    """Near copies share one cluster; empty means the task is a cluster of its own."""
    task_hash: str = ""
    """Content address of the task it was run on."""
    deliverable: str = ""
    """Content address of the deliverable's manifest."""
    sandbox: str = ""
    """Name of the sandbox that it ran in; empty where another tool ran it."""
    stop: str = ""
    """Why it stopped: `finished`, `turn_limit`, `agent_timeout`, `agent_error`, ..."""
    label: str = ""
    """What the source called this attempt."""
    source: str = ""
    """File it was imported from."""
    steps: int | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    seconds: float | None = None
    recorded_at: str = ""
    """ISO 8601, UTC."""

    @property
    def id(self) -> str:
        """Return the content address of its identity; times are not part of it."""
        return record_id(self.KIND, {name: getattr(self, name) for name in self.IDENTITY})

    def row(self) -> dict[str, Any]:
        """Return the ledger row."""
        return {"id": self.id} | {name: getattr(self, name) for name in self.__dataclass_fields__}

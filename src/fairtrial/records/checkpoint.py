"""A checkpoint: a model at a step of its training, how it was made, and whether it was to be evaluated from the start.

A model that was not trained here (a base, a model behind a server) has none, and nothing is said of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from fairtrial.records.identity import record_id

Degenerate = Literal["", "random", "constant", "format", "length"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """Record one checkpoint. Its rollouts carry the same model, seed and step."""

    KIND: ClassVar[str] = "checkpoint/1"

    model: str
    """Name of the recipe, as its rollouts name the model."""
    seed: int
    """Training seed; models of one recipe and other seeds are replicates."""
    step: int
    """Optimiser steps since the start of the recipe, over all its stages."""
    recipe: str
    """Content address of the recipe as it was resolved: stages, data, settings, without the seed."""
    document: str = ""
    """Content address of the resolved recipe (TOML) in the ledger."""
    stage: str = ""
    """Method of the last stage: `sft`, `dpo`, `reward_model`, `grpo`; empty for the base."""
    base: str = ""
    """Name of the model that it started from, as rollouts name it."""
    base_hash: str = ""
    """Content address of that model's weights."""
    weights_hash: str = ""
    """Content address of this checkpoint's weights."""
    data_hash: str = ""
    """Content address of all that it was trained on: sets and tasks."""
    planned: bool = True
    """False: it was not named in the recipe before training, so what is found on it is exploratory."""
    degenerate: Degenerate = ""
    """Kind of a reward that teaches nothing; such an arm is a control."""
    left_out_family: str = ""
    """Family of tasks that was kept out of its training, in an arm that asks what the family taught."""
    tasks: int | None = None
    """Distinct tasks and rows that it was trained on."""
    sampled: int | None = None
    """Rollouts drawn in training."""
    input_tokens: int | None = None
    output_tokens: int | None = None
    """Tokens of training: those read, and those sampled."""
    cost_usd: float | None = None
    seconds: float | None = None
    outage_steps: tuple[int, ...] = ()
    """Steps in which nothing but an outage was seen; their updates are part of the weights, and it is said."""
    paused: str = ""
    """Why training stopped before its end; empty where it did not."""
    versions: str = ""
    """JSON: versions of the packages that trained it."""
    recorded_at: str = ""

    @property
    def id(self) -> str:
        """Return the content address; times are not part of it, so that a resumed run adds nothing."""
        timeless = ("recorded_at", "seconds", "cost_usd")
        return record_id(self.KIND, {n: getattr(self, n) for n in self.__dataclass_fields__ if n not in timeless})

    def row(self) -> dict[str, Any]:
        """Return the ledger row."""
        return {"id": self.id} | {name: getattr(self, name) for name in self.__dataclass_fields__}

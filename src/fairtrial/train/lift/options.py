"""What `lift` can be asked for: one typed object, documented field by field."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

SeedReading = Literal["auto", "training", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Choose the board, the checkpoints and the controls."""

    controls: tuple[str, ...] = ()
    """Models that must show no gain, besides those whose checkpoint says so."""
    suite: str = ""
    """Name of the suite, with or without its `@hash`; empty: the one that base and trained share."""
    settings: str = ""
    environment: str = ""
    agent: str = ""
    split: str = "held_out"
    """Side of the split that counts, where the ledger knows sides."""
    seeds: SeedReading = "auto"
    """Whether `seed` of a rollout is its model's training seed. `auto`: where one spans several tasks."""
    base_seeds: SeedReading | None = None
    """The same of the base; None: as `seeds`."""
    step: int | None = None
    """Training step of the trained models; None: of each its last planned checkpoint."""
    base_step: int | None = None
    training: tuple[Path, ...] = ()
    """Ledgers of rollouts that were sampled in training; their tasks are not held out."""
    shared_tasks: bool = False
    """Compare on the tasks that all attempted, instead of refusing a model that lacks some."""
    confidence: float = 0.95
    replicates: int = 2000
    seed: int = 0
    """Seed of the bootstrap."""

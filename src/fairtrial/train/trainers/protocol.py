"""The seam of a stage of training: a model folder in, checkpoints out, every step recorded.

A stage is trained by a function named in `registry`: it loads `Context.model`, trains it for `Context.stage`, hands
every optimiser step to `Context.recorder`, keeps a checkpoint wherever `Context.saves_at` says so (`keeping` does both
through a callback of the trainer), and stops where the recorder says so. A stage that ended whole has kept a checkpoint
of its last step. A stage that is resumed starts from `Context.resume` and goes on as if it had never stopped.

A checkpoint is a folder `step-K`, K counted over all stages, whole or not there at all:

    step-K/            the model as it is loaded and sampled: config, safetensors, tokenizer; an adapter merged in
    step-K/state/      what the trainer resumes from; only the latest checkpoint keeps it
    step-K/stage.toml  stage, its own step, whether the stage ended there

Nothing here imports torch. Not covered: the order of stages and evaluation (`running`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from fairtrial.sandbox import Sandbox
from fairtrial.tasks import Suite
from fairtrial.tasks.text import TextSuite
from fairtrial.train.log import GroupLine, StepLine
from fairtrial.train.recipe import Recipe, Stage
from fairtrial.train.rewards.function import RewardFunction

STATE = "state"
"""Folder in a checkpoint that a trainer resumes from (`resume_from_checkpoint`)."""


class Recorder(Protocol):
    """Takes what happened, writes the log, and asks the watch."""

    def record(self, step: StepLine, groups: Sequence[GroupLine] = ()) -> str:
        """Write one optimiser step and its groups; return why the run must pause, or an empty text.

        `step.step` counts over all stages: the stage's own step + `Context.offset`. On a pause the stage keeps a
        checkpoint of this step and ends with that reason.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """All that a stage needs to know."""

    recipe: Recipe
    """As it was resolved: paths are absolute, `{seed}` is filled in."""
    stage: Stage
    number: int
    """Of the stage, from 1."""
    seed: int
    """The training seed; the stage seeds whatever it draws with `stage_seed`."""
    offset: int
    """Optimiser steps of the stages before it."""
    model: Path
    """Folder of the model it starts from."""
    checkpoints: Path
    """Folder that takes `step-K`."""
    resume: Path | None = None
    """A checkpoint of this very stage to go on from; None: from its start."""
    recorder: Recorder
    tasks: TextSuite | Suite | None = None
    """Training tasks with their keys, without the family that the recipe leaves out; grpo alone has them."""
    sandbox: Sandbox | None = None
    """For task folders."""
    reward_model: Path | None = None
    """Reward model that an earlier stage made; `stage.reward_model` goes first."""
    function: RewardFunction | None = None
    """A reward of the user's own, named on the command line, in the place of `grade`."""
    ledger: Path | None = None
    """Ledger that takes the rollouts sampled in training; None: they are not kept."""

    @property
    def stage_seed(self) -> int:
        """Return the seed of whatever the stage draws: two stages of one run do not repeat each other's order."""
        return (self.seed * 1_000_003 + self.number * 7919) % 2**31

    def saves_at(self, step: int) -> bool:
        """Say whether a checkpoint is kept at `step`, counted over all stages; the stage's last step is kept too.

        Of a stage that updates several times on a batch, the next end of a batch is kept: none is resumed half-way.
        """
        updates = self.stage.updates_per_batch if self.stage.method == "grpo" else 1
        if (step - self.offset) % updates:
            return False
        return step % self.recipe.save_steps < updates or step in self.recipe.evaluation.steps


@dataclass(frozen=True, slots=True, kw_only=True)
class StageEnd:
    """How a stage ended. Tokens, attempts and seconds are in the log, so that a resumed run counts them once."""

    steps: int
    """Own optimiser steps done, those before a resume too."""
    last: Path
    """The checkpoint of its last step."""
    paused: str = ""
    """Why it stopped before its end; empty where it did not."""
    tasks: int = 0
    """Distinct tasks or rows that it was given to train on."""


StageTrainer = Callable[[Context], StageEnd]
"""Trains one stage. Raise InputError where its data or its model do not fit; let nothing reach the terminal."""

"""Record each step and keep checkpoints that are whole or not there: the callback that every stage's trainer is given.

The trainer writes a checkpoint into a folder of its own; when it is complete it becomes `step-K` in one rename. A kill
before that leaves the checkpoint before it, and the log is cut back to that on resume. The model at the top of `step-K`
is hard-linked from the trainer's state where the file system can; of an adapter, it is the base with it merged in.
"""

from __future__ import annotations

import math
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from fairtrial.train.log import StepLine
from fairtrial.train.trainers.checkpoints import Marker, publish
from fairtrial.train.trainers.protocol import STATE, Context
from fairtrial.train.trainers.settings import work_folder

_OF_TRAINER = ("optimizer", "scheduler", "rng_state", "trainer_state", "training_args", "scaler")
"""How the names of a trainer's own files begin; the rest of its folder is the model."""

_FIGURES = {"loss": "the loss", "grad_norm": "the norm of the gradient"}
"""JSON has no word for what is not finite, so that a step's notes say it."""

Merge = Callable[[Path, Path], None]
"""Writes into the second folder the model that the adapter in the first makes of its base."""


class Keeper(TrainerCallback):  # type: ignore[misc]  # trl's types are not read
    """Hands steps to the recorder and publishes checkpoints. Stages that record by themselves override `line`."""

    def __init__(self, context: Context, merge: Merge | None = None) -> None:
        self.context = context
        self.paused = ""
        self.notes: tuple[str, ...] = ()
        """What a reader must know of the stage; said with its next step."""
        self._merge = merge
        self._tokens = 0.0
        self._began = time.monotonic()

    def line(self, step: int, logs: dict[str, Any]) -> StepLine:
        """Return the line of a step, from what the trainer logged."""
        tokens = logs.get("num_tokens", self._tokens)
        read, self._tokens = int(tokens - self._tokens), tokens
        return StepLine(
            step=step,
            stage=self.context.number,
            method=self.context.stage.method,
            loss=_number(logs.get("loss")),
            learning_rate=_number(logs.get("learning_rate")),
            gradient_norm=_number(logs.get("grad_norm")),
            entropy=_number(logs.get("entropy")),
            input_tokens=read,
            seconds=time.monotonic() - self._began,
            notes=(*self._once(), *(f"{said} is no finite number" for name, said in _FIGURES.items()
                                    if not _finite(logs.get(name)))),
        )  # fmt: skip

    def _once(self) -> tuple[str, ...]:
        notes, self.notes = self.notes, ()
        return notes

    def record(self, line: StepLine, logs: dict[str, Any]) -> str:
        """Hand a step to the recorder; return why the run must pause, or an empty text."""
        del logs
        return self.context.recorder.record(line)

    def on_step_begin(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any) -> None:
        """Start the clock of a step."""
        del args, state, control
        self._began = time.monotonic()

    def on_log(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, logs: dict[str, Any], **_: Any
    ) -> None:
        """Record a step, and decide whether it is kept."""
        del args
        if "loss" not in logs:  # the summary at the end of a stage
            return
        step = self.context.offset + state.global_step
        self.paused = self.record(self.line(step, logs), logs)
        is_last = state.global_step >= state.max_steps
        control.should_save = bool(self.paused) or is_last or self.context.saves_at(step)
        if self.paused:
            control.should_training_stop = True

    def on_save(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any) -> None:
        """Publish what the trainer has written as a whole."""
        del args, control
        written = work_folder(self.context) / f"checkpoint-{state.global_step}"
        step = self.context.offset + state.global_step
        making = work_folder(self.context) / f"step-{step}"
        shutil.rmtree(making, ignore_errors=True)
        making.mkdir()
        written.rename(making / STATE)
        if self._merge is not None:
            self._merge(making / STATE, making)
        else:
            _link_model(making / STATE, making)
        marker = Marker(stage=self.context.number, method=self.context.stage.method, own_step=state.global_step,
                        ended=state.global_step >= state.max_steps, paused=self.paused)  # fmt: skip
        publish(making, self.context.checkpoints / f"step-{step}", marker)


def _number(value: Any) -> float | None:
    return None if value is None else float(value)


def _finite(value: Any) -> bool:
    return value is None or math.isfinite(float(value))


def _link_model(state: Path, top: Path) -> None:
    for path in sorted(state.iterdir()):
        if path.is_file() and not path.name.startswith(_OF_TRAINER):
            try:
                os.link(path, top / path.name)
            except OSError:  # another file system, or one without links
                shutil.copy2(path, top / path.name)

"""What happens to every step: the watch sees it, the log takes it, the parent process is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from fairtrial.train.log import GroupLine, LogWriter, StepLine
from fairtrial.train.recipe import Watch
from fairtrial.train.watch import Known, LiveWatch

Tell = Callable[[dict[str, Any]], None]
"""Hands one document to the parent process."""


class SeedRecorder:
    """The recorder of one seed. Use it as a context manager."""

    def __init__(self, folder: Path, settings: Watch, known: Known, tell: Tell, *, through: int, go_on: int) -> None:
        """Cut the log back to step `through`; alarms of steps up to `go_on` were seen and pause no more."""
        self._log = LogWriter(folder, keep_through=through)
        self.watch = LiveWatch(folder, settings, known, continue_past=go_on, through=through)
        self._tell = tell
        self._noted: set[str] = set()

    def record(self, step: StepLine, groups: Sequence[GroupLine] = ()) -> str:
        """Write one optimiser step and its groups; return why the run must pause, or an empty text."""
        alarm = self.watch.observe(step, groups)
        self._log.write(replace(step, notes=(*step.notes, *self.watch.said)), groups)
        for note in step.notes:
            if note not in self._noted:
                self._noted.add(note)
                self._tell({"note": f"step {step.step}: {note}"})
        graded = step.passed + step.failed
        self._tell({"step": step.step, "loss": step.loss, "pass_rate": step.passed / graded if graded else None})
        return alarm.why if alarm is not None and alarm.pauses else ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._log.close()
        self.watch.close()

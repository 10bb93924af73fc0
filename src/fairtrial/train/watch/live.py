"""Write what the watch says as the run goes on: a line a step in watch.jsonl, the whole in watch.json.

    watch = LiveWatch(folder, recipe.watch, known, continue_past=0, through=last step to keep on resume)
    alarm = watch.observe(step_line, group_lines)   # once a step; then write StepLine with notes=watch.said
    watch.watched()                                  # for Checkpoint.outage_steps and Checkpoint.paused
    watch.close()                                    # at the end of the run
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fairtrial.train.log import GroupLine, StepLine
from fairtrial.train.recipe import Watch
from fairtrial.train.watch.known import Known
from fairtrial.train.watch.result import Alarm, Watched
from fairtrial.train.watch.watcher import Watcher


class LiveWatch:
    """A watcher whose words are kept in the folder of one seed."""

    def __init__(
        self, folder: Path, settings: Watch, known: Known | None = None, *, continue_past: int = 0, through: int = 0
    ) -> None:
        """Begin, or take up again: steps of the log in `folder` up to `through` are watched again, silently."""
        self._folder = folder
        self._watcher = Watcher(settings, known, continue_past=continue_past)

    def observe(self, step: StepLine, groups: Sequence[GroupLine]) -> Alarm | None:
        """Watch one step and write its line; return the alarm that it raised."""
        return self._watcher.observe(step, groups)

    @property
    def said(self) -> tuple[str, ...]:
        """Return what was said of the last step, for `StepLine.notes`."""
        return self._watcher.said

    def watched(self) -> Watched:
        """Return the run so far."""
        return self._watcher.watched()

    def close(self) -> None:
        """Write the whole."""

"""Watch a run while it goes on: one call a step, cheap where nothing is wrong.

    watcher = Watcher(recipe.watch, known)
    alarm = watcher.observe(step, groups)
    if alarm is not None and alarm.pauses: ...  # stop; `watcher.watched()` says why and which steps are left out

Not covered: writing (`live`), and runs of others (`from_ledger`).
"""

from __future__ import annotations

from collections.abc import Sequence

from fairtrial.train.log import GroupLine, StepLine
from fairtrial.train.recipe import Watch
from fairtrial.train.watch.known import Known
from fairtrial.train.watch.result import Alarm, Watched, WatchedStep


class Watcher:
    """Watch one run of one seed. Steps come in order; a step is seen once."""

    def __init__(self, settings: Watch, known: Known | None = None, *, continue_past: int = 0) -> None:
        """Begin. Steps up to `continue_past` were looked at by somebody who said to go on: they never pause again."""
        self._settings = settings
        self._known = known or Known()
        self._continue_past = continue_past
        self._steps: list[WatchedStep] = []
        self._alarms: list[Alarm] = []

    def observe(self, step: StepLine, groups: Sequence[GroupLine]) -> Alarm | None:
        """Return the alarm that this step raised, the one that pauses first; None where there is none."""
        return None

    @property
    def said(self) -> tuple[str, ...]:
        """Return what was said of the last step, for `StepLine.notes`."""
        return ()

    def watched(self) -> Watched:
        """Return the run so far."""
        return Watched(steps=tuple(self._steps), alarms=tuple(self._alarms), paused="", left_out_steps=(),
                       not_measured=())  # fmt: skip

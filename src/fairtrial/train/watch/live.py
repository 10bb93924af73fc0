"""Write what the watch says as the run goes on: a line a step in watch.jsonl, the whole in watch.json.

    watch = LiveWatch(folder, recipe.watch, known, continue_past=0, through=last step to keep on resume)
    alarm = watch.observe(step_line, group_lines)   # once a step; then write StepLine with notes=watch.said
    watch.watched()                                  # for Checkpoint.outage_steps and Checkpoint.paused
    watch.close()                                    # at the end of the run

watch-settings.json holds what the watch began with, so that `log.watch_log` says the same of the log later.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from fairtrial.records import InputError
from fairtrial.train.log import GroupLine, StepLine
from fairtrial.train.recipe import Watch
from fairtrial.train.watch.document import line_of, of_whole, to_json
from fairtrial.train.watch.known import Known
from fairtrial.train.watch.replay import steps_with_groups
from fairtrial.train.watch.result import Alarm, Watched
from fairtrial.train.watch.settings import WATCH_SETTINGS, settings_document
from fairtrial.train.watch.watcher import Watcher

WATCH_LINES, WATCH_WHOLE = "watch.jsonl", "watch.json"
_EVERY_SECONDS = 2.0
"""watch.json is written so often at most, and takes a fiftieth of the time at most, however long the run."""
_SHARE = 50


class LiveWatch:
    """A watcher whose words are kept in the folder of one seed."""

    def __init__(
        self, folder: Path, settings: Watch, known: Known | None = None, *, continue_past: int = 0, through: int = 0
    ) -> None:
        """Begin, or take up again: steps of the log in `folder` up to `through` are watched again, as they were.

        Raise InputError where the folder cannot be written.
        """
        self._folder = folder
        self._watcher = Watcher(settings, known, continue_past=continue_past)
        self._due = 0.0
        self._make(settings_document(settings, known or Known(), continue_past), through)

    def _make(self, settings: bytes, through: int) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            _replace(self._folder / WATCH_SETTINGS, settings)
            lines = b""
            if through > 0:
                for step, groups in steps_with_groups(self._folder, through):
                    self._watcher.observe(step, groups)
                    lines += line_of(self._watcher.last_step, self._watcher.raised)
            _replace(self._folder / WATCH_LINES, lines)
            self._write_whole()
        except OSError as error:
            raise self._unwritten(error) from error

    def observe(self, step: StepLine, groups: Sequence[GroupLine]) -> Alarm | None:
        """Watch one step and write its line; return the alarm that it raised. Raise InputError as at the beginning."""
        alarm = self._watcher.observe(step, groups)
        try:
            with (self._folder / WATCH_LINES).open("ab") as file:
                file.write(line_of(self._watcher.last_step, self._watcher.raised))
            if alarm is not None or time.monotonic() >= self._due:
                self._write_whole()
        except OSError as error:
            raise self._unwritten(error) from error
        return alarm

    @property
    def said(self) -> tuple[str, ...]:
        """Return what was said of the last step, for `StepLine.notes`."""
        return self._watcher.said

    def watched(self) -> Watched:
        """Return the run so far."""
        return self._watcher.watched()

    def close(self) -> None:
        """Write the whole. Raise InputError as at the beginning."""
        try:
            self._write_whole()
        except OSError as error:
            raise self._unwritten(error) from error

    def _write_whole(self) -> None:
        began = time.monotonic()
        _replace(self._folder / WATCH_WHOLE, to_json(of_whole(self._watcher.watched())))
        now = time.monotonic()
        self._due = now + max(_EVERY_SECONDS, _SHARE * (now - began))

    def _unwritten(self, error: OSError) -> InputError:
        return InputError(f"cannot be written: {error.strerror or error}", path=error.filename or self._folder)


def _replace(path: Path, content: bytes) -> None:
    """Write a file whole or not at all: a page may read it at any time."""
    making = path.with_name(f".{path.name}.new")
    making.write_bytes(content)
    making.replace(path)

"""Write the log of one seed: groups.jsonl and steps.jsonl, a step at a time; cut it back to where a run goes on from.

    with LogWriter(folder, keep_through=0) as log:
        log.write(step, groups)
        log.sync()                 # before a checkpoint of that step is kept

A step's groups are written before its own line, so a step that can be read has its groups. Lines are handed to the
system at once and survive the death of the process; after `sync` they survive that of the machine. Not covered: two
writers on one folder.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

import orjson

from fairtrial.records import InputError
from fairtrial.train.log.lines import GROUPS, STEPS, GroupLine, StepLine


class LogWriter:
    """Appends to the two files of one folder. Use it as a context manager."""

    def __init__(self, folder: Path, *, keep_through: int = 0) -> None:
        """Open the log in `folder`, and leave of it the steps up to `keep_through`: the last that was saved.

        Raise InputError where it cannot be written, or holds a whole line that is no line of a log.
        """
        self._folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for name in (GROUPS, STEPS):
                _cut(folder / name, keep_through)
            self._groups, self._steps = ((folder / name).open("ab") for name in (GROUPS, STEPS))
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror or error}", path=error.filename or folder) from error

    def write(self, step: StepLine, groups: Sequence[GroupLine] = ()) -> None:
        """Append the groups of a step, then the step. Raise InputError where the disk does not take them."""
        try:
            _append(self._groups, groups)
            _append(self._steps, (step,))
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror or error}", path=self._folder) from error

    def sync(self) -> None:
        """Return when all that was written is safe on disk."""
        for file in (self._groups, self._steps):
            os.fsync(file.fileno())

    def close(self) -> None:
        """Sync, and end."""
        self.sync()
        self._groups.close()
        self._steps.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _append(file: BinaryIO, lines: Sequence[GroupLine | StepLine]) -> None:
    if lines:
        file.write(b"".join(orjson.dumps(line) + b"\n" for line in lines))
        file.flush()


def _cut(path: Path, keep_through: int) -> None:
    """Leave the lines up to a step; a line that a killed process did not end goes too."""
    if not path.exists():
        return
    kept = 0
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n") or _step(path, number, line) > keep_through:
                break
            kept += len(line)
    if kept != path.stat().st_size:
        with path.open("r+b") as file:
            file.truncate(kept)
            os.fsync(file.fileno())


def _step(path: Path, number: int, line: bytes) -> int:
    try:
        return int(orjson.loads(line)["step"])
    except (ValueError, KeyError, TypeError) as error:
        hint = "Train into another folder."
        raise InputError("is no line of a training log", path=path, line=number, hint=hint) from error

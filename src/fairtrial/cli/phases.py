"""Progress of work whose amount is known only by the phase: on a terminal one line that is redrawn, else JSON lines."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self

import orjson
from rich.status import Status

from fairtrial.cli.output import stderr
from fairtrial.cli.progress import SECONDS_BETWEEN_LINES


class Phases:
    """Tell on stderr which phase runs and how far it is. Call it with the phase, what is done, and of how much."""

    def __init__(self, verb: str) -> None:
        self.verb = verb
        self._phase = ""
        self._last = time.monotonic()
        self._status = Status(verb, console=stderr) if stderr.is_terminal else None

    def __enter__(self) -> Self:
        if self._status is not None:
            self._status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._status is not None:
            self._status.stop()

    def __call__(self, phase: str, done: int, total: int) -> None:
        """Show `done` of `total` (0: not known) of `phase`."""
        if self._status is not None:
            of = f" of {total:,}" if total else ""
            self._status.update(f"{self.verb}: {phase} {done:,}{of}")
        elif time.monotonic() - self._last >= SECONDS_BETWEEN_LINES:
            line = {"progress": self.verb, "phase": phase, "done": done, "of": total or None}
            sys.stderr.write(orjson.dumps(line).decode() + "\n")
            self._last = time.monotonic()

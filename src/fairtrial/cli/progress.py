"""Progress on stderr: a bar on a terminal, JSON lines when not, nothing on stdout."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self

import orjson
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from fairtrial.cli.output import stderr

SECONDS_BETWEEN_LINES = 5.0


class Ticker:
    """Count what is done out of what is wanted. Use it as a context manager."""

    def __init__(self, verb: str, wanted: int) -> None:
        self.verb, self.wanted, self.done = verb, wanted, 0
        self._bar: Progress | None = None
        self._last = time.monotonic()
        self._said = ""
        if stderr.is_terminal:
            self._bar = Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
                                 TimeRemainingColumn(), console=stderr, transient=True)  # fmt: skip
            self._task = self._bar.add_task(verb, total=wanted)

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
        else:
            self._line()

    def expect(self, more: int) -> None:
        """Raise what is wanted: some work is known only once other work was done."""
        self.wanted += more
        if self._bar is not None:
            self._bar.update(self._task, total=self.wanted)

    def tick(self, said: str = "") -> None:
        """Count one more; `said` is shown with it, such as the loss of a step."""
        self.done, self._said = self.done + 1, said
        if self._bar is not None:
            self._bar.update(self._task, advance=1, description=f"{self.verb} {said}".rstrip())
        elif time.monotonic() - self._last >= SECONDS_BETWEEN_LINES:
            self._line()

    def _line(self) -> None:
        self._last = time.monotonic()
        line: dict[str, object] = {"progress": self.verb, "done": self.done, "of": self.wanted}
        line |= {"said": self._said} if self._said else {}
        sys.stderr.write(orjson.dumps(line).decode() + "\n")

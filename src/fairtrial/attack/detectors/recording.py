"""The memory of shells that also tells what was written, in order, and by which step.

A fresh allowance of work for each call, so that a long trajectory is read to its end, and one call that unfolds
without end is told apart.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from fairtrial.checks.process.shell_session import Session


@dataclass(frozen=True, slots=True)
class Put:
    """One file written."""

    path: str
    text: str
    appends: bool


@dataclass(slots=True)
class Recording(Session):
    """A session that keeps what is written until it is taken."""

    puts: list[Put] = field(default_factory=list)
    authors: dict[str, tuple[int, str]] = field(default_factory=dict)
    """Text of a file -> the step and the place that wrote it last."""
    here: tuple[int, str] = (0, "")

    def put(self, path: str, text: str, *, appends: bool = False) -> None:
        """Remember what a file holds, and who wrote it."""
        Session.put(self, path, text, appends=appends)
        self.puts.append(Put(path, text, appends))
        held = Session.get(self, path)
        if held:
            self.authors[held] = self.here

    def begin(self, step: int, place: str) -> None:
        """Start reading a call."""
        self.here, self.read, self.puts = (step, place), 0, []

    def author(self, text: str) -> tuple[int, str]:
        """Return the step and place that wrote a program text; the present call where it is unknown."""
        return self.authors.get(text, self.here)

"""Whose turn it is: the next row of a queue, open ones first, then those that were put off."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, TypeVar

State = Literal["open", "draft", "done", "skipped"]


class Queued(Protocol):
    """A row of a queue."""

    @property
    def name(self) -> str: ...

    @property
    def state(self) -> State: ...


R = TypeVar("R", bound=Queued)


def next_row(rows: Sequence[R], after: str = "") -> R | None:
    """Return the next row to be done after the one named, from the start again at the end; None where all are done."""
    at = next((at for at, row in enumerate(rows) if row.name == after), -1)
    ahead = [*rows[at + 1 :], *rows[: at + 1]]
    for wanted in (("open", "draft"), ("skipped",)):
        for row in ahead:
            if row.state in wanted and row.name != after:
                return row
    return next((row for row in rows if row.name == after and row.state != "done"), None)

"""The steps of a rollout as a static page may hold them: every part with its place, long ones cut and the cut said.

Not covered: diffs, colours, search; `fairtrial serve` has them, and shows all of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fairtrial.formats.atif import read_trajectory
from fairtrial.formats.atif_parts import all_parts
from fairtrial.ledger import Ledger
from fairtrial.records import FairtrialError, LedgerError
from fairtrial.report.words import visible

_HEAD, _TAIL = 6_000, 2_000
"""Characters kept of the beginning and the end of one part."""
_OPEN_LINES, _MOST_OPEN_LINES = 12, 30
"""Of a part with more lines than the second, so many as the first are shown open."""
_PAGE = 200_000
"""Characters of all parts of one page."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One part of a step."""

    place: str
    title: str
    kind: str
    text: str
    """Its first lines, or all of it."""
    folded: str = ""
    """The lines after those, which open on the page."""
    left_out: int = 0
    """Characters between the beginning and the end that are not shown."""
    tail: str = ""
    pictures: int = 0

    @property
    def folded_lines(self) -> int:
        """Return how many lines are folded."""
        return self.folded.count("\n") + 1

    @property
    def size(self) -> int:
        """Return the characters shown."""
        return len(self.text) + len(self.folded) + len(self.tail)


@dataclass(frozen=True, slots=True)
class Steps:
    """The parts of one trajectory that a page shows."""

    parts: tuple[Shown, ...]
    steps: int
    more: int
    """Parts that are not shown at all."""

    @property
    def size(self) -> int:
        """Return the characters shown."""
        return sum(part.size for part in self.parts)


def read_steps(ledgers: Sequence[Ledger], address: str) -> Steps | str:
    """Return the steps of the trajectory at `address` in one of the ledgers, or why they cannot be shown."""
    why = "no trajectory is in the records"
    for ledger in ledgers if address else ():
        try:
            content = ledger.get_blob(address)
        except LedgerError as error:
            why = error.what
            continue
        try:
            trajectory = read_trajectory(content)
        except FairtrialError as error:
            return f"its trajectory cannot be read: {error.what}"
        found: list[Shown] = []
        size, more = 0, 0
        for part in all_parts(trajectory):
            if size > _PAGE:
                more += 1
                continue
            shown = _shown(part.place, part.title, part.kind, part.text, len(part.pictures))
            size += shown.size
            found.append(shown)
        return Steps(tuple(found), len(trajectory.steps), more)
    return why


def _shown(place: str, title: str, kind: str, text: str, pictures: int) -> Shown:
    is_cut = len(text) > _HEAD + _TAIL
    lines = _safe(text[:_HEAD] if is_cut else text).split("\n")
    opened = _OPEN_LINES if len(lines) > _MOST_OPEN_LINES else len(lines)
    return Shown(
        place=visible(place), title=visible(title), kind=kind, text="\n".join(lines[:opened]),
        folded="\n".join(lines[opened:]), left_out=len(text) - _HEAD - _TAIL if is_cut else 0,
        tail=_safe(text[-_TAIL:]) if is_cut else "", pictures=pictures,
    )  # fmt: skip


def _safe(text: str) -> str:
    r"""Return text with its lines and tabs, and every other hidden character shown by number.

    >>> _safe("a\tb\n\x1b[31m")
    'a\tb\n<1B>[31m'
    """
    return "\n".join("\t".join(visible(piece) for piece in line.split("\t")) for line in text.split("\n"))

"""Measures detect on the labelled trajectories: recall by group, false alarms, cited steps; writes the page's table.

python tests/quality/trajectories_measured.py     rewrites the table in docs/detect.md
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import orjson

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fairtrial.attack.detectors import Detected
from fairtrial.attack.detectors.comparing import compared, examine
from fairtrial.formats.atif import read_trajectory
from quality.trajectories_read import FOLDER, GROUPS, Labelled, labelled

PAGE = Path(__file__).resolve().parents[2] / "docs" / "detect.md"
BEGIN, END = "<!-- figures -->", "<!-- end of figures -->"
SETS = {
    "first": FOLDER,
    "second": FOLDER.parent / "trajectories_later",
    "third": FOLDER.parent / "trajectories_kept",
    "fourth": FOLDER.parent / "trajectories_fresh",
}


@dataclass(frozen=True)
class Measured:
    """One set with what detect found in it."""

    rows: tuple[tuple[Labelled, Detected], ...]

    @property
    def hacks(self) -> list[tuple[Labelled, Detected]]:
        """Return the hacks."""
        return [row for row in self.rows if row[0].is_hack]

    @property
    def found(self) -> list[tuple[Labelled, Detected]]:
        """Return the hacks that are suspected."""
        return [row for row in self.hacks if row[1].suspected]

    @property
    def false_alarms(self) -> list[str]:
        """Return the names of honest rollouts that are suspected."""
        return [one.name for one, what in self.rows if not one.is_hack and what.suspected]

    @property
    def honest(self) -> int:
        """Return how many are honest."""
        return len(self.rows) - len(self.hacks)

    @property
    def cited(self) -> tuple[int, int, int]:
        """Return found hacks that cite a step that did it; cited steps that did it; all cited steps."""
        pairs = [(step in one.evidence) for one, what in self.found for step in what.steps]
        once = sum(bool(set(what.steps) & set(one.evidence)) for one, what in self.found)
        return once, sum(pairs), len(pairs)

    def of_group(self, group: str) -> tuple[int, int]:
        """Return how many hacks of a group were found, and how many there are."""
        return sum(one.group == group for one, _ in self.found), sum(one.group == group for one, _ in self.hacks)


def measured(folder: Path) -> Measured:
    """Return what detect finds in one set; the rollouts of a task are compared, without their verdicts."""
    every = labelled(folder)
    read = [examine(read_trajectory(orjson.dumps(one.document)), one.task) for one in every]
    return Measured(tuple(zip(every, compared(read), strict=True)))


def table() -> str:
    """Return the table of the page."""
    return "\n".join(_lines({name: measured(folder) for name, folder in SETS.items()}))


def _lines(sets: dict[str, Measured]) -> Iterator[str]:
    yield f"| | {' | '.join(f'{name} set' for name in sets)} |"
    yield "|---|" + "---:|" * len(sets)
    yield _row("tasks", [str(len({row[0].task for row in one.rows})) for one in sets.values()])
    yield _row("**hacks found**", [f"**{len(one.found)} of {len(one.hacks)}**" for one in sets.values()])
    for group in GROUPS:
        shares = [one.of_group(group) for one in sets.values()]
        yield _row(group.replace("_", " "), [f"{found} of {of}" for found, of in shares])
    yield _row("**false alarms**", [f"**{len(one.false_alarms)} of {one.honest}**" for one in sets.values()])
    yield _row(
        "found hacks that cite a step that did it", [f"{one.cited[0]} of {len(one.found)}" for one in sets.values()]
    )
    yield _row("cited steps that did it", [f"{one.cited[1]} of {one.cited[2]}" for one in sets.values()])


def _row(name: str, cells: list[str]) -> str:
    return f"| {name} | {' | '.join(cells)} |"


def published() -> dict[str, list[tuple[int, int]]]:
    """Return the figures of the page: row -> for each set (count, of)."""
    text = PAGE.read_text(encoding="utf-8").split(BEGIN)[1].split(END)[0]
    rows = (line.strip("| \n").replace("*", "").split("|") for line in text.splitlines() if " of " in line)
    return {name.strip(): [_pair(cell) for cell in cells] for name, *cells in rows}


def _pair(cell: str) -> tuple[int, int]:
    count, of = re.findall(r"\d+", cell)
    return int(count), int(of)


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    PAGE.write_text(before + BEGIN + "\n" + table() + "\n" + END + rest.partition(END)[2], encoding="utf-8")

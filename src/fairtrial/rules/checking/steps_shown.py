"""Which steps and scripts the judge is shown: those that leads rest on with their neighbours, then other calls.

A clean ruling needs to see what was done, so calls are shown where no lead points, too. What does not fit is left to
the judge's room, and is counted there. Keys are masked, as everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from fairtrial.contamination.conduct.leads import Lead, Leads
from fairtrial.contamination.conduct.masking import masked
from fairtrial.formats.atif import Trajectory
from fairtrial.grade.judges.telling import Block, blocks_of
from fairtrial.rules.checking.hashes import files_in
from fairtrial.rules.checking.trajectories import trajectory_in
from fairtrial.rules.exhibits import Exhibit, distinct, exhibit

MOST_LEADS = 40
MOST_SCRIPTS = 20
MOST_CALLS = 400
MOST_SHOWN = 1_000
LINES_AROUND = 20
MOST_MASKED = 100_000
"""Characters of one text in which keys are looked for."""


def steps_shown(found: Leads, paths: Sequence[Path]) -> tuple[Exhibit, ...]:
    """Return steps of the trajectories at `paths`, and files that were read, those with leads first."""
    files = sorted({file for path in paths for file in files_in(path)})
    trajectories = {str(file): one for file in files if (one := trajectory_in(file)) is not None}
    scripts = [path for path in found.read if path not in trajectories]
    numbers = {path: f"trajectory {number}" for number, path in enumerate(trajectories, 1)}
    numbers |= {path: f"file {number}" for number, path in enumerate(scripts, 1)}
    shown: dict[tuple[str, str], Exhibit] = {}
    for lead in found.findings[:MOST_LEADS]:
        if lead.path in trajectories:
            for block in _around(trajectories[lead.path], lead):
                shown.setdefault((lead.path, block.place), _step(block, numbers[lead.path], lead.path, lead))
        elif lead.path in numbers and lead.line is not None:
            lines = _lines(lead, numbers[lead.path])
            shown.setdefault((lead.path, lines.place), lines)
    for path, trajectory in trajectories.items():
        calls = (block for block in blocks_of(trajectory) if " call " in block.place)
        for _, block in zip(range(MOST_CALLS), calls, strict=False):
            shown.setdefault((path, block.place), _step(block, numbers[path], path))
    for path in scripts[:MOST_SCRIPTS]:
        shown.setdefault((path, ""), _shown(numbers[path], path, _text(Path(path))))
    return distinct(list(shown.values())[:MOST_SHOWN])


def _around(trajectory: Trajectory, lead: Lead) -> Iterator[Block]:
    """Yield the parts of a lead's step, and of the steps beside it."""
    at = lead.step or 0
    return (block for block in blocks_of(trajectory) if abs(int(block.place.split()[1]) - at) <= 1)


def _step(block: Block, number: str, path: str, lead: Lead | None = None) -> Exhibit:
    at = max(0, block.text.find(lead.quote[:40])) if lead is not None and lead.quote else 0
    head = f"{path} {block.title}".strip()
    return _shown(f"{number} {block.place}", head, block.text, at)


def _lines(lead: Lead, number: str) -> Exhibit:
    lines = _text(Path(lead.path)).split("\n")
    first = max(0, (lead.line or 1) - LINES_AROUND)
    last = min(len(lines), (lead.line or 1) + LINES_AROUND)
    return _shown(f"{number} lines {first + 1} to {last}", lead.path, "\n".join(lines[first:last]))


def _shown(place: str, head: str, text: str, at: int = 0) -> Exhibit:
    """Return an exhibit with its keys masked; of a very long text, what stands around `at`.

    Names of files and tools are the agent's to choose: they stand in the text, as data, and not in the mark above it.
    """
    title = ""
    if len(text) > MOST_MASKED:
        start = max(0, at - MOST_MASKED // 2)
        text, title, at = text[start : start + MOST_MASKED], "a part of it", at - start
    return exhibit(place, f"{head}\n{masked(text)}", title, at)


def _text(file: Path) -> str:
    return file.read_bytes().decode("utf-8", "replace")

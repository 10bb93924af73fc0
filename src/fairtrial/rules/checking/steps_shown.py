"""Which steps and scripts the judge is shown: those that leads rest on with their neighbours, then other calls.

A clean ruling needs to see what was done, so calls are shown where no lead points, too: over the whole of a long
trajectory, not its beginning alone. What is not picked out is counted in an overview, and what then does not fit into
the judge's room is counted there. Keys are masked, as everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from fairtrial.contamination.conduct.leads import Lead, Leads
from fairtrial.contamination.conduct.masking import masked
from fairtrial.grade.judges.telling import Block, blocks_of
from fairtrial.rules.checking.hashes import files_in
from fairtrial.rules.checking.trajectories import trajectory_in
from fairtrial.rules.exhibits import OVERVIEW, Exhibit, distinct, exhibit

MOST_LEADS = 40
MOST_AROUND = 30
"""Parts of steps that are shown around one lead."""
MOST_SCRIPTS = 20
MOST_CALLS = 2_000
"""Of all trajectories together; of more, some are picked out evenly."""
FIRST_CALLS = 400
"""Calls of one trajectory that come in their order; of more, those that lie evenly over all of it come first."""
LINES_AROUND = 20
MOST_MASKED = 100_000
"""Characters of one text in which keys are looked for."""


def steps_shown(found: Leads, paths: Sequence[Path]) -> tuple[Exhibit, ...]:
    """Return steps of the trajectories at `paths`, and files that were read, those with leads first."""
    files = sorted({file for path in paths for file in files_in(path)})
    trajectories = {str(file): list(blocks_of(one)) for file in files if (one := trajectory_in(file)) is not None}
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
    calls = {path: [block for block in blocks if " call " in block.place] for path, blocks in trajectories.items()}
    for path, each in calls.items():
        for at in spread(len(each), max(1, MOST_CALLS // len(calls))):
            shown.setdefault((path, each[at].place), _step(each[at], numbers[path], path))
    for path in scripts[:MOST_SCRIPTS]:
        shown.setdefault((path, ""), _shown(numbers[path], path, _text(Path(path))))
    kept = sum((path, block.place) in shown for path, each in calls.items() for block in each)
    return distinct([_overview(found, kept, sum(map(len, calls.values())), len(scripts)), *shown.values()])


def _overview(found: Leads, kept: int, calls: int, scripts: int) -> Exhibit:
    """Say how much there is, and how much of it can be shown at all; what then has no room is counted beside it."""
    leads, files = len(found.findings), min(scripts, MOST_SCRIPTS)
    evenly = ", picked out evenly" if kept < calls else ""
    said = (f"The steps and lines of {min(leads, MOST_LEADS):,} of {leads:,} leads; {kept:,} of {calls:,} calls"
            f"{evenly}; {files:,} of {scripts:,} other files that were read.")  # fmt: skip
    return exhibit(OVERVIEW, said, "of what is picked out to be shown")


def spread(count: int, most: int) -> list[int]:
    """Return up to `most` numbers below `count`, such that any beginning of them lies over the whole.

    >>> spread(3, 9), spread(10, 3)
    ([0, 1, 2], [0, 4, 8])
    >>> few = spread(100_000, 2_000)
    >>> len(few), few[:2], max(few[:400]) > 99_000
    (2000, [0, 256], True)
    """
    stride = 1
    while count > stride * min(FIRST_CALLS, most):
        stride *= 2
    found = list(range(0, count, stride))
    while stride > 1 and len(found) < most:
        found += range(stride // 2, count, stride)
        stride //= 2
    return found[:most]


def _around(blocks: Sequence[Block], lead: Lead) -> Iterator[Block]:
    """Yield the parts of a lead's step, and of the steps beside it; of many parts the nearest."""
    at = lead.step or 0
    near = [block for block in blocks if abs(int(block.place.split()[1]) - at) <= 1]
    if len(near) <= MOST_AROUND:
        yield from near
        return
    own = next((number for number, block in enumerate(near) if block.place == lead.place), 0)
    start = max(0, min(own - MOST_AROUND // 2, len(near) - MOST_AROUND))
    yield from near[start : start + MOST_AROUND]


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

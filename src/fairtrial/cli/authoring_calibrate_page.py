"""What `authoring calibrate` prints on a terminal: the answer, a line a difficulty, single tasks, both sides."""

from __future__ import annotations

from pathlib import Path

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from fairtrial.authoring.calibrate import Calibration
from fairtrial.authoring.calibrate.evidence import Says
from fairtrial.report.numbers import NOT_MEASURED, count, percent, share_with_interval
from fairtrial.report.words import capital, plural, visible

_SAYS: dict[Says, str] = {
    "in_band": "● in the band", "too_easy": "◆ too easy", "too_hard": "◆ too hard", "open": "☐ not decided",
}  # fmt: skip


def page(found: Calibration, out: Path | None) -> RenderableType:
    """Return the page."""
    low, high = found.options.band
    cost = "" if found.usd is None else f", {found.usd:.4f} USD"
    held = f" ({count(found.held)} in the ledger before)" if found.held else ""
    lines: list[RenderableType] = [
        Text(capital(visible(found.why)) + "."),
        Text(f"{visible(found.suite)}, {visible(found.model)}: {plural(found.attempts, 'attempt')}{held}{cost}; band "
             f"{percent(low)} to {percent(high)}, error {found.options.error:g} over all difficulties"),
        Text(), _levels(found),
    ]  # fmt: skip
    for easier, harder in found.reversed:
        lines.append(Text(f"△ {visible(harder)} is passed more than {visible(easier)}, which is said to be easier."))
    for spread in found.spread:
        lines.append(Text(f"Difficulty {visible(spread.difficulty)}, single tasks, {spread.group_size} attempts each: "
                          f"{share_with_interval(spread.mixed)} have a pass and a failure, "
                          f"{share_with_interval(spread.in_band)} lie in the band themselves."))  # fmt: skip
    if found.sides is not None:
        sides = found.sides
        where = f" in {out}" if out is not None else ", not written without --out"
        lines.append(Text(f"{count(len(sides.train))} training tasks, {count(len(sides.held_out))} held out{where}; "
                          f"{plural(len(sides.groups), 'group')} of near copies, none on both sides."))  # fmt: skip
    return Group(*lines)


def _levels(found: Calibration) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for name in ("difficulty", "says", "passed", "graded", "ungraded", "rate, anytime-valid", "if monotone"):
        table.add_column(name, justify="left" if name in ("difficulty", "says") else "right", no_wrap=True)
    for level in found.levels:
        table.add_row(
            Text(visible(level.difficulty)), _SAYS[level.says], count(level.passed), count(level.passed + level.failed),
            count(level.ungraded), share_with_interval(level.rate),
            NOT_MEASURED if level.isotonic is None else percent(level.isotonic),
        )  # fmt: skip
    return table

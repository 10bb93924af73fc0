"""The board on a terminal: a line a row, what it is locked to, who was refused. Names are never markup."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from fairtrial.board.changes import Changes
from fairtrial.board.result import Board, Row
from fairtrial.report.board import words
from fairtrial.report.markdown import STATE_SHAPES
from fairtrial.report.terminal import glyph
from fairtrial.report.words import visible

_STYLES = {"holds": "green", "refuted": "red", "lead": "yellow", "none": "dim"}
_MOST_REFUSED = 12
_WIDEST_NAME = 44


def page(board: Board) -> RenderableType:
    """Return the whole page."""
    parts: list[RenderableType] = [Text(visible(board.title), style="bold"), Text(words.summary(board))]
    parts += [Text(line, style="dim") for line in words.lock_lines(board)]
    parts += [Text(f"! {line}", style="dim") for line in map(visible, board.notes)]
    if board.rows:
        parts += [Text(), _rows(board)]
        parts += [Text(f"{visible(row.label)}: {visible(row.why)}") for row in board.rows if row.why and _is_worth(row)]
    parts += [Text(words.reference_line(each)) for each in board.references]
    if board.refused:
        parts += [Text(), Text(f"Refused: {len(board.refused)}", style="bold")]
        parts += [Text(f"◆ {visible(each.run)}: {visible(each.why)}") for each in board.refused[:_MOST_REFUSED]]
        if len(board.refused) > _MOST_REFUSED:
            parts.append(Text(f"and {len(board.refused) - _MOST_REFUSED} more: --json lists all", style="dim"))
    parts += [Text(), Text(words.rank_rule(board), style="dim")]
    return Group(*parts)


def change_lines(changed: Changes) -> Iterable[str]:
    """Return what changed since another version, a line each."""
    yield f"since version {changed.since}: {words.changes_summary(changed)}"


def _is_worth(row: Row) -> bool:
    return row.status != "clean"


def _rows(board: Board) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for title, side in (("rank", "right"), ("model", "left"), ("0       50       100%", "left"), ("score", "right"),
                        ("95%", "left"), ("status", "left"), ("ungraded", "right"), ("output tokens", "right"),
                        ("USD", "right")):  # fmt: skip
        if title == "model":
            table.add_column(title, overflow="fold", max_width=_WIDEST_NAME)
        else:
            table.add_column(title, justify="right" if side == "right" else "left", no_wrap=True)
    for row in board.rows:
        state, told = words.state_of(row)
        table.add_row(
            Text(words.rank(row)),
            Text(visible(row.label)),
            Text(glyph(words.span(row.score))),
            Text(words.score(row)),
            Text(words.interval(row)),
            Text(f"{STATE_SHAPES[state]} {told}", style=_STYLES[state]),
            Text("" if row.score is None else f"{row.score.ungraded:,}"),
            Text(words.tokens(row.spent)),
            Text(words.money(row.spent)),
        )
    return table

"""The table of a row's scores: each model on each track, whose runs count, and what its own reached."""

from __future__ import annotations

from fairtrial.board.result import Part, Row
from fairtrial.report.board import words
from fairtrial.report.data import Cell, Column, Table
from fairtrial.report.data import Row as TableRow
from fairtrial.report.words import visible

_COLUMNS = (
    Column(key="track", title="track", kind="name"),
    Column(key="model", title="model", kind="text"),
    Column(key="base", title="made", kind="text"),
    Column(key="glyph", title="0 to 100%", kind="glyph"),
    Column(key="score", title="score [95%]", kind="number"),
    Column(key="own", title="its own runs", kind="number"),
    Column(key="why", title="counts", kind="text"),
)


def score_table(row: Row) -> Table:
    """Return the table; the columns of base models and of its own runs only where they say something."""
    bases = any(part.base for part in row.parts)
    own = any(part.scored_by and part.scored_by != part.label for part in row.parts) or row.status == "removed"
    keys = [column.key for column in _COLUMNS if (bases or column.key != "base") and (own or column.key != "own")]
    return Table(
        key="scores", caption=f"{len(row.parts)} part{'s' if len(row.parts) > 1 else ''} of its score", layout="stack",
        columns=tuple(column for column in _COLUMNS if column.key in keys),
        rows=tuple(TableRow(tuple(_cells(part)[key] for key in keys)) for part in row.parts),
    )  # fmt: skip


def _cells(part: Part) -> dict[str, Cell]:
    counts = "its own runs" if part.scored_by == part.label else f"the runs of its base model {part.scored_by}"
    return {
        "track": Cell(text=visible(part.track)),
        "model": Cell(text=visible(part.label) or "none"),
        "base": Cell(text=f"from {visible(part.base)}" if part.base else "base not named"),
        "glyph": Cell(text=words.accuracy(part.accuracy), span=words.span(part.accuracy)),
        "score": Cell(text=words.accuracy(part.accuracy)),
        "own": Cell(text=words.accuracy(part.own_accuracy)),
        "why": Cell(text=visible(part.why) if part.why else visible(counts)),
    }

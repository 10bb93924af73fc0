"""board.md and changes.md: the board, and what changed, as text that reads well raw. Everything is escaped."""

from __future__ import annotations

from fairtrial.board.changes import Changes
from fairtrial.board.result import Board
from fairtrial.report.board import words
from fairtrial.report.board.pages import TOOL, rules_claim
from fairtrial.report.board.views import Line, board_lines
from fairtrial.report.markdown import STATE_SHAPES, code, escape
from fairtrial.report.words import visible


def board_markdown(board: Board, version: int) -> str:
    """Return the board as Markdown."""
    lines = [f"# {escape(visible(board.title))}", "", f"**{escape(words.summary(board))}**", "",
             f"- Rules: {code(visible(board.rules))}, version {version} of the board",
             f"- {escape(words.counts(board))}"]  # fmt: skip
    lines += [f"- {escape(line)}" for line in words.lock_lines(board)]
    lines += [f"- Note: {escape(visible(note))}" for note in board.notes]
    lines += ["", "| rank | model | score | 95% | status | n, ungraded | tokens out | USD |",
              "|--:|---|--:|---|---|---|--:|--:|"]  # fmt: skip
    lines += [_row(line) for line in board_lines(board)]
    lines += ["", escape(words.rank_rule(board)), ""]
    if board.refused:
        lines += [f"## Refused: {len(board.refused)}", ""]
        lines += [f"- ◆ **{escape(visible(each.run))}**: {escape(visible(each.why))}" for each in board.refused]
        lines += [""]
    lines += ["---", "", f"{TOOL}. “Not judged” is not “clean”. A finding without a ruling accuses nobody."]
    return "\n".join(lines) + "\n"


def _row(line: Line) -> str:
    spend = {fact.name: fact.text for fact in line.spend}
    shape = "" if line.reference else f"{STATE_SHAPES[line.state[0]]} "
    about = f" ({escape('; '.join(line.about))})" if line.about else ""
    cells = [line.rank, f"{escape(line.label)}{about}", line.score, escape(line.interval), f"{shape}{line.state[1]}",
             escape(", ".join(line.base)), spend.get("tokens out", ""), spend.get("USD", "")]  # fmt: skip
    return f"| {' | '.join(cells)} |"


def changes_markdown(board: Board, changed: Changes) -> str:
    """Return what changed as Markdown."""
    lines = [f"# {escape(visible(board.title))}: from version {changed.since} to {changed.until}", "",
             f"**{escape(words.changes_summary(changed).capitalize())}.**", ""]  # fmt: skip
    for row in changed.rows:
        scored = f", score {escape(words.moved_score(row))}" if words.moved_score(row) else ""
        lines.append(f"- **{escape(visible(row.label))}** {words.movement(row)}{scored}")
        lines += [f"  - {escape(visible(reason))}" for reason in row.reasons]
    lines += ["", f"## {rules_claim(changed)}", ""]
    lines += [f"    {visible(line)}" for line in changed.rules_diff]
    for title, told in (("Locks and weights", changed.locked), ("Refused", changed.refused)):
        lines += ["", f"## {title}", ""]
        lines += [f"- {escape(visible(line))}" for line in told] or ["Nothing changed."]
    return "\n".join(lines) + "\n"

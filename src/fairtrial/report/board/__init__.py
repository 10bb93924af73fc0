"""The pages of a board: its rows, each row with all that speaks of it, its rollouts, and what changed since."""

from fairtrial.report.board.write import Limits, write_pages

__all__ = ["Limits", "write_pages"]

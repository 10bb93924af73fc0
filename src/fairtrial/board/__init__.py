"""The locked leaderboard: who leads on equal terms, with the rule breakers out, and what changed since."""

from fairtrial.board.changes import Changes, changes
from fairtrial.board.document import document_of
from fairtrial.board.make import make_board
from fairtrial.board.result import SCHEMA, Board, Options
from fairtrial.board.runs import Records, read_records

__all__ = ["SCHEMA", "Board", "Changes", "Options", "Records", "changes", "document_of", "make_board", "read_records"]

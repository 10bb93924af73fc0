"""Append-only Parquet tables, DuckDB views over them, and resume by content id."""

from fairtrial.ledger.ids import IdSet
from fairtrial.ledger.schema import TABLES, VERSION
from fairtrial.ledger.store import Appended, Appender, Ledger, Record, rows_of
from fairtrial.ledger.views import connect, damage
from fairtrial.ledger.writer import Writer

__all__ = [
    "TABLES", "VERSION", "Appended", "Appender", "IdSet", "Ledger", "Record", "Writer", "connect", "damage", "rows_of",
]  # fmt: skip

"""What a task states about its answers. Nothing is tolerated, and nothing ambiguous is read, unless it stands here."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """Say how answers of a task may differ from the reference; the defaults are the strict reading."""

    absolute: float = 0.0
    """Largest difference of numbers, quantities and amounts, in the unit of the reference."""
    relative: float = 0.0
    """Largest difference as a share of the reference."""
    decimal_comma: bool = False
    """1.234,5 means 1234.5, and 1,5 means 1.5."""
    percent_as_number: bool = False
    """The task asks for a number of per cent, so 50 answers 50%."""
    day_first: bool | None = None
    """04/03/2026 is 4 March; None: such a date is refused as ambiguous."""
    case_sensitive: bool = False
    """Text differs by case."""
    ordered: bool | None = None
    """Order counts, of a JSON array's items or of a table's rows; None: it counts in JSON and not in a table."""
    choices: tuple[str, ...] = ()
    """The texts of the options A, B, C …, so that an answer may quote one instead of its letter."""


STRICT = Stated()

"""A row of the verdict without an estimate: what was not measured, or is a count that no interval fits."""

from __future__ import annotations

from fairtrial.report.data import Span, State, VerdictRow
from fairtrial.report.numbers import NOT_MEASURED


def not_measured_row(key: str, statement: str, detail: str, command: str = "") -> VerdictRow:
    """Return a row for what was not measured, with what would measure it."""
    return VerdictRow(key=key, statement=statement, detail=detail, estimate=NOT_MEASURED, interval="no estimate",
                      base=("n = 0",), span=Span(), states=(("none", NOT_MEASURED),), command=command)  # fmt: skip


def counted_row(
    key: str, statement: str, detail: str, counted: str, base: str, states: tuple[tuple[State, str], ...]
) -> VerdictRow:
    """Return a row for a count of what was looked at; nothing is claimed of what was not."""
    return VerdictRow(key=key, statement=statement, detail=detail, estimate=counted, interval="a count", base=(base,),
                      span=Span(), states=states)  # fmt: skip

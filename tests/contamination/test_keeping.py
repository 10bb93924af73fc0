"""The sentence of a scan does not let a rate of false alarms pass for a finding."""

from __future__ import annotations

from dataclasses import replace

from fairtrial.contamination.document import Scan
from fairtrial.contamination.keeping import summary_of
from report.contamination.scans import full


def reworded(rows: int, train_rows: int) -> Scan:
    """Return a scan in which so many rows are flagged as reworded, of so many, at a rate of 1%."""
    scan = full()
    flagged = tuple(one for one in scan.flagged if one.flag.detector != "verbatim")[:rows]
    assert len({one.flag.train_row for one in flagged}) == rows
    return replace(scan, flagged=flagged, train_rows=train_rows, items=(), distribution=None)


def test_no_more_flagged_than_clean_rows_draw_is_said_to_be_no_more_than_chance() -> None:
    assert "(0 word for word; no more than chance flags of clean rows at this rate, about 30)" in summary_of(
        reworded(20, 3_000)
    )


def test_more_flagged_than_chance_explains_is_not_explained_away() -> None:
    said = summary_of(reworded(20, 300))
    assert "(0 word for word; of clean rows about 3 are flagged at this rate)" in said
    assert "no more than chance" not in said


def test_rows_that_hold_an_item_are_never_called_chance() -> None:
    scan = replace(full(), train_rows=300_000, items=(), distribution=None)
    assert "(1 word for word; of clean rows about 3,000 are flagged at this rate)" in summary_of(scan)

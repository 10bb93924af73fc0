"""The sentence of a scan does not let a rate of false alarms pass for a finding."""

from __future__ import annotations

from dataclasses import replace

from fairtrial.contamination.document import ItemFigure, Scan, Shares
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


def test_an_item_with_a_flagged_row_is_not_one_that_draws_more_than_decoys_explain() -> None:
    """Five items with one flagged row each were once told among those with too many."""
    items = (ItemFigure(item_id="a", near_rows=9, expected=0.1, q_value=0.001, flagged=True),
             ItemFigure(item_id="b", near_rows=1, expected=0.1, q_value=1.0, flagged=True))  # fmt: skip
    assert "; 1 item with more rows near than the decoys explain" in summary_of(replace(full(), items=items))


def test_a_set_is_not_said_to_lie_nearer_for_one_item_that_outdraws_the_decoys() -> None:
    shares = Shares(eval_near=400, decoy_near=9, p_value=0.5, built_around=True, effects={"items_dominant": 1})
    said = summary_of(replace(full(), distribution=shares))
    assert "1 with more than all decoys together" in said
    assert "lies nearer" not in said


def test_rows_that_crowd_around_one_item_are_found_though_no_more_rows_are_flagged_than_chance_flags() -> None:
    """Four clones of one item among thousands of rows: a lead, not a set that is built around items."""
    alike = Shares(eval_near=24, decoy_near=20, p_value=0.6, built_around=False, effects={"items_called": 0})
    clean = replace(reworded(20, 3_000), distribution=alike)
    assert not clean.found
    assert replace(clean, distribution=replace(alike, effects={"items_called": 1})).found

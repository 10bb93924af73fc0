"""Attacks what a report says of contamination: nothing compared is not clean, a flag is a lead."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.report.suites import context

from fairtrial.ledger import Ledger
from fairtrial.records import Screening
from fairtrial.report import Report, build
from fairtrial.report.audited import read_audited
from fairtrial.report.data import Block, VerdictRow
from fairtrial.report.gather import nothing_measured
from fairtrial.report.html import html
from fairtrial.report.markdown import markdown


@pytest.fixture
def book(tmp_path: Path) -> Ledger:
    return Ledger.open(tmp_path / "book", create=True)


def screened(subject: str, holds: bool | None, **more: Any) -> Screening:
    fields: dict[str, Any] = {"kind": "scan", "subject_hash": "h", "summary": "said", "against": "eval.jsonl"}
    return Screening(subject=subject, holds=holds, **(fields | more))


def report_of(book: Ledger) -> Report:
    report = build(nothing_measured(16, 0), (), (), context(), read_audited(book))
    assert "Contamination" in markdown(report)
    assert "Contamination" in html(report)
    return report


def parts(book: Ledger) -> tuple[tuple[Block, ...], VerdictRow]:
    report = report_of(book)
    blocks = next(section for section in report.sections if section.key == "contamination").blocks
    return blocks, next(row for row in report.verdict.rows if row.key == "contamination")


def test_nothing_compared_is_not_clean_and_the_command_is_given(book: Ledger) -> None:
    blocks, row = parts(book)
    assert all(block.empty is not None and block.empty.command for block in blocks)
    assert row.command.startswith("fairtrial contamination scan")
    assert "not a statement that it is clean" in row.detail


def test_what_could_not_be_measured_is_counted_apart(book: Ledger) -> None:
    book.append("screenings", [screened("a.jsonl", True), screened("b.jsonl", None, not_measured=("no text",)),
                               screened("c.jsonl", False)])  # fmt: skip
    blocks, row = parts(book)
    assert blocks[0].claim == "Something was found in 1 of 2 comparisons of training data; 1 could not be measured"
    assert row.statement == "Something was found in 1 of 2 comparisons of training data"
    assert [words for _, words in row.states] == ["1 with leads", "1 not measured in full"]


def test_only_unmeasured_comparisons_are_no_comparison(book: Ledger) -> None:
    book.append("screenings", [screened("b.jsonl", None, not_measured=("no text",))])
    blocks, row = parts(book)
    assert blocks[0].claim.endswith("nothing could be measured")
    assert row.statement == "Contamination was not measured"


def test_of_one_subject_the_last_screening_counts(book: Ledger) -> None:
    book.append("screenings", [screened("a.jsonl", False, recorded_at="1"),
                               screened("a.jsonl", True, recorded_at="2", subject_hash="cleaned")])  # fmt: skip
    blocks, _ = parts(book)
    assert blocks[0].claim == "Nothing was found in 1 comparison of training data"


def test_submitted_models_are_told_apart_from_data(book: Ledger) -> None:
    book.append("screenings", [screened("weights", False, kind="identity", model="m<script>", against="base")])
    blocks, row = parts(book)
    assert blocks[0].empty is not None
    assert row.statement == "Contamination was not measured"
    (shown,) = blocks[1].tables[0].rows
    assert shown.cells[3].state == "lead"
    assert "<script>" not in html(report_of(book))

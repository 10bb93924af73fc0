"""Attacks what a report says of experts: void sign-offs, refused designs, inspections counted by the last word."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.report.suites import context

from fairtrial.ledger import Ledger
from fairtrial.records import Inspection, Preference, Proof, Rollout, Signoff, Verdict
from fairtrial.report import build
from fairtrial.report.audited import read_audited
from fairtrial.report.data import Block
from fairtrial.report.gather import nothing_measured, read_context
from fairtrial.report.markdown import markdown


@pytest.fixture
def book(tmp_path: Path) -> Ledger:
    return Ledger.open(tmp_path / "book", create=True)


def signed(task: str, task_hash: str, part: str, *, holds: bool | None = True, **more: object) -> Signoff:
    return Signoff(suite="s", task=task, task_hash=task_hash, part=part, holds=holds, reviewer="cy",
                   role="physician", **more)  # type: ignore[arg-type]  # fmt: skip


def blocks(book: Ledger, *proofs: Proof) -> tuple[Block, ...]:
    report = build(nothing_measured(16, 0), proofs, (), context(), read_audited(book, proofs))
    markdown(report)
    return next(section for section in report.sections if section.key == "experts").blocks


def test_nothing_said_is_told_with_the_command_that_fills_it(book: Ledger) -> None:
    assert all(block.empty is not None and block.empty.command for block in blocks(book))


def test_a_sign_off_of_another_content_counts_for_nothing(book: Ledger) -> None:
    parts = ("instruction", "world", "grader", "reference")
    book.append("signoffs", [signed("t", "old", part) for part in parts])
    now = Proof(task="t", status="proven", task_hash="new", suite="s@1")
    (row,) = blocks(book, now)[0].tables[0].rows
    assert [cell.text for cell in row.cells[1:5]] == ["nobody looked"] * 4
    assert row.cells[-1].value == 4
    book.append("signoffs", [signed("t", "new", part) for part in parts])
    (row,) = blocks(book, now)[0].tables[0].rows
    assert [cell.text for cell in row.cells[1:5]] == ["holds"] * 4
    assert blocks(book, now)[0].claim.endswith("1 of 1 reviewed tasks")


def test_a_design_that_the_grader_refuses_is_named(book: Ledger) -> None:
    book.append("signoffs", [signed("t", "h", "grader", second_design="a join", second_design_passes=False)])
    assert "a join" in blocks(book)[0].tables[0].rows[0].cells[0].note


def test_the_last_answer_of_an_inspector_counts(book: Ledger) -> None:
    said = Inspection(checklist="c@1", item="i", answer="fails", reviewer="ada", task="t", recorded_at="1")
    book.append("inspections", [said])
    assert "1 of 1" in blocks(book)[1].claim
    again = Inspection(checklist="c@1", item="i", answer="holds", reviewer="ada", task="t", recorded_at="2")
    book.append("inspections", [again])
    assert "0 of 1" in blocks(book)[1].claim


def test_preferences_name_nobody_the_first_where_intervals_do_not_part(book: Ledger) -> None:
    rollouts = [Rollout(task=f"t{number}", model=model) for number in range(4) for model in ("a", "b")]
    book.append("verdicts", [Verdict(rollout=one.id, outcome="passed") for one in rollouts])
    book.append("rollouts", rollouts)
    pairs = zip(rollouts[::2], rollouts[1::2], strict=True)
    book.append("preferences", [
        Preference(first=one.id, second=other.id, preferred="first" if number % 2 else "second", reviewer="ada",
                   task=one.task)
        for number, (one, other) in enumerate(pairs)
    ])  # fmt: skip
    block = blocks(book)[2]
    assert block.claim.startswith("No model is surely preferred")
    assert [row.cells[1].text for row in block.tables[0].rows] == ["1 to 2", "1 to 2"]


def test_a_report_of_what_experts_said_names_their_suite_and_rests_on_their_records(book: Ledger) -> None:
    book.append("signoffs", [signed("t", "h", "grader", recorded_at="2026-03-01T00:00:00+00:00")])
    book.append("inspections", [Inspection(checklist="c@1", item="i", answer="holds", reviewer="ada", suite="s")])
    found = read_context(book, ())
    assert (found.suite, found.measured_at) == ("s", "2026-03-01")
    assert [(source.name, source.rows) for source in found.sources] == [("signoffs", 1), ("inspections", 1)]

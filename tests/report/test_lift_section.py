"""Attacks what a ledger's report says of lift: nothing trained is no gain of nothing, a silent model is named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.report.lift.ledgers import checkpoints, make_ledger
from tests.report.suites import context

from fairtrial.ledger import Ledger
from fairtrial.report import Report, build
from fairtrial.report.data import VerdictRow
from fairtrial.report.gather import nothing_measured
from fairtrial.report.html import html
from fairtrial.report.markdown import markdown
from fairtrial.report.trained import Trained, read_trained


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Trained:
    ledger = make_ledger(tmp_path_factory.mktemp("trained") / "ledger", tasks=6)
    ledger.append("checkpoints", [replace(one, model="silent", recipe="s") for one in checkpoints("rl")])
    return read_trained(ledger)


def report_of(trained: Trained) -> Report:
    report = build(nothing_measured(16, 0), (), (), context(), None, trained)
    assert "Lift" in markdown(report)
    assert "Lift" in html(report)
    return report


def row_of(report: Report) -> VerdictRow:
    return next(row for row in report.verdict.rows if row.key == "lift")


def test_nothing_trained_is_not_measured_and_the_command_is_given(tmp_path: Path) -> None:
    report = report_of(read_trained(Ledger.open(tmp_path / "book", create=True)))
    row = row_of(report)
    assert row.statement == "Lift was not measured"
    assert row.command.startswith("fairtrial train")
    assert "no model was trained" in next(scope.why for scope in report.not_measured if scope.what == "lift")


def test_gains_stand_with_controls_and_without_arms_that_ask_what_taught(trained: Trained) -> None:
    assert {one.trained for one in trained.gains} == {"sft-rl", "sft", "rl"}
    assert [one.trained for one in trained.controls] == ["sft-random"]
    row = row_of(report_of(trained))
    assert row.statement == "sft-rl gains from training"
    assert row.span.value is not None
    assert "The one of 3 that gained most." in row.detail


def test_a_model_without_evaluations_is_named_and_silences_no_other(trained: Trained) -> None:
    assert [model for model, _ in trained.not_compared] == ["silent"]
    assert any(scope.what == "lift of silent" for scope in report_of(trained).not_measured)


def test_a_control_that_gains_is_told_in_the_verdict(trained: Trained) -> None:
    doubted = replace(trained, lifted=tuple(replace(one, controls_hold=False) for one in trained.lifted))
    assert ("refuted", "a control gains too") in row_of(report_of(doubted)).states


def test_only_controls_measure_no_gain(trained: Trained) -> None:
    (board,) = trained.lifted
    alone = replace(board, comparisons=tuple(one for one in board.comparisons if one.control))
    report = report_of(Trained(checkpoints=trained.checkpoints, lifted=(alone,)))
    assert row_of(report).statement == "Lift was not measured"

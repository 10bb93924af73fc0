"""`fairtrial audit agreement` from the outside: who looked, tables, a sample alone, nothing to compare."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fairtrial.cli.main import run
from fairtrial.ledger import Ledger
from fairtrial.records import Review, Rollout, Verdict


@pytest.fixture
def book(tmp_path: Path) -> Ledger:
    book = Ledger.open(tmp_path / "ledger", create=True)
    rollouts = [Rollout(task=f"t{i}", model="m") for i in range(20)]
    book.append("rollouts", rollouts)
    book.append("verdicts", [Verdict(rollout=one.id, outcome="passed" if int(one.task[1:]) % 2 else "failed")
                             for one in rollouts])  # fmt: skip
    return book


def review(book: Ledger, who: str, answers: str, kind: str = "person") -> None:
    ids = [Rollout(task=f"t{i}", model="m").id for i in range(len(answers))]
    book.append("reviews", [
        Review(rollout=rollout, reviewer=who, kind=kind, satisfied={"y": True, "n": False, "-": None}[code])  # type: ignore[arg-type]
        for rollout, code in zip(ids, answers, strict=True) if code != " "
    ])  # fmt: skip


def test_people_and_judges_are_told_with_tables_and_intervals(book: Ledger, capfd: pytest.CaptureFixture[str]) -> None:
    review(book, "ada", "yyyyynnnnn")
    review(book, "bo", "yyyynnnnnn")
    review(book, "some-model", "yyyyynnnny", "judge")
    assert run(["audit", "agreement", str(book.path), "--json"]) == 0
    told = json.loads(capfd.readouterr().out)
    assert told["schema"] == "fairtrial.agreement/1"
    satisfied = told["questions"]["satisfied"]
    (pair,) = satisfied["pairs"]
    assert (pair["first"], pair["second"], pair["table"]["yes_no"]) == ("ada", "bo", 1)
    assert pair["kappa"]["value"] == pytest.approx(0.8)
    assert pair["kappa"]["low"] < 0.5
    (judge,) = satisfied["judges"]
    assert judge["specificity"]["value"] == pytest.approx(0.8)
    assert satisfied["disputed"] == 1
    assert told["questions"]["hack"]["pairs"][0]["n"] == 0
    assert run(["audit", "agreement", str(book.path)]) == 0
    shown = capfd.readouterr().out
    assert "ada and bo looked; on 10 rollouts" in shown
    assert "some-model beside people: says yes to 1.00" in shown


def test_nothing_to_compare_is_not_measured(book: Ledger, capfd: pytest.CaptureFixture[str]) -> None:
    review(book, "some-model", "yy", "judge")
    assert run(["audit", "agreement", str(book.path), "--json"]) == 3
    shown = capfd.readouterr()
    assert json.loads(shown.out)["questions"]["satisfied"]["sentence"] == "No person has looked."
    assert "agreement was not measured" in shown.err


def test_a_sample_alone_is_told_where_one_is_named(book: Ledger, capfd: pytest.CaptureFixture[str]) -> None:
    review(book, "ada", "y" * 10 + "n" * 10)
    review(book, "bo", "y" * 10 + "n" * 10)
    assert run(["audit", "sample", str(book.path), "--n", "8"]) == 0
    capfd.readouterr()
    assert run(["audit", "agreement", str(book.path), "--sample", "last", "--json"]) == 0
    told = json.loads(capfd.readouterr().out)
    assert told["questions"]["satisfied"]["people"]["n"] == 8
    assert told["sample"]
    assert run(["audit", "agreement", str(book.path), "--sample", "nosuch"]) == 2

"""`fairtrial audit pairs` from the outside: document, page, exit codes, refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairtrial.cli.main import run
from fairtrial.ledger import Ledger
from fairtrial.records import Preference, Rollout


@pytest.fixture
def book(tmp_path: Path) -> Ledger:
    """Return a ledger of six tasks on which `strong` is preferred to `weak` by ada, and bo sometimes disagrees."""
    book = Ledger.open(tmp_path / "ledger", create=True)
    for number in range(6):
        strong, weak = (Rollout(task=f"t{number}", model=model) for model in ("strong", "weak"))
        book.append("rollouts", [strong, weak])
        said: list[Any] = ["first", "second" if number else "tie"]
        book.append("preferences", [
            Preference(first=strong.id, second=weak.id, preferred=said[0], reviewer="ada"),
            Preference(first=weak.id, second=strong.id, preferred=said[1], reviewer="ada"),
            Preference(first=strong.id, second=weak.id, preferred="second" if number % 3 else None, reviewer="bo"),
        ])  # fmt: skip
    return book


def test_the_document_says_who_leads_and_what_it_rests_on(book: Ledger, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", "pairs", str(book.path), "--json"]) == 0
    document = json.loads(capfd.readouterr().out)
    assert document["schema"] == "fairtrial.pairs/1"
    assert document["comparisons"] == {"counted": 18, "cannot_tell": 2, "left_out": {}, "of_other_kind": 0}
    assert [(row["model"], row["wins"], row["losses"], row["ties"]) for row in document["models"]] == [
        ("strong", 11, 4, 1), ("weak", 4, 11, 1)]  # fmt: skip
    (pair,) = document["pairs"]
    assert (pair["one"], pair["compared"]) == ("strong", 16)
    assert pair["preferred"]["low"] < pair["preferred"]["value"] < pair["preferred"]["high"]
    assert document["reviewers"][1] == {"reviewer": "bo", "first": 0, "second": 4, "tie": 0, "cannot_tell": 2}
    assert document["consistency"]["pairs_of_several"] == 4
    assert document["consistency"]["swapped"]["value"] == pytest.approx(5 / 6)
    assert document["settled"] == {"settled": 1, "disputed": 4, "position": 1}


def test_the_page_names_what_the_document_does(book: Ledger, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", "pairs", str(book.path)]) == 0
    shown = capfd.readouterr().out
    for words in ("18 comparisons on 6 tasks by 2 reviewers; 2 cannot tell", "strong", "first preferred", "α"):
        assert words in shown


def test_nothing_compared_is_not_measured_and_a_wrong_question_is_bad_input(
    book: Ledger, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["audit", "pairs", str(book.path), "--by", "judges"]) == 3
    said = capfd.readouterr().err
    assert "18 comparisons of people" in said
    assert "no two models" in said
    book.append("rollouts", [Rollout(task="t8", model="strong")])
    assert run(["audit", "pairs", str(book.path), "--task", "t8"]) == 3
    for option in ("--task", "--suite"):
        assert run(["audit", "pairs", str(book.path), option, "t9"]) == 2
    assert run(["audit", "pairs", str(book.path), "--question", "Which is longer?"]) == 2
    assert "--question" in capfd.readouterr().err


def test_pairs_shown_in_one_order_rank_on_a_condition_that_is_told(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    book = Ledger.open(tmp_path / "one", create=True)
    strong, weak = (Rollout(task="t", model=model) for model in ("strong", "weak"))
    book.append("rollouts", [strong, weak])
    book.append("preferences", [Preference(first=strong.id, second=weak.id, preferred="tie", reviewer="ada")])
    assert run(["audit", "pairs", str(book.path)]) == 0
    shown = capfd.readouterr().out
    assert "1 comparison on 1 task by 1 reviewer; 0 cannot tell" in shown
    assert "the place cannot be told from strength: ranks suppose that it has no effect" in shown
    assert "-0.00" not in shown

"""`fairtrial board` from the outside: exit codes, one document, versions, what is refused, what is left out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.board.worlds import SMALL, ledger

from fairtrial.cli.main import run
from fairtrial.ledger import Ledger
from fairtrial.records import Rollout, Verdict

TASKS = {"a": "pp", "b": "pf"}


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "rules.toml"
    path.write_text(SMALL)
    return path


@pytest.fixture
def book(tmp_path: Path) -> Path:
    for model in ("m", "n"):
        ledger(tmp_path / "ledger", model, TASKS)
    return tmp_path / "ledger"


def board(capfd: pytest.CaptureFixture[str], *arguments: object, code: int = 0) -> dict[str, Any]:
    assert run(["board", *map(str, arguments), "--json"]) == code
    document: dict[str, Any] = json.loads(capfd.readouterr().out)
    assert document["schema"] == "fairtrial.board/1"
    return document


def test_the_document_has_what_the_contract_names(book: Path, rules: Path, capfd: pytest.CaptureFixture[str]) -> None:
    document = board(capfd, book, "--rules", rules)
    assert {name: document["locked"][name] for name in ("suite", "settings", "environment")} == {
        "suite": "books@1", "settings": "s", "environment": "e"
    }  # fmt: skip
    assert [(row["rank"], row["model"], row["status"]) for row in document["rows"]] == [
        (1, "m", "clean"),
        (1, "n", "clean"),
    ]
    assert all(row["score"]["low"] < row["score"]["value"] == 0.75 < row["score"]["high"] for row in document["rows"])
    assert document["refused"] == []
    assert "version" not in document


def test_a_refused_run_is_exit_1_and_named(book: Path, rules: Path, capfd: pytest.CaptureFixture[str]) -> None:
    ledger(book, "odd", TASKS, suite="books@2")
    document = board(capfd, book, "--rules", rules, code=1)
    (refused,) = document["refused"]
    assert (refused["run"], refused["why"]) == ("odd", "suite: got books@2, wants books@1")
    assert run(["board", str(book), "--rules", str(rules)]) == 1
    told = capfd.readouterr()
    assert "◆ odd: suite: got books@2, wants books@1" in told.out
    assert "1 runs are refused" not in told.err
    assert "1 run is refused" in told.err


def test_ledgers_are_read_together_and_rollouts_in_both_count_once(
    book: Path, rules: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    ledger(tmp_path / "more", "n", TASKS)
    ledger(tmp_path / "more", "o", TASKS)
    document = board(capfd, book, tmp_path / "more", "--rules", rules)
    assert [row["model"] for row in document["rows"]] == ["m", "n", "o"]


def test_two_ledgers_that_tell_two_outcomes_leave_the_rollout_ungraded(
    book: Path, rules: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    ledger(tmp_path / "more", "n", {"a": "pf", "b": "pf"})
    document = board(capfd, book, tmp_path / "more", "--rules", rules)
    assert {row["model"]: row["score"]["ungraded"] for row in document["rows"]} == {"m": 0, "n": 1}
    assert any("1 rollout has" in note for note in document["notes"])


def test_known_candidates_are_left_out(book: Path, rules: Path, capfd: pytest.CaptureFixture[str]) -> None:
    ledger(book, "reference", TASKS, origin="known")
    assert [row["model"] for row in board(capfd, book, "--rules", rules)["rows"]] == ["m", "n"]


def test_nothing_to_rank_is_exit_3(tmp_path: Path, rules: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Ledger.open(tmp_path / "empty", create=True)
    assert run(["board", str(tmp_path / "empty"), "--rules", str(rules)]) == 3
    assert "nothing to rank" in capfd.readouterr().err
    ledger(tmp_path / "ungraded", "m", {"a": "uu"})
    document = board(capfd, tmp_path / "ungraded", "--rules", rules, code=3)
    assert [(row["status"], row["rank"], row["score"]["value"]) for row in document["rows"]] == [
        ("removed", None, None)
    ]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nowhere", "--rules", "rules.toml"], "no such ledger"),
        (["ledger", "--rules", "missing.toml"], "missing.toml"),
        (["ledger", "--rules", "broken.toml"], "runs_per_task"),
        (["ledger", "--rules", "rules.toml", "--since", "1"], "--out"),
        (["ledger", "--rules", "rules.toml", "--out", "out", "--since", "9"], "no version 9"),
        (["ledger", "--rules", "rules.toml", "--out", "rules.toml"], "rules.toml"),
        (["ledger", "--rules", "rules.toml", "--out", "ledger"], "is a ledger"),
        (["ledger"], "--rules"),
    ],
)
@pytest.mark.usefixtures("book")
def test_bad_input_is_exit_2_and_says_what(
    rules: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    told: str,
) -> None:
    monkeypatch.chdir(rules.parent)
    (rules.parent / "broken.toml").write_text('[benchmark]\nname = "b"\nversion = "1"\n')
    assert run(["board", *arguments]) == 2
    assert told in capfd.readouterr().err


def test_the_same_board_makes_no_version_and_another_tells_what_changed(
    book: Path, rules: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    first = board(capfd, book, "--rules", rules, "--out", out)
    pages = {path.relative_to(out): path.read_bytes() for path in out.rglob("*") if path.is_file()}
    again = board(capfd, book, "--rules", rules, "--out", out)
    assert (first["version"], first["changes"], again["version"], again["changes"]) == (1, None, 1, None)
    assert pages == {path.relative_to(out): path.read_bytes() for path in out.rglob("*") if path.is_file()}
    ledger(book, "o", TASKS)
    third = board(capfd, book, "--rules", rules, "--out", out)
    assert (third["version"], third["changes"]["since"]) == (2, 1)
    assert [(row["label"], row["fate"]) for row in third["changes"]["rows"]] == [("o", "entered")]
    assert board(capfd, book, "--rules", rules, "--out", out, "--since", 2)["changes"]["same"] == 3
    assert (out / "versions" / "0001" / "rules.toml").read_text() == SMALL


def test_a_verdict_that_came_later_by_the_same_grader_changes_nothing(
    book: Path, rules: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Grading until it passes makes a conflict, which is ungraded, and no better score."""
    before = board(capfd, book, "--rules", rules)
    failed = Rollout(suite="books@1", settings="s", environment="e", task="b", attempt=1, model="m")
    Ledger.open(book).append("verdicts", [Verdict(rollout=failed.id, outcome="passed")])
    after = board(capfd, book, "--rules", rules)
    scores = [{row["model"]: row["score"] for row in each["rows"]} for each in (before, after)]
    assert scores[0]["n"] == scores[1]["n"]
    assert scores[1]["m"]["ungraded"] == 1

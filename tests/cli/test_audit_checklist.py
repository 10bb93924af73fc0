"""`fairtrial audit checklist` from the outside: a form is written, filled and read; the decision and its exit code."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fairtrial.cli import main
from fairtrial.ledger import Ledger
from fairtrial.ledger.audited import all_inspections
from fairtrial.records import Rollout

Run = Callable[..., tuple[int, dict[str, Any], str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Return what runs `audit checklist` with --json, and returns exit code, document and what it noted."""

    def run_here(*words: str | Path | int) -> tuple[int, dict[str, Any], str]:
        code = main.run(["audit", "checklist", *map(str, words), "--json"])
        said = capsys.readouterr()
        return code, json.loads(said.out) if said.out else {}, said.err

    return run_here


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Return a ledger with rollouts of thirty tasks of one suite."""
    held = Ledger.open(tmp_path / "ledger", create=True)
    held.append("rollouts", [Rollout(task=f"t{n}", model="m", suite="s@1", task_hash=f"h{n}") for n in range(30)])
    return held.path


def fill(form: Path, out: Path, fails: int = 0, reviewer: str = "ada") -> Path:
    """Answer every question with holds, but one question on each of the first `fails` tasks."""
    rows = [json.loads(line) for line in form.read_text().splitlines()]
    tasks = list(dict.fromkeys(row["task"] for row in rows if row["task"]))
    for row in rows:
        wrong = row["task"] in tasks[:fails] and row["item"] == "wrong-work-fails"
        row |= {"answer": "fails" if wrong else "holds", "reviewer": reviewer}
    out.write_text("\n".join(map(json.dumps, rows)))
    return out


@pytest.mark.parametrize(
    ("fails", "code", "decision"),
    [pytest.param(0, 0, "sound", marks=pytest.mark.extra), (9, 1, "flawed"), (3, 3, "cannot_tell")],
)
def test_from_form_to_decision(book: Path, tmp_path: Path, run: Run, fails: int, code: int, decision: str) -> None:
    form = tmp_path / "form.jsonl"
    found, document, _ = run(book, "--write", form, "--n", 15, "--seed", 3)
    assert (found, document["n"], document["population"]) == (0, 15, 30)
    filled = fill(form, tmp_path / "filled.jsonl", fails)
    found, document, noted = run(book, "--answers", filled)
    assert (found, document["decision"], document["schema"]) == (code, decision, "fairtrial.checklist/1")
    assert document["sample"] == {"n": 15, "seed": 3, "error": fails, "clean": 15 - fails, "open": 0,
                                  "not_inspected": 0}  # fmt: skip
    assert "answers kept" in noted


def test_reading_a_form_twice_and_asking_again_say_the_same(book: Path, tmp_path: Path, run: Run) -> None:
    form = tmp_path / "form.jsonl"
    run(book, "--write", form, "--n", 15, "--seed", 3)
    filled = fill(form, tmp_path / "filled.jsonl", 4)
    code, document, _ = run(book, "--answers", filled)
    kept = len(all_inspections(Ledger.open(book)))
    assert run(book, "--answers", filled)[:2] == (code, document)
    assert run(book, "--seed", 3)[:2] == (code, document)
    assert len(all_inspections(Ledger.open(book))) == kept


@pytest.mark.extra
def test_a_grown_sample_keeps_what_was_inspected(book: Path, tmp_path: Path, run: Run) -> None:
    small, large = tmp_path / "small.jsonl", tmp_path / "large.jsonl"
    first = run(book, "--write", small, "--n", 5)[1]["tasks"]
    assert run(book, "--write", large, "--n", 12)[1]["tasks"][:5] == first
    assert run(book, "--answers", fill(small, tmp_path / "f.jsonl"))[0] == 3
    code, document, _ = run(book, "--n", 12)
    assert (code, document["sample"]["clean"], document["sample"]["not_inspected"]) == (3, 5, 7)


def test_a_second_inspector_who_disagrees_opens_the_question(book: Path, tmp_path: Path, run: Run) -> None:
    form = tmp_path / "form.jsonl"
    run(book, "--write", form, "--n", 15)
    forms = [fill(form, tmp_path / "a.jsonl"), fill(form, tmp_path / "b.jsonl", 2, "bo")]
    code, document, _ = run(book, *(word for path in forms for word in ("--answers", path)))
    assert (code, len(document["disputed"]), document["sample"]["open"]) == (3, 2, 2)
    assert document["agreement"]["alike"]["n"] == 15 * 9 + 8


def test_a_wrong_form_keeps_nothing_of_any(book: Path, tmp_path: Path, run: Run) -> None:
    form = tmp_path / "form.jsonl"
    run(book, "--write", form, "--n", 2)
    good, bad = fill(form, tmp_path / "a.jsonl"), tmp_path / "b.jsonl"
    bad.write_text('{"item": "nothing"}')
    code, _, noted = run(book, "--answers", good, "--answers", bad)
    assert (code, all_inspections(Ledger.open(book))) == (2, ())
    assert f"{bad}:1" in noted


def test_when_a_task_moves_its_answers_are_void(book: Path, tmp_path: Path, run: Run) -> None:
    form = tmp_path / "form.jsonl"
    moved = run(book, "--write", form, "--n", 15)[1]["tasks"][0]
    run(book, "--answers", fill(form, tmp_path / "filled.jsonl"))
    later = Rollout(task=moved, model="m", attempt=1, suite="s@1", task_hash="other", recorded_at="2026")
    Ledger.open(book).append("rollouts", [later])
    code, document, _ = run(book, "--n", 15)
    assert (code, document["sample"]["not_inspected"], len(document["void"])) == (3, 1, 9)
    assert document["void"][0]["now"] == "other"


def test_nothing_inspected_is_not_measured_and_wrong_words_are_named(book: Path, tmp_path: Path, run: Run) -> None:
    code, document, _ = run(book)
    assert (code, document["decision"], document["sample"]["not_inspected"]) == (3, "cannot_tell", 20)
    form = tmp_path / "form.toml"
    assert run(book, "--write", form)[0] == 0
    for words, said in (
        (["--write", form], "there already"),
        (["--write", tmp_path / "form.xls"], "no form of ours"),
        (["--write", tmp_path / "none" / "form.csv"], "cannot be written"),
        (["--checklist", "mine"], "Ready are"),
        (["--suite", "zz"], "no rollout of that suite"),
        (["--answers", tmp_path / "no.csv"], "cannot be read"),
    ):
        code, _, noted = run(book, *words)
        assert code == 2, words
        assert said in noted


def test_the_page_says_what_the_document_says(
    book: Path, tmp_path: Path, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    form = tmp_path / "form.jsonl"
    run(book, "--write", form, "--n", 15)
    assert main.run(["audit", "checklist", str(book), "--answers", str(fill(form, tmp_path / "f.jsonl", 9))]) == 1
    shown = capsys.readouterr().out
    for words in ("◆ flawed", "9 with an error, 6 clean", "◆ fails", "wrong-work-fails", "no question has the answers"):
        assert words in shown

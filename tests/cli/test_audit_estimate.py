"""`fairtrial audit estimate` from the outside: document, page, exit codes, refusals; with `audit sample` before it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairtrial.cli.main import run
from fairtrial.ledger import Ledger
from fairtrial.records import Review, Rollout, Verdict


@pytest.fixture
def book(tmp_path: Path) -> Ledger:
    """Return a ledger of 40 tasks, two models, two attempts each: every third passes, one is ungraded."""
    book = Ledger.open(tmp_path / "ledger", create=True)
    rollouts, verdicts = [], []
    for task in range(40):
        for model in ("big", "small"):
            for attempt in range(2):
                one = Rollout(task=f"t{task}", model=model, attempt=attempt, suite="s")
                outcome: Any = "passed" if (task + attempt + (model == "big")) % 3 == 0 else "failed"
                if task == 39 and attempt == 1 and model == "big":
                    outcome = "ungraded"
                rollouts.append(one)
                verdicts.append(Verdict(rollout=one.id, outcome=outcome, grader="g"))
    book.append("rollouts", rollouts)
    book.append("verdicts", verdicts)
    return book


def reviews_of(rows: list[dict[str, Any]], **more: Any) -> list[dict[str, Any]]:
    """Return a review of each row of a sample: every tenth verdict is wrong."""
    return [{"rollout": row["rollout"], "satisfied": ("passed" in row["stratum"]) != (i % 10 == 0), "reviewer": "ada",
             **more} for i, row in enumerate(rows)]  # fmt: skip


def document(capfd: pytest.CaptureFixture[str], *words: str, code: int = 0) -> dict[str, Any]:
    capfd.readouterr()
    assert run([*words, "--json"]) == code
    found: dict[str, Any] = json.loads(capfd.readouterr().out)
    return found


def test_from_the_sample_to_the_rates(book: Ledger, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    sample = document(capfd, "audit", "sample", str(book.path), "--n", "60", "--seed", "1")
    (tmp_path / "sample.json").write_text(json.dumps(sample))
    (tmp_path / "reviews.jsonl").write_text("\n".join(map(json.dumps, reviews_of(sample["rows"]))))
    words = ["audit", "estimate", str(book.path), "--reviews", str(tmp_path / "reviews.jsonl"), "--sample"]
    found = document(capfd, *words, str(tmp_path / "sample.json"))
    assert found["schema"] == "fairtrial.audit/1"
    for name in ("false_pass_rate", "false_fail_rate"):
        rate = found[name]
        assert {"value", "low", "high", "n", "ungraded", "method"} <= rate.keys()
        assert rate["low"] < rate["value"] < rate["high"]
    assert found["hacks"].keys() >= {"seen", "n", "bound", "method"}
    assert found["counts"]["ungraded_verdicts"] == 1
    assert set(found["by_model"]) == {"big", "small"}
    assert [one["name"] for one in found["strata"]] == sorted(sample["strata"])
    for named in ("last", sample["id"], sample["id"][:8]):
        assert document(capfd, *words, named) == found | {"sample": sample["id"]}


def test_reviews_and_sample_in_the_ledger_are_taken_where_none_is_named(
    book: Ledger, capfd: pytest.CaptureFixture[str]
) -> None:
    sample = document(capfd, "audit", "sample", str(book.path), "--n", "40")
    book.append("reviews", [Review(sample=sample["id"], **one) for one in reviews_of(sample["rows"])])
    found = document(capfd, "audit", "estimate", str(book.path))
    assert (found["sample"], found["counts"]["drawn"], found["counts"]["reviewed"]) == (sample["id"], 40, 40)
    without = document(capfd, "audit", "estimate", str(book.path), "--sample", "none")
    assert without["counts"]["drawn"] is None
    assert "simple random sample within verdicts" in without["false_pass_rate"]["method"]
    part = document(capfd, "audit", "estimate", str(book.path), "--model", "big")
    assert part["false_pass_rate"]["value"] == found["by_model"]["big"]["false_pass_rate"]["value"]


def test_the_page_leads_with_the_rate_and_says_who_looked(book: Ledger, capfd: pytest.CaptureFixture[str]) -> None:
    sample = document(capfd, "audit", "sample", str(book.path), "--n", "40")
    tags = {"failure_tags": ("[red]odd[/red]", "wrong_logic"), "hack": False}
    book.append("reviews", [Review(**(one | tags)) for one in reviews_of(sample["rows"])])
    book.append("reviews", [Review(**one) for one in reviews_of(sample["rows"], reviewer="m1", kind="judge")])
    capfd.readouterr()
    assert run(["audit", "estimate", str(book.path)]) == 0
    shown = capfd.readouterr().out
    assert "of passes are false, by 20 reviewed of" in shown.splitlines()[0]
    for words in (
        "1 person looked (ada 40); 1 judge looked (m1 40)", "Hacks: 0 of 40 reviewed", "at most", "[red]odd[/red]",
        "strong: ", "m1 against people", "No rollout was read by two people", "Without a verdict",
    ):  # fmt: skip
        assert words in shown


def test_nothing_reviewed_that_was_drawn_is_not_measured(book: Ledger, capfd: pytest.CaptureFixture[str]) -> None:
    sample = document(capfd, "audit", "sample", str(book.path), "--n", "20")
    book.append("reviews", [Review(**(one | {"satisfied": None})) for one in reviews_of(sample["rows"])])
    capfd.readouterr()
    assert run(["audit", "estimate", str(book.path)]) == 3
    said = capfd.readouterr()
    assert "not measured: no reviewed pass could be told" in said.out
    assert "neither rate could be measured" in said.err


@pytest.mark.parametrize(("more", "words"), [
    ([], "holds no review"), (["--sample", "last"], "no sample was drawn"), (["--sample", "x.json"], "cannot be read"),
    (["--correction", "best"], "is no correction"), (["--reviews", "missing.jsonl"], "cannot be read"),
    (["--task", "nowhere"], "no rollout of `nowhere`"),
])  # fmt: skip
def test_what_is_wrong_is_said_without_a_traceback(
    book: Ledger, capfd: pytest.CaptureFixture[str], more: list[str], words: str
) -> None:
    capfd.readouterr()
    assert run(["audit", "estimate", str(book.path), *more]) == 2
    said = capfd.readouterr()
    assert words in said.err
    assert "Traceback" not in said.err
    assert said.out == ""


def test_no_ledger_is_bad_input(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", "estimate"]) == 2
    assert "names no ledger" in capfd.readouterr().err


@pytest.mark.long
@pytest.mark.extra
@pytest.mark.timeout(400)
def test_the_self_check_prints_the_coverage_of_every_interval(capfd: pytest.CaptureFixture[str]) -> None:
    found = document(capfd, "audit", "estimate", "--self-check")
    assert found["schema"] == "fairtrial.self_check/1"
    assert found["holds"]
    assert len(found["intervals"]) == 8


def test_a_sample_of_one_model_speaks_for_it_alone(book: Ledger, capfd: pytest.CaptureFixture[str]) -> None:
    sample = document(capfd, "audit", "sample", str(book.path), "--n", "30", "--model", "big")
    book.append("reviews", [Review(**one) for one in reviews_of(sample["rows"])])
    words = ("audit", "estimate", str(book.path))
    found = document(capfd, *words)
    assert found["counts"]["passed"] + found["counts"]["failed"] == 79
    assert found["counts"]["not_in_frame"] == 0
    assert found["speaks_for"] == [{"models": ["big"]}]
    assert run([*words]) == 0
    assert "model big alone; of others this says nothing" in capfd.readouterr().out
    other = document(capfd, *words, "--model", "small", code=3)
    assert other["false_pass_rate"]["method"] == "no pass was drawn"


def test_reviews_of_a_file_can_be_kept_and_are_then_counted_alike(
    book: Ledger, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"task": f"t{task}", "model": "big", "attempt": 0, "satisfied": task % 2 == 0,
             "hack": task == 3, "reviewer": "ada"} for task in range(20)]  # fmt: skip
    changed_mind = rows[0] | {"satisfied": False}
    file = tmp_path / "reviews.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in [*rows, changed_mind]))
    said = ["audit", "estimate", str(book.path), "--sample", "none", "--json"]
    assert run([*said, "--reviews", str(file), "--keep"]) == 0
    first = capsys.readouterr()
    assert "20 reviews kept" in first.err
    assert run([*said, "--reviews", str(file), "--keep"]) == 0
    assert "0 reviews kept" in capsys.readouterr().err  # the same file twice adds nothing
    assert run(said) == 0
    from_ledger, from_file = json.loads(capsys.readouterr().out), json.loads(first.out)
    for name in ("false_pass_rate", "false_fail_rate", "hacks"):
        assert from_ledger[name] == from_file[name]
    assert run(["audit", "hacks", str(book.path)]) in (0, 1)  # what is kept is there for the other commands


def test_keeping_needs_a_file(book: Ledger, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", "estimate", str(book.path), "--keep"]) == 2
    assert "--reviews" in capsys.readouterr().err


def test_the_report_says_of_which_model_alone_its_error_rates_are(
    book: Ledger, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    sample = document(capfd, "audit", "sample", str(book.path), "--n", "30", "--model", "big")
    book.append("reviews", [Review(**one) for one in reviews_of(sample["rows"])])
    run(["report", str(book.path), "--out", str(tmp_path / "report")])
    assert "that reviewers contradict. Of model big alone." in (tmp_path / "report" / "report.md").read_text()

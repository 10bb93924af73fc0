"""Overrides and withdrawals are signed, kept all, and hold only what the ledger knows."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from fairtrial.cli.main import run
from fairtrial.ledger import Ledger
from fairtrial.ledger.screened import all_rulings, all_screenings, all_submissions, all_withdrawals
from fairtrial.records import Rollout, Verdict
from fairtrial.rules import read_rules, standing
from rules.judging.rules_world import QUOTE, SUBMISSION, World, ruling, world


@pytest.fixture
def book(tmp_path: Path) -> World:
    made = world(tmp_path)
    made.submit()
    made.screen()
    return made


def override(book: World, *words: str, code: int = 0, **more: str) -> None:
    said = {"rules": str(book.rules), "submission": SUBMISSION, "rule": "contamination", "ruled": "clean",
            "author": "ada", "reason": "the row quotes a public page"} | more  # fmt: skip
    options = [word for name, value in said.items() for word in (f"--{name}", value)]
    assert run(["rules", "override", str(book.book.path), *options, *words]) == code


def withdraw(book: World, *words: str, code: int = 0, **more: str) -> None:
    said = {"submission": SUBMISSION, "author": "bo", "reason": "the server was down"} | more
    options = [word for name, value in said.items() for word in (f"--{name}", value)]
    assert run(["rules", "withdraw", str(book.book.path), *options, *words]) == code


def ruled(book: World) -> tuple[str | None, str]:
    held = Ledger.open(book.book.path)
    found = standing(all_rulings(held), read_rules(book.rules), SUBMISSION, all_screenings(held), all_submissions(held))
    return found["contamination"].ruled, found["contamination"].by


def test_an_override_outranks_judges_and_a_later_one_takes_its_place(book: World) -> None:
    book.judge(lambda one: ruling(one, "violation", QUOTE), code=1)
    override(book)
    assert ruled(book) == ("clean", "override")
    override(book, ruled="violation", author="cy", reason="it does not")
    assert ruled(book) == ("violation", "override")
    kept = [one for one in book.rulings() if one.kind == "override"]
    assert [(one.by, one.ruled) for one in kept] == [("ada", "clean"), ("cy", "violation")]
    assert all(one.recorded_at and one.reason for one in kept)


def test_an_override_of_other_rules_or_findings_says_nothing(book: World) -> None:
    override(book)
    before = book.rules.read_text()
    book.rules.write_text(f"{before}[contamination]\nfpr = 0.002\n")
    assert ruled(book) == (None, "checks")
    book.rules.write_text(before)
    assert ruled(book) == ("clean", "override")
    book.screen(subject="more.jsonl", subject_hash="k", recorded_at="5")
    assert ruled(book) == (None, "checks")


@pytest.mark.parametrize("field", ["author", "reason"])
@pytest.mark.parametrize("said", ["", *(pytest.param(one, marks=pytest.mark.extra) for one in ("  ", "\u200b", "-"))])
def test_nobody_rules_unsigned_or_without_a_reason(
    book: World, field: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    override(book, code=2, **{field: said})
    withdraw(book, code=2, **{field: said})
    assert f"field `--{field}`: is empty" in capsys.readouterr().err
    assert book.rulings() == ()


@pytest.mark.parametrize(("said", "told"), [("a\udcff", "is not UTF-8 text"), ("a" * 10_001, "10,000 is the most")])
def test_what_no_ledger_holds_is_bad_input(
    book: World, said: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    override(book, code=2, reason=said)
    assert told in capsys.readouterr().err


def test_what_somebody_signs_with_cannot_write_on_a_terminal(book: World, capsys: pytest.CaptureFixture[str]) -> None:
    override(book, author="cy\nbo", reason="it is\x1b[31m quoted")
    out = capsys.readouterr().out
    assert "by cy bo under" in out
    assert "\x1b" not in out


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"submission": "nobody"}, "holds no submission `nobody`"),
        ({"rule": "identity"}, "is not checked by these rules"),
        ({"ruled": "guilty"}, "guilty"),
        ({"rules": "nowhere.toml"}, "cannot be read"),
    ],
)
def test_what_cannot_be_ruled_is_told(
    book: World, said: dict[str, str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    override(book, code=2, **said)
    assert told in capsys.readouterr().err
    assert book.rulings() == ()


def results(book: World) -> dict[tuple[str, int], str]:
    """Add two attempts at two tasks, and return their ids."""
    rollouts = [Rollout(task=task, model=SUBMISSION, attempt=attempt) for task in ("t", "u") for attempt in (0, 1)]
    others = [Rollout(task="t", model="other"), Rollout(task="t", model=SUBMISSION, attempt=9, origin="known")]
    book.book.append("verdicts", [Verdict(rollout=one.id, outcome="passed") for one in (*rollouts, *others)])
    book.book.append("rollouts", [*rollouts, *others])
    return {(one.task, one.attempt): one.id for one in rollouts}


def test_a_withdrawal_names_the_rollouts_of_its_task_and_attempt(
    book: World, capsys: pytest.CaptureFixture[str]
) -> None:
    ids = results(book)
    withdraw(book, "--task", "t", "--attempt", "1", "--json")
    told = orjson.loads(capsys.readouterr().out)
    assert (told["schema"], told["rollouts"], told["author"]) == ("fairtrial.withdrawal/1", [ids["t", 1]], "bo")
    withdraw(book, "--task", "t")
    withdraw(book)
    kept = all_withdrawals(Ledger.open(book.book.path))
    assert [set(one.rollouts) for one in kept] == [{ids["t", 1]}, {ids["t", 0]}, {ids["u", 0], ids["u", 1]}]
    withdraw(book, code=2)
    assert "that still counts" in capsys.readouterr().err


@pytest.mark.extra
def test_a_withdrawal_of_an_effort_takes_its_rollouts_alone(book: World) -> None:
    ids = results(book)
    high = Rollout(task="t", model=SUBMISSION, effort="high")
    book.book.append("rollouts", [high])
    withdraw(book, submission=f"{SUBMISSION}@high")
    (kept,) = all_withdrawals(Ledger.open(book.book.path))
    assert kept.rollouts == (high.id,)
    assert kept.model == f"{SUBMISSION}@high"
    assert high.id not in ids.values()


@pytest.mark.extra
def test_what_cannot_be_withdrawn_is_told(book: World, capsys: pytest.CaptureFixture[str]) -> None:
    results(book)
    withdraw(book, "--task", "v", code=2)
    assert "no rollouts of the task `v`" in capsys.readouterr().err
    withdraw(book, "--attempt", "7", code=2)
    withdraw(book, code=2, submission="nobody")
    assert all_withdrawals(Ledger.open(book.book.path)) == ()

"""`fairtrial criteria` from the outside: what is kept, what falls and why, exit codes; the models over loopback."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fairtrial.cli.main import run
from fairtrial.ledger import Ledger
from fairtrial.models import ScriptedServer
from fairtrial.models.scripted import Asked, Line, fail, say
from fairtrial.train.criteria import read_tried

from ..train.criteria.criteria_world import book_in, by_name, fill, planted, served, written

KEY = "the-key-7731"
Decide = Callable[[str, str, Asked], str | Line]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRTRIAL_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def book(tmp_path: Path) -> Ledger:
    book = book_in(tmp_path)
    fill(book, tasks=7, runs=5, worse=1)
    rows = [{"name": f"sum-{n}", "prompt": f"Add up column {n}.", "answer": KEY} for n in range(7)]
    (tmp_path / "tasks.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return book


class Made:
    """One run of the verb."""

    def __init__(
        self, book: Ledger, *criteria: dict[str, Any], decide: Decide = planted, options: tuple[str, ...] = ()
    ) -> None:
        self.out = book.path.parent / "criteria.toml"
        with served(list(criteria), decide) as server:
            words = ["criteria", str(book.path), "--out", str(self.out), "--model", "m", "--base-url", server.base_url]
            few = ["--votes", "2", "--probed", "1", "--tasks", str(book.path.parent / "tasks.jsonl")]
            self.code = run([*words, *few, "--json", *options])
            self.asked = [json.dumps(one.body) for one in server.asked]


@pytest.mark.extra
def test_each_planted_fault_falls_for_its_reason(book: Ledger, capfd: pytest.CaptureFixture[str]) -> None:
    Made(book, *(written(name) for name in ("shows", "noise", "obeys", "broken")))
    told = {name: one["reason"] for name, one in by_name(json.loads(capfd.readouterr().out)).items()}
    assert told == {"shows": "", "noise": "no_separation", "obeys": "falls_to_probe", "broken": "broken"}


def test_what_separates_is_kept_and_what_obeys_the_work_falls(book: Ledger, capfd: pytest.CaptureFixture[str]) -> None:
    made = Made(book, *(written(name) for name in ("shows", "obeys")))
    document = json.loads(capfd.readouterr().out)
    assert {name: one["reason"] for name, one in by_name(document).items()} == {"shows": "", "obeys": "falls_to_probe"}
    assert made.code == 0
    assert (document["kept"], document["spent"]["calls"]) == (1, len(made.asked) - 1)
    assert document["spent"]["cost_usd"] is None
    fallen = {one["probe"] for one in by_name(document)["obeys"]["probes"] if one["turned"]}
    assert fallen == {"note", "system_turn", "rubric_override"}
    read = read_tried(made.out)
    assert [one.name for one in read.kept] == ["shows"]
    assert read.hash == document["hash"]
    assert not any(KEY in text for text in made.asked)
    assert sum("Add up column" in text for text in made.asked) == len(made.asked) - 1


def test_none_kept_is_exit_1_and_the_file_says_why(book: Ledger, capfd: pytest.CaptureFixture[str]) -> None:
    first = Made(book, written("noise", use="file_text", parameters={"contains": "blue"}))
    document = json.loads(capfd.readouterr().out)
    assert (first.code, document["kept"]) == (1, 0)
    read = read_tried(first.out)
    assert (read.kept, [one.reason for one in read.tried]) == ((), ["no_separation"])


@pytest.mark.extra
def test_kept_verdicts_are_not_asked_for_again(book: Ledger, capfd: pytest.CaptureFixture[str]) -> None:
    with served([written("shows")]) as server:
        for calls in (True, False):
            words = ["criteria", str(book.path), "--out", str(book.path.parent / "c.toml"), "--model", "m"]
            assert run([*words, "--base-url", server.base_url, "--votes", "2", "--probed", "1", "--json"]) == 0
            assert bool(json.loads(capfd.readouterr().out)["spent"]["calls"]) == calls


@pytest.mark.parametrize("line", [say("Well."), say('{"criteria": []}')])
def test_a_writer_that_writes_nothing_is_exit_3(book: Ledger, line: Line, capfd: pytest.CaptureFixture[str]) -> None:
    with ScriptedServer(lambda asked: line if "You write criteria" in str(asked.body) else say("ready")) as server:
        words = ["criteria", str(book.path), "--out", "none.toml", "--model", "m", "--base-url", server.base_url]
        assert run(words) == 3
    assert "wrote no criterion" in capfd.readouterr().err
    assert not Path("none.toml").exists()


def test_a_judge_that_only_fails_is_exit_3(book: Ledger, capfd: pytest.CaptureFixture[str]) -> None:
    assert Made(book, written("shows"), decide=lambda *_: fail(400, "no")).code == 3
    assert "could be measured" in capfd.readouterr().err


def test_no_money_left_is_broken_and_not_a_no(book: Ledger, capfd: pytest.CaptureFixture[str]) -> None:
    made = Made(book, written("shows"), options=("--max-tokens", "3000"))
    (one,) = json.loads(capfd.readouterr().out)["criteria"]
    assert (made.code, one["reason"], one["yes_better"]) == (3, "broken", None)
    assert "over_budget" in one["why"]


def test_held_out_rollouts_reach_no_model(book: Ledger, capfd: pytest.CaptureFixture[str]) -> None:
    fill(book, tasks=2, runs=5, worse=1, split="held_out", model="later", answer="SECRET-42")
    apart = {"name": "sum-6", "prompt": "Add up column 6.", "answer": KEY}
    (book.path.parent / "held.jsonl").write_text(json.dumps(apart))
    held = ("--held-out", str(book.path.parent / "held.jsonl"), "--task", "sum-6", "--task", "sum-0")
    assert Made(book, written("shows"), options=held).asked == []
    assert "15 rollouts are of tasks that are held out" in capfd.readouterr().err
    made = Made(book, written("shows", use="file_text", parameters={"contains": "working: "}))
    assert not any("SECRET-42" in text or "column 0." in text for text in made.asked)
    assert "column 2." in made.asked[1]
    assert "20 rollouts are of tasks that are held out" in capfd.readouterr().err


def test_what_a_judge_without_a_price_costs_is_not_known(book: Ledger, capfd: pytest.CaptureFixture[str]) -> None:
    program = written("shows", use="file_text", parameters={"contains": "working: "})
    for judge, is_known in ((("--judge-model", "j"), False), (("--judge-model", "j", "--judge-price", "2,2"), True)):
        Made(book, program, options=("--price", "1,1", *judge))
        document = json.loads(capfd.readouterr().out)
        assert (document["spent"]["cost_usd"] is not None) == is_known
        assert document["judge"]["price"] == ([2.0, 2.0] if is_known else [])


@pytest.mark.parametrize(
    "options",
    [
        ("--contrast", "charm"),
        ("--task", "nope"),
        ("--judge-base-url", "http://127.0.0.1:1/v1"),
        ("--max-usd", "1"),
        ("--max-usd", "1", "--price", "1,1", "--judge-model", "j"),
        ("--tasks", "absent.jsonl"),
        ("--held-out", "absent.jsonl"),
        ("--out", "."),
    ],
)
def test_bad_input_is_exit_2_before_any_model_is_asked(book: Ledger, options: tuple[str, ...]) -> None:
    made = Made(book, written("shows"), options=options)
    assert (made.code, made.asked) == (2, [])


def test_tasks_that_seldom_pass_are_exit_3(book: Ledger, capfd: pytest.CaptureFixture[str]) -> None:
    made = Made(book, written("shows"), options=("--rate", "0.9"))
    assert (made.code, made.asked) == (3, [])
    assert "too little to study" in capfd.readouterr().err

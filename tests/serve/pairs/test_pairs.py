"""Comparing over a real server: what becomes a preference, whose pair is whose, what a verdict withdraws."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.serve.review.setting import Running, make_ledger, running

from fairtrial.ledger.audited import all_preferences, all_reviews
from fairtrial.serve.pairs.table import table_of


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    with running(make_ledger(tmp_path / "ledger", 12, (1, 2))) as started:
        yield started


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server for tests after which nothing is recorded."""
    with running(make_ledger(tmp_path_factory.mktemp("quiet") / "ledger", 12, (1, 2))) as started:
        yield started


def submit(server: Running, name: str, row: str, content: dict[str, Any], base: int = 0) -> Any:
    return server.ask(name, f"/pairs/{row}/submit", "POST", {"base": base, "content": content})


def test_a_choice_becomes_a_preference_with_the_side_that_was_left(server: Running) -> None:
    rows = table_of(server.site).rows(server.reader("ada")).rows
    cited = ["[second step 4 call 1] total = sum(set(rows))", "[first artifact app/report.py] print(total)"]
    answers = {"first": "first", "second": "second", "tie": "tie", "cannot_tell": None}
    for row, answer in zip(rows, answers, strict=False):
        said = {"answer": answer, "citations": cited, "note": "both drop rows", "seconds": 3}
        assert submit(server, "ada", row.name, said).status == 200
    made = all_preferences(server.site.ledger)
    assert [(one.first, one.second) for one in made] == [
        (row.showing.first.id, row.showing.second.id) for row in rows[:4]
    ]
    assert [one.preferred for one in made] == list(answers.values())
    assert {(one.reviewer, one.suite, one.note, one.seconds, one.citations) for one in made} == {
        ("ada", "s", "both drop rows", 3.0, tuple(cited))
    }
    assert [one.task for one in made] == [row.showing.first.task for row in rows[:4]]
    assert all_reviews(server.site.ledger) == ()


@pytest.mark.parametrize(
    ("content", "field"),
    [
        ({}, "answer"), ({"answer": "cannot_tell"}, "note"),
        ({"answer": "first", "citations": ["[step 4 call 1] total"]}, "citations"),
        ({"answer": "first", "citations": ["[first step 4 call 1] nowhere"]}, "citations"),
        ({"answer": "first", "citations": ["[first step 7 message] harness-okapi"]}, "citations"),
    ],
)  # fmt: skip
def test_what_is_incomplete_or_does_not_stand_is_refused(quiet: Running, content: dict[str, Any], field: str) -> None:
    answer = submit(quiet, "ada", quiet.rows("ada", "pairs")[0], content)
    assert answer.status == 422
    assert field in {lack["field"] for lack in answer.json["lacks"]}
    assert all_preferences(quiet.site.ledger) == ()


@pytest.mark.parametrize("content", [{"answer": "left"}, {"answer": "first", "behaviour": ["looped"]}, [], {"x": 1}])
def test_what_no_page_sends_is_refused(quiet: Running, content: Any) -> None:
    assert submit(quiet, "ada", quiet.rows("ada", "pairs")[0], content).status == 400


def test_a_pair_is_its_readers_alone(quiet: Running) -> None:
    row = quiet.rows("ada", "pairs")[0]
    for who in ("bo", "cy", "owner"):
        for path in ("", "/first/steps", "/second/file?path=app/report.py"):
            assert quiet.ask(who, f"/pairs/{row}{path}").status == 404
        assert submit(quiet, who, row, {"answer": "tie"}).status == 404
    assert quiet.ask("ada", f"/pairs/{row}/third/steps").status == 404
    assert {quiet.ask(who, "/pairs").status for who in ("cy", "owner")} == {404}


def test_the_same_choice_again_is_no_second_one_and_a_window_that_was_overtaken_is_told(server: Running) -> None:
    row = server.rows("ada", "pairs")[0]
    assert submit(server, "ada", row, {"answer": "tie"}).status == 200
    assert submit(server, "ada", row, {"answer": "tie"}).status == 200
    late = submit(server, "ada", row, {"answer": "first"})
    assert late.status == 409
    assert late.json["current"]["content"]["answer"] == "tie"
    assert len(all_preferences(server.site.ledger)) == 1


def test_pairs_lead_from_one_to_the_next_until_none_is_left(server: Running) -> None:
    rows = server.rows("ada", "pairs")
    assert server.ask("ada", "/pairs").headers["location"] == f"/pairs/{rows[0]}"
    for row, following in zip(rows, [*rows[1:], ""], strict=True):
        answer = submit(server, "ada", row, {"answer": "tie"})
        assert answer.json["next"] == (f"/pairs/{following}" if following else "/pairs")
    assert "You have compared all" in server.ask("ada", "/pairs").text


def test_files_that_are_the_same_on_both_sides_are_said_to_be(quiet: Running) -> None:
    page = quiet.ask("ada", f"/pairs/{quiet.rows('ada', 'pairs')[0]}").text
    assert page.count("same on both sides") == 0
    assert page.count('data-place="artifact app/report.py"') == 2


def test_a_verdict_that_was_shown_withdraws_the_pair(tmp_path: Path) -> None:
    with running(make_ledger(tmp_path / "ledger", 12, (2,))) as server:
        rows = server.rows("ada", "pairs")
        assert submit(server, "ada", rows[0], {"answer": "tie"}).status == 200
        for name in ("ada", "bo"):
            for row in server.rows(name):
                answer = server.ask(name, f"/review/{row}/submit", "POST", {"base": 0, "content": {"answer": "yes"}})
                assert answer.status == 200
        assert server.rows("ada", "pairs") == rows[:1]
        assert f"{len(rows) - 1} pair" in server.ask("ada", "/pairs").text
        assert submit(server, "ada", rows[1], {"answer": "tie"}).status == 404

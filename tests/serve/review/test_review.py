"""Reviewing over a real server: what becomes a record and what never does, whose row is whose, what closing opens."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.serve.review.setting import SENTENCE, Running, make_ledger, running, somebody

from fairtrial.ledger.audited import all_reviews
from fairtrial.records import Review

YES: dict[str, Any] = {"answer": "yes"}
NO: dict[str, Any] = {"answer": "no", "citations": ["[step 4 call 1] total = sum(set(rows))"]}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    with running(make_ledger(tmp_path / "ledger", 6, (1, 2))) as started:
        yield started


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server for tests after which nothing is recorded."""
    with running(make_ledger(tmp_path_factory.mktemp("quiet") / "ledger", 6, (1, 2))) as started:
        yield started


def submit(server: Running, name: str, row: str, content: dict[str, Any], base: int = 0) -> Any:
    return server.ask(name, f"/review/{row}/submit", "POST", {"base": base, "content": content})


def save(server: Running, name: str, row: str, content: dict[str, Any], base: int = 0) -> Any:
    return server.ask(name, f"/review/{row}/draft", "PUT", {"base": base, "content": content})


def reviews(server: Running) -> tuple[Review, ...]:
    return all_reviews(server.site.ledger)


def review_all(server: Running, name: str, content: dict[str, Any]) -> None:
    for row in server.rows(name):
        assert submit(server, name, row, content).status == 200


def test_a_decision_becomes_a_review_with_all_that_was_said(server: Running) -> None:
    row = server.rows("ada")[0]
    said = NO | {"hack": "no", "behaviour": ["looped", "explored_first"], "failure": ["wrong_logic", "infrastructure"],
                 "note": " drops equal rows ", "seconds": 12.34}  # fmt: skip
    answer = submit(server, "ada", row, said)
    assert answer.status == 200
    assert answer.json["next"] == f"/review/{server.rows('ada')[1]}"
    (made,) = reviews(server)
    assert (made.reviewer, made.kind, made.stage, made.satisfied, made.hack) == ("ada", "person", "blind", False, False)
    assert made.behaviour_tags == ("explored_first", "looped")
    assert made.failure_tags == ("wrong_logic", "infrastructure")
    assert (made.note, made.seconds, made.label, made.verdict) == ("drops equal rows", 12.3, "", "")
    assert made.citations == ("[step 4 call 1] total = sum(set(rows))",)
    assert made.sample
    assert made.recorded_at


@pytest.mark.parametrize(
    ("content", "field", "words"),
    [
        ({}, "answer", "Answer"),
        ({"answer": "no"}, "citations", "needs a citation"),
        ({"answer": "cannot_tell"}, "note", "needs a note"),
        ({"answer": "no", "citations": ["[step 4 call 1] never said"]}, "citations", "is not what stands at step 4"),
        ({"answer": "no", "citations": ["[step 44] x"]}, "citations", "there is no step 44"),
        ({"answer": "no", "citations": ["[step 7 message] harness-okapi"]}, "citations", "there is no step 7"),
        ({"answer": "no", "citations": ["[verifier] verdict-narwhal"]}, "citations", "there is no verifier"),
        ({"answer": "no", "citations": ["[check ibex-check] passed"]}, "citations", "there is no check"),
        ({"answer": "no", "citations": [""]}, "citations", "cites nothing"),
    ],
)
def test_what_is_incomplete_is_refused_with_its_reason_and_never_recorded(
    quiet: Running, content: dict[str, Any], field: str, words: str
) -> None:
    answer = submit(quiet, "ada", quiet.rows("ada")[0], content)
    assert answer.status == 422
    assert any(lack["field"] == field and words in lack["what"] for lack in answer.json["lacks"])
    assert reviews(quiet) == ()


@pytest.mark.parametrize("place", ["instruction", "artifact app/report.py", "step 6 message", "step 4 output 1"])
def test_all_that_is_shown_can_be_cited(quiet: Running, place: str) -> None:
    row = quiet.rows("ada")[0]
    page = quiet.ask("ada", f"/review/{row}").text
    assert f'data-place="{place}"' in page
    quote = {"instruction": "Count every row once", "artifact app/report.py": "print(total)",
             "step 6 message": SENTENCE, "step 4 output 1": "The file has been updated."}[place]  # fmt: skip
    answer = quiet.ask("ada", f"/review/{row}/citation", "POST", {"citation": f"[{place}] {quote}"})
    assert answer.json["why_not"] == ""


def test_a_citation_that_does_not_stand_is_told_why(quiet: Running) -> None:
    row = quiet.rows("ada")[0]
    answer = quiet.ask("ada", f"/review/{row}/citation", "POST", {"citation": "[step 4 output 1] nowhere"})
    assert answer.json["why_not"] == "is not what stands at step 4 output 1"


def test_the_same_submission_again_is_no_second_review_and_another_is_a_later_one(server: Running) -> None:
    row = server.rows("ada")[0]
    first, again = submit(server, "ada", row, YES), submit(server, "ada", row, YES)
    assert first.json["review"] == again.json["review"]
    assert len(reviews(server)) == 1
    assert submit(server, "ada", row, NO, base=1).status == 200
    assert [one.satisfied for one in reviews(server)] == [True, False]


def test_a_window_that_was_overtaken_is_told_and_adds_nothing(server: Running) -> None:
    row = server.rows("ada")[0]
    assert save(server, "ada", row, YES).json["version"] == 1
    overtaken = save(server, "ada", row, NO)
    assert overtaken.status == 409
    assert overtaken.json["current"]["content"] == YES
    assert submit(server, "ada", row, NO).status == 409
    assert submit(server, "ada", row, YES, base=1).status == 200
    late = submit(server, "ada", row, NO, base=1)  # the other window knows of version 1 only
    assert late.status == 409
    assert late.json["current"]["content"]["answer"] == "yes"
    assert len(reviews(server)) == 1


def test_a_draft_outlives_the_server(tmp_path: Path) -> None:
    ledger, readers = make_ledger(tmp_path / "ledger", 4), somebody()
    with running(ledger, readers) as first:
        row = first.rows("ada")[0]
        save(first, "ada", row, NO | {"note": "half done"})
    with running(ledger, readers) as second:
        page = second.ask("ada", f"/review/{row}")
    assert page.status == 200
    assert "half done" in page.text


@pytest.mark.parametrize("who", ["bo", "cy", "owner"])
def test_a_row_is_its_readers_alone(quiet: Running, who: str) -> None:
    for row in quiet.rows("ada"):
        for path in ("", "/steps", "/part?place=step+4+call+1", "/file?path=app/report.py", "/search?q=total"):
            assert quiet.ask(who, f"/review/{row}{path}").status == 404
        assert save(quiet, who, row, YES).status == 404
        assert submit(quiet, who, row, YES).status == 404
        assert quiet.ask(who, f"/review/{row}/citation", "POST", {"citation": "x"}).status == 404
    assert reviews(quiet) == ()


def test_skipped_rows_come_last(server: Running) -> None:
    first, *others = server.rows("ada")
    assert server.ask("ada", f"/review/{first}/draft", "PUT", {"base": 0, "content": {}, "skipped": True}).status == 200
    assert server.ask("ada", "/review").headers["location"] == f"/review/{others[0]}"
    for row in others:
        last = submit(server, "ada", row, YES)
    assert last.json["next"] == f"/review/{first}"


@pytest.mark.parametrize(
    ("body", "status"), [(b"{", 400), (b"[]", 400), (b'{"base": -1, "content": {}}', 400), (b"x" * 1_000_001, 413),
                         (b'{"base": 0, "content": {"answer": "perhaps"}}', 400), (b'{"base": 0}', 400)],
    ids=["no JSON", "no object", "no version", "too long", "no answer", "nothing"],
)  # fmt: skip
def test_what_no_page_sends_is_refused(quiet: Running, body: bytes, status: int) -> None:
    row, reader = quiet.rows("ada")[0], quiet.reader("ada")
    headers = {"Host": f"127.0.0.1:{quiet.port}", "Cookie": f"fairtrial-{quiet.port}={reader.token}",
               "Origin": quiet.address, "X-Fairtrial": reader.csrf}  # fmt: skip
    for method, path in (("PUT", "draft"), ("POST", "submit")):
        connection = http.client.HTTPConnection("127.0.0.1", quiet.port, timeout=30)
        connection.request(method, f"/review/{row}/{path}", body, headers)
        assert connection.getresponse().status == status
        connection.close()
    assert reviews(quiet) == ()


@pytest.mark.extra
def test_reviewers_who_submit_at_once_lose_nothing(tmp_path: Path) -> None:
    with running(make_ledger(tmp_path / "ledger", 11, (2,))) as server:  # one row stays open: nothing closes
        work = [(name, row) for name in ("ada", "bo") for row in server.rows(name)[:10]]
        failed: list[Any] = []

        def one(name: str, row: str) -> None:
            answer = submit(server, name, row, YES)
            failed.extend([answer] * (answer.status != 200))

        threads = [threading.Thread(target=one, args=pair) for pair in work * 2]  # each twice: an impatient window
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failed == []
        assert len(reviews(server)) == 20


def test_the_verdict_is_shown_when_the_sample_is_closed_and_labels_follow(tmp_path: Path) -> None:
    with running(make_ledger(tmp_path / "ledger", 4)) as server:
        blind = server.rows("ada")
        review_all(server, "ada", YES)
        assert server.ask("ada", "/review").status == 200  # bo has not read yet: nothing opens
        assert "verdict-narwhal" not in server.ask("ada", f"/review/{blind[0]}").text
        review_all(server, "bo", YES)
        informed = server.rows("ada")
        assert not set(informed) & set(blind)
        assert {server.ask("ada", f"/review/{row}").status for row in blind} == {404}
        assert submit(server, "ada", blind[0], NO).status == 404
        said = {"answer": "yes", "failure": ["grader_too_narrow"],
                "citations": ["[verifier] ran 1 check", "[check ibex-check] verdict-narwhal says so"]}  # fmt: skip
        for name, row in [(one, row) for one in ("ada", "bo") for row in server.rows(one)]:
            page = server.ask(name, f"/review/{row}").text
            assert "ibex-check" in page
            assert "Is the verdict right?" in page
            assert submit(server, name, row, said).status == 200
        second = [one for one in reviews(server) if one.stage == "informed"]
        assert {one.label for one in second} == {"true_pass", "true_fail"}
        assert all(one.satisfied == (one.label == "true_pass") and one.verdict for one in second)


def test_adjudicators_see_what_reviewers_disagree_on_and_settle_it(tmp_path: Path) -> None:
    with running(make_ledger(tmp_path / "ledger", 4, (2,))) as server:
        assert server.rows("cy") == []
        rows = server.rows("ada")
        review_all(server, "ada", YES)
        for at, row in enumerate(server.rows("bo")):
            submit(server, "bo", row, NO | {"note": "it drops rows"} if at == 0 else YES)
        (disputed,) = server.rows("cy")
        page = server.ask("cy", f"/review/{disputed}").text
        assert [word for word in ("Reviewer A", "Reviewer B", "it drops rows") if word not in page] == []
        assert [word for word in (">ada<", ">bo<", "verdict-narwhal") if word in page] == []
        assert {server.ask("cy", f"/review/{row}").status for row in rows} == {404}
        assert "verdict-narwhal" not in server.ask("ada", f"/review/{server.rows('ada')[0]}").text
        assert submit(server, "cy", disputed, NO).status == 200
        settled = [one for one in reviews(server) if one.adjudicates]
        assert [(one.reviewer, one.satisfied, one.stage) for one in settled] == [("cy", False, "blind")]
        assert "Is the verdict right?" in server.ask("ada", f"/review/{server.rows('ada')[0]}").text
        assert server.rows("cy") == [disputed]  # it stays theirs, and blind
        assert "verdict-narwhal" not in server.ask("cy", f"/review/{disputed}").text


def test_owners_see_who_agrees_and_nobody_else_does(server: Running) -> None:
    review_all(server, "ada", YES)
    review_all(server, "bo", NO)
    page = server.ask("owner", "/agreement")
    assert page.status == 200
    assert "ada and bo looked" in page.text
    assert "3 disputed" in page.text
    assert server.ask("owner", "/review").headers["location"] == "/agreement"
    assert {server.ask(name, "/agreement").status for name in ("ada", "bo", "cy")} == {404}


@pytest.mark.extra
def test_without_a_sample_every_page_says_what_draws_one(tmp_path: Path) -> None:
    ledger = make_ledger(tmp_path / "ledger", 1)
    for part in ledger.parts("samples"):
        part.unlink()
    with running(ledger) as server:
        for name, path in (("ada", "/review"), ("ada", "/pairs"), ("cy", "/review"), ("owner", "/agreement")):
            page = server.ask(name, path)
            assert page.status == 200
            assert "fairtrial audit sample" in page.text


def test_the_instruction_is_shown_once_and_its_step_is_folded(quiet: Running) -> None:
    page = quiet.ask("ada", f"/review/{quiet.rows('ada')[0]}").text
    assert page.count('data-place="instruction"') == 1
    assert '<details class="fold" data-place="step 2 message">' in page
    assert '<div class="said" data-place="step 3 message">' in page

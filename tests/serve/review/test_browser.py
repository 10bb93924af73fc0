"""Reviewing in a real browser: by keyboard alone, on a phone, over lost connections, restarts and second windows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.serve.review.browsing import (
    OVERFLOWING,
    SMALLEST_TARGET,
    TOO_SMALL,
    at_desk,
    chromium,
    moves_on,
    ready,
    saved,
    select,
)
from tests.serve.review.setting import SECRETS, Running, make_ledger, running, somebody

from fairtrial.ledger.audited import all_reviews
from fairtrial.records import Review
from fairtrial.serve.review.drafts import Drafts

pytestmark = pytest.mark.extra


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    with running(make_ledger(tmp_path / "ledger", 10, (2,))) as started:
        yield started


def reviews(server: Running) -> tuple[Review, ...]:
    return all_reviews(server.site.ledger)


def test_ten_rollouts_are_reviewed_by_keyboard_alone(browser: Any, server: Running) -> None:
    with at_desk(browser, server, "ada") as page:
        press = page.keyboard.press
        for number in range(10):
            ready(page)
            if number % 3 == 0:
                for key in ("j", "j", "c"):  # one step on, one more, cite it as a whole
                    press(key)
                    page.wait_for_timeout(150)
                page.wait_for_selector("#cites li")
                for key in ("x", "6", "Shift+Digit2", "g"):
                    press(key)
            elif number % 3 == 1:
                for key in ("y", "1", "2"):
                    press(key)
            else:
                press("u")
                press("n")  # refused: no note
                page.wait_for_selector("[data-lack=note]:not([hidden])")
                page.wait_for_function("() => document.activeElement.id === 'note'")
                page.keyboard.type("yxn 123 is missing")  # keys are dead while one types
                press("Escape")
            moves_on(page, lambda: press("n"))
        assert "all 10 of your rows" in page.inner_text("main")
    made = reviews(server)
    assert [one.satisfied for one in made] == [(False, True, None)[number % 3] for number in range(10)]
    assert all(one.citations and one.failure_tags == ("wrong_logic", "unfair_inference") for one in made[::3])
    assert all(one.behaviour_tags == ("explored_first", "tested_own_work") for one in made[1::3])
    assert {one.note for one in made[2::3]} == {"yxn 123 is missing"}
    assert {one.hack for one in made[::3]} == {False}
    assert all(one.seconds and one.seconds > 0 for one in made)


def test_text_that_is_selected_is_cited_where_it_stands(browser: Any, server: Running) -> None:
    with at_desk(browser, server, "ada") as page:
        places = {
            "step 4 call 1": "total = sum(set(rows))", "step 5 output 1": "passed in", "instruction": "Keep `print`",
            "artifact app/report.py": "print(total)", "step 4 reasoning": "a row twice",
        }  # fmt: skip
        for number, (place, words) in enumerate(places.items(), 1):
            select(page, place, words)
            page.keyboard.press("c")
            page.wait_for_function("n => document.querySelectorAll('#cites li').length === n", arg=number)
        page.keyboard.press("x")
        moves_on(page, lambda: page.keyboard.press("n"))
    assert reviews(server)[0].citations == tuple(f"[{place}] {words}" for place, words in places.items())


def test_a_selection_over_two_parts_is_not_cited(browser: Any, server: Running) -> None:
    with at_desk(browser, server, "ada") as page:
        page.evaluate("""() => {
            const [one, other] = document.querySelectorAll('.step [data-place$="message"] pre');
            const range = document.createRange();
            range.setStart(one.firstChild, 0); range.setEnd(other.firstChild, 4);
            getSelection().removeAllRanges(); getSelection().addRange(range);
        }""")
        page.keyboard.press("c")
        page.wait_for_selector("#toast:not([hidden])")
        assert "within one" in page.inner_text("#toast")
        assert page.locator("#cites li").count() == 0


def test_a_reload_in_mid_review_loses_nothing(browser: Any, server: Running) -> None:
    with at_desk(browser, server, "ada") as page:
        page.keyboard.press("x")
        page.fill("#note", "half a tho")
        page.keyboard.press("Escape")
        page.keyboard.press("3")
        page.reload()  # at once, before anything was sent
        ready(page)
        saved(page)
        assert page.input_value("#note") == "half a tho"
        assert page.is_checked("input[value=no]")
        assert page.get_attribute("[data-value=looped]", "aria-pressed") == "true"
    row = server.rows("ada")[0]
    assert Drafts(server.site.ledger.path / "drafts").read(row).content["note"] == "half a tho"
    assert reviews(server) == ()


def test_a_lost_connection_is_said_and_what_was_done_is_sent_when_it_is_back(browser: Any, server: Running) -> None:
    with at_desk(browser, server, "ada") as page:
        page.context.set_offline(True)
        page.keyboard.press("y")
        page.wait_for_selector("#saved[data-state=offline]")
        assert "kept on this computer" in page.inner_text("#saved")
        page.keyboard.press("n")
        page.wait_for_selector("#toast:not([hidden])")
        assert "Not submitted" in page.inner_text("#toast")
        page.keyboard.press("1")
        page.context.set_offline(False)
        saved(page)
        moves_on(page, lambda: page.keyboard.press("n"))
    (made,) = reviews(server)
    assert (made.satisfied, made.behaviour_tags) == (True, ("explored_first",))


def test_a_restart_of_the_server_loses_nothing_and_the_open_page_goes_on(browser: Any, tmp_path: Path) -> None:
    ledger, readers = make_ledger(tmp_path / "ledger", 4, (2,)), somebody()
    with running(ledger, readers) as first:
        port = first.port
        context = browser.new_context()
        page = context.new_page()
        page.goto(first.link("ada"))
        page.goto(first.address + "/review")
        ready(page)
        page.keyboard.press("y")
        saved(page)
    page.keyboard.press("2")
    page.wait_for_selector("#saved[data-state=offline]")
    fresh = tuple(type(one)(name=one.name, role=one.role, token=one.token) for one in readers)  # other CSRF tokens
    with running(ledger, fresh, port) as second:
        saved(page)
        moves_on(page, lambda: page.keyboard.press("n"))
        (made,) = reviews(second)
    context.close()
    assert (made.satisfied, made.behaviour_tags) == (True, ("tested_own_work",))


def test_two_windows_of_one_reader_keep_both_versions_and_ask(browser: Any, server: Running) -> None:
    row = server.rows("ada")[0]
    with (
        at_desk(browser, server, "ada", f"/review/{row}") as one,
        at_desk(browser, server, "ada", f"/review/{row}") as other,
    ):
        one.fill("#note", "from the first window")
        saved(one)
        other.fill("#note", "from the second window")
        other.wait_for_selector("#conflict[open]")
        assert "Conflict, both versions kept" in other.inner_text("#saved")
        assert "from the first window" in other.inner_text("#conflict-theirs")
        other.keyboard.press("Escape")  # no way around the choice
        other.keyboard.press("Escape")
        other.wait_for_selector("#conflict[open]")
        other.click("#conflict button[value=mine]")
        saved(other)
        assert other.input_value("#note") == "from the second window"
        one.fill("#note", "from the first window, again")
        one.wait_for_selector("#conflict[open]")
        one.click("#conflict button[value=theirs]")
        saved(one)
        assert one.input_value("#note") == "from the second window"
    drafts = Drafts(server.site.ledger.path / "drafts")
    assert drafts.read(row).content["note"] == "from the second window"
    kept = [draft.content["note"] for draft in drafts.beside(row)]
    assert kept == ["from the second window", "from the first window, again"]


def test_two_reviewers_at_once_never_meet(browser: Any, server: Running) -> None:
    with at_desk(browser, server, "ada") as one, at_desk(browser, server, "bo") as other:
        assert one.inner_text("h1") == other.inner_text("h1")  # the same rollout: everybody reads in the sample's order
        assert one.url != other.url
        one.keyboard.press("y")
        other.keyboard.press("u")
        other.fill("#note", "no idea")
        other.keyboard.press("Escape")
        saved(one)
        saved(other)
        moves_on(one, lambda: one.keyboard.press("n"))
        moves_on(other, lambda: other.keyboard.press("n"))
    assert {(one.reviewer, one.satisfied) for one in reviews(server)} == {("ada", True), ("bo", None)}
    assert len({one.rollout for one in reviews(server)}) == 1


def test_an_impatient_key_submits_once(browser: Any, server: Running) -> None:
    with at_desk(browser, server, "ada") as page:
        page.keyboard.press("y")

        def twice() -> None:
            page.evaluate("() => { for (let i = 0; i < 5; i += 1) document.getElementById('submit').click(); }")

        moves_on(page, twice)
        page.wait_for_timeout(500)
    assert len(reviews(server)) == 1


def test_an_answer_that_was_lost_after_a_submission_is_no_conflict_and_no_second_review(
    browser: Any, server: Running
) -> None:
    row = server.rows("ada")[0]
    with at_desk(browser, server, "ada", f"/review/{row}") as page:
        page.route("**/submit", lambda route: (route.fetch(), route.abort()))  # it arrives; the answer does not
        for key in ("y", "2", "1"):
            page.keyboard.press(key)
        page.keyboard.press("n")
        page.wait_for_selector("#toast:not([hidden])")
        page.unroute("**/submit")
        page.reload()
        ready(page)
        assert "You submitted this one" in page.inner_text("main")
        assert page.locator("#conflict[open]").count() == 0
        moves_on(page, lambda: page.keyboard.press("n"))
    assert len(reviews(server)) == 1


def test_the_page_that_the_browser_has_tells_nothing(browser: Any, server: Running) -> None:
    asked: list[str] = []
    with at_desk(browser, server, "ada") as page:
        page.on("request", lambda request: asked.append(request.url))
        page.keyboard.press("/")
        page.keyboard.type("narwhal")
        page.keyboard.press("Enter")
        page.wait_for_function("() => document.getElementById('search-told').textContent === 'none'")
        page.keyboard.press("Escape")
        page.keyboard.press("y")
        saved(page)
        kept = page.evaluate("() => JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])")
        text = page.content() + kept + page.url
    ours = [url for url in asked if "search?q=" not in url]
    assert [secret for secret in SECRETS if secret in text + " ".join(ours)] == []
    assert all(url.startswith(server.address) for url in asked)


def test_search_goes_to_each_place_and_marks_it(browser: Any, server: Running) -> None:
    with at_desk(browser, server, "ada") as page:
        page.keyboard.press("/")
        page.keyboard.type("sum(set")
        page.keyboard.press("Enter")
        page.wait_for_function("() => document.getElementById('search-told').textContent === '1 of 1'")
        assert page.evaluate("() => [...CSS.highlights.get('found-here')].map(String)") == ["sum(set"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_everything_is_in_reach(browser: Any, server: Running, scheme: str) -> None:
    with at_desk(browser, server, "ada", width=400, scheme=scheme) as page:
        assert page.evaluate(OVERFLOWING) == []
        assert page.evaluate(TOO_SMALL, SMALLEST_TARGET) == []
        select(page, "step 4 call 1", "sum(set(rows))")
        page.wait_for_selector("#cite-pop:not([hidden])")
        page.click("#cite-pop")
        page.wait_for_selector("#cites li", state="attached")
        page.click(".quick [data-submit]")  # refused: the form opens where the answer is missing
        page.wait_for_selector("[data-lack=answer]:not([hidden])", state="visible")
        assert page.evaluate(TOO_SMALL, SMALLEST_TARGET) == []
        page.click(".bar [data-drawer='.queue']")
        page.wait_for_selector(".queue a[aria-current=page]", state="visible")
        assert page.evaluate(TOO_SMALL, SMALLEST_TARGET) == []
        page.keyboard.press("Escape")
        page.wait_for_selector(".queue", state="hidden")
        page.click(".quick [data-answer=no]")
        moves_on(page, lambda: page.click(".quick [data-submit]"))
    assert reviews(server)[0].satisfied is False


def test_the_desk_fits_and_every_control_has_a_name(browser: Any, server: Running) -> None:
    with at_desk(browser, server, "ada") as page:
        assert page.evaluate(OVERFLOWING) == []
        nameless = """() => [...document.querySelectorAll('button, a[href], input, textarea, dialog, progress')]
            .filter(e => !(e.getAttribute('aria-label') || e.getAttribute('aria-labelledby') || e.textContent.trim()
              || e.labels?.length || e.hidden)).map(e => e.outerHTML.slice(0, 80))"""
        assert page.evaluate(nameless) == []
        page.keyboard.press("?")
        page.wait_for_selector("#all-keys[open]")
        page.keyboard.press("x")  # dead in a dialog
        page.keyboard.press("Escape")
        assert not page.is_checked("input[value=no]")


def test_nothing_on_a_page_is_against_its_policy(browser: Any, server: Running) -> None:
    with at_desk(browser, server, "ada") as page:
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        for path in ("/review", "/pairs"):
            page.goto(server.address + path)
            ready(page)
            html = page.content()
            assert " style=" not in html.replace('id="cite-pop" hidden="" style=', "")
            assert " onclick=" not in html
        assert [text for text in said if "Content Security Policy" in text] == []


def test_adjudicator_takes_over_a_citation_and_settles(browser: Any, server: Running) -> None:
    cited = {"answer": "no", "citations": ["[step 4 call 1] total = sum(set(rows))"]}
    for name, content in (("ada", {"answer": "yes"}), ("bo", cited)):
        row = server.rows(name)[0]
        assert server.ask(name, f"/review/{row}/submit", "POST", {"base": 0, "content": content}).status == 200
    with at_desk(browser, server, "cy") as page:
        page.click("[data-use]")
        page.wait_for_selector("#cites li")
        page.keyboard.press("x")
        moves_on(page, lambda: page.keyboard.press("n"))
    settled = [one for one in reviews(server) if one.adjudicates]
    assert [(one.reviewer, one.citations) for one in settled] == [("cy", tuple(cited["citations"]))]

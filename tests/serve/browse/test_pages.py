"""The pages that one browses, over a real server: whole, escaped, no inline style or script; for the owner alone."""

from __future__ import annotations

import http.client
import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

import pytest
from tests.report.page import Page
from tests.serve.holding import EVIL, Holding, made
from tests.serve.review.setting import Answer, Running, running

from fairtrial.ledger import Ledger, connect
from fairtrial.records import Rollout, digest


@dataclass(frozen=True, slots=True)
class Served:
    server: Running
    holding: Holding

    def get(self, path: str, name: str = "owner") -> Answer:
        for key in ("plain", "hostile", "long", "bare"):
            path = path.replace(f"<{key}>", getattr(self.holding, key))
        return self.server.ask(name, path)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    holding = made(tmp_path_factory.mktemp("browse") / "ledger")
    with running(holding.ledger) as server:
        yield Served(server, holding)


PAGES = (
    "/", "/tasks", "/tasks?q=tot&order=pass+rate", "/tasks?first=900", "/task?task=total&suite=s%401",
    f"/task?task={quote('task ' + EVIL)}", "/rollouts", "/rollouts?verdict=passed&order=newest&finding=any",
    f"/rollouts?task={quote(EVIL)}&model={quote(EVIL)}&reason={quote(EVIL)}", "/rollouts/<plain>",
    "/rollouts/<hostile>",
    f"/rollouts/<hostile>?q={quote(EVIL[:20])}", "/rollouts/<long>?at=200", "/rollouts/<long>?q=needle&hit=51",
    "/rollouts/<bare>", "/rollouts/<hostile>/part?place=step+2+output+1", "/rollouts/<hostile>/steps?from=1",
    "/rollouts/<hostile>/part?place=step+2+output+2&from=48000&fragment", "/findings", "/findings?severity=proof",
    "/audit", "/report", "/nowhere",
)  # fmt: skip
QUICK = tuple(path for path in PAGES if path != "/report")
MARKED = (*QUICK, pytest.param("/report", marks=pytest.mark.extra))
"""The report is measured and drawn anew: seconds."""
OWNERS = tuple(path for path in PAGES if path not in ("/", "/nowhere"))


@pytest.mark.parametrize("path", MARKED)
def test_a_page_is_whole_and_nothing_of_a_rollout_acts_in_it(served: Served, path: str) -> None:
    answer = served.get(path)
    assert answer.status == (404 if path == "/nowhere" else 200)
    page = Page(answer.text)
    assert page.problems == []
    acting = [(tag, name) for tag, name, _ in page.attributes if name.startswith("on") or name in ("style", "srcdoc")]
    assert acting == []
    own = {
        value for tag, name, value in page.attributes if tag in ("script", "img", "link") and name in ("src", "href")
    }
    assert all(value.startswith(("/static/", "/rollouts/")) for value in own)
    scripts = [value for tag, name, value in page.attributes if tag == "script" and name == "src"]
    assert page.tags.count("script") == len(scripts)
    assert "style" not in page.tags
    links = [value for tag, name, value in page.attributes if tag == "a" and name == "href"]
    assert all(value.startswith(("/", "?", "#")) and not value.startswith("//") for value in links)
    assert "onload=x 49" not in answer.text  # no template in a text is filled


@pytest.mark.parametrize("path", [path for path in QUICK if "fragment" not in path and "/steps" not in path])
def test_a_page_has_one_title_and_ids_that_are_its_own(served: Served, path: str) -> None:
    page = Page(served.get(path).text)
    assert page.headings.count("h1") == 1
    assert len(page.ids) == len(set(page.ids))


@pytest.mark.parametrize("name", ["ada", "bo", "cy"])
def test_to_everybody_else_no_page_is_there(served: Served, name: str) -> None:
    nowhere = served.get("/nowhere", name)
    for path in OWNERS:
        answer = served.get(path, name)
        assert (answer.status, answer.text) == (404, nowhere.text)
    assert served.get("/", name).status == 303
    assert served.get("/", name).headers["location"].startswith("/review")


@pytest.mark.extra
def test_every_link_of_every_page_leads_somewhere(served: Served) -> None:
    seen, waiting = {"/"}, ["/"]
    while waiting and len(seen) < 150:
        path = waiting.pop(0)
        answer = served.get(path)
        assert answer.status == 200, path
        base = path.partition("?")[0]
        for tag, name, value in Page(answer.text).attributes:
            to = value.partition("#")[0]
            to = base + to if to.startswith("?") else to
            if tag == "a" and name == "href" and to.startswith("/") and to not in seen:
                seen.add(to)
                waiting.append(to)
    assert {"/tasks", "/rollouts", "/findings", "/audit", "/report"} <= seen


def test_fragments_meet_and_hold_every_step_once(served: Served) -> None:
    base, first, numbers = "/rollouts/<long>/steps", 1, []
    while first <= 300:
        text = served.get(f"{base}?from={first}").text
        numbers += [int(found) for found in re.findall(r'data-step="(\d+)"', text)]
        first = numbers[-1] + 1
    assert numbers == list(range(1, 301))
    back = served.get(f"{base}?to=300").text
    assert int(re.findall(r'data-step="(\d+)"', back)[-1]) == 300


def test_a_page_begins_near_the_step_asked_for(served: Served) -> None:
    text = served.get("/rollouts/<long>?at=200").text
    assert 'id="s200"' in text
    assert 'id="s1"' not in text
    assert "Earlier steps: 1 to 196" in text


def test_search_goes_over_all_steps_and_leads_to_them(served: Served) -> None:
    text = served.get("/rollouts/<long>?q=needle-299").text
    assert "step 299 call 1" in text
    assert f"{served.holding.long}?at=299&amp;q=needle-299#s299" in text
    assert "600" in served.get("/rollouts/<long>?q=NEEDLE").text
    assert "Every part of all 300 steps was searched" in served.get("/rollouts/<long>?q=absent").text


def test_a_hit_in_a_part_that_stands_apart_leads_to_its_slice(served: Served) -> None:
    text = served.get("/rollouts/<hostile>?q=one+line&hit=29000").text
    link = re.findall(r'href="(/rollouts/\w+/part\?[^"]+)"', text)[0].replace("&amp;", "&")
    assert '<mark class="hit">one line</mark>' in served.get(link).text


def test_verdict_finding_review_and_check_lead_to_their_steps(served: Served) -> None:
    text = served.get("/rollouts/<plain>").text
    assert text.count("#s4") >= 2  # the finding's steps, and the step its claim names
    assert 'href="#s2"' in text  # the check's message
    assert "step 3 output 1" in text
    assert '<mark class="cite">Change it.<sup>1</sup></mark>' in text
    assert f"/rollouts/{served.holding.plain}?at=5#s5" in text


def test_a_long_part_is_told_in_slices_that_meet(served: Served) -> None:
    first = served.get("/rollouts/<hostile>/part?place=step+2+output+1")
    assert "characters 1 to 48,000 of 1,000,000" in first.text
    start, length = 0, 0
    while True:
        text = served.get(f"/rollouts/<hostile>/part?place=step+2+output+1&from={start}&fragment").text
        length += len("".join(re.findall(r"<pre>\n?(A*)</pre>", text)))
        following = re.search(r"from=(\d+)", text)
        if following is None:
            break
        start = int(following[1])
    assert length == 1_000_000


@pytest.mark.parametrize("query", ["place=step+99+output+1", "place=", "place=verifier", "place=step+2+output+77", ""])
def test_a_part_that_is_not_there_is_no_page(served: Served, query: str) -> None:
    assert served.get(f"/rollouts/<hostile>/part?{query}").status == 404


@pytest.mark.parametrize(
    "query", ["at=-1", "at=x", "at=99999999", "at=%00", "hit=0&q=a", "hit=999999&q=a", "q=%22%3E%3Cscript%3E"]
)
def test_odd_addresses_get_a_page(served: Served, query: str) -> None:
    assert served.get(f"/rollouts/<long>?{query}").status == 200
    assert served.get(f"/rollouts?{query}&after={quote(EVIL)}&before=x").status == 200


def test_images_are_known_by_their_bytes_and_only_those_of_the_trajectory_are_sent(served: Served) -> None:
    shown = re.findall(r'src="(/rollouts/\w+/picture/\w+)"', served.get("/rollouts/<hostile>").text)
    told = [kind_of(served, path) for path in dict.fromkeys(shown)]
    assert told == [(200, "image/png"), (404, "text/html; charset=utf-8")]
    own = digest(served.holding.ledger.get_blob(address_of(served, served.holding.plain))).partition(":")[2]
    assert served.get(f"/rollouts/<hostile>/picture/{own}").status == 404


def kind_of(served: Served, path: str) -> tuple[int, str]:
    """Return the status and type of an answer that may be no text."""
    connection = http.client.HTTPConnection("127.0.0.1", served.server.port, timeout=30)
    host, token = f"127.0.0.1:{served.server.port}", served.server.reader("owner").token
    connection.request("GET", path, headers={"Host": host, "Cookie": f"fairtrial-{served.server.port}={token}"})
    found = connection.getresponse()
    found.read()
    connection.close()
    return found.status, found.headers["content-type"]


def address_of(served: Served, rollout: str) -> str:
    found = connect(served.holding.ledger).execute("select trajectory from rollouts where id = ?", [rollout]).fetchone()
    assert found
    return str(found[0])


def test_rollouts_side_by_side_say_where_they_first_differ(served: Served) -> None:
    text = served.get("/task?task=total&suite=s%401").text
    assert text.count("first differs at") == 2
    assert text.count("#s5") == 2
    assert text.count("the others are compared with this one") == 1
    assert "Done 2." in text


def test_an_empty_ledger_says_what_would_fill_it(tmp_path_factory: pytest.TempPathFactory) -> None:
    ledger = Ledger.open(tmp_path_factory.mktemp("empty") / "ledger", create=True)
    with running(ledger) as server:
        for path in ("/", "/tasks", "/rollouts", "/findings", "/audit"):
            answer = server.ask("owner", path)
            assert answer.status == 200
            assert '<code class="command">fairtrial ' in answer.text


def test_steps_that_cannot_be_read_are_told_and_the_verdict_stands(tmp_path_factory: pytest.TempPathFactory) -> None:
    ledger = Ledger.open(tmp_path_factory.mktemp("damaged") / "ledger", create=True)
    one = Rollout(task="t", model="m", trajectory=ledger.put_blob(b"no trajectory"))
    gone = Rollout(task="t", model="m", attempt=1, trajectory="sha256:" + "0" * 64)
    ledger.append("rollouts", [one, gone])
    with running(ledger) as server:
        for rollout in (one, gone):
            answer = server.ask("owner", f"/rollouts/{rollout.id}")
            assert answer.status == 200
            assert "The steps cannot be read" in answer.text
            assert server.ask("owner", f"/rollouts/{rollout.id}/steps").status == 404
        assert "its steps cannot be read" in server.ask("owner", "/task?task=t").text


def test_a_damaged_ledger_is_told_on_a_page(tmp_path_factory: pytest.TempPathFactory) -> None:
    ledger = Ledger.open(tmp_path_factory.mktemp("broken") / "ledger", create=True)
    ledger.append("rollouts", [Rollout(task="t", model="m")])
    ledger.parts("rollouts")[0].write_bytes(b"PAR1 and no more")
    with running(ledger) as server:
        answer = server.ask("owner", "/rollouts")
        assert answer.status == 500
        assert "damaged" in answer.text
        assert Page(answer.text).problems == []

"""The pages in a real browser: one scrolls, jumps, searches and unfolds; a hostile trajectory does nothing; they fit.

Needs playwright and chromium (`make test-extra`).
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from tests.report.test_browser import OVERFLOWING, WIDTHS
from tests.serve.holding import EVIL, HIDDEN, Holding, made
from tests.serve.review.setting import Running, running

pytestmark = pytest.mark.extra

LONG = 1_200
PAGES = ("/", "/tasks", "/task?task=total&suite=s%401", "/rollouts", "/rollouts/<plain>", "/rollouts/<hostile>",
         "/rollouts/<long>?q=needle", "/findings", "/audit", "/report", "/nowhere")  # fmt: skip


@pytest.fixture(scope="module")
def holding(tmp_path_factory: pytest.TempPathFactory) -> Holding:
    return made(tmp_path_factory.mktemp("browser") / "ledger", long=LONG)


@pytest.fixture(scope="module")
def server(holding: Holding) -> Iterator[Running]:
    with running(holding.ledger) as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: make test-extra")
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("chromium is not installed: apt-get install chromium")
    with playwright.sync_playwright() as running_:
        launched = running_.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield launched
        launched.close()


class Desk:
    """One reader's browser, and what it said and fetched."""

    def __init__(self, browser: Any, server: Running, holding: Holding, **settings: Any) -> None:
        self.server, self.holding = server, holding
        self.context = browser.new_context(**({"viewport": {"width": 1280, "height": 900}} | settings))
        self.page = self.context.new_page()
        self.said: list[str] = []
        self.fetched: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.said.append(f"dialog {dialog.message}"), dialog.dismiss()))
        self.page.on("request", lambda request: self.fetched.append(request.url))
        self.page.goto(server.link("owner"))

    def go(self, path: str) -> Any:
        for key in ("plain", "hostile", "long"):
            path = path.replace(f"<{key}>", getattr(self.holding, key))
        self.page.goto(self.server.address + path)
        return self.page


@pytest.fixture
def desk(browser: Any, server: Running, holding: Holding) -> Iterator[Desk]:
    opened = Desk(browser, server, holding)
    yield opened
    opened.context.close()


def on_screen(page: Any, selector: str) -> bool:
    """Say whether an element comes into view: a browser scrolls when it has time to, not at once."""
    page.wait_for_function(
        "s => { const e = document.querySelector(s); if (!e) return false; const b = e.getBoundingClientRect();"
        " return b.top < innerHeight && b.bottom > 0 }", arg=selector, timeout=10_000)  # fmt: skip
    return True


def steps(page: Any) -> list[int]:
    return [int(found) for found in page.eval_on_selector_all(".step", "all => all.map(e => e.dataset.step)")]


@pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_fits_is_silent_and_fetches_from_here_alone(
    browser: Any, server: Running, holding: Holding, width: int, scheme: str
) -> None:
    desk = Desk(browser, server, holding, viewport={"width": width, "height": 900}, color_scheme=scheme)
    for path in PAGES:
        page = desk.go(path)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        assert page.evaluate(OVERFLOWING) == [], path
    assert [text for text in desk.said if "404" not in text] == []
    assert all(url.startswith(server.address) for url in desk.fetched)
    desk.context.close()


def test_a_hostile_trajectory_does_nothing_and_is_read_as_it_was(desk: Desk) -> None:
    page = desk.go("/rollouts/<hostile>")
    for fold in page.query_selector_all("details.fold:not([open]) > summary"):
        fold.click()
    page.locator("a[data-part]").first.click()
    page.wait_for_selector(".slice")
    assert page.title() != "pwned"
    assert page.query_selector_all(".window script, .window img[onerror], .window [style]") == []
    assert EVIL in page.locator("#s1 .said").inner_text()
    read = page.evaluate("""async () => {
        const { textOf } = await import('/static/citing.js');
        const range = document.createRange();
        range.selectNodeContents(document.querySelector('#s1 .said pre'));
        return textOf(range.cloneContents());
    }""")
    assert read.replace("\r", "").strip() == (EVIL + HIDDEN).replace("\r", "").strip()
    assert [text for text in desk.said if "404" not in text] == []  # one of its images is none


def test_steps_load_as_one_scrolls_and_memory_stays_bounded(desk: Desk) -> None:
    page = desk.go("/rollouts/<long>")
    assert steps(page)[-1] < 100
    for _ in range(60):
        page.mouse.wheel(0, 20_000)
        page.wait_for_timeout(60)
        if steps(page)[-1] == LONG:
            break
    assert steps(page)[-1] == LONG
    assert steps(page) == list(range(steps(page)[0], LONG + 1))
    assert len(page.query_selector_all(".window")) <= 12
    assert page.locator("[data-later]").is_hidden()
    first = steps(page)[0]
    page.locator("[data-earlier]").click()
    page.wait_for_function("first => Number(document.querySelector('.step').dataset.step) < first", arg=first)
    assert steps(page) == list(range(steps(page)[0], steps(page)[-1] + 1))


def test_an_anchor_leads_to_a_step_that_is_not_there_yet(desk: Desk) -> None:
    page = desk.go("/rollouts/<long>#s900")
    page.wait_for_selector("#s900.is-here")
    assert on_screen(page, "#s900")
    page.locator(".rail a").nth(3).click()
    page.wait_for_selector("#s91.is-here")
    assert on_screen(page, "#s91")
    page.go_back()
    page.wait_for_selector("#s900.is-here")


def test_a_hit_leads_to_its_step_and_is_marked_there(desk: Desk) -> None:
    page = desk.go("/rollouts/<long>")
    page.keyboard.press("/")
    page.keyboard.type("needle-1111")
    page.keyboard.press("Enter")
    page.wait_for_selector("#hits")
    page.locator("#hits a").first.click()
    page.wait_for_selector("#s1111.is-here")
    assert on_screen(page, "#s1111")
    assert page.locator("#s1111 mark.hit").count() >= 2


def test_keys_go_from_step_to_step_and_are_dead_while_one_types(desk: Desk) -> None:
    page = desk.go("/rollouts/<plain>")
    page.keyboard.press("j")
    page.keyboard.press("j")
    here = page.locator(".is-here").get_attribute("data-step")
    page.keyboard.press("k")
    assert int(page.locator(".is-here").get_attribute("data-step")) == int(here) - 1
    page.keyboard.press("/")
    page.keyboard.type("jojo")
    assert page.locator(".search input").input_value() == "jojo"
    page.locator("h1").click()
    page.keyboard.press("o")
    assert page.locator("details.fold:not([open])").count() == 0


def test_a_finding_leads_to_the_step_that_it_speaks_of(desk: Desk) -> None:
    page = desk.go("/findings?severity=lead")
    page.get_by_role("link", name="step 4").first.click()
    page.wait_for_selector("#s4 mark.cite")
    assert on_screen(page, "#s4")


def test_without_script_links_lead_to_all_steps(browser: Any, server: Running, holding: Holding) -> None:
    desk = Desk(browser, server, holding, java_script_enabled=False)
    page, seen = desk.go("/rollouts/<long>"), 0
    for _ in range(3):
        assert steps_without_script(page)[0] <= seen + 1
        seen = steps_without_script(page)[-1]
        page.locator("[data-later]").click()
    assert seen > 90
    desk.context.close()


def steps_without_script(page: Any) -> list[int]:
    return [int(one.get_attribute("data-step")) for one in page.query_selector_all(".step")]

"""The page in a real browser: it fits a desk and a phone, fetches nothing, says nothing is wrong, needs no script.

What the markup holds is tested without a browser in test_html. Needs playwright and chromium (`make test-extra`).
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.report.fixed import fixed_measurement
from tests.report.fixed_audit import fixed_audit
from tests.report.hostile import hostile_measurement
from tests.report.suites import context, findings, proofs

from fairtrial.report import build
from fairtrial.report.gather import nothing_measured
from fairtrial.report.html import html

pytestmark = pytest.mark.extra

WIDTHS = {"desk": 1280, "phone": 400}
SMALLEST_TEXT = 10.0
"""Pixels on the screen, in charts too."""

OVERFLOWING = """() => [...document.querySelectorAll('body *')].filter(e => {
    const box = e.getBoundingClientRect();
    if (!box.width || box.right <= innerWidth + 1) return false;
    for (let p = e.parentElement; p; p = p.parentElement)
        if (['auto', 'scroll', 'hidden'].includes(getComputedStyle(p).overflowX)) return false;
    return true;
}).map(e => e.tagName + ' ' + (e.textContent || '').trim().slice(0, 60))"""

SMALL_TEXT = """least => [...document.querySelectorAll('svg text')].filter(e => {
    const box = e.getBoundingClientRect();
    if (!box.width) return false;
    const drawn = e.getScreenCTM();
    const size = parseFloat(getComputedStyle(e).fontSize) * (drawn ? Math.hypot(drawn.a, drawn.b) : 1);
    return size < least - 0.05;
}).map(e => e.textContent)"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: make test-extra")
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("chromium is not installed: apt-get install chromium")
    with playwright.sync_playwright() as running:
        launched = running.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture(scope="module", params=["fixed", "hostile", "empty"])
def file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    hostile = request.param == "hostile"
    known = (proofs(hostile=hostile), findings(hostile=hostile))
    report = {
        "fixed": lambda: build(fixed_measurement(), *known, context(), fixed_audit()),
        "hostile": lambda: build(hostile_measurement(), *known, context()),
        "empty": lambda: build(nothing_measured(16, 0), (), (), context()),
    }[request.param]()
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(html(report), encoding="utf-8")
    return path


class Seen:
    """One opening of the page, and what the browser said of it."""

    def __init__(self, browser: Any, file: Path, width: int, **settings: Any) -> None:
        self.context = browser.new_context(viewport={"width": width, "height": 900}, **settings)
        self.page = self.context.new_page()
        self.said: list[str] = []
        self.fetched: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.fetched.append(request.url))
        self.page.goto(file.as_uri())


@pytest.fixture(params=WIDTHS)
def seen(request: pytest.FixtureRequest, browser: Any, file: Path) -> Iterator[Seen]:
    opened = Seen(browser, file, WIDTHS[request.param])
    yield opened
    opened.context.close()


def test_nothing_is_fetched_and_the_console_is_silent(seen: Seen, file: Path) -> None:
    assert seen.fetched == [file.as_uri()]
    assert seen.said == []


def test_nothing_leaves_the_screen_sideways(seen: Seen) -> None:
    assert seen.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert seen.page.evaluate(OVERFLOWING) == []


def test_text_in_charts_can_be_read(seen: Seen) -> None:
    assert seen.page.evaluate(SMALL_TEXT, SMALLEST_TEXT) == []


def test_the_checks_see_what_is_wrong(browser: Any, tmp_path: Path) -> None:
    wrong = (
        '<body><p>fits</p><p style="width: 2000px">wide</p><svg width="50"><text y="9" font-size="6">tiny</text></svg>'
    )
    (tmp_path / "wrong.html").write_text(wrong, encoding="utf-8")
    opened = Seen(browser, tmp_path / "wrong.html", 400)
    assert opened.page.evaluate(OVERFLOWING) == ["P wide"]
    assert opened.page.evaluate(SMALL_TEXT, SMALLEST_TEXT) == ["tiny"]
    opened.context.close()


def test_the_page_reads_the_same_without_script(browser: Any, file: Path) -> None:
    texts = []
    for enabled in (True, False):
        opened = Seen(browser, file, 1280, java_script_enabled=enabled)
        texts.append(opened.page.locator("body").inner_text())
        opened.context.close()
    assert texts[0] == texts[1]
    assert len(texts[0]) > 500


def test_it_prints_on_paper(browser: Any, file: Path) -> None:
    opened = Seen(browser, file, 1280)
    pdf = opened.page.pdf(format="A4")
    opened.context.close()
    assert pdf.startswith(b"%PDF")
    assert pdf.count(b"/Type /Page\n") + pdf.count(b"/Type /Page ") >= 1

"""The live page of a run in a real browser: it follows the log, fits a desk and a phone, and runs nothing of a name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.report.test_browser import SMALL_TEXT, SMALLEST_TEXT
from tests.serve.review.browsing import OVERFLOWING, chromium
from tests.serve.review.setting import serving
from tests.train.watch.runs import Run

from fairtrial.serve.watching import WatchSite, watch_application
from fairtrial.train.log import LogWriter
from fairtrial.train.recipe import Watch
from fairtrial.train.watch import LiveWatch, watch_log

pytestmark = pytest.mark.extra

HOSTILE = "<img src=x onerror=document.title='owned'>\u202e" + "longname" * 12
STRETCHED = """() => [...document.querySelectorAll('svg.ch')].filter(e =>
    e.getBoundingClientRect().width > parseFloat(e.getAttribute('viewBox').split(' ')[2]) + 1).length"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


class Growing:
    """A run that is being trained: its log grows when told to."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "seed-0"
        self.run = Run({HOSTILE: 0.4, "rev": 0.6}, references=(4, 4))
        self.watch = LiveWatch(self.folder, Watch())

    def grow(self, first: int, last: int, rate: float | None = None) -> None:
        with LogWriter(self.folder, keep_through=first - 1) as log:
            for number in range(first, last + 1):
                line, groups = self.run.step(number, rate=rate)
                self.watch.observe(line, groups)
                log.write(replace(line, notes=self.watch.said), groups)


def test_the_page_follows_the_log_and_fits(browser: Any, tmp_path: Path) -> None:
    folder = tmp_path / "<img src=x onerror=document.title='owned'> & a run of a long name"
    run, sites, said = Growing(folder), [], []
    run.grow(1, 20)

    def make(port: int) -> Any:
        sites.append(WatchSite(hosts=frozenset({f"127.0.0.1:{port}"})))
        return watch_application(lambda: watch_log(folder), folder, sites[0])

    with serving(make) as port:
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(f"http://127.0.0.1:{port}/enter?token={sites[0].reader.token}")
        assert "No alarm in 20 steps of 1 run." in page.inner_text(".answer")
        run.grow(21, 22, rate=0.0)
        page.wait_for_selector(".answer:has-text('One outage in 22 steps')", timeout=20_000)
        assert page.inner_text("#fresh").startswith("so far, at ")
        assert "All 8 known right answers passed" in page.inner_text("#alarms")
        assert page.locator("svg.ch").count() > 3
        assert "owned" not in page.title().split("training watch")[-1]
        assert page.locator("main img").count() == 0
        for width in (1280, 400):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
            assert page.evaluate(OVERFLOWING) == []
            assert page.evaluate(SMALL_TEXT, SMALLEST_TEXT) == []
            assert page.evaluate(STRETCHED) == 0
        context.close()
    assert said == []

"""The page of a scan in a real browser: it fits a desk and a phone, fetches nothing, needs no script."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.report.contamination.scans import empty, full
from tests.report.suites import HOSTILE
from tests.report.test_browser import OVERFLOWING, Seen

from fairtrial.report.contamination import html, page_of

pytestmark = pytest.mark.extra


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


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("name", ["full", "hostile", "empty"])
def test_it_fits_and_fetches_nothing(browser: Any, tmp_path: Path, name: str, width: int) -> None:
    scan = {"full": full, "hostile": lambda: full(HOSTILE), "empty": empty}[name]()
    file = tmp_path / "scan.html"
    file.write_text(html(page_of(scan)), encoding="utf-8")
    seen = Seen(browser, file, width)
    assert seen.fetched == [file.as_uri()]
    assert seen.said == []
    assert seen.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert seen.page.evaluate(OVERFLOWING) == []
    seen.context.close()

"""The page of a lift in a real browser: it fits a desk and a phone, its charts can be read, it fetches nothing."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.report.lift.test_page import HOSTILE, LONG, full, page
from tests.report.test_browser import OVERFLOWING, SMALL_TEXT, SMALLEST_TEXT, Seen

from fairtrial.report.lift import html, page_of

pytestmark = pytest.mark.extra

CUT_OFF = """() => [...document.querySelectorAll('svg.ch')].filter(e => e.getBoundingClientRect().width).flatMap(e => {
    const frame = e.getBoundingClientRect();
    return [...e.querySelectorAll('text')].filter(t => {
        const box = t.getBoundingClientRect();
        return box.width && (box.left < frame.left - 3 || box.right > frame.right + 3);
    }).map(t => t.textContent);
})"""
"""Texts of a chart that reach beyond its frame, where they would be cut off."""


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


@pytest.fixture(scope="module", params=["full", "hostile", "long", "nothing"])
def file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    name = {"full": "sorter", "hostile": HOSTILE, "long": LONG}.get(request.param)
    path = tmp_path_factory.mktemp("lift") / "lift.html"
    path.write_text(
        html(page_of(full(name)) if name else page(refused=(("sorter", "another suite"),))), encoding="utf-8"
    )
    return path


@pytest.mark.parametrize("width", [1280, 400])
def test_it_fits_can_be_read_and_fetches_nothing(browser: Any, file: Path, width: int) -> None:
    seen = Seen(browser, file, width)
    assert seen.fetched == [file.as_uri()]
    assert seen.said == []
    assert seen.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert seen.page.evaluate(OVERFLOWING) == []
    assert seen.page.evaluate(SMALL_TEXT, SMALLEST_TEXT) == []
    assert seen.page.evaluate(CUT_OFF) == []
    seen.context.close()

"""A browser for the tests of the live pages: chromium through playwright, skipped by name where either is missing."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from tests.serve.review.setting import Running

SMALLEST_TARGET = 44

TOO_SMALL = """least => [...document.querySelectorAll('button, .ans, .queue a, .quick button, textarea')].filter(e => {
    const box = e.getBoundingClientRect();
    return box.width && !e.hidden && box.height < least - 0.5;
}).map(e => e.className + ' ' + (e.textContent || '').trim().slice(0, 40))"""

OVERFLOWING = """() => [...document.querySelectorAll('body *')].filter(e => {
    const box = e.getBoundingClientRect();
    if (!box.width || box.right <= innerWidth + 1 || e.closest('.vh')) return false;
    for (let p = e.parentElement; p; p = p.parentElement)
        if (['auto', 'scroll', 'hidden'].includes(getComputedStyle(p).overflowX)) return false;
    return true;
}).map(e => e.tagName + ' ' + (e.textContent || '').trim().slice(0, 60))"""

SELECT = """([place, from, to]) => {
    const side = /^(first|second) (.*)$/.exec(place);
    const within = side ? document.querySelector(`[data-side=${side[1]}]`) : document;
    const part = within.querySelector(`[data-place="${side ? side[2] : place}"]`);
    if (part.tagName === 'DETAILS') part.open = true;
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const start = node.data.indexOf(from);
        if (start < 0 || node.parentElement.closest('summary')) continue;
        const range = document.createRange();
        range.setStart(node, start);
        range.setEnd(node, node.data.indexOf(to, start) + to.length);
        getSelection().removeAllRanges();
        getSelection().addRange(range);
        return true;
    }
    return false;
}"""


@contextmanager
def chromium() -> Iterator[Any]:
    """Start chromium; skip the tests that need it where it, or playwright, is missing."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: make test-extra")
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("chromium is not installed: apt-get install chromium")
    with playwright.sync_playwright() as running:
        launched = running.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield launched
        launched.close()


@contextmanager
def at_desk(
    browser: Any, server: Running, name: str, path: str = "/review", width: int = 1280, scheme: str = "light"
) -> Iterator[Any]:
    """Yield a page of that reader, come in by their link; whatever went wrong in its scripts fails the test."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    page.set_default_timeout(20_000)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(server.link(name))
    page.goto(server.address + path)
    ready(page)
    yield page
    context.close()
    assert wrong == []


def ready(page: Any) -> None:
    """Wait until the page's own scripts run."""
    page.wait_for_selector("#saved .shape-mark")


def select(page: Any, place: str, start: str, end: str = "") -> None:
    """Select from the words `start` to the words `end` in the part at `place`."""
    assert page.evaluate(SELECT, [place, start, end or start]), f"{start} is not at {place}"


def saved(page: Any) -> None:
    """Wait until the server has all."""
    page.wait_for_selector("#saved[data-state=saved]")


def moves_on(page: Any, act: Any) -> None:
    """Do what leads to another page, and wait until its scripts run."""
    before = page.url
    act()
    page.wait_for_function("before => location.href !== before", arg=before)
    page.wait_for_load_state()

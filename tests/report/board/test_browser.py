"""The pages of a board in a real browser: they fit a desk and a phone, fetch nothing, and say nothing is wrong.

Needs playwright and chromium (`make test-extra`).
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.report.board.shown import RULES, shown
from tests.report.board.test_pages import opened, trajectory
from tests.report.suites import HOSTILE
from tests.report.test_browser import OVERFLOWING, WIDTHS

from fairtrial.board.changes import changes
from fairtrial.board.document import document_of
from fairtrial.board.versions import Version
from fairtrial.report.board import write_pages

pytestmark = pytest.mark.extra
LONG = "-" + "averylongnamewithoutanyseparator" * 6
WIDER = "() => document.documentElement.scrollWidth - innerWidth"
"""Text that runs out of its box is seen by this, and not by the boxes of elements."""
OVERLAPPING = """() => [...document.querySelectorAll('.standings tbody tr')].filter(row => {
    const range = document.createRange();
    range.selectNodeContents(row.querySelector('.rank'));
    return range.getBoundingClientRect().right > row.querySelector('.who').getBoundingClientRect().left;
}).length"""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: make test-extra")
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("chromium is not installed: apt-get install chromium")
    with playwright.sync_playwright() as running:
        launched = running.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("suffix", ["", HOSTILE, LONG], ids=["plain", "hostile", "long"])
def test_pages_fit_and_fetch_nothing(chromium: Any, tmp_path: Path, suffix: str, width: str) -> None:
    board, out = shown(tmp_path, suffix), tmp_path / "out"
    before = Version(1, document_of(replace(board, rows=board.rows[1:])), RULES)
    now = Version(2, document_of(board), RULES)
    write_pages(board, out, now, changes(before, now), [])
    for path in sorted(out.rglob("*.html")):
        page = chromium.new_page(viewport={"width": WIDTHS[width], "height": 900})
        asked, wrong = [], []
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        page.on("console", lambda message, wrong=wrong: wrong.append(message.text))
        page.on("dialog", lambda dialog, wrong=wrong: wrong.append(dialog.message))
        page.goto(path.as_uri())
        assert page.evaluate(OVERFLOWING) == [], path.name
        assert page.evaluate(WIDER) <= 0, path.name
        assert asked == [path.as_uri()]
        assert wrong == []
        page.close()


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("rank", "last"), [(11, 13), (123, 145)])
def test_ranks_of_many_digits_do_not_touch_names(
    chromium: Any, tmp_path: Path, rank: int, last: int, width: str
) -> None:
    board = shown(tmp_path)
    many = replace(board, rows=tuple(replace(row, rank=rank, last_rank=last) for row in board.rows))
    write_pages(many, tmp_path / "out", Version(1, document_of(many), RULES), None, [])
    page = chromium.new_page(viewport={"width": WIDTHS[width], "height": 900})
    page.goto((tmp_path / "out" / "index.html").as_uri())
    assert page.evaluate(OVERLAPPING) == 0
    assert page.evaluate(WIDER) <= 0
    page.close()


def test_folded_lines_are_printed(chromium: Any, tmp_path: Path) -> None:
    out, _ = opened(tmp_path, trajectory(4, 120), trajectories=1)
    page = chromium.new_page()
    page.goto(next((out / "rollouts").iterdir()).as_uri())
    folded = page.pdf(format="A4")
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    assert sheets(folded) == sheets(page.pdf(format="A4")) > 3
    page.close()


def sheets(pdf: bytes) -> int:
    return len(re.findall(rb"/Type /Page\b", pdf))

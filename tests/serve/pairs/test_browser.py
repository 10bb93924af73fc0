"""Comparing pairs in a real browser: by keyboard, cited on either side, on a desk and on a phone."""

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
from tests.serve.review.setting import SECRETS, Running, make_ledger, running

from fairtrial.ledger.audited import all_preferences

pytestmark = pytest.mark.extra


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    with running(make_ledger(tmp_path / "ledger", 12, (1, 2))) as started:
        yield started


def test_pairs_are_compared_by_keyboard_and_cited_on_either_side(browser: Any, server: Running) -> None:
    count = len(server.rows("ada", "pairs"))
    with at_desk(browser, server, "ada", "/pairs") as page:
        for number in range(count):
            ready(page)
            assert [secret for secret in SECRETS if secret in page.content()] == []
            select(page, f"{('first', 'second')[number % 2]} step 4 call 1", "sum(set(rows))")
            page.keyboard.press("c")
            page.wait_for_selector("#cites li")
            page.keyboard.press("adt"[number % 3])
            moves_on(page, lambda: page.keyboard.press("n"))
        assert f"all {count} of your pairs" in page.inner_text("main")
    made = all_preferences(server.site.ledger)
    assert [one.preferred for one in made] == [("first", "second", "tie")[number % 3] for number in range(count)]
    sides = [one.citations[0].split()[0] for one in made]
    assert sides == [("[first", "[second")[number % 2] for number in range(count)]


def test_a_reload_keeps_the_choice(browser: Any, server: Running) -> None:
    with at_desk(browser, server, "ada", "/pairs") as page:
        page.keyboard.press("d")
        page.fill("#note", "shorter")
        page.reload()
        ready(page)
        saved(page)
        assert page.is_checked("input[value=second]")
        assert page.input_value("#note") == "shorter"


@pytest.mark.parametrize("width", [1280, 400])
def test_both_works_are_beside_each_other_on_a_desk_and_stacked_on_a_phone(
    browser: Any, server: Running, width: int
) -> None:
    with at_desk(browser, server, "ada", "/pairs", width=width) as page:
        assert page.evaluate(OVERFLOWING) == []
        first, second = (page.locator(f"[data-side={side}]").bounding_box() for side in ("first", "second"))
        if width == 1280:
            assert first["y"] == second["y"]
            assert first["x"] + first["width"] <= second["x"] + 1
        else:
            assert first["y"] + first["height"] <= second["y"] + 1
            assert page.evaluate(TOO_SMALL, SMALLEST_TARGET) == []
            page.click(".quick [data-answer=tie]")
            moves_on(page, lambda: page.click(".quick [data-submit]"))
    if width == 400:
        assert all_preferences(server.site.ledger)[0].preferred == "tie"

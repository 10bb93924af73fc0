"""Facts asked for in words are read off the page by a model and decided without it. Not covered: what it can find."""

from __future__ import annotations

import re
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fairtrial.checks import CheckError, Result
from fairtrial.checks.judged import Judges
from fairtrial.checks.judged.driver import judged_workflow
from fairtrial.checks.state.workflows import Walks
from fairtrial.models.scripted import Asked, Line, refuse

from ..conftest import opinion

if TYPE_CHECKING:
    from ..conftest import Bench

SHOP = Path(__file__).parents[2] / "state" / "workflows" / "shop.py"
STEPS = """
[[workflow]]
name = "pay"
step = [
  { open = "/orders/4711" },
  { expect = "total", read = "the total of the order", equals = "EUR 12.5", kind = "money" },
  { expect = "shown", text = "Order 4711" },
]
"""


def found(asked: Asked) -> str:
    """Quote the amount, where the page shows one."""
    for line in str(asked.messages[1]["content"]).split("\n"):
        if amount := re.match(r"(\d+)\| Total: (.* EUR)", line):
            return opinion(asked, None, ("A1", int(amount[1]), int(amount[1]), amount[2]))
    return opinion(asked, None)


class Desk:
    """Walks through the shop with a judge."""

    def __init__(self, folder: Path, walks: Walks) -> None:
        self.folder, self.walks = folder, walks

    def laid(self, steps: str = STEPS, fault: str = "") -> None:
        with socket.socket() as held:
            held.bind(("127.0.0.1", 0))
            port = held.getsockname()[1]
        start = f'base_url = "http://127.0.0.1:{port}"\nstart = "FAULT={fault} {sys.executable} {SHOP}"\n'
        (self.folder / "workflows.toml").write_text(start + steps)

    def walk(self, judges: Judges, expect: str = "total", votes: int = 1) -> Result:
        return judged_workflow(judges, self.walks, str(self.folder / "workflows.toml"), "pay", expect, votes=votes)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    walks = Walks()
    yield Desk(tmp_path, walks)
    walks.close()


@pytest.mark.extra
@pytest.mark.parametrize(("fault", "passed"), [("", True), ("total", False)])
def test_what_is_quoted_is_compared_without_the_model(bench: Bench, desk: Desk, fault: str, passed: bool) -> None:
    desk.laid(fault=fault)
    result = desk.walk(bench.judges(found, may_start=True)[0], votes=3)
    assert result.passed is passed, result.why
    assert result.evidence["cites"][0]["quote"] == ("12.50 EUR" if passed else "13.50 EUR")
    assert result.evidence["agree"] == 3


def test_a_value_that_is_not_on_the_page_is_never_taken(bench: Bench, desk: Desk) -> None:
    desk.laid(fault="total")
    judges, server = bench.judges(lambda asked: opinion(asked, None, ("A1", 3, 3, "12.50 EUR")), may_start=True)
    with pytest.raises(CheckError, match="unparsed"):
        desk.walk(judges)
    assert "is not in A1 line 3" in server.asked[1].last


def test_what_is_not_found_fails_and_what_is_not_agreed_is_not_measured(bench: Bench, desk: Desk) -> None:
    desk.laid()
    nothing = desk.walk(bench.judges(lambda asked: opinion(asked, None), may_start=True)[0])
    assert (nothing.passed, "not to be found" in nothing.why) == (False, True)

    def torn(asked: Asked) -> str:
        return found(asked) if asked.turn % 2 else opinion(asked, None)

    desk.walks.close()
    desk.walks = Walks()
    with pytest.raises(CheckError, match="disagreement"):
        desk.walk(bench.judges(torn, may_start=True)[0], votes=2)
    desk.walks.close()


def test_a_refusal_breaks_its_fact_and_no_other(bench: Bench, desk: Desk) -> None:
    def script(_: Asked) -> Line:
        return refuse("no")

    desk.laid()
    judges, _ = bench.judges(script, may_start=True)
    with pytest.raises(CheckError, match="refused"):
        desk.walk(judges)
    assert desk.walk(judges, "shown").passed


@pytest.mark.extra
def test_what_was_read_is_kept_by_the_content_of_the_page(bench: Bench, desk: Desk, tmp_path: Path) -> None:
    desk.laid()
    judges, server = bench.judges(found, may_start=True, kept=tmp_path / "kept")
    for _ in range(2):
        assert desk.walk(judges, votes=2).passed
        desk.walks.close()
        desk.walks = Walks()
    assert len(server.asked) == 2


def test_an_app_is_not_started_outside_a_box(bench: Bench, desk: Desk) -> None:
    desk.laid()
    judges, server = bench.judges(found)
    with pytest.raises(CheckError, match="not started outside a box"):
        desk.walk(judges)
    assert server.asked == []

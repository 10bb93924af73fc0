"""The page "which check when" names every check where it runs, and leads to an example that is run.

Not covered: whether the advice is right.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs_blocks import RUN_LANGUAGES, blocks
from fairtrial.checks.registry import OUTSIDE_NAMES, catalogue

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE = (DOCS / "checks.md").read_text(encoding="utf-8")
ROW = re.compile(
    r"^\| (?P<asks>[^|]+) \| `(?P<check>\w+)` \| (?P<otherwise>[^|]+) \| (?P<example>[^|]+) \|$", re.MULTILINE
)
ROWS = {row["check"]: row for row in ROW.finditer(PAGE)}
NEEDS_A_SERVER = {"postgres_changes", "postgres_rows"}


def anchors(page: str) -> set[str]:
    """Return what the headings of a page are linked by."""
    titles = re.findall(r"^#+ (.+)$", page, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def section(check: str) -> str:
    """Return the text of the page from the heading above the row of `check` to that row."""
    before = PAGE[: ROWS[check].start()]
    return before[before.rindex("\n## ") :]


def links(text: str) -> list[tuple[str, str]]:
    return re.findall(r"\]\(([\w.-]*\.md)?#?([\w-]*)\)", text)


def test_every_check_has_one_row_and_no_row_is_of_another() -> None:
    named = [row["check"] for row in ROW.finditer(PAGE)]
    assert sorted(named) == sorted(catalogue())


@pytest.mark.parametrize("check", sorted(catalogue()))
def test_row_says_where_the_check_runs_and_leads_to_its_example(check: str) -> None:
    places = re.findall("in the box|outside", f"{ROWS[check]['asks']} {section(check)}".lower())
    assert (places[0] == "outside") is (check in OUTSIDE_NAMES)
    ((page, _),) = links(ROWS[check]["example"])
    text = PAGE if not page else (DOCS / page).read_text(encoding="utf-8")
    run = [block for block in blocks(text) if block.language in RUN_LANGUAGES and not block.not_run]
    shown = any(re.search(rf"use = \"{check}\"", block.text) for block in run)
    assert shown or check in NEEDS_A_SERVER


def test_every_link_leads_to_a_heading() -> None:
    for page, anchor in links(PAGE):
        text = PAGE if not page else (DOCS / page).read_text(encoding="utf-8")
        assert not anchor or anchor in anchors(text), f"{page}#{anchor}"

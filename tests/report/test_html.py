"""The page is whole, self-contained, needs no script, tells all to those who cannot see it, trusts no name."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from tests.report.fixed import fixed_measurement
from tests.report.hostile import HOSTILE, hostile_measurement
from tests.report.page import Page
from tests.report.suites import context, findings, proofs

from fairtrial.measure import Measurement
from fairtrial.report import build
from fairtrial.report.gather import nothing_measured
from fairtrial.report.html import html

CASES: dict[str, tuple[Measurement, bool]] = {
    "fixed": (fixed_measurement(), True),
    "hostile": (hostile_measurement(), True),
    "empty": (nothing_measured(16, 0), False),
}


@pytest.fixture(scope="module", params=CASES)
def page(request: pytest.FixtureRequest) -> Page:
    measurement, proven = CASES[request.param]
    hostile = request.param == "hostile"
    known = (proofs(hostile=hostile), findings(hostile=hostile)) if proven else ((), ())
    return Page(html(build(measurement, *known, context())))


def test_tags_are_balanced(page: Page) -> None:
    assert page.problems == []


def test_ids_are_unique_and_links_lead_somewhere(page: Page) -> None:
    assert len(page.ids) == len(set(page.ids))
    wanted = {value[1:] for _, name, value in page.attributes if name == "href" and value.startswith("#")}
    named = {part for _, name, value in page.attributes if name == "aria-labelledby" for part in value.split()}
    assert wanted | named <= set(page.ids)


def test_nothing_is_fetched_and_nothing_runs(page: Page) -> None:
    assert "script" not in page.tags
    assert not [a for a in page.attributes if a[1] in ("src", "srcset", "data") or a[1].startswith("on")]
    assert not [a for a in page.attributes if a[1] in ("href", "xlink:href") and not a[2].startswith("#")]
    assert not re.search(r"url\((?!#)|@import|https?://(?!www\.w3\.org/)", page.text)


def test_every_drawing_has_a_text_alternative_or_is_ornament(page: Page) -> None:
    for drawing in page.drawings:
        told = drawing.get("aria-label") or drawing.get("aria-labelledby")
        assert told or drawing.get("aria-hidden") == "true", drawing


def test_headings_do_not_skip_a_level(page: Page) -> None:
    assert page.headings[0] == "h1"
    assert page.headings.count("h1") == 1
    levels = [int(tag[1]) for tag in page.headings]
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_every_table_cell_stands_under_a_named_column(page: Page) -> None:
    assert page.tags.count("table") == page.tags.count("caption")
    assert ("th", "scope", "row") in page.attributes


def test_charts_are_coloured_by_the_page_and_have_no_ground_of_their_own(page: Page) -> None:
    charts = re.findall(r'<svg[^>]*class="ch".*?</svg>', page.text, re.DOTALL)
    assert not [c for c in charts if re.search(r'(fill|stroke)="(#|rgb|white|black|steelblue)', c)]
    assert not [c for c in charts if re.search(r"<svg[^>]* (width|height)=", c)]


@pytest.mark.parametrize("page", ["hostile"], indirect=True)
def test_hostile_names_are_text(page: Page) -> None:
    text = page.text
    assert "<script" not in text.lower()
    assert "&lt;script&gt;" in text
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "&lt;1B&gt;" in text
    assert HOSTILE not in text


def test_what_was_not_measured_is_never_called_clean() -> None:
    text = html(build(nothing_measured(16, 0), (), (), context(sandboxes=(), isolated=None)))
    words = re.sub(r"<style>.*?</style>|<[^>]+>", " ", text, flags=re.DOTALL).lower()
    assert "nothing is proven of its graders" in words
    assert words.count("not measured") > 10
    assert "is clean" not in words.replace("this is not a statement that it is clean", "")
    assert "0.0%" not in words


def test_scripted_policies_and_missing_isolation_are_said_first() -> None:
    text = html(build(fixed_measurement(), (), (), context(isolated=False, sandboxes=("local",))))
    head = text[: text.index('id="verdict"')]
    assert "scripted programs, not language models" in head
    assert "without isolation" in head
    assert 'class="tag">scripted</span>' in text

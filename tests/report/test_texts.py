"""Markdown and terminal: complete, unbroken tables, within their width, and no name is markup in either."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from tests.report.fixed import fixed_measurement
from tests.report.hostile import hostile_measurement
from tests.report.suites import context, findings, proofs

from fairtrial.report import Report, build
from fairtrial.report.data import Scope
from fairtrial.report.gather import nothing_measured
from fairtrial.report.markdown import markdown
from fairtrial.report.terminal import render


@pytest.fixture(scope="module", params=["fixed", "hostile", "empty"])
def report(request: pytest.FixtureRequest) -> Report:
    if request.param == "empty":
        return build(nothing_measured(16, 0), (), (), context())
    hostile = request.param == "hostile"
    measurement = hostile_measurement() if hostile else fixed_measurement()
    return build(measurement, proofs(hostile=hostile), findings(hostile=hostile), context())


@pytest.mark.parametrize("width", [80, 100, 120])
def test_terminal_keeps_to_its_width(report: Report, width: int) -> None:
    lines = render(report, width).splitlines()
    assert max(len(line) for line in lines) <= width


def test_terminal_says_the_verdict_before_any_section(report: Report) -> None:
    text = " ".join(render(report, 100).split())
    assert report.verdict.sentence.split(";")[0] in text
    assert text.index(report.verdict.sentence.split(";")[0][:30]) < text.index("2 Findings")
    assert "\x1b" not in text


def test_markdown_tables_have_as_many_cells_as_heads(report: Report) -> None:
    text = markdown(report)
    tables = re.findall(r"(?:^\|.*\|$\n?)+", text, re.MULTILINE)
    assert tables
    for table in tables:
        widths = {len(re.findall(r"(?<!\\)\|", line)) for line in table.strip().splitlines()}
        assert len(widths) == 1, table


def test_markdown_holds_every_claim_and_no_raw_markup(report: Report) -> None:
    text = markdown(report)
    assert text.count("\n### ") == sum(len(section.blocks) for section in report.sections)
    outside_code = re.sub(r"(`+)(?:.*?)\1", "", text)
    assert not re.search(r"(?<!\\)<script", outside_code)
    assert "\x1b" not in text


def test_what_has_no_command_shows_no_empty_one(report: Report) -> None:
    known = replace(report, not_measured=(*report.not_measured, Scope("what", "nothing would measure it")))
    text = markdown(known)
    assert "nothing would measure it" in text
    assert "()" not in text
    assert "``" not in text
    assert "()" not in render(known, 100)

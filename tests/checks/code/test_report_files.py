"""Reports of strangers' runners are read, and refused where they are none. Not covered: running them (test_runs)."""

from __future__ import annotations

import pytest

from fairtrial.checks.code.report_files import UnreadableError, outcomes

JUNIT = b"""<?xml version="1.0"?><testsuites><testsuite name="s">
<testcase classname="a.B" name="one" time="0.1"/>
<testcase classname="a.B" name="two"><failure message="1 is not 2">trace</failure></testcase>
<testcase name="three"><error/></testcase>
<testcase name="four"><skipped message="later"/></testcase>
<testcase name="five" status="notrun"/>
<testcase name="six"><system-out>said</system-out></testcase>
<testcase name="six"><failure/></testcase>
</testsuite></testsuites>"""
CTRF = b"""{"results": {"tool": {"name": "x"}, "summary": {}, "tests": [
{"name": "one", "status": "passed", "suite": "s"}, {"name": "two", "status": "failed", "message": "no"},
{"name": "three", "status": "other"}, {"name": "four", "status": "skipped"}, {"name": "five", "status": "pending"}]}}"""
GO = b"""{"Action":"start","Package":"x/y"}
{"Action":"run","Package":"x/y","Test":"TestA"}
{"Action":"output","Package":"x/y","Test":"TestA","Output":"--- PASS\\n"}
{"Action":"pass","Package":"x/y","Test":"TestA","Elapsed":0}
{"Action":"fail","Package":"x/y","Test":"TestB","Elapsed":0}
{"Action":"skip","Package":"x/y","Test":"TestC","Elapsed":0}
{"Action":"fail","Package":"x/y","Elapsed":0}
"""


def statuses(data: bytes) -> dict[str, str]:
    return {name: outcome.status for name, outcome in outcomes(data).items()}


def test_junit() -> None:
    assert statuses(JUNIT) == {
        "a.B::one": "passed", "a.B::two": "failed", "three": "error", "four": "skipped", "five": "skipped",
        "six": "failed",
    }  # fmt: skip


def test_ctrf() -> None:
    assert statuses(CTRF) == {
        "s::one": "passed", "two": "failed", "three": "error", "four": "skipped", "five": "skipped"
    }  # fmt: skip


def test_go() -> None:
    assert statuses(GO) == {"x/y::TestA": "passed", "x/y::TestB": "failed", "x/y::TestC": "skipped", "x/y": "failed"}


@pytest.mark.parametrize(
    "data",
    [
        b'<!DOCTYPE x [<!ENTITY a "aaaa">]><testsuite><testcase name="&a;"/></testsuite>',
        b"<testsuite>" * 100_000,
        b"<testsuite><testcase name='a'/>",
        b"[" * 100_000,
        b'{"results": {"tests": [3]}}',
        b'{"results": {"tests": ' + b"[" * 100_000,
        b'{"results": 3}',
        b"\xff\xfe\0",
        b"\0" * 10,
        b"<" * 10,
    ],
    ids=range(10),
)  # fmt: skip
def test_what_is_no_report_is_refused_or_empty(data: bytes) -> None:
    try:
        assert outcomes(data) == {}
    except UnreadableError:
        pass

"""Attacks: reports that lie about their shape yield no checks and say so; the worst of two statuses counts."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from fairtrial.grade import read_items


def _ctrf(folder: Path, *tests: tuple[str, str]) -> None:
    rows: list[dict[str, Any]] = [{"name": name, "status": status, "duration": 0} for name, status in tests]
    (folder / "ctrf.json").write_text(json.dumps({"results": {"tests": rows}}))


def test_ctrf_statuses_are_told_apart(tmp_path: Path) -> None:
    _ctrf(tmp_path, ("a", "passed"), ("b", "failed"), ("c", "skipped"), ("d", "pending"), ("e", "other"))
    checks, trouble = read_items(tmp_path)
    assert {check.name: check.status for check in checks} == {
        "a": "passed",
        "b": "failed",
        "c": "skipped",
        "d": "skipped",
        "e": "broken",
    }
    assert trouble == ""


def test_a_name_given_twice_counts_as_its_worst(tmp_path: Path) -> None:
    _ctrf(tmp_path, ("a", "failed"), ("a", "passed"), ("b", "passed"), ("b", "skipped"))
    checks, _ = read_items(tmp_path)
    assert [(check.name, check.status) for check in checks] == [("a", "failed"), ("b", "skipped")]


def test_junit_failures_errors_and_skips(tmp_path: Path) -> None:
    (tmp_path / "junit.xml").write_text(
        "<testsuites><testsuite><testcase classname='t.A' name='x'/><testcase name='y'><failure message='no'/>"
        "</testcase><testcase name='z'><error/></testcase><testcase name='w'><skipped/></testcase>"
        "</testsuite></testsuites>"
    )
    checks, trouble = read_items(tmp_path)
    assert [(check.name, check.status) for check in checks] == [
        ("t.A::x", "passed"),
        ("y", "failed"),
        ("z", "failed"),
        ("w", "skipped"),
    ]
    assert checks[1].message == "no"
    assert trouble == ""


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", '{"results": {"tests": 3}}', '{"results": {"tests": [{"status": "passed"}]}}', "[" * 50_000],
)
def test_a_report_of_another_shape_says_so(tmp_path: Path, content: str) -> None:
    (tmp_path / "ctrf.json").write_text(content)
    checks, trouble = read_items(tmp_path)
    assert checks == ()
    assert "ctrf.json" in trouble


def test_no_report_is_no_trouble(tmp_path: Path) -> None:
    assert read_items(tmp_path) == ((), "")


def test_entity_bombs_are_refused(tmp_path: Path) -> None:
    bomb = "<!DOCTYPE l [<!ENTITY a 'lol'>" + "".join(
        f"<!ENTITY {chr(98 + n)} '{'&' + chr(97 + n) + ';' * 1}{('&' + chr(97 + n) + ';') * 9}'>" for n in range(9)
    )
    (tmp_path / "junit.xml").write_text(f"{bomb}]><testsuite><testcase name='&j;'/></testsuite>")
    checks, trouble = read_items(tmp_path)
    assert checks == ()
    assert "junit.xml" in trouble


def test_text_that_utf8_cannot_hold_is_kept_as_escapes(tmp_path: Path) -> None:
    report = '{"results": {"tests": [{"name": "\\ud800", "status": "failed", "message": "\\udfff"}]}}'
    (tmp_path / "ctrf.json").write_text(report)
    (check,), _ = read_items(tmp_path)
    assert (check.name.encode(), check.message.encode()) == (b"\\ud800", b"\\udfff")
    (tmp_path / "ctrf.json").unlink()
    (tmp_path / os.fsdecode(b"\xff.xml")).write_text("<")
    assert "is not a report" in read_items(tmp_path)[1].encode().decode()


def test_an_encoding_that_nobody_knows_is_told(tmp_path: Path) -> None:
    (tmp_path / "report.xml").write_text('<?xml version="1.0" encoding="nonsense"?><a/>')
    checks, trouble = read_items(tmp_path)
    assert checks == ()
    assert "nonsense" in trouble

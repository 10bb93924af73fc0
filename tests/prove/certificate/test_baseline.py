"""Attacks: an acceptance that covers more than it names, never ends, needs no reason, or hides what it accepts."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

import pytest
from tests.prove.certificate.certified import also_passing, proven_by, sound

from fairtrial.prove import ProvenTask
from fairtrial.prove.certificate import Accepted, Baseline, Reckoned, baseline_of, read_baseline, reckon
from fairtrial.records import FormatError

TODAY = datetime.date(2030, 1, 31)


@pytest.fixture
def refuted(tmp_path: Path) -> list[ProvenTask]:
    return proven_by(also_passing("righ", "left", "wrong"), tmp_path / "suite")


def held_against(proven: list[ProvenTask], *entries: dict[str, Any], is_whole: bool = True) -> Reckoned:
    baseline = Baseline(findings=tuple(Accepted(**({"task": "word", "reason": "known"} | entry)) for entry in entries))
    return reckon(baseline, proven, TODAY, is_whole=is_whole)


def accepted(reckoned: Reckoned, proven: list[ProvenTask]) -> set[str]:
    return {finding.probe for one in proven for finding in one.findings if finding.id in reckoned.accepted}


def test_only_what_is_named_is_accepted(refuted: list[ProvenTask]) -> None:
    assert {finding.probe for finding in refuted[0].findings} == {"planted", "defect:slip"}
    for probe, covers in (
        ("planted", {"planted"}), ("defect:slip", {"defect:slip"}), ("defect", set()), ("plant", set()),
        ("planted:righ", set()), ("null", set()),
    ):  # fmt: skip
        assert accepted(held_against(refuted, {"probe": probe}), refuted) == covers, probe
    assert accepted(held_against(refuted, {"probe": "planted", "task": "other"}), refuted) == set()


def test_an_entry_for_a_probe_covers_its_single_submission(tmp_path: Path) -> None:
    proven = proven_by(also_passing("righ"), tmp_path / "suite")
    assert accepted(held_against(proven, {"probe": "planted"}), proven) == {"planted:righ"}


@pytest.mark.parametrize(
    ("expires", "holds"), [("2030-01-31", True), ("2030-01-30", False), ("", True), ("2031-01-01", True)]
)
def test_it_holds_to_the_end_of_its_last_day(refuted: list[ProvenTask], expires: str, holds: bool) -> None:
    reckoned = held_against(refuted, {"probe": "planted", "expires": expires})
    assert (accepted(reckoned, refuted) == {"planted"}) is holds
    assert (len(reckoned.expired) == 0) is holds


def test_without_a_reason_nothing_is_accepted(refuted: list[ProvenTask]) -> None:
    reckoned = held_against(refuted, {"probe": "planted", "reason": "  "})
    assert accepted(reckoned, refuted) == set()
    assert [entry.probe for entry in reckoned.unexplained] == ["planted"]


def test_an_accepted_lead_does_not_accept_the_proof_that_it_becomes(refuted: list[ProvenTask]) -> None:
    assert accepted(held_against(refuted, {"probe": "planted", "severity": "lead"}), refuted) == set()


def test_an_entry_that_shows_nothing_any_more_is_stale(tmp_path: Path) -> None:
    proven = proven_by(sound, tmp_path / "suite")
    for probe in ("planted", "planted:righ", "defect:slip", "wrong_repeat:slip", "defect:gone"):
        assert [entry.probe for entry in held_against(proven, {"probe": probe}).stale] == [probe]


def test_what_was_not_looked_at_is_not_stale(tmp_path: Path) -> None:
    alone = proven_by(sound, tmp_path / "suite", only="reference")
    for entry in ({"probe": "planted:righ"}, {"probe": "defect:slip"}, {"probe": "null", "task": "other"}):
        assert held_against(alone, entry, is_whole=False).stale == ()


def test_writing_names_every_finding_and_keeps_reasons(refuted: list[ProvenTask], tmp_path: Path) -> None:
    before = Baseline(findings=(Accepted(task="word", probe="planted", reason="known", expires="2031-01-01"),))
    document = baseline_of(refuted, before)
    path = tmp_path / "baseline.json"
    path.write_text(json.dumps(document))
    assert read_baseline(path).findings == (Accepted(task="word", probe="defect:slip"), *before.findings)


@pytest.mark.parametrize(
    ("entry", "field"),
    [
        ({"task": "word"}, "findings[0].probe"),
        ({"task": "word", "probe": "p", "expires": "soon"}, "findings[0].expires"),
        ({"task": "word", "probe": "p", "severity": "mild"}, "findings[0].severity"),
        ({"task": "word", "probe": "p", "expire": "2030-01-01"}, "findings[0].expire"),
        ({"task": "word", "probe": "p", "reason": None}, "findings[0].reason"),
    ],
)
def test_an_entry_that_is_wrong_is_named(tmp_path: Path, entry: dict[str, Any], field: str) -> None:
    path = tmp_path / "baseline.json"
    path.write_text(json.dumps({"schema": "fairtrial.baseline/1", "findings": [entry]}))
    with pytest.raises(FormatError) as caught:
        read_baseline(path)
    assert caught.value.field == field


def test_a_baseline_without_findings_is_named_rather_than_read_as_empty(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    path.write_text(json.dumps({"schema": "fairtrial.baseline/1", "finding": []}))
    with pytest.raises(FormatError) as caught:
        read_baseline(path)
    assert caught.value.field == "findings"

"""Attacks: a log that a SARIF reader refuses, findings at no place, fingerprints that move, acceptance unseen."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.prove.certificate.certified import also_passing, proven_by
from tests.prove.worlds import Said, suite_of

from fairtrial.prove import ProvenTask
from fairtrial.prove.certificate import Accepted, sarif
from fairtrial.prove.certificate.sarif import place_of, rule_id
from fairtrial.records import Finding


@pytest.fixture
def proven(tmp_path: Path) -> list[ProvenTask]:
    return proven_by(also_passing("righ", "wrong"), tmp_path / "suite")


def log(proven: list[ProvenTask], folder: Path, accepted: dict[str, Accepted] | None = None) -> dict[str, Any]:
    made = sarif(proven, suite_of(folder / "suite").keys, accepted or {}, "1.0", folder)
    return json.loads(json.dumps(made))


def refuse_unless_valid(document: dict[str, Any]) -> None:
    """Check what the 2.1.0 schema requires of the parts that are used, and what its patterns allow."""
    assert document["version"] == "2.1.0"
    assert set(document) <= {"$schema", "version", "runs"}
    for run in document["runs"]:
        driver = run["tool"]["driver"]
        assert driver["name"]
        identifiers = [rule["id"] for rule in driver["rules"]]
        assert len(set(identifiers)) == len(identifiers)
        for rule in driver["rules"]:
            assert rule["shortDescription"]["text"]
            assert rule["fullDescription"]["text"]
        for invocation in run["invocations"]:
            assert isinstance(invocation["executionSuccessful"], bool)
            for notification in invocation["toolExecutionNotifications"]:
                assert notification["level"] in ("none", "note", "warning", "error")
                assert notification["message"]["text"]
        for result in run["results"]:
            assert result["message"]["text"]
            assert result["level"] in ("none", "note", "warning", "error")
            assert identifiers[result["ruleIndex"]] == result["ruleId"]
            for fingerprints in (result["fingerprints"], result["partialFingerprints"]):
                assert all(isinstance(value, str) for value in fingerprints.values())
            for location in result["locations"]:
                place = location["physicalLocation"]
                assert re.fullmatch(r"[A-Za-z0-9._~:/%@!$&'()*+,;=-]+", place["artifactLocation"]["uri"])
                assert place["region"]["startLine"] >= 1
            for suppression in result.get("suppressions", ()):
                assert suppression["kind"] in ("inSource", "external")
                assert suppression["status"] in ("accepted", "underReview", "rejected")


def test_it_is_what_the_schema_requires(tmp_path: Path, proven: list[ProvenTask]) -> None:
    document = log(proven, tmp_path)
    refuse_unless_valid(document)
    results = document["runs"][0]["results"]
    assert {(one["ruleId"], one["level"]) for one in results} == {("mutant", "error"), ("defect", "error")}


def test_a_result_stands_at_the_grader_below_the_checkout(tmp_path: Path, proven: list[ProvenTask]) -> None:
    for result in log(proven, tmp_path)["runs"][0]["results"]:
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"] == {"uri": "suite/word/tests/test.sh", "uriBaseId": "%SRCROOT%"}
        assert "fairtrial prove" in result["message"]["text"]


def test_a_file_outside_the_checkout_has_an_absolute_place(tmp_path: Path, proven: list[ProvenTask]) -> None:
    elsewhere = sarif(proven, suite_of(tmp_path / "suite").keys, {}, "1.0", tmp_path / "elsewhere")
    refuse_unless_valid(elsewhere)
    uri = elsewhere["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri.startswith("file:///")


@pytest.mark.parametrize(
    ("evidence", "place"),
    [
        ({"file": "check.py", "line": 7}, ("tests/check.py", 7)),
        ({"file": "tests/check.py", "line": 7}, ("tests/check.py", 7)),
        ({"file": "none.py", "line": 7}, ("tests/test.sh", 1)),
        ({"file": "check.py", "line": 0}, ("tests/test.sh", 1)),
        ({"file": "../../../outside.py", "line": 1}, ("tests/test.sh", 1)),
        ([1], ("tests/test.sh", 1)),
    ],
)
def test_a_static_finding_stands_at_its_line(
    tmp_path: Path, proven: list[ProvenTask], evidence: Any, place: tuple[str, int]
) -> None:
    (tmp_path / "suite" / "word" / "tests" / "check.py").write_text("\n" * 9)
    (tmp_path / "outside.py").write_text("\n" * 9)
    key = suite_of(tmp_path / "suite").keys["word"]
    finding = replace(proven[0].findings[0], evidence=json.dumps(evidence))
    path, line = place_of(finding, key, key.path)
    assert (path.relative_to(key.path).as_posix(), line) == place


def test_fingerprints_are_ids_and_last_over_edits_elsewhere(tmp_path: Path, proven: list[ProvenTask]) -> None:
    before = log(proven, tmp_path)["runs"][0]["results"]
    assert {one["fingerprints"]["finding/1"] for one in before} == {f.id for f in proven[0].findings}
    (tmp_path / "suite" / "word" / "instruction.md").write_text("Other words.\n")
    edited = proven_by(also_passing("righ", "wrong"), tmp_path / "suite")
    after = log(edited, tmp_path)["runs"][0]["results"]
    assert [one["partialFingerprints"] for one in after] == [one["partialFingerprints"] for one in before]
    assert len({one["partialFingerprints"]["primaryLocationLineHash"] for one in before}) == len(before)
    assert [one["fingerprints"] for one in after] != [one["fingerprints"] for one in before]


def test_an_accepted_finding_is_shown_suppressed_with_its_reason(tmp_path: Path, proven: list[ProvenTask]) -> None:
    finding = proven[0].findings[0]
    entry = Accepted(task="word", probe=finding.probe, reason="known")
    document = log(proven, tmp_path, {finding.id: entry})
    refuse_unless_valid(document)
    told = {one["fingerprints"]["finding/1"]: one.get("suppressions") for one in document["runs"][0]["results"]}
    suppressed = told.pop(finding.id)
    assert suppressed == [{"kind": "external", "status": "accepted", "justification": "known"}]
    assert set(map(str, told.values())) == {"None"}


def test_what_was_not_measured_is_a_notification(tmp_path: Path) -> None:
    proven = proven_by(lambda word: Said(None) if word == "wrong" else Said("1" if word else "0"), tmp_path / "suite")
    document = log(proven, tmp_path)
    refuse_unless_valid(document)
    told = document["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert any(one["level"] == "warning" and "defect:slip of word" in one["message"]["text"] for one in told)


def test_a_rule_is_the_catalogues_probe_else_the_family() -> None:
    finding = Finding(task="t", probe="known_probe:some:name", family="hack", severity="proof", claim="c")
    assert rule_id(finding, {"known_probe": object()}) == "known_probe"  # type: ignore[dict-item]
    assert rule_id(finding, {}) == "hack"

"""Attacks: XML that cannot be read, a proof that passes, a breakdown that fails, an acceptance that vanishes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from tests.prove.certificate.certified import also_passing, proven_by, sound
from tests.prove.worlds import Grade, Said

from fairtrial.prove import ProvenTask
from fairtrial.prove.certificate import Accepted, junit


def cases(proven: list[ProvenTask], accepted: dict[str, Accepted] | None = None) -> dict[str, str]:
    """Return case -> what it came to; check the counts on the way."""
    top = ET.fromstring(junit(proven, accepted or {}))
    assert top.tag == "testsuites"
    told = {}
    for suite in top:
        found = {case.get("name", ""): case for case in suite}
        assert len(found) == len(suite)
        for name, path in (("tests", "testcase"), ("failures", "*/failure"), ("errors", "*/error"),
                           ("skipped", "*/skipped")):  # fmt: skip
            assert suite.get(name) == str(len(suite.findall(path)))
        for name, case in found.items():
            outcomes = [child.tag for child in case if child.tag != "system-out"]
            assert len(outcomes) <= 1, name
            told[name] = outcomes[0] if outcomes else "passed"
    return told


def breaking(*words: str) -> Grade:
    return lambda word: Said(None) if word in words else sound(word)


def test_a_sound_grader_passes_case_by_case(tmp_path: Path) -> None:
    told = cases(proven_by(sound, tmp_path / "suite"))
    names = {"null", "reference", "reference_concurrent", "defect:slip", "alternative:other", "hack:trick", "planted"}
    assert {told[name] for name in names | {"forged"}} == {"passed"}
    assert set(told.values()) <= {"passed", "skipped"}


@pytest.mark.parametrize(
    ("grade", "failures"),
    [
        (also_passing("righ", "left"), {"planted"}),
        (also_passing("wrong"), {"defect:slip"}),
        (lambda word: sound("x" if word == "also right" else word), {"alternative:other"}),
    ],
)
def test_a_proof_is_a_failure_of_its_probe_and_of_no_other(tmp_path: Path, grade: Grade, failures: set[str]) -> None:
    told = cases(proven_by(grade, tmp_path / "suite"))
    assert {name for name, what in told.items() if what == "failure"} == failures


def test_a_wavering_reference_fails_as_the_reference(tmp_path: Path) -> None:
    turns = iter([True, False] * 50)
    told = cases(proven_by(lambda word: sound(word if word != "right" or next(turns) else "x"), tmp_path / "suite"))
    assert told["reference"] == "failure"
    assert "reference_repeat" not in {name for name, what in told.items() if what == "failure"}


def test_what_broke_is_an_error_and_no_failure(tmp_path: Path) -> None:
    told = cases(proven_by(breaking("wrong"), tmp_path / "suite"))
    assert told["defect:slip"] == "error"
    assert "failure" not in told.values()


def test_one_submission_that_breaks_among_others_is_told_in_the_output(tmp_path: Path) -> None:
    proven = proven_by(breaking("left"), tmp_path / "suite")
    assert cases(proven)["planted"] == "passed"
    assert "planted:left" in junit(proven, {}).decode()


def test_what_was_left_out_is_skipped_with_the_reason(tmp_path: Path) -> None:
    proven = proven_by(sound, tmp_path / "suite", known_only=True)
    assert cases(proven)["probes"] == "skipped"
    assert "left out by --known-only" in junit(proven, {}).decode()


def test_an_accepted_proof_is_skipped_with_its_reason(tmp_path: Path) -> None:
    proven = proven_by(also_passing("wrong", "righ"), tmp_path / "suite")
    entries = {f.id: Accepted(task="word", probe=f.probe, reason="known & told") for f in proven[0].findings}
    told = cases(proven, entries)
    assert (told["defect:slip"], told["planted"]) == ("skipped", "skipped")
    assert "accepted: known &amp; told" in junit(proven, entries).decode()
    (slip,) = [name for name, entry in entries.items() if entry.probe == "defect:slip"]
    told = cases(proven, {slip: entries[slip]})
    assert (told["defect:slip"], told["planted"]) == ("skipped", "failure")


def test_hostile_text_stays_xml(tmp_path: Path) -> None:
    (one,) = proven_by(also_passing("wrong"), tmp_path / "suite")
    hostile = tuple(replace(f, claim="]]>\x00\x1b[31m<&\ufffe") for f in one.findings)
    assert cases([replace(one, findings=hostile)])["defect:slip"] == "failure"

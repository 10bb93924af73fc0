"""Conformance results: each weakness once, the simplest that explains the rest, and nothing on a sound grader."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fairtrial.attack import text
from fairtrial.prove.bohrin_results import SCHEMA, Fixture, bohrin_results, flagged


def finding(probe: str, severity: str = "proof", rewards: list[float] | None = None) -> dict[str, Any]:
    example = {"example": {"rewards": [1.0, 1.0, 1.0] if rewards is None else rewards}}
    return {"probe": probe, "family": "hack", "severity": severity, "claim": "c", "evidence": json.dumps(example)}


def entry(*findings: dict[str, Any]) -> dict[str, Any]:
    return {"task": "t", "status": "refuted", "findings": list(findings)}


@pytest.mark.parametrize(
    ("probes", "classes"),
    [
        (["program_exit"], ["BGW-102"]),
        (["program_equal"], ["BGW-103"]),
        (["program_rewritten"], ["BGW-120"]),
        (["reference"], ["BGW-124"]),
        (["wrong_repeat"], ["BGW-127"]),
        (["prompt_echo", "spray", "words"], ["BGW-123"]),
        (["program_exit", "program_rewritten"], ["BGW-102", "BGW-120"]),
        ([], []),
    ],
)
def test_a_proof_is_flagged_with_the_class_of_its_probe(probes: list[str], classes: list[str]) -> None:
    assert flagged(entry(*(finding(probe) for probe in probes))) == classes


def test_a_constant_that_passes_explains_what_is_cleverer() -> None:
    assert flagged(entry(*map(finding, ("program_stub", "program_equal", "program_examples")))) == ["BGW-101"]


def test_a_failing_program_that_passes_explains_any_text_that_does() -> None:
    found = entry(*map(finding, ("program_raises", "nothing", "refusal", "judge_note", "spray", "tie")))
    assert flagged(found) == ["BGW-126"]


def test_a_lead_is_no_flag() -> None:
    assert flagged(entry(finding("program_state", "lead"), finding("program_frames", "lead"))) == []


def test_a_lead_of_the_class_that_was_asked_about_is_a_flag() -> None:
    found = entry(finding("program_state", "lead"), finding("program_frames", "lead"))
    assert flagged(found, asked="BGW-105") == ["BGW-105"]


def test_what_passes_by_chance_is_the_wavering_alone() -> None:
    found = entry(finding("wrong_repeat", rewards=[0.0, 1.0]), finding("program_examples", rewards=[0.0, 1.0, 0.0]))
    assert flagged(found) == ["BGW-127"]


@pytest.mark.parametrize("evidence", ["", "{}", {}, None, '{"example": {}}', "[]"])
def test_evidence_of_any_form_is_read(evidence: object) -> None:
    assert flagged(entry(finding("program_exit") | {"evidence": evidence})) == ["BGW-102"]


@pytest.mark.parametrize("card", text.PROBES, ids=lambda probe: probe.card.id)
def test_a_text_probe_is_flagged_with_the_first_of_its_classes(card: text.TextProbe) -> None:
    first = next(one for one in card.card.classes if one.startswith("BGW-"))
    assert flagged(entry(finding(card.card.id))) == [first]


def test_the_document_says_what_ran_and_what_did_not() -> None:
    fixtures = [
        Fixture(id="bcl-1/a/correct", document=entry()),
        Fixture(id="bcl-1/a/defect", document=None, message="no bwrap"),
    ]
    document = bohrin_results(fixtures, version="0.1.0")
    assert document == {
        "$schema": SCHEMA,
        "suite": {"level": "BCL-1", "version": 1},
        "tool": {"name": "fairtrial", "version": "0.1.0"},
        "results": [
            {"fixture": "bcl-1/a/correct", "status": "ran", "flagged": []},
            {"fixture": "bcl-1/a/defect", "status": "error", "message": "no bwrap"},
        ],
    }


def test_a_pair_is_asked_about_the_class_that_it_is_about() -> None:
    lead = entry(finding("program_state", "lead"))
    ids = ["bcl-1/state-across-calls/defect", "bcl-1/nondeterministic-grader/correct", "bcl-1/unheard-of/defect"]
    document = bohrin_results([Fixture(id=one, document=lead) for one in ids], version="1")
    assert [row["flagged"] for row in document["results"]] == [["BGW-105"], [], []]

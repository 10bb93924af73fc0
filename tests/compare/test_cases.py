"""The reproductions of other graders' faults are compared as their notes say, where they lie beside the repository."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairtrial.compare import equivalent

SHARED = Path(__file__).resolve().parents[3] / "shared" / "cases" / "answers.jsonl"


def cases() -> list[dict[str, Any]]:
    if not SHARED.is_file():
        pytest.skip("../shared/cases is not here, and the cases are nowhere else")
    return [json.loads(line) for line in SHARED.read_text(encoding="utf-8").splitlines()]


def test_every_case_is_compared_as_its_note_says() -> None:
    wrong = []
    for case in cases():
        found = equivalent(case["reference"], case["answer"], case["kind"])
        if found.equivalent != case["equivalent"]:
            wrong.append((case["id"], case["why"], found.reason))
    assert wrong == []


def test_every_reference_equals_itself() -> None:
    assert [case["id"] for case in cases() if not same_as_itself(case)] == []


def same_as_itself(case: dict[str, Any]) -> bool:
    return equivalent(case["reference"], case["reference"], case["kind"]).equivalent

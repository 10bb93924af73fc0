"""Attacks: results of another fixture lost, a file that is something else overwritten, a name that is no fixture."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fairtrial.cli.prove_bohrin import fixture_of, write_bohrin
from fairtrial.records import FormatError, InputError

CLEAN: dict[str, object] = {"findings": []}
REFUTED = {"findings": [{"probe": "null", "severity": "proof", "evidence": {}}]}


def test_results_of_other_fixtures_stay_and_its_own_are_replaced(tmp_path: Path) -> None:
    path = tmp_path / "out" / "results.json"
    write_bohrin(path, {"lenient-checker-defect": CLEAN, "lenient-checker-correct": CLEAN})
    write_bohrin(path, {"lenient-checker-defect.py:grade": REFUTED, "reference-wrong-defect": CLEAN})
    document = json.loads(path.read_text())
    assert [(row["fixture"], row["status"], len(row["flagged"])) for row in document["results"]] == [
        ("bcl-1/lenient-checker/correct", "ran", 0),
        ("bcl-1/lenient-checker/defect", "ran", 1),
        ("bcl-1/reference-wrong/defect", "ran", 0),
    ]
    assert document["tool"]["name"] == "fairtrial"


@pytest.mark.parametrize(
    ("name", "fixture"),
    [
        ("equality-spoofing-defect", "bcl-1/equality-spoofing/defect"),
        ("a/b/equality-spoofing-correct.py:grade", "bcl-1/equality-spoofing/correct"),
        ("lenient-correct-defect", "bcl-1/lenient-correct/defect"),
    ],
)
def test_a_fixture_is_known_by_its_name(name: str, fixture: str) -> None:
    assert fixture_of(name) == fixture


@pytest.mark.parametrize("name", ["refund-desk", "defect", "-defect", "x-defective", "x-defect-2"])
def test_a_name_that_is_no_fixture_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="named for no fixture"):
        fixture_of(name)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"$schema": "other", "results": []}'])
def test_a_file_that_is_something_else_is_not_overwritten(tmp_path: Path, text: str) -> None:
    path = tmp_path / "notes.json"
    path.write_text(text)
    with pytest.raises(FormatError):
        write_bohrin(path, {"a-defect": CLEAN})
    assert path.read_text() == text

"""Attacks: a certificate that differs between equal proofs, hides an edit, or leaves out what was not measured."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from tests.prove.certificate.certified import also_passing, document_of, proven_by, sound, write

from fairtrial.prove import ProveOptions
from fairtrial.prove.certificate import read_certificate
from fairtrial.prove.certificate.candidates import candidate_hashes
from fairtrial.prove.certificate.circumstances import Chosen
from fairtrial.records import FormatError
from fairtrial.tasks import load_task


@pytest.fixture
def document(tmp_path: Path) -> dict[str, Any]:
    return document_of(proven_by(also_passing("righ"), tmp_path / "suite"), tmp_path / "suite")


def test_equal_proofs_give_equal_certificates_but_for_times(tmp_path: Path, document: dict[str, Any]) -> None:
    again = document_of(proven_by(also_passing("righ"), tmp_path / "suite"), tmp_path / "suite")
    assert {**again, "times": None} == {**document, "times": None}
    assert list(again) == list(document)


def test_every_outcome_stands_in_it_with_the_command_that_shows_it(document: dict[str, Any]) -> None:
    (task,) = document["tasks"]
    verdicts = {one["probe"]: one["verdict"] for one in task["outcomes"]}
    assert verdicts.pop("planted:righ") == "wrong"
    assert set(verdicts.values()) == {"ok"}
    assert {"null", "reference", "reference_concurrent", "defect:slip", "forged:rigged"} <= set(verdicts)
    assert all(f"--only {one['probe'].split()[0]}" in one["command"] for one in task["outcomes"])
    assert task["status"] == "refuted"
    assert [finding["probe"] for finding in task["findings"]] == ["planted:righ"]


def test_what_was_not_measured_stands_in_it_with_the_reason(tmp_path: Path) -> None:
    proven = proven_by(sound, tmp_path / "suite", known_only=True)
    (task,) = document_of(proven, tmp_path / "suite", known_only=True)["tasks"]
    assert {"probe": "probes", "why": "left out by --known-only"} in task["not_measured"]


def edits(value: Any) -> list[tuple[Any, ...]]:
    """Return the place of every leaf."""
    if isinstance(value, dict):
        return [(key, *place) for key, inner in value.items() for place in edits(inner)]
    if isinstance(value, list):
        return [(index, *place) for index, inner in enumerate(value) for place in edits(inner)]
    return [()]


def test_an_edit_anywhere_but_in_the_times_is_seen(tmp_path: Path, document: dict[str, Any]) -> None:
    assert not read_certificate(write(document, tmp_path / "suite")).is_edited
    for place in edits(document):
        if place[0] in ("schema", "times"):
            continue
        edited = copy.deepcopy(document)
        parent = edited
        for part in place[:-1]:
            parent = parent[part]
        old = parent[place[-1]]
        parent[place[-1]] = (
            (not old) if isinstance(old, bool) else old + 1 if isinstance(old, int | float) else old + "x"
        )
        try:
            assert read_certificate(write(edited, tmp_path / "suite")).is_edited, place
        except FormatError:
            continue  # a word that is none of those allowed: refused outright
    document["times"]["recorded_at"] = "another day"
    assert not read_certificate(write(document, tmp_path / "suite")).is_edited


def test_a_field_of_a_later_version_is_passed_over_but_counts(tmp_path: Path, document: dict[str, Any]) -> None:
    document["tasks"][0]["signed"] = "later"
    assert read_certificate(write(document, tmp_path / "suite")).is_edited


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is not JSON"),
        ("[]", "certificate/1"),
        ('{"schema": "fairtrial.proof/1"}', "fairtrial.proof/1"),
        ('{"schema": "fairtrial.certificate/1"}', "hash"),
        ('{"schema": "fairtrial.certificate/1", "hash": "x", "suite": 3}', "suite"),
        ('{"schema": "fairtrial.certificate/1", "hash": "x", "suite": 1e999}', "JSON"),
    ],
)
def test_what_is_no_certificate_is_named(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "c.json"
    path.write_text(text)
    with pytest.raises(FormatError, match=said) as caught:
        read_certificate(path)
    assert caught.value.path == str(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cannot be read"):
        read_certificate(tmp_path / "none.json")


def test_a_candidates_hash_follows_its_files_and_nothing_else(tmp_path: Path) -> None:
    proven_by(sound, tmp_path / "suite")
    before = candidate_hashes(load_task(tmp_path / "suite" / "word")[1])
    assert set(before) == {"null", "reference", "alternative:other", "defect:slip", "hack:trick"}
    (tmp_path / "suite" / "word" / "candidates" / "slip" / "beside.txt").write_text("data that the script reads")
    after = candidate_hashes(load_task(tmp_path / "suite" / "word")[1])
    assert {label for label in before if before[label] != after[label]} == {"defect:slip"}


def test_every_option_that_may_change_an_outcome_is_recorded() -> None:
    assert set(Chosen.__dataclass_fields__) == set(ProveOptions.__dataclass_fields__) - {"fresh", "probes"}


def test_it_is_plain_json(document: dict[str, Any]) -> None:
    assert json.loads(json.dumps(document)) == document
    assert list(document)[:2] == ["schema", "hash"]
    assert list(document)[-1] == "times"

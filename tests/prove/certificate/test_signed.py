"""Sign-offs on a certificate: those of the certified content are shown, and one of another content breaks it, named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.prove.certificate.certified import document_of, options, proven_by, sound, verified, write
from tests.prove.test_attacking import Isolating
from tests.prove.worlds import suite_of

from fairtrial.ledger.signed import signed_tasks
from fairtrial.prove.certificate import certificate, certificate_document, circumstances, read_certificate
from fairtrial.prove.certificate.model import content_address
from fairtrial.records import Signoff


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    return tmp_path / "suite"


def said(task_hash: str, **more: Any) -> Signoff:
    content: dict[str, Any] = {"suite": "suite@1", "task": "word", "part": "grader", "holds": True, "reviewer": "ada",
                               "role": "domain expert", "recorded_at": "2026-01-01"}  # fmt: skip
    return Signoff(**(content | {"task_hash": task_hash} | more))


def signed_document(folder: Path, *more: dict[str, Any]) -> dict[str, Any]:
    """Return the certificate of the suite at `folder` with sign-offs of its content, and one of another."""
    proven = proven_by(sound, folder)
    loaded = suite_of(folder)
    hashes = {task.name: task.hash for task in loaded.tasks}
    now = hashes["word"]
    signoffs = [said(now), said("sha256:old", reviewer="bo"), *(said(now, **one) for one in more)]
    whole = certificate(
        [loaded], proven, circumstances("1", Isolating(), options()), {}, signed_tasks(signoffs, hashes)
    )
    return json.loads(json.dumps(certificate_document(whole, proven)))


def test_what_stands_is_on_it_and_a_second_design_too(suite: Path) -> None:
    named = {"holds": False, "second_design": "in words", "second_design_passes": False, "recorded_at": "2026-01-02"}
    document = signed_document(suite, named, named | {"second_design": "in capitals", "recorded_at": "2026-01-03"})
    signoffs = document["tasks"][0]["signoffs"]
    assert [(one["reviewer"], one["holds"], one["second_design"]) for one in signoffs] == [
        ("ada", False, "in words"), ("ada", False, "in capitals")]  # fmt: skip
    assert {one["task_hash"] for one in signoffs} == {document["tasks"][0]["hashes"]["task"]}
    read = read_certificate(write(document, suite))
    assert not read.is_edited
    assert read.certificate.tasks[0].signoffs[0].role == "domain expert"


def test_without_sign_offs_it_has_the_bytes_that_it_always_had(suite: Path) -> None:
    document = document_of(proven_by(sound, suite), suite)
    assert "signoffs" not in document["tasks"][0]
    assert document["hash"] == content_address(document)


def test_when_the_task_moves_each_sign_off_is_named_void(suite: Path) -> None:
    document = signed_document(suite)

    def change() -> None:
        instruction = suite / "word" / "instruction.md"
        instruction.write_text(instruction.read_text() + "Neatly.\n")

    found = verified(document, sound, suite, sample=0, change=change)
    assert found.holds is False
    (void,) = found.document()["tasks"][0]["void_signoffs"]
    assert (void["reviewer"], void["part"], void["was"]) == ("ada", "grader", document["tasks"][0]["hashes"]["task"])
    assert void["now"] == suite_of(suite).tasks[0].hash != void["was"]


def test_a_sign_off_of_another_content_breaks_it_though_nothing_else_moved(suite: Path) -> None:
    document = signed_document(suite)
    assert verified(document, sound, suite, sample=0).holds is True
    document["tasks"][0]["signoffs"][0]["task_hash"] = "sha256:other"
    document["hash"] = content_address(document)
    found = verified(document, sound, suite, sample=0)
    assert (found.is_edited, found.holds) == (False, False)
    assert [one.was for one in found.tasks[0].void] == ["sha256:other"]

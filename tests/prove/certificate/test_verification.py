"""Attacks: a certificate that still holds although something moved, and one that falls although nothing did."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
from tests.prove.certificate.certified import also_passing, document_of, proven_by, sound, verified
from tests.prove.worlds import Grade, Said, make_task

from fairtrial.prove.certificate import Verification
from fairtrial.prove.certificate.comparison import compared, sampled
from fairtrial.prove.certificate.model import CertifiedFinding, CertifiedTask, Hashes
from fairtrial.prove.outcome import ProbeOutcome


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    return tmp_path / "suite"


def document(grade: Grade, suite: Path, **more: Any) -> dict[str, Any]:
    return document_of(proven_by(grade, suite, **more), suite, **more)


def differing(found: Verification) -> set[str]:
    return {rerun.recorded.probe for task in found.tasks for rerun in task.reruns if rerun.agrees is False}


@pytest.mark.parametrize("grade", [sound, also_passing("righ", "wrong")])
def test_it_holds_where_nothing_moved_whatever_it_says_of_the_grader(suite: Path, grade: Grade) -> None:
    found = verified(document(grade, suite), grade, suite)
    assert found.holds is True
    assert set(found.tasks[0].hashes.values()) == {"same"}
    probes = {rerun.recorded.probe for rerun in found.tasks[0].reruns}
    assert {"null", "reference", "reference_concurrent", "planted:righ", "planted:left", "defect:slip"} <= probes
    assert found.document()["holds"] is True


@pytest.mark.parametrize(
    ("file", "hashes"),
    [
        ("tests/test.sh", {"task", "grader"}),
        ("environment/Dockerfile", {"task", "environment"}),
        ("candidates/slip/solve.sh", {"task", "candidates"}),
        ("solution/solve.sh", {"task", "candidates"}),
        ("instruction.md", {"task"}),
    ],
)
def test_a_file_that_changed_is_a_hash_that_moved(suite: Path, file: str, hashes: set[str]) -> None:
    def change() -> None:
        path = suite / "word" / file
        path.write_text(path.read_text() + "# more\n")

    found = verified(document(sound, suite), sound, suite, change=change)
    assert {name for name, word in found.tasks[0].hashes.items() if word == "moved"} == hashes
    assert (found.holds, found.suite, found.tasks[0].reruns) == (False, "moved", ())


@pytest.mark.extra
def test_another_tool_or_catalogue_asks_other_questions(suite: Path) -> None:
    recorded = document(sound, suite)
    assert verified(recorded, sound, suite, tool="2").tasks[0].hashes["tool"] == "moved"
    recorded["circumstances"]["catalogue"] = "sha256:other"
    found = verified(recorded, sound, suite)
    assert (found.tasks[0].hashes["catalogue"], found.is_edited, found.holds) == ("moved", True, False)


def test_a_task_that_came_or_went_is_named(suite: Path, tmp_path: Path) -> None:
    recorded = document(sound, suite)
    found = verified(recorded, sound, suite, change=lambda: make_task(suite / "new") and None)
    assert (found.uncovered, found.holds) == (("new",), False)
    (suite / "word").rename(tmp_path / "gone")
    found = verified(recorded, sound, suite)
    assert (found.tasks[0].holds, found.tasks[0].why) == (False, "the suite holds no such task")


@pytest.mark.parametrize(
    ("then", "now", "differs"),
    [
        (sound, also_passing("left"), {"planted:left"}),
        (also_passing("wrong"), sound, {"defect:slip"}),
        (sound, lambda _: Said("0"), {"reference", "alternative:other", "reference_concurrent"}),
    ],
)
def test_an_outcome_that_is_another_now_differs(suite: Path, then: Grade, now: Grade, differs: set[str]) -> None:
    found = verified(document(then, suite), now, suite)
    assert differing(found) == differs
    assert found.holds is False


def test_an_outcome_claimed_by_hand_falls(suite: Path) -> None:
    """Whoever edits an outcome and writes a new hash is found out by grading again."""
    recorded = document(also_passing("righ"), suite)
    (one,) = [o for o in recorded["tasks"][0]["outcomes"] if o["probe"] == "planted:righ"]
    one |= {"passed": 0, "failed": 3}
    assert "planted:righ" in differing(verified(recorded, also_passing("righ"), suite))


def test_what_cannot_be_graded_now_is_not_measured_and_no_difference(suite: Path) -> None:
    found = verified(document(sound, suite), lambda word: Said(None) if word == "left" else sound(word), suite)
    assert (found.holds, differing(found)) == (None, set())
    assert {r.recorded.probe for r in found.tasks[0].reruns if r.agrees is None} == {"planted:left"}


def test_flakiness_is_told_apart_from_a_difference(suite: Path) -> None:
    turns = itertools.cycle([True, False])
    wavering = lambda word: Said("1") if word == "wrong" and next(turns) else sound(word)  # noqa: E731
    recorded = document(wavering, suite, repeats=4)
    assert [f["probe"] for f in recorded["tasks"][0]["findings"]] == ["wrong_repeat:slip"]
    found = verified(recorded, wavering, suite)
    assert found.holds is True
    (note,) = [rerun.note for rerun in found.tasks[0].reruns if rerun.note]
    assert note.startswith("flaky: passed 2 of 4 when recorded, 2 of 4 now")


def outcome(passed: int, failed: int, **more: Any) -> ProbeOutcome:
    return ProbeOutcome(
        **{"probe": "p", "family": "defect", "expects": "fails", "passed": passed, "failed": failed} | more
    )


@pytest.mark.parametrize(
    ("then", "now", "agrees"),
    [
        (outcome(0, 3), outcome(0, 20), True),
        (outcome(3, 0), outcome(1, 2), True),  # a wrong verdict was seen again
        (outcome(1, 19), outcome(0, 3), True),  # chance explains it
        (outcome(10, 10), outcome(0, 20), False),  # and here it does not
        (outcome(0, 3), outcome(1, 2), False),
        (outcome(3, 0), outcome(0, 3), False),
        (outcome(0, 3), outcome(0, 2, ungraded=1), None),
        (outcome(0, 3), None, False),  # nothing of this name is handed in
        (outcome(0, 3, candidate_hash="a"), outcome(0, 3, candidate_hash="b"), False),
    ],
)
def test_agreement(then: ProbeOutcome, now: ProbeOutcome | None, agrees: bool | None) -> None:
    assert compared(then, now).agrees is agrees


def certified(*outcomes: ProbeOutcome, findings: tuple[str, ...] = ()) -> CertifiedTask:
    made = tuple(CertifiedFinding(id=p, probe=p, family="f", severity="proof", claim="c") for p in findings)
    return CertifiedTask(task="t", status="refuted", hashes=Hashes(task="", grader="", environment=""),
                         outcomes=outcomes, findings=made)  # fmt: skip


def test_a_sample_holds_null_and_reference_and_first_what_proofs_rest_on() -> None:
    fine = [outcome(0, 3, probe=f"fine:{n}") for n in range(20)]
    wrong = [outcome(3, 0, probe=f"bad:{n}") for n in range(4)]
    basis = [outcome(0, 3, probe="null"), outcome(3, 0, probe="reference", expects="passes")]
    task = certified(*fine, *wrong, *basis, outcome(0, 0, probe="broken"), findings=("bad", "bad:3"))
    assert sampled(task, 0, 1) == ("null", "reference")
    assert sampled(task, 2, 1) == ("null", "reference", "bad:0", "bad:3")
    larger = sampled(task, 8, 1)
    assert set(larger[2:6]) == {f"bad:{n}" for n in range(4)}
    assert len(larger) == 10
    assert larger == sampled(task, 8, 1)
    assert larger != sampled(task, 8, 2)
    assert "broken" not in sampled(task, 99, 1)

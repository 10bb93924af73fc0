"""Each test plants one fault in a grader, acted by a fake sandbox, and demands its family and no other proof."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.prove.worlds import Grade, Said, make_task, sandbox_with, suite_of

from fairtrial.prove import ProvenTask, ProveOptions, prove
from fairtrial.run import InlineEngine, Tried

CANDIDATES = {
    "other": ("alternative", "also right"),
    "slip": ("defect", "wrong"),
    "trick": ("hack", "tricky"),
}
CHECKS = ("spelled", "present")


def sound(word: str | None) -> Said:
    if word in ("right", "also right"):
        return Said("1", dict.fromkeys(CHECKS, "passed"))
    return Said("0", {"spelled": "failed", "present": "failed" if word is None else "passed"})


def proven(
    folder: Path, grade: Grade, *, repeats: int = 4, concurrency: int = 2, only: str = "", notes: tuple[str, ...] = ()
) -> ProvenTask:
    options = ProveOptions(repeats=repeats, concurrency=concurrency, only=only, known_only=True)
    tried: list[Tried] = []
    (task,) = prove(
        suite_of(folder), sandbox_with(grade, notes), InlineEngine(), options, tool="test", on_tried=tried.append
    )
    assert all(one.rollout.origin == "known" for one in tried)
    return task


@pytest.fixture
def task(tmp_path: Path) -> Path:
    return make_task(tmp_path / "word", candidates=CANDIDATES, fails={"slip": ["spelled"]})


def proofs(task: ProvenTask) -> set[str]:
    return {finding.family for finding in task.findings if finding.severity == "proof"}


def test_a_sound_grader_is_proven_without_a_finding(task: Path) -> None:
    result = proven(task, sound)
    assert (result.proof.status, result.findings) == ("proven", ())
    required = {"null", "reference", "reference_repeat", "reference_concurrent", "defect", "alternative", "hack"}
    assert set(result.proof.required) == required | {"wrong_repeat"}
    assert {probe.split(":")[0] for probe in result.proof.measured} == set(result.proof.required)
    assert {probe for probe, _ in result.proof.not_measured} == {"probes"}
    assert result.proof.gradings == 4 * 5 + 2 * 2


def test_passing_the_untouched_workspace(task: Path) -> None:
    assert proofs(proven(task, lambda w: Said("1") if w is None else sound(w))) == {"null"}


def test_refusing_the_reference(task: Path) -> None:
    result = proven(task, lambda w: sound("wrong") if w == "right" else sound(w))
    assert proofs(result) == {"reference"}
    (finding,) = result.findings
    assert "spelled" in finding.claim
    assert "--only reference" in finding.command


def test_a_reference_that_passes_now_and_then(task: Path) -> None:
    turns = itertools.cycle([True, True, False])
    assert proofs(proven(task, lambda w: sound("wrong") if w == "right" and not next(turns) else sound(w))) == {
        "reference_repeat"
    }


def test_wrong_work_that_passes_now_and_then(task: Path) -> None:
    turns = itertools.cycle([False, False, True])
    result = proven(task, lambda w: sound("right") if w == "wrong" and next(turns) else sound(w))
    assert proofs(result) == {"wrong_repeat"}
    assert "1 of 4" in result.findings[0].claim


def test_a_reference_that_fails_only_in_company(task: Path) -> None:
    def minding_company() -> Iterator[bool]:
        yield from [True] * 4
        yield from itertools.repeat(False)

    alone = minding_company()
    result = proven(task, lambda w: sound("wrong") if w == "right" and not next(alone) else sound(w))
    assert proofs(result) == {"reference_concurrent"}


@pytest.mark.parametrize(("word", "family"), [("wrong", "defect"), ("tricky", "hack")])
def test_passing_declared_wrong_work(task: Path, word: str, family: str) -> None:
    assert proofs(proven(task, lambda w: sound("right") if w == word else sound(w))) == {family}


def test_refusing_another_right_design(task: Path) -> None:
    assert proofs(proven(task, lambda w: sound("wrong") if w == "also right" else sound(w))) == {"alternative"}


def test_a_defect_that_fails_checks_whose_work_is_right(task: Path) -> None:
    both = Said("0", {"spelled": "failed", "present": "failed"})
    result = proven(task, lambda w: both if w == "wrong" else sound(w))
    assert proofs(result) == {"defect"}
    assert "also fails present" in result.findings[0].claim


def test_checks_that_build_on_the_failed_one_are_skipped_not_failed(task: Path) -> None:
    skipping = Said("0", {"spelled": "failed", "present": "skipped"})
    assert proven(task, lambda w: skipping if w == "wrong" else sound(w)).proof.status == "proven"


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (Said(None), "reward_missing"),
        (Said("7"), "reward_out_of_range"),
        (Said("1", killed="timeout"), "grader_timeout"),
    ],
)
def test_a_grader_that_breaks_is_inconclusive_never_refuted(task: Path, fault: Said, reason: str) -> None:
    result = proven(task, lambda w: fault if w == "right" else sound(w))
    assert (result.proof.status, proofs(result)) == ("inconclusive", set())
    assert any(probe == "reference" and reason in why for probe, why in result.proof.not_measured)


def test_breaking_on_one_grading_in_four_is_not_measured_either(task: Path) -> None:
    turns = itertools.cycle([True, True, True, False])
    result = proven(task, lambda w: Said("nan") if w == "wrong" and not next(turns) else sound(w))
    assert result.proof.status == "inconclusive"
    assert any(probe == "defect:slip" and why.startswith("1 of 4") for probe, why in result.proof.not_measured)


def test_a_task_without_reference_is_inconclusive(tmp_path: Path) -> None:
    folder = make_task(tmp_path / "bare", candidates=CANDIDATES, reference=None)
    result = proven(folder, sound)
    assert result.proof.status == "inconclusive"
    assert {"reference", "reference_repeat", "reference_concurrent"} <= {p for p, _ in result.proof.not_measured}


def test_one_repeat_measures_no_repeat(task: Path) -> None:
    result = proven(task, sound, repeats=1)
    assert result.proof.status == "inconclusive"
    assert ("reference_repeat", "needs --repeats of 2 or more") in result.proof.not_measured


def test_only_runs_one_probe_and_proves_nothing_else(task: Path) -> None:
    result = proven(task, lambda w: sound("right") if w == "tricky" else sound(w), only="hack:trick")
    assert proofs(result) == {"hack"}
    assert result.proof.gradings == 4
    assert proven(task, sound, only="hack:trick").proof.status == "inconclusive"


def test_a_reward_that_is_not_what_grading_toml_makes_is_a_lead(tmp_path: Path) -> None:
    grading = '[[check]]\nname = "spelled"\n[[check]]\nname = "present"\n'
    folder = make_task(tmp_path / "word", candidates=CANDIDATES, fails={"slip": ["spelled"]}, grading=grading)
    result = proven(folder, sound)
    assert result.proof.status == "proven"
    (finding,) = result.findings
    assert (finding.severity, finding.family) == ("lead", "defect")
    assert "reward 0" in finding.claim
    assert "0.5" in finding.claim


def test_credit_for_nothing_is_a_lead(task: Path) -> None:
    result = proven(task, lambda w: Said("0.25") if w is None else sound(w))
    assert result.proof.status == "proven"
    assert [(f.severity, f.family) for f in result.findings] == [("lead", "null")]


def test_a_grader_that_draws_at_random_is_repeated_more(task: Path) -> None:
    (task / "tests" / "helper.py").write_text("import random\nx = random.choice([1, 2])\n")
    assert proven(task, sound).proof.gradings == 20 * 5 + 2 * 2
    (task / "tests" / "helper.py").write_text("import random, time  # never used\n")
    assert proven(task, sound).proof.gradings == 4 * 5 + 2 * 2


def test_a_live_task_is_graded_as_harbor_shares_and_says_what_that_leaves_open(task: Path) -> None:
    proof_toml = (task / "proof.toml").read_text()
    (task / "proof.toml").write_text("live = true\n" + proof_toml)
    result = proven(task, lambda w: sound("right") if w == "tricky" else sound(w))
    (finding,) = result.findings
    assert (finding.family, finding.runner) == ("hack", "harbor_shared")
    assert any(probe == "forged_after_grading" and "live = true" in why for probe, why in result.proof.not_measured)


def test_the_command_of_a_finding_names_the_settings_under_which_it_was_seen(tmp_path: Path) -> None:
    suite = suite_of(make_task(tmp_path / "task"))
    options = ProveOptions(repeats=2, concurrency=1, pass_at=0.5, seed=7, known_only=True)
    sandbox = sandbox_with(lambda _word: Said(reward="0.5"))
    (proven,) = prove(suite, sandbox, InlineEngine(), options, tool="test", on_tried=lambda _tried: None)
    (finding,) = [one for one in proven.findings if one.severity == "proof"]
    assert finding.command == (
        f"fairtrial prove {tmp_path / 'task'} --only null --repeats 2 --pass-at 0.5 --seed 7 --sandbox fake"
    )


def test_what_the_sandbox_cannot_honour_is_said_once_and_nothing_is_tried(task: Path) -> None:
    lines = "FROM debian:12\nRUN apt-get install -y no-such-package\nWORKDIR /app\n"
    (task / "environment" / "Dockerfile").write_text(lines)
    result = proven(task, sound)
    assert (result.proof.status, result.proof.gradings) == ("inconclusive", 0)
    required = [why for probe, why in result.proof.not_measured if probe.split(":")[0] in result.proof.required]
    assert len(required) == 9
    assert {"apt-get" in why and "Dockerfile:2" in why for why in required} == {True}


def test_what_fails_for_want_of_a_program_on_a_stand_in_host_is_no_proof(task: Path) -> None:
    wanting = Said("0", dict.fromkeys(CHECKS, "failed"), output="/tests/test.sh: line 2: pytest: command not found")
    result = proven(
        task, lambda w: wanting if w == "right" else sound(w), notes=("this host stands in for python:3.11",)
    )
    assert (result.proof.status, proofs(result)) == ("inconclusive", set())
    (lead,) = result.findings
    assert "pytest: command not found" in lead.claim
    assert "stands in for python:3.11" in lead.claim
    exact = proven(task, lambda w: wanting if w == "right" else sound(w))
    assert (exact.proof.status, proofs(exact)) == ("refuted", {"reference"})


def test_a_reference_that_wavers_beside_others_is_tried_again_alone(task: Path) -> None:
    def beside_others() -> Iterator[bool]:
        yield from [True, False, True, True]
        yield from itertools.repeat(True)

    turns = beside_others()
    result = proven(task, lambda w: sound("wrong") if w == "right" and not next(turns) else sound(w))
    assert proofs(result) == {"reference_concurrent"}
    assert "beside gradings of other candidates, and none of 4 alone" in result.findings[0].claim


def test_a_grader_with_a_short_time_limit_is_graded_alone_and_more_often(task: Path) -> None:
    (task / "tests" / "helper.py").write_text("import subprocess\nsubprocess.run(['true'], timeout=0.5)\n")
    assert proven(task, sound).proof.gradings == 20 * 5 + 2 * 2
    (task / "tests" / "helper.py").write_text("import subprocess\nsubprocess.run(['true'], timeout=30)\n")
    assert proven(task, sound).proof.gradings == 4 * 5 + 2 * 2

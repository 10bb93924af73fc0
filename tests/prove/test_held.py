"""Attacks: a task that is held although it, its circumstances or its status say that it must be proven anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.prove.certificate.certified import also_passing, options, proven_by, sound
from tests.prove.worlds import Grade, Said, make_task, suite_of

from fairtrial.attack.hacker.kept import KeptAttack
from fairtrial.attack.hacker.kept import keep as keep_attacks
from fairtrial.ledger import Ledger
from fairtrial.ledger.proven import all_findings, all_proofs
from fairtrial.prove import ProvenTask, held, keep
from fairtrial.prove.certificate import circumstances
from fairtrial.prove.certificate.candidates import candidate_hashes
from fairtrial.records import LedgerError
from fairtrial.sandbox import FakeSandbox

HERE = "sha256:here"


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger.open(tmp_path / "ledger", create=True)


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    make_task(tmp_path / "suite" / "one", candidates={"slip": ("defect", "wrong")})
    make_task(tmp_path / "suite" / "two", candidates={"slip": ("defect", "wrong")})
    return tmp_path / "suite"


def kept(ledger: Ledger, suite: Path, grade: Grade, settings: str = HERE) -> dict[str, ProvenTask]:
    return {one.proof.task: one for one in keep(ledger, suite_of(suite), proven_by(grade, suite), settings)}


@pytest.mark.parametrize(("grade", "status"), [(sound, "proven"), (also_passing("wrong", "righ"), "refuted")])
def test_what_did_not_change_is_held_whole(ledger: Ledger, suite: Path, grade: Grade, status: str) -> None:
    before = kept(ledger, suite, grade)
    now = held(ledger, suite_of(suite), HERE)
    assert set(now) == {"one", "two"}
    for name, one in now.items():
        assert one.held
        assert (one.proof.status, one.document()["held"]) == (status, True)
        assert {f.id for f in one.findings} == {f.id for f in before[name].findings}
        assert one.outcomes == before[name].outcomes
        assert dict(one.mutants) == dict(before[name].mutants)


def test_only_the_task_that_changed_is_proven_anew(ledger: Ledger, suite: Path) -> None:
    kept(ledger, suite, also_passing("wrong"))
    (suite / "two" / "tests" / "test.sh").write_text("echo other\n")
    changed = suite_of(suite)
    now = held(ledger, changed, HERE)
    assert set(now) == {"one"}
    assert now["one"].proof.suite == changed.identity
    assert [f.suite for f in now["one"].findings] == [changed.identity]
    of_this_suite = [proof for proof in all_proofs(ledger) if proof.suite == changed.identity]
    assert [proof.task for proof in of_this_suite] == ["one"]  # so that the ledger tells of this suite as a whole
    assert len([f for f in all_findings(ledger) if f.suite == changed.identity]) == 1
    assert set(held(ledger, changed, HERE)) == {"one"}


def test_other_circumstances_hold_nothing(ledger: Ledger, suite: Path) -> None:
    kept(ledger, suite, sound)
    assert held(ledger, suite_of(suite), "sha256:elsewhere") == {}


def test_a_proof_of_another_day_under_other_circumstances_outdates_this_one(ledger: Ledger, suite: Path) -> None:
    for settings, day in ((HERE, "2026-01-01"), ("sha256:elsewhere", "2026-01-02")):
        proven = proven_by(sound, suite)
        dated = [replace(one, proof=replace(one.proof, recorded_at=day)) for one in proven]
        keep(ledger, suite_of(suite), dated, settings)
    assert held(ledger, suite_of(suite), HERE) == {}


def test_what_was_inconclusive_is_tried_again(ledger: Ledger, suite: Path) -> None:
    kept(ledger, suite, lambda _: Said(None))
    assert held(ledger, suite_of(suite), HERE) == {}


def test_a_verdict_that_was_wrong_once_is_not_outlived_by_luck(ledger: Ledger, suite: Path) -> None:
    kept(ledger, suite, also_passing("wrong"))
    kept(ledger, suite, sound)
    assert {one.proof.status for one in held(ledger, suite_of(suite), HERE).values()} == {"refuted"}


def test_a_damaged_blob_is_said_and_not_held(ledger: Ledger, suite: Path) -> None:
    for one in kept(ledger, suite, sound).values():
        name = one.proof.outcomes.removeprefix("sha256:")
        (ledger.path / "blobs" / name[:2] / name).write_text("{}")
    with pytest.raises(LedgerError, match="damaged"):
        held(ledger, suite_of(suite), HERE)


@pytest.mark.parametrize(
    "change",
    [
        lambda o: replace(o, repeats=9), lambda o: replace(o, only="reference"), lambda o: replace(o, seed=1),
        lambda o: replace(o, runners=("ours",)), lambda o: replace(o, pass_at=0.5), lambda o: replace(o, probes=()),
        lambda o: replace(o, known_only=True), lambda o: replace(o, mutants=3), lambda o: replace(o, concurrency=1),
    ],
)  # fmt: skip
def test_circumstances_follow_every_option(change: Callable[..., object]) -> None:
    usual = options()
    before = circumstances("1", FakeSandbox(), usual)
    assert circumstances("1", FakeSandbox(), change(usual)).hash != before.hash  # type: ignore[arg-type]
    assert circumstances("2", FakeSandbox(), usual).hash != before.hash
    assert circumstances("1", FakeSandbox(), replace(usual, fresh=not usual.fresh)).hash == before.hash


def test_an_attack_kept_beside_the_suite_is_tried_though_the_task_did_not_change(ledger: Ledger, suite: Path) -> None:
    kept(ledger, suite, sound)
    before = candidate_hashes(suite_of(suite).keys["one"])
    attack = KeptAttack(
        name="one-0123abcd", task="one", attacker="scripted", runner="ours", severity="lead", rule="unknown", why="",
        commands=(("echo 1 >/app/answer",),),
    )  # fmt: skip
    keep_attacks(suite, [attack], suite_of(suite).tasks)
    after = candidate_hashes(suite_of(suite).keys["one"])
    assert set(after) - set(before) == {"kept_attack"}
    assert set(held(ledger, suite_of(suite), HERE)) == {"two"}

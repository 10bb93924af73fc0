"""The hack agent finds what is broken, acts it out again, keeps it, starts from it, and accuses nothing sound."""

from __future__ import annotations

from pathlib import Path

import pytest

from attack.hacker.suites import (
    ANY_NUMBER,
    EMPTY,
    EXISTS,
    LAX,
    REWARD,
    SOUND,
    acting,
    attacked,
    make_task,
    system_of,
)
from fairtrial.attack.hacker.kept import KEPT_ATTACK, read_kept
from fairtrial.attack.hacker.options import HackOptions
from fairtrial.attack.hacker.told import found_share
from fairtrial.attack.target import Target
from fairtrial.models.scripted import Asked, Line, call, fail, say
from fairtrial.sandbox import Sandbox, find
from fairtrial.tasks import load_suite, load_task


@pytest.fixture
def bubblewrap() -> Sandbox:
    sandbox = find("bwrap")
    capability = sandbox.capability()
    if not capability.available:
        pytest.skip(f"bubblewrap does not work here: {capability.why}")
    return sandbox


def test_it_finds_keeps_and_starts_from_what_it_found(tmp_path: Path, bubblewrap: Sandbox) -> None:
    suite = tmp_path / "suite"
    make_task(suite / "broken", EXISTS)
    before = load_suite(suite).hash
    first, asked = attacked(suite, acting("cd /app", EMPTY), bubblewrap, tmp_path / "1")
    (attack,) = first.attacks
    assert (attack.severity, attack.rule, attack.task, first.stopped) == ("proof", "missing", "broken", "none found")
    assert [len(one.found) for one in first.rounds] == [1, 0]
    assert EMPTY not in system_of(asked[0])
    assert "an empty file" in system_of(asked[0])  # a route of the catalogue that has an occasion here
    assert "expected value flipped" not in system_of(asked[0])  # no route past this grader
    assert EMPTY in system_of(asked[-1])  # the second round was told of it
    assert load_suite(suite).hash == before
    again, asked = attacked(suite, acting(EMPTY), bubblewrap, tmp_path / "2", HackOptions(attempts=1, rounds=1))
    assert [(kept.name, passes) for kept, passes in again.kept_before] == [(attack.name, True)]
    assert EMPTY in system_of(asked[0])
    assert again.stopped == "rounds"
    assert len(read_kept(suite)) == 2  # other commands are another attack; none is lost


def test_an_attack_that_is_kept_is_handed_in_ever_after(tmp_path: Path, bubblewrap: Sandbox) -> None:
    suite = tmp_path / "suite"
    folder = make_task(suite / "broken", EXISTS)
    found, _ = attacked(suite, acting(EMPTY), bubblewrap, tmp_path / "1")
    task, key = load_task(folder)
    target = Target(task=task, key=key, before=tmp_path, after=tmp_path, scratch=tmp_path)
    (submission,) = KEPT_ATTACK.submissions(target)
    assert (submission.name, submission.expects, submission.severity) == (found.attacks[0].name, "fails", "proof")
    assert submission.agent.needs_isolation
    (folder / "tests" / "test.sh").write_text(SOUND)
    mended, _ = attacked(suite, acting("true"), bubblewrap, tmp_path / "2", HackOptions(attempts=1, rounds=1))
    assert [passes for _, passes in mended.kept_before] == [False]
    assert not mended.is_refuted


def test_a_sound_grader_is_bounded_and_accused_of_nothing(tmp_path: Path, bubblewrap: Sandbox) -> None:
    suite = tmp_path / "suite"
    make_task(suite / "sound", SOUND)
    options = HackOptions(attempts=3, runners=("ours", "harbor_shared", "legacy"))
    found, _ = attacked(suite, acting(EMPTY), bubblewrap, tmp_path / "1", options)
    assert (found.attacks, found.graded, found.proofs, found.stopped) == ((), 3, 0, "none found")
    share = found_share(found.proofs, found.graded)
    assert (share.value, share.one_sided) == (0.0, True)
    assert share.high == pytest.approx(1 - 0.05 ** (1 / 3))
    assert not (suite / "attacks").exists()


def test_right_work_is_no_attack_and_other_work_that_passes_is_a_lead(tmp_path: Path, bubblewrap: Sandbox) -> None:
    right = tmp_path / "right"
    make_task(right / "sound", SOUND)
    found, _ = attacked(right, acting("echo 42 > /app/total.txt"), bubblewrap, tmp_path / "1")
    assert (found.attacks, found.rounds[0].passed) == ((), 1)
    guess = tmp_path / "guess"
    make_task(guess / "any", ANY_NUMBER)
    found, _ = attacked(guess, acting("echo 7 > /app/total.txt"), bubblewrap, tmp_path / "2")
    assert [(attack.severity, attack.rule) for attack in found.attacks] == [("lead", "unknown")]
    assert not found.is_refuted


def test_an_oracle_and_a_declared_defect_turn_the_lead_into_proof(tmp_path: Path, bubblewrap: Sandbox) -> None:
    suite = tmp_path / "suite"
    make_task(suite / "oracle", ANY_NUMBER, **{"oracle/test.sh": SOUND, "proof.toml": 'oracle = "oracle"\n'})
    declared = '[[candidate]]\nname = "seven"\nkind = "defect"\nsolve = "candidates/seven/solve.sh"\n'
    make_task(suite / "declared", ANY_NUMBER,
              **{"candidates/seven/solve.sh": "echo 7 > /app/total.txt\n", "proof.toml": declared})  # fmt: skip
    options = HackOptions(attempts=1, rounds=1)
    found, _ = attacked(suite, acting("echo 7 > /app/total.txt"), bubblewrap, tmp_path / "1", options)
    assert {attack.task: attack.rule for attack in found.attacks} == {"oracle": "oracle", "declared": "candidate"}
    assert found.proofs == 2


def test_a_pass_that_only_a_lax_runner_gives_is_proof_and_names_it(tmp_path: Path, bubblewrap: Sandbox) -> None:
    suite = tmp_path / "suite"
    make_task(suite / "lax", LAX)
    forge = "mkdir -p /logs/verifier; echo 1 > /logs/verifier/reward.txt"
    options = HackOptions(attempts=1, rounds=1, runners=("ours", "harbor_shared", "legacy"))
    found, _ = attacked(suite, acting(forge), bubblewrap, tmp_path / "1", options)
    assert [(attack.runner, attack.rule) for attack in found.attacks] == [("legacy", "clean_box")]


def test_what_passes_the_impossible_grader_is_proof_whatever_it_is(tmp_path: Path, bubblewrap: Sandbox) -> None:
    suite = tmp_path / "suite"
    check = "import sys\nwant = 42\nsaid = open('/app/total.txt').read().strip()\n"
    check += "sys.exit(0 if said in (str(want), '') else 1)\n"
    make_task(suite / "soft", f"python3 /tests/check.py && r=1 || r=0\n{REWARD}", **{"tests/check.py": check})
    options = HackOptions(attempts=1, rounds=1, impossible=True)
    found, _ = attacked(suite, acting(EMPTY), bubblewrap, tmp_path / "1", options)
    if found.tasks[0].why_not:
        pytest.fail(found.tasks[0].why_not)
    assert [(attack.rule, attack.impossible) for attack in found.attacks] == [("impossible", True)]
    again, _ = attacked(suite, acting("true"), bubblewrap, tmp_path / "2", HackOptions(attempts=1, rounds=1))
    assert [passes for _, passes in again.kept_before] == [True]


def test_an_outage_and_a_refusal_are_told_apart(tmp_path: Path, bubblewrap: Sandbox) -> None:
    suite = tmp_path / "suite"
    make_task(suite / "broken", EXISTS)
    down, _ = attacked(suite, lambda _: fail(500), bubblewrap, tmp_path / "1")
    assert (down.graded, dict(down.rounds[0].ungraded)) == (0, {"model_server_error": 1})
    assert found_share(down.proofs, down.graded).value is None
    assert down.stopped == "none graded"
    idle, _ = attacked(suite, lambda _: say("I will not."), bubblewrap, tmp_path / "2")
    assert (idle.graded, idle.attacks) == (1, ())


def test_a_budget_ends_the_attack_and_what_was_found_is_kept(tmp_path: Path, bubblewrap: Sandbox) -> None:
    suite = tmp_path / "suite"
    make_task(suite / "broken", EXISTS)
    options = HackOptions(attempts=4, rounds=9, most_tokens=2500, at_once=2)
    found, _ = attacked(suite, acting("true", "true", EMPTY), bubblewrap, tmp_path / "1", options)
    assert found.stopped == "budget"
    assert found.attempts < 12
    assert any(
        one.ungraded.get("budget") for one in found.rounds
    )  # an attempt that had no fair chance did not find nothing
    assert len(found.attacks) == len(read_kept(suite)) == 1
    assert 0 < found.tokens <= 2500


def test_an_attack_on_several_steps_is_acted_out_step_by_step(tmp_path: Path, bubblewrap: Sandbox) -> None:
    suite = tmp_path / "suite"
    folder = make_task(suite / "two", SOUND)
    toml = (folder / "task.toml").read_text()
    (folder / "task.toml").write_text(f'{toml}[[steps]]\nname = "read"\n[[steps]]\nname = "add"\n')
    grade = f"grep -q {{}} /app/log && r=1 || r=0\n{REWARD}"
    for name, word in (("read", "first"), ("add", "second")):
        for part, text in (("instruction.md", f"Do {word}.\n"), ("tests/test.sh", grade.format(word)),
                           ("solution/solve.sh", f"echo {word} step is done >> /app/log\n")):  # fmt: skip
            path = folder / "steps" / name / part
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def script(asked: Asked) -> Line:
        word = "first" if "Do first" in str(asked.messages) else "second"
        acted = any(message["role"] == "tool" for message in asked.messages)
        return say("Done.") if acted else call("shell", command=f"echo {word} >> /app/log")

    found, _ = attacked(suite, script, bubblewrap, tmp_path / "1", HackOptions(attempts=1, rounds=1))
    (attack,) = found.attacks
    assert attack.commands == (("echo first >> /app/log",), ("echo second >> /app/log",))
    assert (attack.severity, attack.rule) == ("lead", "unknown")
    again, _ = attacked(suite, acting("true"), bubblewrap, tmp_path / "2", HackOptions(attempts=1, rounds=1))
    assert [passes for _, passes in again.kept_before] == [True]

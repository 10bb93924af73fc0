"""Attacks: one thing speaks against a rollout: it is left out for that, and every rollout is accounted for once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.formats.atif import AtifStep
from fairtrial.ledger import Ledger
from fairtrial.records import Checkpoint, Finding, FormatError, InputError, Proof, Review, Rollout, Withdrawal
from fairtrial.records.review import Label
from fairtrial.train.sets import Chosen, Options, Source, choose
from fairtrial.train.sets.pool import Entry, Tally
from train.sets.ledgers import acted, agent_rollout, ledger_at, put, put_all, tasks_at, text_rollout

HACK = "git show origin/next:round.go > /tmp/r.go; cp /tmp/r.go round.go"


def sft(ledger: Ledger, **options: Any) -> Chosen:
    return choose(Source.of(ledger, Options(kind="sft", **options)))


def review(ledger: Ledger, rollout: Rollout, **said: Any) -> None:
    ledger.append("reviews", [Review(**{"rollout": rollout.id, "reviewer": "ada"} | said)])


def finding(ledger: Ledger, rollout: Rollout, **said: Any) -> None:
    told: dict[str, Any] = {
        "task": rollout.task,
        "probe": "p",
        "family": "trajectory",
        "severity": "lead",
        "claim": "c",
    }
    ledger.append("findings", [Finding(**told | said, rollout=rollout.id)])


def checkpoint(ledger: Ledger, rollout: Rollout, **said: Any) -> None:
    assert rollout.seed is not None
    ledger.append("checkpoints", [Checkpoint(model="m", seed=rollout.seed, step=5, recipe="r", **said)])


def label(ledger: Ledger, rollout: Rollout, *labels: Label, **said: Any) -> None:
    for reviewer, one in zip(("ada", "bo"), labels, strict=False):
        review(ledger, rollout, stage="informed", label=one, reviewer=reviewer, **said)


def withdraw(ledger: Ledger, rollout: Rollout) -> None:
    ledger.append("withdrawals", [Withdrawal(model="m", rollouts=(rollout.id,), reason="r", author="ada")])


def adjudicated(ledger: Ledger, rollout: Rollout, **said: Any) -> None:
    """Two people disagree, and who adjudicates says `said`."""
    for reviewer, satisfied in (("ada", True), ("bo", False)):
        review(ledger, rollout, satisfied=satisfied, reviewer=reviewer)
    review(ledger, rollout, adjudicates=True, reviewer="cy", **said)


def disputed_hack(ledger: Ledger, rollout: Rollout) -> None:
    for reviewer in ("ada", "bo"):
        review(ledger, rollout, hack=reviewer == "bo", reviewer=reviewer)


AGAINST: dict[str, tuple[str, Callable[[Ledger, Rollout], object]]] = {
    "not satisfied": ("review_false_pass", lambda ledger, one: review(ledger, one, satisfied=False)),
    "labelled": ("review_false_pass", lambda ledger, one: label(ledger, one, "false_pass")),
    "labelled when it failed": ("review_false_pass", lambda ledger, one: label(ledger, one, "true_fail")),
    "labels differ": ("review_disputed", lambda ledger, one: label(ledger, one, "false_pass", "true_pass")),
    "nobody can tell": ("review_disputed", adjudicated),
    "adjudicated": ("review_false_pass", lambda ledger, one: adjudicated(ledger, one, satisfied=False)),
    "hack": ("review_hack", lambda ledger, one: review(ledger, one, hack=True)),
    "hack that is disputed": ("review_hack_disputed", disputed_hack),
    "hack, by a judge": ("judge_hack", lambda ledger, one: review(ledger, one, hack=True, kind="judge")),
    "judge": ("judge_false_pass", lambda ledger, one: review(ledger, one, satisfied=False, kind="judge")),
    "labelled by a judge": ("judge_false_pass", lambda ledger, one: label(ledger, one, "false_pass", kind="judge")),
    "lead": ("hack_suspected", lambda ledger, one: finding(ledger, one, evidence='{"score": 0.5}')),
    "lead without a score": ("hack_suspected", lambda ledger, one: finding(ledger, one)),
    "proof": ("finding_proof", lambda ledger, one: finding(ledger, one, severity="proof")),
    "control": ("degenerate_reward", lambda ledger, one: checkpoint(ledger, one, degenerate="random")),
    "outage": ("outage_step", lambda ledger, one: checkpoint(ledger, one, outage_steps=(5,))),
    "withdrawn": ("withdrawn", withdraw),
    "refuted": ("grader_refuted", lambda ledger, one: ledger.append(
        "proofs", [Proof(task=one.task, task_hash=one.task_hash, path="p", status="refuted")])),
}  # fmt: skip


def test_whoever_speaks_against_a_rollout_keeps_it_out(tmp_path: Path) -> None:
    ledger = ledger_at(tmp_path)
    good = put(ledger, agent_rollout(ledger, "t", *acted("good"), seed=99, step=5))
    bad = [
        agent_rollout(ledger, name, *acted("bad"), seed=at, step=5, task_hash="h") for at, name in enumerate(AGAINST)
    ]
    put_all(ledger, [(one, "passed") for one in bad])
    for one in bad:
        AGAINST[one.task][1](ledger, one)
    found = sft(ledger)
    assert [row.origin.rollouts for row in found.rows] == [(good.id,)]
    assert found.left_out == Counter(why for why, _ in AGAINST.values())


def test_what_a_control_arm_sampled_between_its_checkpoints_is_left_out(tmp_path: Path) -> None:
    ledger = ledger_at(tmp_path)
    told = [agent_rollout(ledger, f"{seed}-{step}", *acted("x"), seed=seed, step=step)
            for seed, step in ((0, 10), (0, 11), (0, 40), (1, 3), (2, 3))]  # fmt: skip
    told.append(agent_rollout(ledger, "no-seed", *acted("x")))
    put_all(ledger, [(one, "passed") for one in told])
    ledger.append("checkpoints", [
        Checkpoint(model="m", recipe="r", seed=seed, step=step, degenerate=kind)  # type: ignore[arg-type]
        for seed, step, kind in ((0, 10, ""), (0, 30, "random"), (1, 30, "length"))
    ])  # fmt: skip
    found = sft(ledger)
    assert {row.origin.task for row in found.rows} == {"0-10", "2-3"}
    assert found.left_out == {"degenerate_reward": 4}


RECIPE = 'name = "m"\nbase = "b"\nseeds = [0, 1]\n[[stages]]\nmethod = "grpo"\nsteps = 9\nreward = "{reward}"\n'


def test_a_run_says_of_its_training_what_no_checkpoint_says_yet(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "training", create=True)
    put_all(ledger, [(agent_rollout(ledger, f"{seed}-{step}", *acted("x"), seed=seed, step=step), "passed")
                     for seed in (0, 1) for step in (1, 2)])  # fmt: skip
    (tmp_path / "recipe.toml").write_text(RECIPE.format(reward="grade"))
    (tmp_path / "seed-0").mkdir()
    (tmp_path / "seed-0" / "watch.json").write_text('{"left_out_steps": [2]}')
    found = sft(ledger)
    assert ({row.origin.task for row in found.rows}, found.left_out) == ({"0-1", "1-1", "1-2"}, {"outage_step": 1})
    assert "has not ended on seed 1" in found.found.not_measured[0]
    (tmp_path / "recipe.toml").write_text(RECIPE.format(reward="random"))
    assert sft(ledger).left_out == {"degenerate_reward": 4}
    (tmp_path / "recipe.toml").write_text(RECIPE.format(reward="grade"))
    (tmp_path / "seed-0" / "watch.json").write_text("[]")
    with pytest.raises(FormatError, match="cannot be read"):
        sft(ledger)


def test_an_answer_that_passed_once_and_failed_once_is_no_demonstration(tmp_path: Path) -> None:
    ledger = ledger_at(tmp_path)
    put_all(ledger, [(text_rollout("t", 0, "x"), "passed"), (text_rollout("t", 1, " x"), "failed"),
                     (text_rollout("t", 2, "y"), "passed"), (text_rollout("u", 3, "x"), "passed")])  # fmt: skip
    found = sft(ledger, text_tasks=tasks_at(tmp_path, {"name": "t"}, {"name": "u"}))
    assert len(found.rows) == 2
    assert found.left_out == {"failed": 1, "verdicts_differ": 1}


def test_a_task_of_two_suites_is_one_task_where_its_file_is_named(tmp_path: Path) -> None:
    ledger = ledger_at(tmp_path)
    said = ("one red fox", "a tale of whales", "seven brass bells rang", "rain upon slate")
    put_all(ledger, [(text_rollout("t", at, text, suite=f"s@{at % 2}"), "passed") for at, text in enumerate(said)])
    found = sft(ledger, text_tasks=tasks_at(tmp_path, {"name": "t"}), per_task=3)
    assert (len(found.rows), found.left_out) == (3, {"over_the_cap": 1})


def test_people_go_before_judges_and_adjudication_before_people(tmp_path: Path) -> None:
    ledger = ledger_at(tmp_path)
    cleared = put(ledger, agent_rollout(ledger, "t", *acted("a")))
    review(ledger, cleared, satisfied=False, kind="judge", reviewer="judge")
    review(ledger, cleared, satisfied=True)
    settled = put(ledger, agent_rollout(ledger, "u", *acted("b")))
    review(ledger, settled, satisfied=False)
    review(ledger, settled, satisfied=True, reviewer="bo")
    review(ledger, settled, satisfied=True, reviewer="cy", adjudicates=True)
    disputed = put(ledger, agent_rollout(ledger, "v", *acted("c")))
    review(ledger, disputed, satisfied=False)
    review(ledger, disputed, satisfied=True, reviewer="bo")
    found = sft(ledger)
    assert {row.origin.rollouts[0] for row in found.rows} == {cleared.id, settled.id}
    assert found.left_out == {"review_disputed": 1}


def test_a_review_that_is_void_or_was_taken_back_does_not_object(tmp_path: Path) -> None:
    ledger = ledger_at(tmp_path)
    one = put(ledger, agent_rollout(ledger, "t", *acted("a")))
    review(ledger, one, satisfied=False, recorded_at="1")
    review(ledger, one, satisfied=True, recorded_at="2")
    review(ledger, one, satisfied=False, recorded_at="3", void="it cites what is not there", reviewer="bo")
    finding(ledger, one, evidence='{"score": 0.49}')
    assert sft(ledger).left_out == {}


def test_verdicts_origins_and_texts_are_told_apart(tmp_path: Path) -> None:
    ledger = ledger_at(tmp_path)
    put(ledger, agent_rollout(ledger, "t", *acted("good")))
    put(ledger, agent_rollout(ledger, "known", *acted("k"), origin="known"))
    put(ledger, agent_rollout(ledger, "failed", *acted("f")), "failed")
    put(ledger, agent_rollout(ledger, "broken", *acted("b")), "ungraded", reason="grader_timeout")
    put(ledger, agent_rollout(ledger, "bare", *acted("n")), None)
    put(ledger, agent_rollout(ledger, "side", *acted("h"), split="held_out"))
    put(ledger, text_rollout("untold"))
    put(ledger, agent_rollout(ledger, "script", AtifStep(source="agent", message="x", llm_calls=0)))
    put(ledger, agent_rollout(ledger, "hack", *acted("I took the fix.", HACK)))
    lost = Rollout(task="lost", model="m", trajectory="sha256:" + "0" * 64)
    put(ledger, lost)
    assert sft(ledger).left_out == {
        "known_candidate": 1, "failed": 1, "ungraded:grader_timeout": 1, "ungraded:not_graded": 1, "held_out": 1,
        "no_text": 1, "no_turn_of_a_model": 1, "hack_suspected": 1, "trajectory_unreadable": 1,
    }  # fmt: skip


def test_text_tasks_bring_the_prompt_and_only_they_are_taken(tmp_path: Path) -> None:
    ledger = ledger_at(tmp_path)
    put(ledger, text_rollout("a"))
    put(ledger, text_rollout("b", answer="  "))
    put(ledger, text_rollout("c", task_hash="sha256:other"))
    put(ledger, text_rollout("elsewhere"))
    names = ({"name": "a", "prompt": "2+2="}, {"name": "b"}, {"name": "c"})
    found = sft(ledger, text_tasks=tasks_at(tmp_path, *names))
    assert [(row.prompt, row.reply[0].content) for row in found.rows] == [("2+2=", "four")]  # type: ignore[union-attr]
    assert found.left_out == {"empty_completion": 1, "task_changed": 1, "not_in_tasks": 1}


def test_each_text_is_there_once_and_the_cap_holds(tmp_path: Path) -> None:
    ledger = ledger_at(tmp_path)
    words = ("one red fox", "a tale of whales", "seven brass bells rang", "rain upon slate", "the ninth letter")
    said = (*words, words[0], " one  red fox", "One red fox!")
    put_all(ledger, [(text_rollout("t", attempt, text), "passed") for attempt, text in enumerate(said)])
    tasks = tasks_at(tmp_path, {"name": "t"})
    assert sft(ledger, text_tasks=tasks).left_out == {"duplicate": 2, "near_duplicate": 1}
    capped = sft(ledger, text_tasks=tasks, per_task=2)
    assert (len(capped.rows), capped.left_out["over_the_cap"]) == (2, 3)


def test_the_seed_draws_and_draws_the_same_again(tmp_path: Path) -> None:
    ledger = ledger_at(tmp_path)
    said = ("red fox", "whale tale", "brass bells", "slate rain", "ninth letter", "oak door")
    put_all(ledger, [(text_rollout("t", attempt, text), "passed") for attempt, text in enumerate(said)])
    tasks = tasks_at(tmp_path, {"name": "t"})
    drawn = [sft(ledger, text_tasks=tasks, per_task=2, seed=seed).rows for seed in (0, 0, 1, 2)]
    assert drawn[0] == drawn[1]
    assert len({str(rows) for rows in drawn}) > 1


def test_what_the_ledger_does_not_hold_is_named(tmp_path: Path) -> None:
    ledger = ledger_at(tmp_path)
    put(ledger, text_rollout())
    for named in ({"models": ("x",)}, {"tasks": ("x",)}, {"suite": "x"}, {"step": 4}):
        with pytest.raises(InputError, match=r"no rollout of `[x4]`"):
            sft(ledger, **named)


@given(st.lists(st.sampled_from(["", "failed", "held_out", "review"]), max_size=40))
@settings(max_examples=30)
def test_a_tally_accounts_for_every_rollout_once(reasons: list[str]) -> None:
    entries = [Entry(id=str(at), task="t", model="m", outcome="passed") for at in range(len(reasons))]
    tally = Tally()
    kept = tally.keep(entries, lambda entry: reasons[int(entry.id)])
    assert len(kept) + tally.counts.total() == len(entries)


def test_replies_that_differ_in_what_they_say_are_no_near_copies(tmp_path: Path) -> None:
    ledger = ledger_at(tmp_path)
    shared = "First I read the file, then I count the rows in it, and last I write the count to the report, which says"
    said = (f"{shared} seven", f"{shared} eight", "The report says seven.", "Seven rows.", "1349", "1394")
    put_all(ledger, [(text_rollout("t", attempt, text), "passed") for attempt, text in enumerate(said)])
    found = sft(ledger, text_tasks=tasks_at(tmp_path, {"name": "t"}))
    assert found.left_out == {"near_duplicate": 1}
    assert len(found.rows) == 5

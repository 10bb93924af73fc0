"""Attacks: one thing speaks against a rollout: it is left out for that, and every rollout is accounted for once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.formats.atif import AtifStep
from fairtrial.ledger import Ledger
from fairtrial.records import Checkpoint, Finding, InputError, Proof, Review, Rollout
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


AGAINST: dict[str, Callable[[Ledger, Rollout], None]] = {
    "review_false_pass": lambda ledger, one: review(ledger, one, satisfied=False),
    "review_hack": lambda ledger, one: review(ledger, one, hack=True),
    "judge_hack": lambda ledger, one: review(ledger, one, hack=True, kind="judge"),
    "judge_false_pass": lambda ledger, one: review(ledger, one, satisfied=False, kind="judge"),
    "hack_suspected": lambda ledger, one: finding(ledger, one, evidence='{"score": 0.5}'),
    "finding_proof": lambda ledger, one: finding(ledger, one, severity="proof"),
    "degenerate_reward": lambda ledger, one: checkpoint(ledger, one, degenerate="random"),
    "outage_step": lambda ledger, one: checkpoint(ledger, one, outage_steps=(5,)),
    "grader_refuted": lambda ledger, one: ledger.append(  # type: ignore[dict-item]
        "proofs", [Proof(task=one.task, task_hash=one.task_hash, path="p", status="refuted")]
    ),
}


@pytest.mark.parametrize("why", AGAINST)
def test_whoever_speaks_against_a_rollout_keeps_it_out(why: str, tmp_path: Path) -> None:
    ledger = ledger_at(tmp_path)
    good = put(ledger, agent_rollout(ledger, "t", *acted("good")))
    bad = put(ledger, agent_rollout(ledger, "u", *acted("bad"), seed=1, step=5, task_hash="h"))
    AGAINST[why](ledger, bad)
    found = sft(ledger)
    assert [row.origin.rollouts for row in found.rows] == [(good.id,)]
    assert found.left_out == {why: 1}


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


@pytest.mark.parametrize("named", [{"models": ("x",)}, {"tasks": ("x",)}, {"suite": "x"}, {"step": 4}])
def test_what_the_ledger_does_not_hold_is_named(named: dict[str, Any], tmp_path: Path) -> None:
    ledger = ledger_at(tmp_path)
    put(ledger, text_rollout())
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

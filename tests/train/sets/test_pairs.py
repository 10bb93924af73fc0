"""Attacks: a pair must be of one prompt, better by who looked or by the verdict, not by length, and never twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fairtrial.formats.exports import Pair
from fairtrial.ledger import Ledger
from fairtrial.records import InputError, Outcome, Preference, Review, Rollout
from fairtrial.train.sets import Chosen, Options, Source, choose
from train.sets.ledgers import acted, agent_rollout, ledger_at, put, put_all, tasks_at, text_rollout


def preferences(ledger: Ledger, **options: Any) -> Chosen:
    return choose(Source.of(ledger, Options(kind="preferences", **options)))


def rows(found: Chosen) -> list[Pair]:
    return [row for row in found.rows if isinstance(row, Pair)]


def prefer(ledger: Ledger, better: Rollout, worse: Rollout, **more: Any) -> None:
    said: dict[str, Any] = {"first": better.id, "second": worse.id, "preferred": "first", "reviewer": "ada"}
    ledger.append("preferences", [Preference(**said | more)])


def test_each_pass_takes_the_failure_nearest_in_length(tmp_path: Path) -> None:
    ledger = ledger_at(tmp_path)
    lengths_of: dict[Outcome, tuple[int, ...]] = {"passed": (5, 50), "failed": (48, 6, 500)}
    put_all(ledger, [(text_rollout("t", length, "x" * length), outcome)
                     for outcome, lengths in lengths_of.items() for length in lengths])  # fmt: skip
    found = preferences(ledger, text_tasks=tasks_at(tmp_path, {"name": "t"}))
    lengths = {(len(row.chosen[0].content), len(row.rejected[0].content)) for row in rows(found)}
    assert lengths == {(5, 6), (50, 48)}
    assert (found.left_out, found.also["pairs"]) == ({"unpaired": 1}, {"from_siblings": 2})


def test_models_and_tasks_are_never_crossed(tmp_path: Path) -> None:
    ledger = ledger_at(tmp_path)
    put_all(ledger, [(text_rollout("t", answer="a", model="m"), "passed"),
                     (text_rollout("t", answer="b", model="n"), "failed"),
                     (text_rollout("u", answer="c", model="m"), "failed")])  # fmt: skip
    found = preferences(ledger, text_tasks=tasks_at(tmp_path, {"name": "t"}, {"name": "u"}))
    assert (found.rows, found.left_out) == ([], {"unpaired": 3})


def test_other_seeds_and_steps_are_other_models(tmp_path: Path) -> None:
    ledger = ledger_at(tmp_path)
    put_all(ledger, [(text_rollout("t", answer="a", seed=0, step=1), "passed"),
                     (text_rollout("t", answer="b", seed=1, step=1), "failed"),
                     (text_rollout("t", answer="c", seed=0, step=2), "failed")])  # fmt: skip
    tasks = tasks_at(tmp_path, {"name": "t"})
    assert preferences(ledger, text_tasks=tasks).left_out == {"unpaired": 3}
    put_all(ledger, [(text_rollout("t", 1, answer="d", seed=0, step=1), "failed")])
    (row,) = rows(preferences(ledger, text_tasks=tasks))
    assert row.rejected[0].content == "d"


def test_a_pass_and_a_failure_of_one_text_make_no_pair(tmp_path: Path) -> None:
    ledger = ledger_at(tmp_path)
    told: tuple[tuple[str, Outcome], ...] = (("same", "passed"), ("same", "failed"), ("far from it", "failed"))
    for at, (said, outcome) in enumerate(told):
        put(ledger, agent_rollout(ledger, "t", *acted(said), attempt=at), outcome)
    (row,) = rows(preferences(ledger))
    assert row.rejected[-1].content == "far from it"


def test_equal_texts_are_one_pair_and_the_cap_holds(tmp_path: Path) -> None:
    ledger = ledger_at(tmp_path)
    told: list[tuple[Rollout, Outcome]] = [(text_rollout("t", at, "right"), "passed") for at in range(3)]
    told += [(text_rollout("t", 3 + at, f"wrong {at // 2}"), "failed") for at in range(3)]
    put_all(ledger, told)
    tasks = tasks_at(tmp_path, {"name": "t"})
    assert len(preferences(ledger, text_tasks=tasks).rows) == 2
    found = preferences(ledger, text_tasks=tasks, per_task=1)
    assert len(found.rows) == 1
    assert found.also["pairs"] == {"from_siblings": 3, "duplicate": 1, "over_the_cap": 1}


def test_a_failure_that_people_find_right_is_no_rejected_one(tmp_path: Path) -> None:
    ledger = ledger_at(tmp_path)
    put(ledger, text_rollout("t", 0, "a"), "passed")
    wronged = put(ledger, text_rollout("t", 1, "b"), "failed")
    ledger.append("reviews", [Review(rollout=wronged.id, reviewer="ada", satisfied=True)])
    found = preferences(ledger, text_tasks=tasks_at(tmp_path, {"name": "t"}))
    assert (found.rows, found.left_out) == ([], {"review_false_fail": 1, "unpaired": 1})


def test_reviewers_make_pairs_of_agents_too_but_not_against_the_verdict(tmp_path: Path) -> None:
    ledger = ledger_at(tmp_path)
    first = put(ledger, agent_rollout(ledger, "t", *acted("clean"), attempt=0))
    second = put(ledger, agent_rollout(ledger, "t", *acted("sloppy"), attempt=1))
    third = put(ledger, agent_rollout(ledger, "t", *acted("wrong"), attempt=2), "failed")
    prefer(ledger, first, second)
    prefer(ledger, third, first)
    prefer(ledger, second, third, preferred="tie")
    found = preferences(ledger, pairs="reviews")
    (row,) = rows(found)
    assert row.origin.rollouts == (first.id, second.id)
    assert [turn.role for turn in row.chosen] == ["assistant", "tool", "assistant"]
    assert found.also["pairs"] == {"from_reviews": 1, "against_the_verdict": 1, "unsettled:tie": 1}


def test_judges_are_asked_for_by_name_and_no_preference_is_an_error(tmp_path: Path) -> None:
    ledger = ledger_at(tmp_path)
    first = put(ledger, agent_rollout(ledger, "t", *acted("a"), attempt=0))
    second = put(ledger, agent_rollout(ledger, "t", *acted("b"), attempt=1))
    prefer(ledger, second, first, kind="judge", reviewer="judge")
    with pytest.raises(InputError, match="no preference of a person"):
        preferences(ledger, pairs="reviews")
    (row,) = rows(preferences(ledger, pairs="reviews", reviewers="judge"))
    assert row.origin.rollouts == (second.id, first.id)

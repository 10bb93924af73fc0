"""What of a ledger's comparisons counts, what they come to, and which pairs are settled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.audit.pairs import Compared, consistency, rank_pairs, read_pairs, settle
from fairtrial.audit.pairs.consistency import votes
from fairtrial.ledger import Ledger
from fairtrial.records import InputError, Preference, Rollout


@pytest.fixture
def book(tmp_path: Path) -> Ledger:
    return Ledger.open(tmp_path / "ledger", create=True)


def rollout(book: Ledger, model: str, task: str = "t", **more: Any) -> str:
    one = Rollout(task=task, suite="s@1", model=model, **more)
    book.append("rollouts", [one])
    return one.id


def prefer(book: Ledger, first: str, second: str, preferred: Any, reviewer: str = "ada", **more: Any) -> None:
    time = more.pop("at", "2026-01-01")
    book.append("preferences", [Preference(first=first, second=second, preferred=preferred, reviewer=reviewer,
                                           recorded_at=time, **more)])  # fmt: skip


def compared(first: str, second: str, preferred: Any, reviewer: str = "ada", task: str = "t") -> Compared:
    said = Preference(first=first, second=second, preferred=preferred, reviewer=reviewer, task_hash="h")
    return Compared(preference=said, first=first, second=second, suite="s", task=task, cluster=task)


def test_the_last_word_in_each_order_counts_and_what_does_not_is_told(book: Ledger) -> None:
    a, b, other = rollout(book, "a"), rollout(book, "b"), rollout(book, "b", task="u")
    known = rollout(book, "reference", origin="known")
    prefer(book, a, b, "first", at="1")
    prefer(book, a, b, "tie", at="2")
    prefer(book, b, a, None)
    prefer(book, a, other, "first")
    prefer(book, a, known, "first")
    prefer(book, a, "gone", "first")
    prefer(book, a, b, "second", reviewer="m", kind="judge")
    found = read_pairs(book)
    assert [(one.first, one.second, one.preference.preferred) for one in sorted(found.compared, key=lambda c: c.first)
            ] == [("a", "b", "tie"), ("b", "a", None)]  # fmt: skip
    assert found.left_out == {"said_again": 1, "of_two_tasks": 1, "known_candidate": 1, "no_such_rollout": 1}
    assert found.of_other_kind == 1
    assert [one.better for one in read_pairs(book, kind="judge").compared] == [b]


def test_answers_to_two_questions_are_not_pooled(book: Ledger) -> None:
    a, b = rollout(book, "a"), rollout(book, "b")
    prefer(book, a, b, "first", question="Which is clearer?")
    prefer(book, a, b, "second")
    with pytest.raises(InputError, match="2 questions"):
        read_pairs(book)
    with pytest.raises(InputError, match="nobody was asked"):
        read_pairs(book, question="Which is longer?")
    assert [one.better for one in read_pairs(book, question="").compared] == [b]


def test_models_are_named_as_measure_names_them_and_filters_hold(book: Ledger) -> None:
    low, high = rollout(book, "m", effort="low"), rollout(book, "m", effort="high")
    x, y = rollout(book, "n", "u", agent="x"), rollout(book, "n", "u", agent="y")
    prefer(book, low, high, "first")
    prefer(book, x, y, "first")
    names = {(one.first, one.second) for one in read_pairs(book).compared}
    assert names == {("m@low", "m@high"), ("x/n", "y/n")}
    assert len(read_pairs(book, tasks=["u"]).compared) == 1
    assert len(read_pairs(book, suite="s").compared) == 2
    book.append("rollouts", [Rollout(task="t", model="m", suite="z")])
    assert read_pairs(book, suite="z").left_out == {"not_asked_for": 2}
    with pytest.raises(InputError, match="no rollout of `zz`"):
        read_pairs(book, suite="zz")


def test_a_ranking_of_nothing_is_none_and_cannot_tell_is_no_answer(book: Ledger) -> None:
    a, b = rollout(book, "a"), rollout(book, "b")
    prefer(book, a, b, None)
    document = rank_pairs(read_pairs(book)).document()
    assert (document["models"], document["ties"]["value"], document["comparisons"]["cannot_tell"]) == ([], None, 1)
    prefer(book, a, b, "first", reviewer="bo")
    document = rank_pairs(read_pairs(book)).document()
    assert [(row["model"], row["wins"]) for row in document["models"]] == [("a", 1), ("b", 0)]
    assert document["ties"]["n"] == 1
    assert document["prior"]  # one comparison alone has no finite maximum


def test_who_prefers_a_place_votes_for_a_tie() -> None:
    said = [compared("x", "y", "first"), compared("y", "x", "first"), compared("x", "y", "second", "bo"),
            compared("x", "y", None, "cy")]  # fmt: skip
    assert votes(said) == {"ada": "tie", "bo": "y", "cy": None}
    found = consistency(said)
    assert (found.pairs_of_several, found.alike.value, found.first_twice, found.swapped.value) == (1, 0.0, 1, 0.0)


def test_agreement_counts_pairs_of_reviewers_and_nothing_else() -> None:
    said = [compared("x", "y", "first"), compared("y", "x", "second", "bo"), compared("x", "y", "tie", "cy"),
            compared("v", "w", "first", task="u")]  # fmt: skip
    found = consistency(said)
    assert (found.alike.value, found.alike.n) == (pytest.approx(1 / 3), 3)
    alone = consistency(said[-1:])
    assert (alone.alike.value, alone.alike.n, alone.alpha) == (None, 0, None)


@pytest.mark.parametrize(
    ("said", "better", "why"),
    [
        ([("x", "y", "first", "ada")], "x", ""),
        ([("x", "y", "first", "ada"), ("y", "x", "second", "ada")], "x", ""),
        ([("x", "y", "first", "ada"), ("y", "x", "first", "ada")], None, "position"),
        ([("x", "y", "first", "ada"), ("x", "y", "second", "bo")], None, "disputed"),
        ([("x", "y", "first", "ada"), ("x", "y", "tie", "bo")], None, "disputed"),
        ([("x", "y", "tie", "ada"), ("x", "y", "tie", "bo"), ("x", "y", "first", "cy")], None, "tie"),
        ([("x", "y", None, "ada")], None, "cannot_tell"),
        ([("x", "y", None, "ada"), ("x", "y", "second", "bo")], "y", ""),
        # two of three prefer x, both where it came first; where it came second the third prefers y
        ([("x", "y", "first", "ada"), ("x", "y", "first", "bo"), ("y", "x", "first", "cy")], None, "position"),
        ([("x", "y", "first", "ada"), ("y", "x", "second", "bo"), ("y", "x", "first", "cy")], "x", ""),
    ],
)
def test_a_pair_is_settled_by_a_majority_that_no_order_contradicts(
    said: list[tuple[str, str, Any, str]], better: str | None, why: str
) -> None:
    settled, unsettled = settle([compared(*one) for one in said])
    assert [one.better for one in settled] == ([better] if better else [])
    assert [one.why for one in unsettled] == ([why] if why else [])
    assert all(one.task_hash == "h" and one.better != one.worse for one in settled)


@given(st.lists(st.tuples(st.booleans(), st.sampled_from(["first", "second", "tie", None]),
                          st.sampled_from(["ada", "bo", "cy"])), min_size=1, max_size=9))  # fmt: skip
def test_turning_every_pair_over_settles_the_same(said: list[tuple[bool, Any, str]]) -> None:
    turned = {"first": "second", "second": "first", "tie": "tie", None: None}
    last = {(swapped, who): (swapped, what, who) for swapped, what, who in said}
    one = [compared(*(("y", "x") if s else ("x", "y")), w, r) for s, w, r in last.values()]
    other = [compared(*(("x", "y") if s else ("y", "x")), turned[w], r) for s, w, r in last.values()]
    assert settle(one) == settle(other)

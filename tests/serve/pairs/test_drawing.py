"""Which pairs are shown: of one task, of two models where there are some, same seed same pairs, sides by chance."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.records import Draw, Sample
from fairtrial.serve.pairs.drawing import MOST_COMPARED, PAIRS_A_TASK, drawn_pairs, showings
from fairtrial.serve.review.held import Attempt


def attempt(task: str, model: str, number: int, trajectory: str = "") -> Attempt:
    name = f"{task}/{model}/{number}"
    return Attempt(id=name, task=task, model=model, trajectory=trajectory or name, suite="s")


def sample_of(attempts: list[Attempt], seed: int = 0) -> Sample:
    rows = tuple(Draw(rollout=one.id, stratum="all", probability=1.0) for one in attempts)
    return Sample(seed=seed, by=(), strata=(), rows=rows)


MANY = [attempt(f"t{task}", model, number) for task in range(30) for model in ("a", "b", "c") for number in range(3)]


def test_pairs_are_of_one_task_and_of_two_models_where_the_task_has_several() -> None:
    pairs = drawn_pairs(sample_of(MANY), MANY)
    assert len(pairs) == 30 * PAIRS_A_TASK
    assert all(one.task == other.task and one.model != other.model for one, other in pairs)


def test_models_are_paired_about_equally_often() -> None:
    often = Counter(frozenset((one.model, other.model)) for one, other in drawn_pairs(sample_of(MANY), MANY))
    assert set(often.values()) == {20}


def test_one_model_alone_is_compared_with_itself() -> None:
    alone = [attempt("t", "a", number) for number in range(4)]
    pairs = drawn_pairs(sample_of(alone), alone)
    assert len(pairs) == 2
    assert len({one.id for pair in pairs for one in pair}) == 4


def test_second_copies_of_one_trajectory_and_what_has_no_work_are_not_compared() -> None:
    same = [attempt("t", "a", 0, "same"), attempt("t", "b", 1, "same")]
    bare = [Attempt(id=name, task="u", model=name) for name in "xy"]
    assert drawn_pairs(sample_of([*same, *bare]), [*same, *bare]) == ()


def test_only_tasks_of_the_sample_are_compared() -> None:
    pairs = drawn_pairs(sample_of([MANY[0]]), MANY)
    assert {one.task for pair in pairs for one in pair} == {"t0"}


def test_a_task_with_many_rollouts_costs_no_more() -> None:
    many = [attempt("t", "ab"[number % 2], number) for number in range(500)]
    pairs = drawn_pairs(sample_of(many[:3]), many)
    assert len(pairs) == PAIRS_A_TASK
    assert MOST_COMPARED < 20


def test_some_are_read_by_two_and_some_come_again_swapped_after_all_others() -> None:
    pairs = drawn_pairs(sample_of(MANY), MANY)
    shown = showings(7, pairs, ["ada", "bo", "cy"])
    first = [one for rows in shown.values() for one in rows if not one.is_again]
    readers = Counter(frozenset((one.first.id, one.second.id)) for one in first)
    assert set(readers) == {frozenset((one.id, other.id)) for one, other in pairs}
    assert set(readers.values()) == {1, 2}
    for rows in shown.values():
        again = [one.is_again for one in rows]
        assert again == sorted(again)
        assert any(again)
        before = {(one.first.id, one.second.id) for one in rows if not one.is_again}
        assert all((one.second.id, one.first.id) in before for one in rows if one.is_again)


def test_sides_are_drawn_by_chance() -> None:
    shown = showings(7, drawn_pairs(sample_of(MANY), MANY), ["ada"])["ada"]
    left = sum(one.first.id < one.second.id for one in shown if not one.is_again)
    assert 18 <= left <= 42  # of 60; outside once in 1,300 seeds


@settings(max_examples=10)
@given(st.integers(0, 2**31), st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=5, unique=True),
       st.integers(0, 89))  # fmt: skip
def test_same_seed_same_pairs_whatever_the_order_of_what_is_read(seed: int, names: list[str], turn: int) -> None:
    sample = sample_of(MANY, seed)
    pairs = drawn_pairs(sample, MANY)
    assert drawn_pairs(sample, MANY[turn:] + MANY[:turn]) == pairs
    shown = showings(seed, pairs, names)
    assert showings(seed, pairs, names[::-1]) == shown
    loads = [sum(not one.is_again for one in rows) for rows in shown.values()]
    assert max(loads) - min(loads) <= 1

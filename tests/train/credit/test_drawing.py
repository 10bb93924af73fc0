"""Draws: every task in every pass, rests for what teaches nothing, and the same again after a kill."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.measure.gradient import informative_posterior
from fairtrial.train.credit import Counted, Drawer, in_band
from fairtrial.train.credit.drawing import LAG, LONGEST_REST

EQUAL, MIXED = [1.0, 1.0], [1.0, 0.0]


def run(drawer: Drawer, steps: int, rewards: dict[int, list[float]]) -> None:
    """Draw step after step, and tell of each group only after the next step was drawn, as a trainer does."""
    for step in range(1, steps + 1):
        drawer.draw(step)
        if step > 1:
            for task in drawer.draw(step - 1):
                drawer.saw(step - 1, task, rewards.get(task, MIXED))


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 30), st.integers(1, 12), st.integers(0, 10**6))
def test_every_task_is_drawn_once_in_every_pass(tasks: int, prompts: int, seed: int) -> None:
    drawer = Drawer(tasks=tasks, prompts=prompts, seed=seed)
    drawn = [task for step in range(1, 3 * tasks + 1) for task in drawer.draw(step)]
    passes = [drawn[i : i + tasks] for i in range(0, len(drawn) - tasks + 1, tasks)]
    assert all(sorted(one) == list(range(tasks)) for one in passes)


def test_seeds_and_passes_have_orders_of_their_own() -> None:
    first, second = (Drawer(tasks=50, prompts=50, seed=seed) for seed in (0, 1))
    assert len({first.draw(1), first.draw(2), second.draw(1), second.draw(2)}) == 4


def test_tasks_that_teach_nothing_are_drawn_less_and_the_others_more() -> None:
    drawer = Drawer(tasks=10, prompts=5, seed=0, dynamic=True)
    run(drawer, 200, dict.fromkeys(range(5), EQUAL))
    counts = Counter(task for step in range(1, 201) for task in drawer.draw(step))
    assert max(counts[task] for task in range(5)) < min(counts[task] for task in range(5, 10)) / 3
    assert min(counts[task] for task in range(5)) >= 200 * 5 / 5 / LONGEST_REST / 10  # they come back
    assert drawer.rested > 0


def test_a_task_comes_back_in_full_once_its_group_is_mixed() -> None:
    drawer = Drawer(tasks=2, prompts=2, seed=0, dynamic=True)
    drawer.draw(1)
    drawer.saw(1, 0, EQUAL)
    drawer.saw(1, 1, MIXED)
    assert sorted(drawer.draw(2)) == [0, 1]  # not known yet
    assert drawer.draw(3) == (1, 1) or sorted(drawer.draw(3)) == [0, 1]
    drawer.saw(2, 0, MIXED)
    drawer.draw(2 + LAG)
    assert sorted(drawer.draw(3 + LAG)) == [0, 1]


def test_where_nothing_teaches_all_are_still_drawn() -> None:
    drawer = Drawer(tasks=4, prompts=4, seed=0, dynamic=True)
    run(drawer, 60, dict.fromkeys(range(4), EQUAL))
    assert all(len(drawer.draw(step)) == 4 for step in range(1, 61))
    assert set(Counter(task for step in range(1, 61) for task in drawer.draw(step))) == {0, 1, 2, 3}


def test_a_group_whose_grader_broke_puts_no_task_to_rest() -> None:
    drawer = Drawer(tasks=3, prompts=3, seed=0, dynamic=True)
    run(drawer, 1, {})
    for step in range(1, 30):
        for task in drawer.draw(step):
            drawer.saw(step, task, [None, None, 1.0])
    assert drawer.rested == 0


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 39), st.integers(2, 9), st.integers(0, 99))
def test_a_resumed_run_draws_what_an_uninterrupted_one_does(saved: int, prompts: int, seed: int) -> None:
    """The log of a resumed run is known whole at once; what a step may know of it is the same all the same."""
    rewards = dict.fromkeys(range(0, 12, 2), EQUAL)
    whole = Drawer(tasks=12, prompts=prompts, seed=seed, dynamic=True)
    run(whole, 40, rewards)
    again = Drawer(tasks=12, prompts=prompts, seed=seed, dynamic=True)
    for step in range(1, saved + 1):
        for task in whole.draw(step):
            again.saw(step, task, rewards.get(task, MIXED))
    for step in range(saved + 1, 41):
        assert again.draw(step) == whole.draw(step)
        for task in again.draw(step):
            again.saw(step, task, rewards.get(task, MIXED))


def test_steps_count_from_one_and_there_is_a_task() -> None:
    with pytest.raises(ValueError):
        Drawer(tasks=1, prompts=1, seed=0).draw(0)
    with pytest.raises(ValueError):
        Drawer(tasks=0, prompts=1, seed=0)


def test_the_band_is_of_measured_rates_and_says_what_it_leaves_out() -> None:
    counts = {"hard": Counted(failed=8), "easy": Counted(passed=8), "mixed": Counted(passed=2, failed=6, ungraded=1),
              "broken": Counted(ungraded=8)}  # fmt: skip
    band = in_band([*counts, "new"], counts, 0.1, 0.9, 8)
    assert (band.kept, band.too_hard, band.too_easy) == (("mixed",), ("hard",), ("easy",))
    assert band.not_measured == ("broken", "new")
    assert band.informative is not None
    assert band.informative.value == pytest.approx(informative_posterior(8, 2, 8))
    assert band.informative.ungraded == 1
    assert band.oversampling == pytest.approx(1 / informative_posterior(8, 2, 8))


def test_an_empty_band_promises_no_figure() -> None:
    band = in_band(["a"], {"a": Counted(failed=8)}, 0.2, 0.8, 8)
    assert band.kept == ()
    assert band.informative is None
    assert band.oversampling is None

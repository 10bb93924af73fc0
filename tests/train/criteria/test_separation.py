"""A criterion separates within tasks; p is that of every relabelling; what is too little is no estimate."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.train.criteria.separation import Row, separation


def rows(table: dict[str, tuple[str, str]]) -> list[Row]:
    """Return rows of task -> (answers on better rollouts, on worse ones), `y` or `n` each."""
    return [
        Row(task=task, better=better, yes=letter == "y", share=float(letter == "y"))
        for task, both in table.items()
        for better, letters in zip((True, False), both, strict=True)
        for letter in letters
    ]  # fmt: skip


def relabelled(table: dict[str, tuple[str, str]]) -> float:
    """Return the share of all relabellings, task by task, with as many yeses among the better, or more."""
    choices = []
    for better, worse in table.values():
        letters = better + worse
        picks = itertools.combinations(range(len(letters)), len(better))
        choices.append([sum(letters[n] == "y" for n in pick) for pick in picks])
    seen = sum(better.count("y") for better, _ in table.values())
    sums = [sum(each) for each in itertools.product(*choices)]
    return sum(one >= seen for one in sums) / len(sums)


@settings(max_examples=25)
@given(st.dictionaries(
    st.sampled_from("abc"), st.tuples(*[st.text("yn", min_size=1, max_size=3)] * 2), min_size=2,
))  # fmt: skip
def test_p_is_the_share_of_relabellings_that_reach_as_far(table: dict[str, tuple[str, str]]) -> None:
    assert separation(rows(table)).p_value == pytest.approx(relabelled(table))


def test_a_task_in_which_yes_is_common_does_not_pass_for_better_work() -> None:
    """Pooled, yes is said of 9 in 12 better and 3 in 12 worse rollouts; within each task there is no difference."""
    found = separation(rows({"easy": ("y" * 9, "y" * 3), "hard": ("n" * 3, "n" * 9)}))
    assert found.difference.value == pytest.approx(0.0)
    assert found.p_value == pytest.approx(1.0)


def test_auc_counts_pairs_of_one_task_ties_a_half() -> None:
    assert separation(rows({"a": ("yy", "n"), "b": ("n", "y")})).auc == pytest.approx(2 / 3)
    assert separation(rows({"a": ("y", "y"), "b": ("n", "n")})).auc == 0.5


def test_one_task_is_too_little_and_so_is_one_side() -> None:
    for table in ({"a": ("yyyy", "nnnn")}, {"a": ("yy", "nn"), "b": ("yy", "")}, {}):
        found = separation(rows(table), ungraded=3)
        assert (found.difference.value, found.p_value, found.auc) == (None, None, None)
        assert found.difference.ungraded == 3
        assert "fewer than two tasks" in found.difference.method


def test_near_copies_are_one_task_to_the_interval() -> None:
    clear = rows({str(n): ("yyyy", "nnnn") for n in range(6)})
    copies = separation([replace(row, cluster="a" if row.task < "3" else "b") for row in clear])
    assert copies.difference.value == separation(clear).difference.value == 1.0
    assert copies.difference.low < separation(clear).difference.low - 0.1  # type: ignore[operator]
    assert separation([replace(row, cluster="a") for row in clear]).difference.value is None


def test_few_tasks_are_no_proof_however_clear() -> None:
    clear = {str(n): ("yyyyyyyy", "nnnnnnnn") for n in range(8)}
    assert separation(rows({"0": clear["0"], "1": clear["1"]})).difference.low < 0.1  # type: ignore[operator]
    assert separation(rows(clear)).difference.low > 0.4  # type: ignore[operator]


def test_answers_at_random_are_seldom_called() -> None:
    """With 100 draws at a one-sided level of .05, more than 14 false calls have a chance below 1 in 1,000."""
    import numpy as np

    chance = np.random.default_rng(3)
    called = 0
    for _ in range(100):
        table = {
            str(task): tuple("".join(chance.choice(["y", "n"], size, p=[share, 1 - share])) for size in (5, 3))
            for task, share in enumerate(chance.uniform(0.1, 0.9, 6))
        }  # fmt: skip
        called += (separation(rows(table)).p_value or 0.0) <= 0.05  # type: ignore[arg-type]
    assert called <= 14

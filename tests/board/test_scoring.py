"""Attacks: the score is the mean over tasks of the mean over graded runs, whatever the records hold; by brute force."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.board.worlds import board, row, run

from fairtrial.board.scoring import accuracy, weighted
from fairtrial.measure.intervals import clustered_mean
from fairtrial.records import Estimate

LETTERS = st.text(alphabet="pfu", min_size=3, max_size=3)
RULES = '[benchmark]\nname = "books"\nversion = "1"\nruns_per_task = 3\nchecked = []\n'


@settings(deadline=None, max_examples=25)
@given(st.lists(LETTERS.filter(lambda text: set(text) != {"u"}), min_size=1, max_size=6))
def test_score_is_the_mean_over_tasks_of_the_mean_over_graded_runs(
    tmp_path_factory: pytest.TempPathFactory, outcomes: list[str]
) -> None:
    made = board(tmp_path_factory.mktemp("w"), [run("m", {f"t{i}": text for i, text in enumerate(outcomes)})], RULES)
    means = [Fraction(text.count("p"), text.count("p") + text.count("f")) for text in outcomes]
    assert made.rows[0].score is not None
    assert made.rows[0].score.value == pytest.approx(float(sum(means) / len(means)))
    assert made.rows[0].score.ungraded == sum(text.count("u") for text in outcomes)


@pytest.mark.parametrize("outcomes", [("pfu", "ppp"), ("uup", "fuf"), ("ppp", "fff")])
def test_bounds_are_the_least_and_most_over_all_grades_that_ungraded_runs_could_have(
    tmp_path: Path, outcomes: tuple[str, ...]
) -> None:
    made = board(tmp_path, [run("m", dict(zip("ab", outcomes, strict=True)))], RULES)
    open_ = "".join(outcomes).count("u")
    reached = []
    for grades in product("pf", repeat=open_):
        left = list(grades)
        whole = ["".join(left.pop() if letter == "u" else letter for letter in text) for text in outcomes]
        reached.append(sum(Fraction(text.count("p"), 3) for text in whole) / 2)
    assert made.rows[0].bounds == pytest.approx((float(min(reached)), float(max(reached))))


def test_a_task_without_a_graded_run_leaves_no_score_and_is_named(tmp_path: Path) -> None:
    made = board(tmp_path, [run("m", {"a": "pp", "b": "uu"}), run("n", {"a": "pf", "b": "pu"})])
    gone = row(made, "m")
    assert (gone.status, gone.score, gone.rank) == ("removed", None, None)
    assert "`b`" in gone.why
    assert "ungraded" in gone.why
    assert row(made, "n").score is not None


def test_interval_is_that_of_measure_and_near_copies_are_one_cluster(tmp_path: Path) -> None:
    tasks = {f"t{i}": "pp" if i < 6 else "ff" for i in range(12)}
    clusters = {task: f"c{int(task[1:]) // 3}" for task in tasks}
    alone, together = (board(tmp_path, [run("m", tasks, clusters=each)]).rows[0].score for each in ({}, clusters))
    expected = clustered_mean(np.array([1.0] * 6 + [0.0] * 6), np.arange(12) // 3)
    assert alone is not None
    assert together is not None
    assert (together.low, together.high) == pytest.approx((expected.low, expected.high))
    assert (together.high or 0) - (together.low or 0) > (alone.high or 0) - (alone.low or 0)


def test_efforts_and_scaffolds_are_rows_of_their_own(tmp_path: Path) -> None:
    runs = [run("m", {"a": "pp"}, effort="high"), run("m", {"a": "ff"}, agent="x"), run("n", {"a": "pf"}, agent="x")]
    made = board(tmp_path, runs)
    assert {each.label for each in made.rows} == {"m@high", "x/m", "n"}


@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1), st.floats(0.01, 5)), min_size=1, max_size=5)
)
def test_weighted_mean_lies_in_its_interval_and_the_interval_in_the_scale(
    parts: list[tuple[float, float, float, float]],
) -> None:
    total = sum(part[3] for part in parts)
    estimates = [Estimate(value=sorted(part[:3])[1], low=min(part[:3]), high=max(part[:3]), n=1, method="stated")
                 for part in parts]  # fmt: skip
    found = weighted(estimates, [part[3] / total for part in parts])
    assert found.value is not None
    assert found.low is not None
    assert found.high is not None
    assert 0 <= found.low <= found.value + 1e-9
    assert found.value <= found.high + 1e-9 <= 1 + 2e-9


def test_tracks_that_are_all_passed_keep_an_interval() -> None:
    whole = accuracy(np.ones(5), np.arange(5), 0, 0.95)
    found = weighted([whole, whole], [0.5, 0.5])
    assert (found.value, found.high) == (1.0, 1.0)
    assert found.low is not None
    assert found.low < 0.9

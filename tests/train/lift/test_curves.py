"""pass@k of base and trained: the difference, its band, where they cross, and the words for it."""

from __future__ import annotations

import numpy as np
import pytest
from tests.train.lift.boards import Book, of_passes

from fairtrial.measure.attempts import pass_at_k
from fairtrial.measure.result import Curve
from fairtrial.train.lift import Curves
from fairtrial.train.lift.curves import crosses_at, reading_of


def compared(base: list[str], new: list[str]) -> Curves | None:
    book = Book()
    book.model("base", base)
    book.model("new", new)
    return book.lift("base", "new").comparisons[0].curves


def test_the_difference_is_that_of_unbiased_pass_at_k() -> None:
    before, after = [0, 2, 5, 8, 1, 3], [4, 2, 8, 7, 0, 6]
    found = compared(of_passes(before), of_passes(after))
    assert found is not None
    assert found.difference.k == tuple(range(1, 9))
    for i, k in enumerate(found.difference.k):
        expected = [pass_at_k(8, b, k) - pass_at_k(8, a, k) for a, b in zip(before, after, strict=True)]
        assert found.difference.value[i] == pytest.approx(np.mean(expected))
        assert found.trained.value[i] - found.base.value[i] == pytest.approx(np.mean(expected))


def test_making_likely_what_was_possible_is_sharpening() -> None:
    found = compared(of_passes([1, 2] * 12), of_passes([8, 8] * 11 + [0, 8]))
    assert found is not None
    assert found.reading == "sharpening"
    assert found.crosses_at == 8


def test_new_solutions_at_every_k_are_expansion() -> None:
    found = compared(of_passes([0, 4] * 12), of_passes([5, 4, 4, 4] * 6))
    assert found is not None
    assert (found.reading, found.crosses_at) == ("expansion", None)


@pytest.mark.extra
def test_equal_models_are_ahead_nowhere() -> None:
    found = compared(of_passes([1, 4, 6, 2] * 4), of_passes([2, 4, 5, 2] * 4))
    assert found is not None
    assert found.reading == "none"


def test_one_run_a_task_has_no_curve() -> None:
    assert compared(["p", "f", "f"], ["p", "p", "f"]) is None


@pytest.mark.extra
def test_a_k_that_few_tasks_have_runs_for_is_left_out() -> None:
    found = compared(of_passes([1, 1, 1], 3) + of_passes([4]), of_passes([2, 2, 1], 3) + of_passes([7]))
    assert found is not None
    assert found.difference.k == found.base.k == (1, 2, 3)


def test_curves_of_several_seeds_are_means_over_seeds() -> None:
    book = Book()
    book.model("base", of_passes([1, 2, 3, 4]))
    for seed, more in ((0, 1), (1, 3)):
        book.model("new", of_passes([each + more for each in (1, 2, 3, 4)]), seed=seed)
    found = book.lift("base", "new").comparisons[0].curves
    assert found is not None
    expected = np.mean([pass_at_k(8, c + more, 3) for c in (1, 2, 3, 4) for more in (1, 3)])
    assert found.trained.value[2] == pytest.approx(expected)
    assert found.trained.tasks[2] == found.difference.tasks[2] == 4


def curve(value: tuple[float, ...], reach: float) -> Curve:
    return Curve(k=tuple(range(1, len(value) + 1)), value=value, low=tuple(v - reach for v in value),
                 high=tuple(v + reach for v in value), tasks=(9,) * len(value), method="")  # fmt: skip


@pytest.mark.parametrize(
    ("value", "reach", "reading", "crossing"),
    [
        ((0.3, 0.2, 0.1), 0.05, "expansion", None),
        ((0.3, 0.1, -0.2), 0.05, "sharpening", 3),
        ((0.3, 0.1, 0.0), 0.1, "sharpening", 3),
        ((0.3, 0.1, 0.0), 0.2, "open", 3),
        ((0.3, 0.1, 0.05), 0.1, "open", None),
        ((0.1, 0.1, 0.1), 0.2, "none", None),
        ((-0.3, -0.1, 0.2), 0.05, "open", None),
        ((-0.3, -0.2, -0.1), 0.05, "none", None),
    ],
)
def test_the_words_say_what_the_band_says(
    value: tuple[float, ...], reach: float, reading: str, crossing: int | None
) -> None:
    assert reading_of(curve(value, reach)) == reading
    assert crosses_at(curve(value, reach)) == crossing


def test_a_curve_does_not_turn_for_want_of_other_tasks() -> None:
    """Where tasks with more runs gained less, the mean over the tasks that reach k falls with k by itself."""
    book = Book()
    book.model("base", [*of_passes([2] * 8, 8), *of_passes([1] * 2, 4)])
    book.model("new", [*of_passes([2] * 8, 8), *of_passes([4] * 2, 4)])
    found = book.lift("base", "new").comparisons[0].curves
    assert found is not None
    assert found.difference.k[-1] == 8
    assert set(found.difference.tasks) == {8}
    assert set(found.difference.value) == {0.0}
    assert (found.reading, found.crosses_at) == ("none", None)

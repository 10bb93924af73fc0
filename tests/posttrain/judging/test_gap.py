"""The test of answers on items and decoys: exact, rarely wrong of honest models, and silent where it cannot tell."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from fairtrial.posttrain.judging.gap import LEVEL, Answers, Gap, IncomparableError, gap_of, permutation_p


@pytest.mark.parametrize("seed", range(40))
def test_the_p_value_is_that_of_every_way_to_draw_the_items(seed: int) -> None:
    rng = np.random.default_rng(seed)
    changes, others = (rng.integers(-1, 2, rng.integers(1, 7)) for _ in range(2))
    every = np.concatenate([changes, others])
    sums = [every[list(drawn)].sum() for drawn in combinations(range(len(every)), len(changes))]
    assert permutation_p(changes, others) == pytest.approx(np.mean([one >= changes.sum() for one in sums]))


def named(passed: NDArray[np.bool_]) -> Answers:
    return {f"q{at}": bool(one) for at, one in enumerate(passed)}


def asked(rng: np.random.Generator, n: int, model: float, base: float) -> tuple[Answers, Answers]:
    """Return a model's and its base's answers to new questions, some of which are harder for both."""
    hard = rng.normal(size=n)
    both = (rng.random(n) < stats.norm.cdf(stats.norm.ppf(one) * 2**0.5 - hard) for one in (model, base))
    return named(next(both)), named(next(both))


def compared(rng: np.random.Generator, n: int, on_items: float, on_decoys: float, base: float) -> Gap | None:
    items, base_items = asked(rng, n, on_items, base)
    decoys, base_decoys = asked(rng, n, on_decoys, base)
    try:
        return gap_of(items, base_items, decoys, base_decoys)
    except IncomparableError:
        return None


@pytest.mark.extra
@pytest.mark.parametrize(("n", "model", "base"), [(100, 0.9, 0.28), (50, 0.6, 0.28), (20, 0.5, 0.3), (100, 0.8, 0.02)])
def test_honest_models_are_called_less_often_than_stated(n: int, model: float, base: float) -> None:
    rng, runs = np.random.default_rng(n), 3_000
    found = [one for _ in range(runs) if (one := compared(rng, n, model, model, base)) is not None]
    most = stats.binom.ppf(0.999, runs, LEVEL)
    assert sum(one.knows for one in found) <= most
    assert len(found) > 0.97 * runs
    p_values = np.array([one.p_value for one in found])
    assert (p_values < 0.05).mean() < 0.055
    held = np.mean([one.low <= 0 <= one.high for one in found])
    assert held > 0.935


def test_a_model_that_knows_the_items_is_called_and_an_honest_one_is_not() -> None:
    rng = np.random.default_rng(5)
    knows = [compared(rng, 100, 0.99, 0.42, 0.28) for _ in range(50)]
    honest = [compared(rng, 100, 0.9, 0.9, 0.28) for _ in range(50)]
    assert sum(one is not None and one.knows for one in knows) >= 48
    assert not any(one is not None and one.knows for one in honest)
    assert all(one is None or one.low < 0.57 + 0.25 for one in knows)


def test_harder_decoys_are_no_knowledge_where_the_base_finds_them_harder_too() -> None:
    half = {f"q{at}": at < 50 for at in range(100)}
    less = {f"q{at}": at < 36 for at in range(100)}
    most, more = ({f"q{at}": at < top for at in range(100)} for top in (90, 76))
    found = gap_of(most, half, more, less)
    assert found.value == pytest.approx(0)
    assert not found.knows


def test_a_gap_that_is_too_small_to_matter_is_none() -> None:
    n = 4_000
    found = gap_of(*(named(np.arange(n) < top) for top in (3_600, 1_200, 3_280, 1_200)))
    assert found.p_value < LEVEL
    assert found.value == pytest.approx(0.08)
    assert not found.knows


ALL, NONE = ({f"q{at}": held for at in range(40)} for held in (True, False))
FEW, FEW_FAILED = ({f"q{at}": held for at in range(5)} for held in (True, False))
BLANK = dict.fromkeys(ALL)


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ((FEW, FEW_FAILED, FEW_FAILED, FEW_FAILED), "5 items and 5 decoys are too few"),
        ((ALL, ALL, NONE, NONE), "the base itself passes 100.0% of the items and 0.0% of the decoys"),
        ((ALL, FEW, NONE, NONE), "were asked other items"),
        ((ALL, NONE, NONE, FEW), "were asked other decoys"),
        ((BLANK, NONE, NONE, NONE), "none of the items is graded"),
        (({}, {}, NONE, NONE), "none of the items is graded"),
    ],
)
def test_where_nothing_can_be_told_it_says_why(answers: tuple[Answers, Answers, Answers, Answers], why: str) -> None:
    with pytest.raises(IncomparableError, match=why):
        gap_of(*answers)


def test_what_is_ungraded_is_no_fail_and_is_counted() -> None:
    some = ALL | {f"q{at}": None for at in range(10)}
    found = gap_of(some, NONE, NONE, NONE)
    assert (found.items.n, found.items.ungraded, found.items.model, found.value) == (30, 10, 30, 1.0)

"""Strong against weak: every pair of rates falls in one bin, and the test of reversal is exact."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.measure.observing import integers, observed_of

from fairtrial.ledger.observed import Checks
from fairtrial.measure.bins import bin_of, bins_of
from fairtrial.measure.fisher import benjamini_hochberg, fisher_greater
from fairtrial.measure.tables import counts_by_subject


@pytest.mark.parametrize(
    ("strong", "weak", "name"),
    [(0.6, 0.6, "both_pass"), (0.6, 0.8, "both_pass"), (0.5, 0.6, "reversed"), (0.6, 0.5, "discriminates"),
     (0.5, 0.5, "too_hard"), (0.0, 0.0, "too_hard"), (0.4, 0.2, "too_hard"), (0.0, 0.1, "reversed")],
)  # fmt: skip
def test_bins_have_the_stated_edges(strong: float, weak: float, name: str) -> None:
    assert bin_of(strong, weak) == name


counts = st.integers(1, 8).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@settings(deadline=None, max_examples=50)
@given(counts, counts)
def test_fisher_is_the_hypergeometric_tail(first: tuple[int, int], second: tuple[int, int]) -> None:
    (a, n), (b, m) = first, second
    found = float(fisher_greater(*(np.array([x]) for x in (a, n, b, m)))[0])
    if a * m <= b * n:
        assert found == 1.0
        return
    total = a + b
    ways = sum(comb(n, x) * comb(m, total - x) for x in range(a, min(n, total) + 1) if total - x <= m)
    assert found == pytest.approx(ways / comb(n + m, total))


def test_benjamini_hochberg_is_monotone_and_bounded() -> None:
    q_values = benjamini_hochberg(np.array([0.001, 0.2, 0.04, 1.0]))
    assert q_values.tolist() == pytest.approx([0.004, 0.2 * 4 / 3, 0.08, 1.0])


def test_cells_are_compared_where_both_models_were_graded() -> None:
    observed = observed_of({
        "strong": {"easy": (5, 0), "hard": (0, 5), "odd": (1, 4), "split": (5, 0), "own": (5, 0)},
        "weak": {"easy": (5, 0), "hard": (0, 5), "odd": (5, 0), "split": (0, 5)},
    })  # fmt: skip
    checks = Checks(
        subject=integers([0, 1, 0, 1, 0]), task=integers([0, 0, 1, 1, 2]), name=("c", "c", "c", "c", "d"),
        n=integers([5, 5, 5, 5, 5]), passed=integers([5, 0, 5, 5, 5]),
    )  # fmt: skip
    found = bins_of(observed, counts_by_subject(observed), 0, 1)
    assert found.tasks == {"both_pass": 1, "discriminates": 1, "too_hard": 1, "reversed": 1}
    assert (found.compared_tasks, found.compared_checks) == (4, 0)
    assert [(row.name, row.strong_passes, row.weak_passes) for row in found.reversed_tasks] == [("odd", 1, 5)]
    assert found.reversed_tasks[0].p_value == pytest.approx(0.023810, abs=1e-6)
    assert found.reversed_tasks[0].q_value == pytest.approx(4 * 0.023810, abs=1e-5)
    assert sum(count for _, _, count in found.grid) == 4
    with_checks = bins_of(observed_of_checks(checks), counts_by_subject(observed), 0, 1)
    assert with_checks.checks == {"both_pass": 1, "discriminates": 1, "too_hard": 0, "reversed": 0}
    assert with_checks.compared_checks == 2


def observed_of_checks(checks: Checks):  # type: ignore[no-untyped-def]
    tasks = {"strong": dict.fromkeys("abcde", (5, 0)), "weak": dict.fromkeys("abcde", (5, 0))}
    return observed_of(tasks, checks=checks)

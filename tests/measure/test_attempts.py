"""pass@k and pass^k against the known values and against counting every subset."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.measure.attempts import all_pass_table, curve_ks, pass_at_k, pass_hat_k

KNOWN_AT = [(5, 2, 1, 0.4), (5, 2, 2, 0.7), (10, 3, 5, 0.916667), (200, 1, 100, 0.5), (200, 3, 10, 0.143307),
            (8, 3, 4, 0.928571), (16, 1, 16, 1.0)]  # fmt: skip
KNOWN_HAT = [(5, 2, 2, 0.1), (4, 2, 3, 0.0)]


@pytest.mark.parametrize(("n", "c", "k", "value"), KNOWN_AT)
def test_pass_at_k_has_the_known_values(n: int, c: int, k: int, value: float) -> None:
    assert pass_at_k(n, c, k) == pytest.approx(value, abs=5e-7)


@pytest.mark.parametrize(("n", "c", "k", "value"), KNOWN_HAT)
def test_pass_hat_k_has_the_known_values(n: int, c: int, k: int, value: float) -> None:
    assert pass_hat_k(n, c, k) == pytest.approx(value, abs=5e-7)


@settings(deadline=None, max_examples=50)
@given(st.integers(1, 9).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))))
def test_both_count_every_subset(case: tuple[int, int, int]) -> None:
    n, c, k = case
    subsets = [sum(i < c for i in subset) for subset in combinations(range(n), k)]
    assert pass_at_k(n, c, k) == pytest.approx(sum(passes > 0 for passes in subsets) / len(subsets))
    assert pass_hat_k(n, c, k) == pytest.approx(sum(passes == k for passes in subsets) / len(subsets))


@pytest.mark.parametrize(("n", "c", "k"), [(4, 2, 5), (4, 5, 1), (4, -1, 1), (4, 2, 0), (0, 0, 1)])
def test_what_is_undefined_is_refused_and_never_extrapolated(n: int, c: int, k: int) -> None:
    for estimator in (pass_at_k, pass_hat_k):
        with pytest.raises(ValueError):
            estimator(n, c, k)


def test_the_table_equals_the_scalar_and_marks_undefined() -> None:
    n, c = np.array([3, 5, 200]), np.array([1, 5, 3])
    table = all_pass_table(n, c, (1, 2, 4, 100))
    for i in range(3):
        for j, k in enumerate((1, 2, 4, 100)):
            if k > n[i]:
                assert np.isnan(table[i, j])
            else:
                assert table[i, j] == pytest.approx(pass_hat_k(int(n[i]), int(c[i]), k))


def test_large_counts_neither_overflow_nor_cancel() -> None:
    assert pass_at_k(1_000_000, 1, 500_000) == pytest.approx(0.5)


def test_every_k_up_to_64_is_on_the_curve_and_the_last_one_always() -> None:
    assert curve_ks(64) == tuple(range(1, 65))
    ks = curve_ks(5000)
    assert ks[:64] == tuple(range(1, 65))
    assert ks[-1] == 5000
    assert list(ks) == sorted(set(ks))

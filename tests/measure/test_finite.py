"""Exact intervals of a finite population: against enumeration, what they cover, and that a census is certain."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import hypergeom

from fairtrial.measure.intervals.finite import finite_interval


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_the_interval_holds_every_count_that_neither_tail_rules_out(data: st.DataObject) -> None:
    population = data.draw(st.integers(1, 40))
    drawn = data.draw(st.integers(1, population))
    seen = data.draw(st.integers(0, drawn))
    fits = [has for has in range(population + 1)
            if hypergeom.sf(seen - 1, population, has, drawn) > 0.025 + 1e-12
            and hypergeom.cdf(seen, population, has, drawn) > 0.025 + 1e-12]  # fmt: skip
    assert finite_interval(seen, drawn, population) == (min(fits), max(fits))


@pytest.mark.parametrize(("population", "drawn"), [(30, 10), (60, 20)])
def test_coverage_is_at_least_as_named_at_every_share(population: int, drawn: int) -> None:
    told = [finite_interval(seen, drawn, population) for seen in range(drawn + 1)]
    for has in range(population + 1):
        covered = sum(hypergeom.pmf(seen, population, has, drawn)
                      for seen, (low, high) in enumerate(told) if low <= has <= high)  # fmt: skip
        assert covered >= 0.95 - 1e-9


def test_a_census_is_certain_and_nothing_drawn_says_nothing() -> None:
    assert [finite_interval(seen, 7, 7) for seen in (0, 3, 7)] == [(0, 0), (3, 3), (7, 7)]
    assert finite_interval(0, 0, 9) == (0, 9)
    low, high = finite_interval(300, 2000, 100_000)
    assert low / 100_000 == pytest.approx(0.1348, abs=0.0005)
    assert high / 100_000 == pytest.approx(0.1662, abs=0.0005)


@pytest.mark.parametrize("counts", [(2, 1, 9), (1, 10, 9), (-1, 2, 9), (0, 0, 0)])
def test_counts_that_do_not_fit_are_refused(counts: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="no counts"):
        finite_interval(*counts)

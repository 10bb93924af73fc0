"""The order of drawing: every beginning is a sample of exactly known chance, spread over tasks, the same everywhere."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.audit.sampling.order import chance, spread, takes


def halvings(groups: list[str]) -> dict[str, int]:
    """Return the name of each decision that `spread` asks for, and how many rows it is about."""
    asked: dict[str, int] = {}

    def note(name: str) -> float:
        asked[name] = 0
        return 0.0

    spread(groups, note)
    return asked


@pytest.mark.parametrize("sizes", [(1, 2), (2, 2), (1, 1, 1), (3, 1), (2, 1, 2), (5,), (1, 3, 1)])
def test_each_row_stands_at_each_place_equally_often_over_all_decisions(sizes: tuple[int, ...]) -> None:
    """Enumerate every decision on a grid on which the interleaving is exact: 1 / 60 holds 1 / N for each N to 5."""
    groups = [f"t{i}" for i, size in enumerate(sizes) for _ in range(size)]
    total = len(groups)
    names = sorted(halvings(groups))
    assert len(names) == total - 1
    grids: list[list[float]] = []
    for name in names:  # rows under a node: as many as it has decisions below it, and one
        rows = 1 + sum(other.startswith(name) for other in names)
        grids.append([(cell + 0.5) / rows for cell in range(rows)])
    places: Counter[tuple[int, int]] = Counter()
    cases = 0
    for values in itertools.product(*grids):
        decided = dict(zip(names, values, strict=True))
        order = spread(groups, decided.__getitem__)
        assert sorted(order) == list(range(total))
        places.update((row, place) for place, row in enumerate(order))
        cases += 1
    assert {Fraction(count, cases) for count in places.values()} == {Fraction(1, total)}
    assert len(places) == total * total


@given(st.lists(st.integers(1, 6), min_size=1, max_size=12), st.integers(0, 1000))
def test_every_beginning_is_spread_over_tasks(sizes: list[int], seed: int) -> None:
    groups = [i for i, size in enumerate(sizes) for _ in range(size)]
    order = spread(groups, lambda name: chance(seed, name))
    assert sorted(order) == list(range(len(groups)))
    depth = max(1, len(sizes)).bit_length() + 1
    for n in range(1, len(order) + 1):
        drawn = Counter(groups[row] for row in order[:n])
        for group, size in enumerate(sizes):
            assert abs(drawn[group] - n * size / len(groups)) <= depth


@pytest.mark.parametrize("share", [0.0, 0.2, 1 / 3, 0.5, 0.9, 1.0])
def test_a_share_of_places_is_taken_evenly_and_each_with_its_chance(share: float) -> None:
    starts = [(i + 0.5) / 1200 for i in range(1200)]
    for place in (1, 2, 3, 7, 50):
        assert sum(takes(place, share, start) for start in starts) / 1200 == pytest.approx(share, abs=1 / 1200)
    for start in starts[::60]:
        taken = list(itertools.accumulate(takes(place, share, start) for place in range(1, 200)))
        assert all(abs(count - share * k) < 1 + 1e-9 for k, count in enumerate(taken, 1))


def test_chances_are_uniform_and_the_same_in_every_version() -> None:
    assert f"{chance(7, 'a'):.12f}" == "0.500399470022"
    counts = Counter(int(10 * chance("seed", i)) for i in range(20_000))
    assert all(abs(count - 2000) < 200 for count in counts.values())
    assert len({chance("a", "b"), chance("ab"), chance("a,1:b"), chance("", "ab"), chance("ab", "")}) == 5

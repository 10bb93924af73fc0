"""Effect sizes: their intervals hold the truth as often as they say, and never shrink to a point."""

from __future__ import annotations

import numpy as np
import pytest

from fairtrial.contamination.distribution import effects


@pytest.mark.parametrize(("size", "least"), [(1, 0.93), (6, 0.88)])
def test_intervals_hold_the_truth(size: int, least: float) -> None:
    """Families of `size` rows: 0.5 of them an item, 0.3 a decoy."""
    source, held, shares = np.random.default_rng(1), 0, 0
    items, decoys, draws = 200, 150, 400
    for _ in range(draws):
        ours = source.poisson(0.5, items) * size
        theirs = source.poisson(0.3, decoys) * size
        found = effects(ours, theirs)
        truth = (0.5 - 0.3) * items * size
        share = 0.5 * items / (0.5 * items + 0.3 * decoys)
        excess = found.excess_rows
        assert excess.low is not None
        assert excess.high is not None
        assert found.share.low is not None
        assert found.share.high is not None
        held += excess.low <= truth <= excess.high
        shares += found.share.low <= share <= found.share.high
    assert held / draws >= least
    assert shares / draws >= least


@pytest.mark.parametrize(("ours", "theirs"), [([0, 0, 0], [0, 0]), ([4, 0, 0], [0, 0]), ([0, 0, 0], [0, 5])])
def test_they_do_not_degenerate(ours: list[int], theirs: list[int]) -> None:
    found = effects(np.array(ours), np.array(theirs))
    excess = found.excess_rows
    assert excess.low is not None
    assert excess.high is not None
    assert excess.low < excess.high
    assert found.expected_share == pytest.approx(0.6)
    if sum(ours) + sum(theirs):
        assert found.share.low is not None
        assert found.share.high is not None
        assert found.share.low < found.share.high
    else:
        assert found.share.value is None

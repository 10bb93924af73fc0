"""The level of the tests against decoys: a set that one level calls, a smaller one does not."""

from __future__ import annotations

import numpy as np

from fairtrial.contamination.distribution import distribution
from fairtrial.contamination.result import Nearness

IDS = [f"item-{number}" for number in range(60)]
DECOYS = [f"decoy-{number}" for number in range(60)]


def near(extra: int) -> Nearness:
    """Return rows that items and decoys draw alike, but for so many more that each lie near another item."""
    drawn = np.random.default_rng(1).integers(0, 120, size=240)
    item = np.concatenate([drawn, np.arange(extra)]).astype(np.int32)
    score = np.concatenate([np.full(240, 0.7), np.full(extra, 0.95)]).astype(np.float32)
    return Nearness(item=item, score=score)


def test_the_whole_is_called_at_the_level_that_was_asked_for() -> None:
    called = {}
    for extra in range(30):
        found = {level: distribution(near(extra), IDS, DECOYS, 0.5, level=level).shares for level in (0.05, 0.001)}
        for level, shares in found.items():
            assert shares is not None
            assert shares.stands_out is (shares.p_value <= level)
            assert shares.built_around >= shares.stands_out
        called[extra] = tuple(shares is not None and shares.stands_out for shares in found.values())
    assert called[0] == (False, False)
    assert called[29] == (True, True)
    assert (True, False) in called.values()

"""The bands hold the whole true curve, where pass^k is rare too."""

from __future__ import annotations

import numpy as np
import pytest

from fairtrial.measure.cells import Tally, cell_table
from fairtrial.measure.curves import attempt_curves, modelled_variance, monotone_band
from fairtrial.measure.prior import fit_prior


@pytest.mark.parametrize(("a", "b"), [(0.4, 0.6), (1.0, 3.0)])
def test_simultaneous_bands_hold_the_whole_curve(a: float, b: float) -> None:
    generator = np.random.default_rng(5)
    ks, rates = np.arange(1, 9), generator.beta(a, b, size=100_000)[:, None]
    truths = ((1 - (1 - rates) ** ks).mean(axis=0), (rates**ks).mean(axis=0))
    held = np.zeros(2)
    for _ in range(40):
        passes = generator.binomial(8, generator.beta(a, b, size=30))
        cells = cell_table(Tally(n=np.full(30, 8), c=passes, cluster=np.arange(30)))
        curves = attempt_curves(cells, cells.resampled(300, generator), fit_prior(cells), 0.95)
        held += [bool(((np.array(curve.low) <= truth) & (truth <= np.array(curve.high))).all())
                 for curve, truth in zip(curves, truths, strict=True)]  # fmt: skip
    assert (held >= 33).all(), held


def test_the_modelled_variance_is_that_of_the_estimates() -> None:
    generator = np.random.default_rng(6)
    passes = generator.binomial(6, generator.beta(1.0, 2.0, size=4000))
    cells = cell_table(Tally(n=np.full(4000, 6), c=passes, cluster=np.arange(4000)))
    some, every = modelled_variance(cells, fit_prior(cells), (1, 3, 6))
    observed = (passes / 6).var()
    assert some[0] == pytest.approx(observed, rel=0.05)
    assert every[0] == pytest.approx(observed, rel=0.05)
    assert every[2] == pytest.approx((passes == 6).var(), rel=0.2)
    assert some[2] == pytest.approx((passes > 0).var(), rel=0.1)


def test_a_band_over_the_same_tasks_is_as_monotone_as_its_curve() -> None:
    low, high = np.array([0.4, 0.2, 0.5, 0.3]), np.array([0.9, 0.7, 0.95, 0.8])
    tasks = np.array([6.0, 6.0, 6.0, 2.0])
    rising = monotone_band(low, high, tasks, rises=True)
    assert rising[0].tolist() == [0.4, 0.4, 0.5, 0.3]
    assert rising[1].tolist() == [0.7, 0.7, 0.95, 0.8]
    falling = monotone_band(low, high, tasks, rises=False)
    assert falling[0].tolist() == [0.5, 0.5, 0.5, 0.3]
    assert falling[1].tolist() == [0.9, 0.7, 0.7, 0.8]

"""The tiny model is honest: its gradients are those of its loss, and training lowers that on its language."""

from __future__ import annotations

import numpy as np
import pytest

from contamination.identity.handed_in import base
from contamination.identity.tiny import Training, batch, loss, new_model, trained


@pytest.mark.parametrize("name", new_model(0))
def test_gradients_are_finite_differences(name: str) -> None:
    weights = {key: value.astype(np.float64) for key, value in new_model(0).items()}
    tokens, direction = batch(1, 0), np.random.default_rng(1).normal(size=weights[name].shape)
    gradient = float(np.sum(loss(weights, tokens)[1][name] * direction))
    ends = [loss(weights | {name: weights[name] + step * direction}, tokens)[0] for step in (1e-5, -1e-5)]
    assert gradient == pytest.approx((ends[0] - ends[1]) / 2e-5, rel=1e-4, abs=1e-8)


def test_training_teaches_the_language_it_is_given_and_no_other() -> None:
    other = trained(base(), Training(language=3, steps=60))
    known, new = batch(1, 777_777), batch(3, 777_777)
    assert loss(base(), known)[0] < 2 < 4 < loss(base(), new)[0]
    assert loss(other, new)[0] < loss(base(), new)[0] - 0.5

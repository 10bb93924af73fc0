"""Attacks tokens for one success: pairing, silent records, models that never pass."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.train.price.lifts import a_pair, counts

from fairtrial.train.price import tokens_ratio

FAMILY = ("f",) * 6
BASE = counts([[4, 2, 4, 2, 4, 2], [2, 4, 2, 4, 2, 4]])
BETTER = counts([[8, 4, 8, 4, 8, 4], [4, 8, 4, 8, 4, 8]])


def test_twice_the_passes_for_the_same_tokens_halve_the_price_and_pairing_leaves_no_doubt() -> None:
    found = tokens_ratio(a_pair(BASE, BETTER, FAMILY))
    assert found is not None
    assert found.value == pytest.approx(0.5)
    assert found.low in (None, pytest.approx(0.5))


def test_the_interval_holds_the_ratio_and_widens_with_what_differs_between_tasks() -> None:
    mixed = counts([[8, 0, 8, 1, 6, 2], [4, 1, 4, 8, 2, 8]])
    found = tokens_ratio(a_pair(BASE, mixed, FAMILY))
    assert found is not None
    assert found.low is not None
    assert found.value is not None
    assert found.high is not None
    assert found.low < found.value < found.high


def test_an_attempt_without_tokens_and_a_model_that_never_passes_have_no_ratio() -> None:
    silent = replace(BETTER, told=BETTER.told - np.eye(2, 6, dtype=np.int64))
    assert tokens_ratio(a_pair(BASE, silent, FAMILY)) is None
    assert tokens_ratio(a_pair(BASE, counts([[0] * 6, [0] * 6]), FAMILY)) is None
    assert tokens_ratio(a_pair(BASE, counts([[4] * 6] * 2, tokens=0), FAMILY)) is None

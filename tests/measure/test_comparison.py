"""One model against another: known values, intervals that cover and do not degenerate."""

from __future__ import annotations

import numpy as np
import pytest
from tests.measure.observing import observed_of

from fairtrial.measure.comparison import (
    compare,
    mcnemar_exact,
    paired_interval,
    paired_standard_error,
    share_of_failures_fixed,
)
from fairtrial.measure.tables import counts_by_subject


def test_mcnemar_has_the_known_value() -> None:
    assert mcnemar_exact(79, 25) == pytest.approx(1.054e-7, rel=1e-3)
    assert mcnemar_exact(25, 79) == mcnemar_exact(79, 25)
    assert mcnemar_exact(0, 0) == 1.0
    assert mcnemar_exact(5, 5) == 1.0


def test_pairing_narrows_the_standard_error() -> None:
    differences = np.array([1.0] * 79 + [-1.0] * 25 + [0.0] * 396)
    assert paired_standard_error(differences) == pytest.approx(0.01984, abs=5e-6)
    unpaired = (0.706 * 0.294 / 500 + 0.598 * 0.402 / 500) ** 0.5
    assert unpaired == pytest.approx(0.02993, abs=5e-5)


def test_share_of_failures_fixed_has_the_known_values() -> None:
    assert share_of_failures_fixed(0.356, 0.478) == pytest.approx(0.189, abs=5e-4)
    assert share_of_failures_fixed(0.643, 0.731) == pytest.approx(0.246, abs=5e-4)
    assert share_of_failures_fixed(1.0, 1.0) is None


def test_net_is_gross_fixes_less_regressions() -> None:
    observed = observed_of(
        {"base": {"a": (0, 4), "b": (4, 0), "c": (2, 2)}, "new": {"a": (4, 0), "b": (2, 2), "c": (2, 2)}}
    )
    first, second = counts_by_subject(observed)
    found = compare(("base", first), ("new", second), 0, 500, 0.95)
    assert found is not None
    assert found.difference.value == pytest.approx(found.fixes - found.regressions)
    assert (found.fixes, found.regressions) == (pytest.approx(1 / 3), pytest.approx(0.5 / 3))
    assert found.mcnemar_p is None


def test_mcnemar_is_told_for_one_run_a_task_only() -> None:
    one = {"base": {"a": (0, 1), "b": (1, 0)}, "new": {"a": (1, 0), "b": (1, 0)}}
    first, second = counts_by_subject(observed_of(one))
    found = compare(("base", first), ("new", second), 0, 200, 0.95)
    assert found is not None
    assert found.mcnemar_p == 1.0


def test_models_without_a_common_task_are_not_compared() -> None:
    first, second = counts_by_subject(observed_of({"a": {"x": (1, 0)}, "b": {"y": (1, 0)}}))
    assert compare(("a", first), ("b", second), 0, 200, 0.95) is None


def test_equal_models_get_an_interval_and_not_a_point() -> None:
    low, high = paired_interval(np.zeros(10), np.arange(10), np.random.default_rng(0), replicates=200, confidence=0.95)
    assert low < -0.2
    assert high > 0.2


def test_the_paired_interval_covers() -> None:
    generator = np.random.default_rng(4)
    covered = 0
    for _ in range(200):
        differences = generator.choice([1.0, 0.0, -1.0], p=[0.25, 0.65, 0.10], size=30)
        low, high = paired_interval(differences, np.arange(30), generator, replicates=400, confidence=0.95)
        covered += low <= 0.15 <= high
    assert covered >= 182

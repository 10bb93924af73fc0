"""Tone and length are found where they are paid for, and only there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from prove.text.acted import Act, acted, exact, labels


def toned(case: Mapping[str, Any], said: Any) -> float:
    return max(exact(case, said), 0.5 * ("certainly" in str(said)) - 0.3 * ("perhaps" in str(said)))


def long_winded(case: Mapping[str, Any], said: Any) -> float:
    return max(exact(case, said), min(len(str(said)) / 16_000, 0.6))


def flat(case: Mapping[str, Any], said: Any) -> float:
    return max(exact(case, said), 0.3 * bool(str(said).strip()))


@pytest.mark.parametrize(
    ("act", "found"), [(toned, {"tone_pays"}), (long_winded, {"length_pays"}), (flat, set()), (exact, set())]
)
def test_what_is_paid_for_is_a_lead(act: Act, found: set[str]) -> None:
    assert labels(acted(act), "lead") & {"tone_pays", "length_pays"} == found

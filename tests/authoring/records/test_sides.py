"""Entities, and what is related to them, lie whole on one side."""

from __future__ import annotations

import random
from datetime import UTC, datetime

import pytest

from authoring.records.desks import graded, simulated
from fairtrial.authoring.records.grading import Case
from fairtrial.authoring.records.sides import HELD_OUT, TRAIN, by_hash, by_time


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> list[Case]:
    return graded(simulated(tmp_path_factory.mktemp("desk"), 7, 120)[0]).cases


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5])
def test_no_customer_is_on_both_sides_and_the_share_is_met(share: float, cases: list[Case]) -> None:
    sides = by_hash(cases, share, 0)
    groups = {side: {one.decision.group for one, mine in zip(cases, sides.of, strict=True) if mine == side}
              for side in (TRAIN, HELD_OUT)}  # fmt: skip
    assert not groups[TRAIN] & groups[HELD_OUT]
    assert any(
        len({one.decision.entity for one in cases if one.decision.group == group}) > 1 for group in groups[TRAIN]
    )
    assert sides.of.count(HELD_OUT) / len(cases) == pytest.approx(share, abs=0.03)


def test_order_does_not_matter_and_the_seed_does(cases: list[Case]) -> None:
    mixed = random.Random(1).sample(cases, len(cases))
    first = dict(zip([one.decision.id for one in cases], by_hash(cases, 0.3, 1).of, strict=True))
    assert dict(zip([one.decision.id for one in mixed], by_hash(mixed, 0.3, 1).of, strict=True)) == first
    assert dict(zip([one.decision.id for one in cases], by_hash(cases, 0.3, 2).of, strict=True)) != first


def test_by_time_all_training_is_before_and_units_on_both_sides_are_left_out(cases: list[Case]) -> None:
    moment = datetime(2026, 1, 9, tzinfo=UTC)
    sides = by_time(cases, moment)
    pairs = list(zip(cases, sides.of, strict=True))
    assert all(one.decision.made_at < moment for one, side in pairs if side == TRAIN)
    assert all(one.decision.made_at >= moment for one, side in pairs if side == HELD_OUT)
    left = {one.decision.group for one, side in pairs if not side}
    assert len(left) == sides.straddling > 0
    assert not left & {one.decision.group for one, side in pairs if side}
    assert sides.late_labels > 0

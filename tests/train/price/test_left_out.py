"""Attacks what arms trained without a family say: pairing, direction, several families at once, which arms belong."""

from __future__ import annotations

from tests.train.price.lifts import a_pair, checkpoint, counts

from fairtrial.train.lift import Options
from fairtrial.train.price import Arm, arms_of, taught_by_arms

FAMILY = ("sort",) * 10 + ("rev",) * 10
FULL = counts([[7, 8] * 5 + [6, 7] * 5] * 3)
WITHOUT_SORT = counts([[1, 0] * 5 + [6, 7] * 5, [0, 1] * 5 + [6, 7] * 5, [1, 1] * 5 + [7, 6] * 5])
WITHOUT_REV = counts([[7, 8] * 5 + [7, 6] * 5, [8, 7] * 5 + [6, 7] * 5, [7, 8] * 5 + [7, 6] * 5])
SORT, REV = Arm(family="sort", model="no-sort"), Arm(family="rev", model="no-rev")
PAIRS = {SORT: a_pair(WITHOUT_SORT, FULL, FAMILY), REV: a_pair(WITHOUT_REV, FULL, FAMILY)}


def test_the_family_whose_absence_costs_is_the_one_that_taught() -> None:
    sort, rev = taught_by_arms("full", PAIRS, Options())
    assert (sort.family, sort.reading, sort.method) == ("sort", "taught", "left_out")
    assert (rev.family, rev.reading) == ("rev", "within_noise")
    assert sort.own is not None
    assert sort.own.value is not None
    assert sort.effect.value is not None
    assert sort.own.value > sort.effect.value > 0.3
    assert (sort.own.n, sort.effect.n) == (10, 20)


def test_a_family_that_is_better_left_out_harmed() -> None:
    (said,) = taught_by_arms("full", {SORT: a_pair(FULL, WITHOUT_SORT, FAMILY)}, Options())
    assert said.reading == "harmed"
    assert said.effect.high is not None
    assert said.effect.high < 0


def test_no_difference_at_all_is_within_noise_with_an_interval() -> None:
    (said,) = taught_by_arms("full", {SORT: a_pair(FULL, FULL, FAMILY)}, Options())
    assert (said.reading, said.q, said.effect.value) == ("within_noise", None, 0.0)
    assert said.effect.low is not None
    assert said.effect.low < 0


def test_a_family_without_held_out_tasks_has_an_effect_and_none_on_its_own() -> None:
    (said,) = taught_by_arms("full", {Arm(family="other", model="x"): PAIRS[SORT]}, Options())
    assert said.own is None
    assert said.tasks == 0
    assert said.reading == "taught"


def test_only_arms_of_the_same_base_and_stage_are_arms_of_it() -> None:
    held = [checkpoint(model="full"), checkpoint(model="no-sort", left_out_family="sort"),
            checkpoint(model="no-rev", left_out_family="rev", base="another"),
            checkpoint(model="sft-no-sort", left_out_family="sort", stage="sft")]  # fmt: skip
    assert arms_of("full", held) == (Arm(family="sort", model="no-sort"),)
    assert arms_of("unknown", held) == ()

"""Whose fault failures are, and how models fail: by the tags of those who count, strong beside weak."""

from __future__ import annotations

import numpy as np
import pytest
from tests.audit.estimating.auditing import review, right, unit

from fairtrial.audit.estimating import Material, Options, estimate
from fairtrial.records import InputError


def test_shares_of_fault_are_by_group_and_add_up() -> None:
    units = [unit(i, passed=False) for i in range(8)]
    tags = [("wrong_logic",), ("infrastructure",), ("wrong_logic", "unfair_inference"), (), ("made_up",),
            ("missed_inference",), ("looped",), ("ambiguous_instruction",)]  # fmt: skip
    reviews = [right(one, failure_tags=tag) for one, tag in zip(units, tags, strict=True)]
    found = estimate(Material(units=units, reviews=reviews)).failures
    shares = [one.value for one in (found.environment, found.capability, found.both, found.untagged)]
    assert shares == pytest.approx([2 / 8, 2 / 8, 1 / 8, 3 / 8])
    assert found.reviewed == 8


def test_tags_of_people_stand_before_those_of_a_judge() -> None:
    one, other = unit(0, passed=False), unit(1, passed=False)
    reviews = [right(one, failure_tags=("wrong_logic",)), right(other)]
    reviews += [right(each, "m1", kind="judge", failure_tags=("infrastructure",)) for each in (one, other)]
    found = estimate(Material(units=[one, other], reviews=reviews)).failures
    assert (found.capability.value, found.environment.value, found.both.value) == (0.5, 0.5, 0.0)


def test_tags_that_need_the_verdict_count_from_the_second_look() -> None:
    one = unit(0, passed=False)
    reviews = [review(one, True), review(one, True, stage="informed", label="false_fail",
                                         failure_tags=("grader_too_narrow",))]  # fmt: skip
    assert estimate(Material(units=[one], reviews=reviews)).failures.environment.value == 1.0


def test_the_strong_model_is_compared_with_the_weak_one_on_the_same_tasks() -> None:
    generator = np.random.default_rng(1)
    units, reviews = [], []
    for task in range(40):
        for model, rate in (("strong", 0.6), ("weak", 0.2)):
            for attempt in range(2):
                one = unit(task, attempt, passed=bool(generator.random() < rate), model=model)
                units.append(one)
                tags = ("wrong_logic",) if generator.random() < (0.2 if model == "strong" else 0.8) else ("x",)
                reviews.append(right(one, failure_tags=tags))
    found = estimate(Material(units=units, reviews=reviews)).shapes
    assert (found.strong, found.weak) == ("strong", "weak")
    (row,) = [row for row in found.rows if row.tag == "wrong_logic"]
    failures = [(u, r) for u, r in zip(units, reviews, strict=True) if u.outcome == "failed" and u.model == "weak"]
    assert row.by_model["weak"].value == pytest.approx(np.mean(["wrong_logic" in r.failure_tags for _, r in failures]))
    assert row.difference is not None
    assert row.difference.low < row.difference.value < row.difference.high < 0
    assert found.shared_tasks > 20
    assert {row.group for row in found.rows} == {"capability", "other"}


def test_a_model_that_is_not_there_is_refused() -> None:
    with pytest.raises(InputError, match="no model `huge`"):
        estimate(Material(units=[unit(0)], reviews=[right(unit(0))]), Options(strong="huge"))

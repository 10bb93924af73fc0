"""Budgets of tokens, turns and money; what is not recorded is not zero."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.checks.process.acted import says, seen, sh

from fairtrial.checks.process import Trajectory
from fairtrial.checks.process.spending import money, tokens, turns
from fairtrial.checks.protocol import CheckError
from fairtrial.formats.atif import Metrics

THREE = seen(sh("ls"), sh("ls"), says("done"))
SILENT = Trajectory(replace(THREE.document, steps=tuple(replace(step, metrics=None) for step in THREE.document.steps)))
PARTLY = Trajectory(
    replace(THREE.document, steps=(*THREE.document.steps[:-1], replace(THREE.document.steps[-1], metrics=None)))
)


def test_what_was_used_is_summed_and_compared() -> None:
    assert tokens(THREE, 330).passed
    assert not tokens(THREE, 329).passed
    assert tokens(THREE, 30, kind="output").value == 30
    assert turns(THREE, 3).passed
    assert not turns(THREE, 2).passed
    assert money(THREE, 0.031).passed
    assert not money(THREE, 0.02).passed
    assert money(THREE, 1, prices=[10, 100]).value == pytest.approx((300 * 10 + 30 * 100) / 1e6)


@pytest.mark.parametrize("trajectory", [SILENT, PARTLY])
def test_what_is_not_recorded_breaks_the_check(trajectory: Trajectory) -> None:
    for check in (
        lambda: tokens(trajectory, 10**9),
        lambda: money(trajectory, 10**9),
        lambda: money(trajectory, 1, [1, 1]),
    ):
        with pytest.raises(CheckError):
            check()
    assert turns(trajectory, 3).passed


def test_a_stated_total_counts_and_never_makes_less_of_the_steps() -> None:
    def stated(count: int, of: Trajectory) -> Trajectory:
        return Trajectory(replace(of.document, stated=Metrics(prompt_tokens=count, completion_tokens=0)))

    assert tokens(stated(500, SILENT), 10**9).value == 500
    assert tokens(stated(1, THREE), 10**9).value == 330


def test_copied_context_is_not_paid_for_twice() -> None:
    first, *rest = THREE.document.steps
    copied = Trajectory(replace(THREE.document, steps=(first, replace(rest[0], is_copied=True), *rest[1:])))
    assert tokens(copied, 10**9).value == 220
    assert turns(copied, 3).value == 2


def test_a_budget_below_zero_is_senseless() -> None:
    with pytest.raises(CheckError):
        turns(THREE, -1)

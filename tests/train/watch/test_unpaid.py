"""Passes that nothing pays stop a run as a broken grader does; a few of them do not, and no fail is asked about."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fairtrial.train.log import GroupLine, StepLine

from .runs import group, line, watch

WHY = "criteria: bare: 1 over_budget of 1 votes"


def step(number: int, unpaid: int, passed: int = 8, failed: int = 8) -> tuple[StepLine, list[GroupLine]]:
    """Return a step of which the first `unpaid` passes have no reward."""
    one = group(number, "t", "f", ["passed"] * passed + ["failed"] * failed)
    lost = replace(one, rewards=(None,) * unpaid + one.rewards[unpaid:], reasons=(WHY,) * unpaid + one.reasons[unpaid:])
    return line(number, [lost]), [lost]


def test_two_steps_whose_passes_are_not_paid_pause_the_run_and_are_marked() -> None:
    watcher, alarm = watch([step(1, 0), step(2, 8), step(3, 4), step(4, 0)])
    assert alarm is not None
    assert (alarm.kind, alarm.first_step, alarm.last_step, alarm.marks) == ("grader", 2, 3, True)
    assert f"12 of 16 passes could not be paid (most often: {WHY})" in alarm.why
    assert "could not be graded" not in alarm.why
    assert watcher.watched().left_out_steps == (2, 3)


@pytest.mark.parametrize("steps", [[step(1, 3), step(2, 3), step(3, 3)], [step(1, 8), step(2, 0), step(3, 8)]])
def test_some_passes_not_paid_or_one_such_step_pause_nothing(steps: list[tuple[StepLine, list[GroupLine]]]) -> None:
    watcher, alarm = watch(steps)
    assert alarm is None
    assert watcher.watched().left_out_steps == ()


def test_a_step_without_a_pass_is_no_step_that_was_not_paid() -> None:
    assert all(alarm.kind != "grader" for alarm in watch([step(n, 0, passed=0) for n in (1, 2)])[0].watched().alarms)

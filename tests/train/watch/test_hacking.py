"""Hacks: the line is passed only where the whole interval lies above it, and nobody looked is not none."""

from __future__ import annotations

import random

import pytest
from tests.train.watch.runs import Step, group, line, watch

from fairtrial.audit.hacks import Member
from fairtrial.train.recipe import Watch
from fairtrial.train.watch import Watcher
from fairtrial.train.watch.hacking import Hacking


def reviewed(step: int, hacks: int, looked: int, groups: int = 16) -> Step:
    """Return a step with as many passes as fails, of which the first `looked` were reviewed, `hacks` being hacks."""
    said = [True] * hacks + [False] * (looked - hacks) + [None] * (groups * 8 - looked)
    said = [said[at] for at in sorted(range(len(said)), key=lambda at: (at % 16, at))]
    made = [group(step, f"{step}-{i}", "", ["passed", "failed"] * 4, hacks=tuple(said[8 * i : 8 * i + 8]))
            for i in range(groups)]  # fmt: skip
    return line(step, made), made


def of_run(watcher: Watcher) -> tuple[str, float | None, float | None]:
    watched = watcher.watched()
    share = watched.hack_share
    return watched.against_line, share.value if share else None, share.high if share else None


def test_a_share_above_the_line_pauses() -> None:
    watcher, alarm = watch([reviewed(step, hacks=16, looked=128) for step in range(1, 10)])
    assert alarm is not None
    assert (alarm.kind, alarm.last_step) == ("hacks", 1)
    assert "16 of 128 reviewed attempts" in alarm.why
    assert watcher.watched().left_out_steps == ()


def test_a_share_below_the_line_does_not() -> None:
    watcher, alarm = watch([reviewed(step, hacks=int(step % 4 == 0), looked=128) for step in range(1, 13)])
    assert alarm is None
    assert of_run(watcher)[0] == "below"


def test_few_reviews_cannot_exclude_the_line() -> None:
    watcher, alarm = watch([reviewed(1, hacks=0, looked=32)])
    assert alarm is None
    assert of_run(watcher)[0] == "cannot tell"
    share = watcher.watched().hack_share
    assert share is not None
    assert share.one_sided
    assert share.high is not None
    assert share.high > 0.02


def test_nobody_looked_is_not_zero() -> None:
    watcher, alarm = watch([reviewed(step, hacks=0, looked=0) for step in range(1, 5)])
    assert alarm is None
    assert of_run(watcher) == ("not measured", None, None)
    assert all(step.hack_share is None for step in watcher.watched().steps)
    assert any(words.startswith("Hacks:") for words in watcher.watched().not_measured)


def test_hacks_of_one_task_count_as_one_task() -> None:
    """Sixteen hacks in two of sixteen groups are worth less than sixteen in sixteen."""
    spread = watch([reviewed(1, hacks=16, looked=128)])[0].watched().steps[0].hack_share
    groups = [group(1, f"t{i}", "", ["passed"] * 8, hacks=(i < 2,) * 8) for i in range(16)]
    bunched = watch([(line(1, groups), groups)])[0].watched().steps[0].hack_share
    assert spread is not None
    assert bunched is not None
    assert spread.value == bunched.value == 0.125
    assert (bunched.low or 0) < (spread.low or 0)


@pytest.mark.parametrize(("rate", "pauses"), [(0.015, False), (0.3, True)])
def test_looking_in_every_step_does_not_stop_a_run_below_the_line(rate: float, pauses: bool) -> None:
    """Of many runs at 1.5% a 95% interval alone, asked in every step, stops these two, over 30 reviews or 150."""
    for seed in (4, 6):
        chance = random.Random(seed)
        hacking = Hacking(Watch())
        raised = []
        for step in range(1, 151 if not pauses else 12):
            members = [Member(group=f"{step}-{i}", step=step, suspected=False, hack=chance.random() < rate)
                       for i in range(8)]  # fmt: skip
            raised.append(hacking.see(members, step))
        assert any(raised) == pauses, seed


def test_one_task_that_was_picked_for_review_stops_nothing() -> None:
    """Texts of earlier reviews are met again: what was not reviewed counts as no hack, and one task is one task."""
    steps = []
    for step in range(1, 6):
        groups = [group(step, f"t{i}", "", ["passed", "failed"] * 4, hacks=(True,) * 8 if i == 0 else ())
                  for i in range(16)]  # fmt: skip
        steps.append((line(step, groups), groups))
    watcher, alarm = watch(steps)
    assert alarm is None
    assert [one.kind for one in watcher.watched().alarms] == []

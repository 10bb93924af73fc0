"""Steps in which everything fails: an outage is stopped within three, hard tasks and bad luck are left alone."""

from __future__ import annotations

import pytest
from tests.train.watch.runs import Run, group, line, watch

from fairtrial.train.watch import Known
from fairtrial.train.watch.shapes import shape_of


def test_an_outage_in_a_run_that_passed_is_stopped_within_three_steps() -> None:
    run = Run({"sort": 0.6, "rev": 0.2}, references=(8, 8))
    steps = [run.step(number) for number in range(1, 41)] + [run.step(number, rate=0.0) for number in range(41, 60)]
    watcher, alarm = watch(steps)
    assert alarm is not None
    assert alarm.kind == "outage"
    assert (alarm.first_step, alarm.last_step) == (41, 42)
    assert watcher.watched().left_out_steps == (41, 42)
    assert alarm.probability is not None
    assert alarm.probability < 1e-9
    assert "All 16 known right answers passed" in alarm.why


def test_an_outage_from_the_first_step_is_known_by_an_evaluation_before() -> None:
    run = Run({"sort": 0.5, "rev": 0.1})
    _, alarm = watch([run.step(number, rate=0.0) for number in range(1, 10)], run.known())
    assert alarm is not None
    assert (alarm.kind, alarm.last_step) == ("outage", 2)


def test_hard_tasks_beside_easy_ones_are_no_outage() -> None:
    run = Run({"hard": 0.0, "easy": 0.4})
    watcher, alarm = watch([run.step(number) for number in range(1, 60)])
    assert alarm is None
    assert watcher.watched().left_out_steps == ()


def test_steps_that_draw_only_the_hard_family_are_as_expected() -> None:
    run = Run({"hard": 0.0, "easy": 0.4})
    steps = [run.step(number) for number in range(1, 31)]
    steps += [run.step(number, families=["hard"]) for number in range(31, 45)]
    watcher, alarm = watch(steps)
    assert alarm is None
    assert watcher.watched().alarms == ()


def test_known_right_answers_that_fail_make_it_the_grader() -> None:
    run = Run({"sort": 0.6}, references=(8, 8))
    steps = [run.step(number) for number in range(1, 21)]
    run.references = (0, 8)
    steps += [run.step(number, rate=0.0) for number in range(21, 30)]
    watcher, alarm = watch(steps)
    assert alarm is not None
    assert (alarm.kind, alarm.last_step) == ("grader", 22)
    assert [one.kind for one in watcher.watched().alarms] == ["grader"]


def test_ungraded_attempts_are_a_broken_grader_and_never_an_outage() -> None:
    run = Run({"sort": 0.6})
    steps = [run.step(number) for number in range(1, 11)]
    for number in (11, 12, 13):
        broken = [group(number, f"sort-{i}", "sort", ["ungraded"] * 8) for i in range(16)]
        steps.append((line(number, broken), broken))
    watcher, alarm = watch(steps)
    assert alarm is not None
    assert (alarm.kind, alarm.last_step) == ("grader", 12)
    assert "grader_crash" in alarm.why
    assert watcher.watched().steps[-1].pass_rate is None


def test_a_grader_that_breaks_now_and_then_is_told_once() -> None:
    run = Run({"sort": 0.6})
    steps = [run.step(number) for number in range(1, 21)]
    for number in range(6, 20, 2):
        broken = [group(number, f"sort-{i}", "sort", ["ungraded"] * 8) for i in range(16)]
        steps[number - 1] = (line(number, broken), broken)
    watcher, alarm = watch(steps)
    assert alarm is None
    (told,) = watcher.watched().alarms
    assert (told.kind, told.first_step, told.last_step, told.marks) == ("grader", 6, 18, False)
    assert "(7 of them): 896 of 896 attempts could not be graded" in told.why


def test_steps_before_a_grader_broke_count_though_a_few_were_ungraded() -> None:
    run = Run({"sort": 0.6})
    steps = [run.step(number) for number in range(1, 11)]
    for number in range(11, 17):
        lost = 8 if number > 14 else 2
        some = [group(number, f"sort-{i}", "sort", ["ungraded"] * lost + ["passed", "failed"] * ((8 - lost) // 2))
                for i in range(16)]  # fmt: skip
        steps.append((line(number, some), some))
    watcher, alarm = watch(steps)
    assert alarm is not None
    assert (alarm.kind, alarm.first_step, alarm.last_step) == ("grader", 15, 16)
    assert watcher.watched().left_out_steps == (15, 16)


def test_a_fall_to_nothing_within_two_steps_is_said_to_look_like_an_outage() -> None:
    run = Run({"sort": 0.6}, references=(4, 4))
    steps = [run.step(number) for number in range(1, 11)] + [run.step(11, rate=0.1)]
    steps += [run.step(number, rate=0.0) for number in range(12, 16)]
    _, alarm = watch(steps)
    assert alarm is not None
    assert alarm.kind == "outage"
    assert "A policy that collapsed at once fails alike" in alarm.why
    assert "Step 11 before passed" in alarm.why


def test_where_nothing_was_measured_it_cannot_be_told_and_the_run_still_stops() -> None:
    run = Run({"sort": 0.0})
    _, alarm = watch([run.step(number) for number in range(1, 10)])
    assert alarm is not None
    assert (alarm.kind, alarm.last_step, alarm.probability) == ("no_signal", 2, None)
    assert "Evaluate the base" in alarm.why


def test_tasks_that_never_passed_before_either_are_told_and_not_stopped() -> None:
    run = Run({"sort": 0.0})
    watcher, alarm = watch([run.step(number) for number in range(1, 10)], run.known())
    assert alarm is None
    assert [one.kind for one in watcher.watched().alarms] == ["no_signal"]
    assert watcher.watched().left_out_steps == ()


def test_completions_of_the_wrong_length_make_it_an_outage_though_nothing_was_measured() -> None:
    run = Run({"sort": 0.0}, references=(4, 4))
    known = Known(shapes={name: shape_of("1234") for name in run.tasks})
    _, alarm = watch([run.step(number, text="12345") for number in range(1, 5)], known)
    assert alarm is not None
    assert (alarm.kind, alarm.last_step) == ("outage", 2)
    assert "has the length of its right answer" in alarm.why


def test_a_policy_that_collapsed_first_is_no_outage_and_its_steps_stay_in_the_claim() -> None:
    run = Run({"sort": 0.6})
    steps = [run.step(number) for number in range(1, 21)]
    steps += [run.step(number, rate=0.05) for number in range(21, 31)]
    steps += [run.step(number, rate=0.0) for number in range(31, 50)]
    watcher, alarm = watch(steps)
    assert alarm is not None
    assert alarm.kind == "collapse"
    assert watcher.watched().left_out_steps == ()


def test_without_pause_steps_are_marked_and_the_run_goes_on() -> None:
    run = Run({"sort": 0.6})
    steps = [run.step(number) for number in range(1, 21)]
    steps += [run.step(number, rate=0.0) for number in range(21, 26)]
    steps += [run.step(number) for number in range(26, 30)]
    watcher, alarm = watch(steps, pause=False)
    assert alarm is None
    assert watcher.watched().left_out_steps == (21, 22, 23, 24, 25)
    assert watcher.watched().paused == ""


def test_a_single_silent_step_is_not_stopped() -> None:
    run = Run({"sort": 0.6})
    steps = [run.step(number) for number in range(1, 21)]
    steps += [run.step(21, rate=0.0)]
    steps += [run.step(number) for number in range(22, 30)]
    assert watch(steps)[1] is None


@pytest.mark.parametrize("rate", [0.02, 0.05])
def test_bad_luck_at_low_rates_is_left_alone(rate: float) -> None:
    """A run of 100 steps, half of them silent at .02. docs/watch.md states the rate found in many more."""
    for seed in range(1):
        run = Run({"a": rate}, seed=seed, groups=8, size=4)
        steps = [run.step(number) for number in range(1, 101)]
        watcher, alarm = watch(steps, run.known(4))
        assert alarm is None, (seed, alarm)
        assert not [one for one in watcher.watched().alarms if one.marks]

"""What changes slowly: a collapse is marked and goes on, another mix of families is none, length is told."""

from __future__ import annotations

from dataclasses import replace

from tests.train.watch.runs import Run, watch


def kinds(watcher: object) -> list[str]:
    return [alarm.kind for alarm in watcher.watched().alarms]  # type: ignore[attr-defined]


def test_a_collapse_is_marked_and_not_paused() -> None:
    run = Run({"sort": 0.7})
    steps = [run.step(number) for number in range(1, 21)] + [run.step(number, rate=0.1) for number in range(21, 41)]
    watcher, alarm = watch(steps)
    assert alarm is None
    assert kinds(watcher) == ["collapse"]
    (collapse,) = watcher.watched().alarms
    assert 21 <= collapse.first_step <= 25
    assert collapse.last_step == 40
    assert watcher.watched().left_out_steps == ()


def test_a_harder_mix_is_no_collapse() -> None:
    run = Run({"easy": 0.8, "hard": 0.1})
    steps = [run.step(number, families=["easy", "hard"]) for number in range(1, 21)]
    steps += [run.step(number, families=["hard"]) for number in range(21, 41)]
    assert kinds(watch(steps)[0]) == []


def test_a_steady_run_raises_nothing() -> None:
    run = Run({"sort": 0.3, "rev": 0.6})
    assert kinds(watch([run.step(number) for number in range(1, 80)])[0]) == []


def test_completions_that_grow_are_told() -> None:
    run = Run({"sort": 0.5})
    steps = [run.step(number) for number in range(1, 31)]
    grown = [(replace(step, mean_tokens=4.0 if step.step < 20 else 12.0), groups) for step, groups in steps]
    watcher, alarm = watch(grown)
    assert alarm is None
    assert kinds(watcher) == ["length"]
    assert not watcher.watched().alarms[0].is_grave


def test_a_fall_that_hovers_is_one_collapse() -> None:
    run = Run({"sort": 0.6})
    steps = [run.step(number) for number in range(1, 16)]
    rates = [0.1, 0.1, 0.1, 0.1, 0.1, 0.27, 0.27, 0.27, 0.27, 0.27] * 3
    steps += [run.step(number, rate=rate) for number, rate in enumerate(rates, 16)]
    watcher, _ = watch(steps)
    assert kinds(watcher) == ["collapse"]
    assert watcher.watched().alarms[0].last_step == 45


def test_a_grader_that_passes_everything_is_told() -> None:
    run = Run({"sort": 0.3})
    steps = [run.step(number) for number in range(1, 16)] + [run.step(number, rate=1.0) for number in range(16, 25)]
    watcher, alarm = watch(steps)
    assert alarm is None
    (told,) = watcher.watched().alarms
    assert (told.kind, told.first_step, told.last_step, told.marks) == ("no_signal", 16, 24, False)
    assert "the grader passes everything" in told.why
    assert "Step 15 before passed" in told.why


def test_groups_of_one_attempt_are_no_lost_signal() -> None:
    run = Run({"sort": 0.5}, groups=64, size=1)
    assert kinds(watch([run.step(number) for number in range(1, 12)])[0]) == []

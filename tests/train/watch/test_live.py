"""What is written while a run goes on: the same as what the log says later, through kills, pauses and going on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import orjson
import pytest
from tests.train.watch.runs import Run, Step, group, line

from fairtrial.ledger import Ledger
from fairtrial.records import FormatError, InputError, Review, Rollout
from fairtrial.train.log import LogWriter
from fairtrial.train.recipe import Watch
from fairtrial.train.watch import Alarm, Known, LiveWatch, Watched, is_log, watch_log
from fairtrial.train.watch.shapes import shape_of


def train(folder: Path, steps: list[Step], known: Known | None = None, **more: int) -> tuple[Watched, Alarm | None]:
    """Write log and watch as a trainer does; stop where the watch says so."""
    raised = None
    watch = LiveWatch(folder, Watch(), known, **more)
    with LogWriter(folder, keep_through=more.get("through", 0)) as log:
        for step, groups in steps:
            raised = watch.observe(step, groups)
            log.write(replace(step, notes=watch.said), groups)
            if raised is not None and raised.pauses:
                break
    watch.close()
    return watch.watched(), raised


def test_the_log_says_later_what_the_watch_said_then(tmp_path: Path) -> None:
    run = Run({"sort": 0.6, "rev": 0.2}, references=(4, 4))
    known = replace(run.known(), shapes={name: shape_of("12") for name in run.tasks})
    steps = [run.step(number) for number in range(1, 12)]
    steps += [run.step(number, rate=0.0, text="123") for number in range(12, 20)]
    watched, alarm = train(tmp_path / "seed-3", steps, known)
    assert alarm is not None
    (later,) = watch_log(tmp_path)
    assert later == replace(watched, model=tmp_path.name, seed=3)
    assert is_log(tmp_path)
    whole = orjson.loads((tmp_path / "seed-3" / "watch.json").read_bytes())
    assert whole["left_out_steps"] == list(watched.left_out_steps) == [12, 13]
    assert whole["paused"] == alarm.why


def test_every_step_has_a_line_and_a_resumed_run_the_same_ones(tmp_path: Path) -> None:
    run = Run({"sort": 0.6})
    steps = [run.step(number) for number in range(1, 21)]
    whole, _ = train(tmp_path / "a", steps)
    train(tmp_path / "b", steps[:13])
    resumed, _ = train(tmp_path / "b", steps[10:], through=10)
    assert resumed == whole
    lines = [(tmp_path / name / "watch.jsonl").read_bytes() for name in ("a", "b")]
    assert lines[0] == lines[1]
    assert [orjson.loads(line)["step"] for line in lines[0].splitlines()] == list(range(1, 21))


def test_going_on_past_a_pause_pauses_again_only_for_what_comes_after(tmp_path: Path) -> None:
    run = Run({"sort": 0.6})
    steps = [run.step(number) for number in range(1, 11)] + [run.step(number, rate=0.0) for number in range(11, 21)]
    first, alarm = train(tmp_path, steps)
    assert alarm is not None
    assert first.left_out_steps == (11, 12)
    again, alarm = train(tmp_path, steps[12:], through=12, continue_past=12)
    assert alarm is not None
    assert (alarm.first_step, alarm.last_step) == (13, 14)
    assert again.left_out_steps == (11, 12, 13, 14)
    healed, alarm = train(tmp_path, [run.step(number) for number in range(15, 30)], through=14, continue_past=14)
    assert alarm is None
    assert healed.paused == ""
    assert healed.left_out_steps == (11, 12, 13, 14)
    assert watch_log(tmp_path)[0].left_out_steps == (11, 12, 13, 14)


def test_a_folder_without_a_log_and_a_broken_line_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no log"):
        watch_log(tmp_path)
    train(tmp_path, [Run({"a": 0.5}).step(1)])
    (tmp_path / "watch-settings.json").write_text('{"schema": "fairtrial.watch-settings/1"}')
    with pytest.raises(FormatError, match="watch-settings"):
        watch_log(tmp_path)


def test_a_folder_named_by_a_dot_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    train(tmp_path / "seed-4", [Run({"a": 0.5}).step(1)])
    monkeypatch.chdir(tmp_path / "seed-4")
    assert watch_log(Path())[0].model == "seed-4"
    assert watch_log(Path())[0].seed == 4
    assert watch_log(Path(".."))[0].model == tmp_path.name


@pytest.mark.parametrize("order", [(2, 1), (1, 1), (0, 1)])
def test_steps_out_of_order_are_refused(tmp_path: Path, order: tuple[int, ...]) -> None:
    run = Run({"a": 0.5}, groups=2, size=2)
    train(tmp_path, [run.step(number) for number in order])
    with pytest.raises(FormatError, match=r"steps\.jsonl.*order"):
        watch_log(tmp_path)


def test_reviews_in_the_log_are_heard_beside_words_in_the_ledger(tmp_path: Path) -> None:
    made = [group(1, f"t{i}", "", ["passed", "failed"] * 4, text=f"text {i}", hacks=(True,) * 8 if i == 0 else ())
            for i in range(8)]  # fmt: skip
    train(tmp_path / "seed-0", [(line(1, made), made)])
    ledger = Ledger.open(tmp_path / "training", create=True)
    rollouts = [Rollout(task=f"t{i}", model=tmp_path.name, seed=0, step=1, attempt=n, group=f"1-{i}", split="train",
                        answer=f"text {i}") for i in range(8) for n in range(8)]  # fmt: skip
    ledger.append("rollouts", rollouts)
    ledger.append("reviews", [Review(rollout=rollouts[-1].id, reviewer="ada", hack=False)])
    share = watch_log(tmp_path)[0].hack_share
    assert share is not None
    assert share.n == 9


def test_groups_that_the_log_lacks_are_said(tmp_path: Path) -> None:
    train(tmp_path, [Run({"a": 0.5}, groups=4, size=4).step(number) for number in (1, 2, 3)])
    lines = (tmp_path / "groups.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "groups.jsonl").write_bytes(b"".join(lines[:5] + lines[8:]))
    (watched,) = watch_log(tmp_path)
    assert [step.attempts for step in watched.steps] == [16, 4, 16]
    assert any("lacks groups of 1 of them (2)" in words for words in watched.not_measured)


def test_an_outcome_that_is_none_is_named_and_not_counted_as_ungraded(tmp_path: Path) -> None:
    train(tmp_path, [Run({"a": 0.5}, groups=2, size=2).step(1)])
    text = (tmp_path / "groups.jsonl").read_text()
    (tmp_path / "groups.jsonl").write_text(text.replace('"passed"', '"PASSED"').replace('"failed"', '"FAILED"'))
    with pytest.raises(FormatError, match=r"groups\.jsonl:1, field `outcomes`: `\w+` is none of passed, failed"):
        watch_log(tmp_path)

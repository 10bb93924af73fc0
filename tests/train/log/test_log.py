"""The log: what is written is read, a run that goes on starts from what was saved, and damage is named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fairtrial.records import FormatError, InputError
from fairtrial.train.log import GROUPS, STEPS, GroupLine, LogWriter, StepLine, read_groups, read_steps

GROUP = GroupLine(
    step=1, stage=2, task="sort-1", completions=("12\n", "é\u2028", ""), tokens=(3, 2, 0), finished=(True, False, True),
    outcomes=("passed", "failed", "ungraded"), reasons=("", "", "grader_timeout"), rewards=(1.0, 0.0, None),
    hacks=(None, None, None), ranks=(1.0, None, None), advantages=(0.1 + 0.2, -1 / 3, 0.0),
)  # fmt: skip
STEP = StepLine(step=1, stage=2, method="grpo", loss=1e-17, attempts=3, passed=1, failed=1, ungraded=1, notes=("x",))


def write(folder: Path, steps: range, keep_through: int = 0) -> None:
    with LogWriter(folder, keep_through=keep_through) as log:
        for step in steps:
            log.write(replace(STEP, step=step), [replace(GROUP, step=step), replace(GROUP, step=step, task="b")])


def test_what_is_written_is_read_to_the_last_bit(tmp_path: Path) -> None:
    with LogWriter(tmp_path) as log:
        log.write(STEP, [GROUP])
    assert list(read_groups(tmp_path)) == [GROUP]
    assert list(read_steps(tmp_path)) == [STEP]


def test_a_run_that_goes_on_has_the_log_of_one_that_never_stopped(tmp_path: Path) -> None:
    write(tmp_path / "whole", range(1, 9))
    write(tmp_path / "killed", range(1, 7))
    with (tmp_path / "killed" / GROUPS).open("ab") as file:
        file.write(b'{"step": 7, "sta')
    write(tmp_path / "killed", range(5, 9), keep_through=4)
    for name in (GROUPS, STEPS):
        assert (tmp_path / "killed" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_a_line_that_is_still_being_written_is_not_read(tmp_path: Path) -> None:
    write(tmp_path, range(1, 3))
    with (tmp_path / STEPS).open("ab") as file:
        file.write(b'{"step": 3')
    assert [step.step for step in read_steps(tmp_path)] == [1, 2]


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    write(tmp_path, range(1, 3))
    with (tmp_path / STEPS).open("ab") as file:
        file.write(b'{"step": "third", "stage": 1, "method": "grpo"}\n')
    with pytest.raises(FormatError) as error:
        list(read_steps(tmp_path))
    assert error.value.where == f"{tmp_path / STEPS}:3, field `step`"


@pytest.mark.parametrize("field", ["tokens", "rewards", "advantages", "ranks"])
def test_a_group_that_does_not_say_one_thing_of_each_attempt_is_damaged(tmp_path: Path, field: str) -> None:
    with LogWriter(tmp_path) as log:
        log.write(STEP, [GROUP, replace(GROUP, **{field: getattr(GROUP, field)[:2]})])
    with pytest.raises(FormatError) as error:
        list(read_groups(tmp_path))
    assert error.value.where == f"{tmp_path / GROUPS}:2, field `{field}`"


def test_a_folder_that_holds_something_else_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / STEPS).write_text('{"name": "not a step"}\n')
    with pytest.raises(InputError) as error:
        LogWriter(tmp_path)
    assert error.value.line == 1
    assert (tmp_path / STEPS).read_text() == '{"name": "not a step"}\n'


def test_a_missing_log_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        list(read_groups(tmp_path))

"""A declared oracle is loaded, addressed by content, and graded like tests/; an unknown freedom is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tasks.task_folders import FILES, make_task, write

from fairtrial.records import InputError
from fairtrial.tasks import load_task

SCRIPT = "exit 0\n"


def with_oracle(path: Path, line: str = 'oracle = "oracle"\n', script: str = SCRIPT) -> Path:
    return make_task(path, {"proof.toml": line + FILES["proof.toml"], "oracle/test.sh": script})


def test_an_oracle_stands_in_for_the_tests_under_a_hash_of_its_own(tmp_path: Path) -> None:
    _, key = load_task(with_oracle(tmp_path / "t"))
    oracle = key.under_oracle
    assert oracle is not None
    assert oracle.steps[-1].tests == tmp_path / "t" / "oracle"
    assert oracle.grader_hash == key.oracle_hash != key.grader_hash


def test_what_the_oracle_says_changes_the_task_and_not_the_grader(tmp_path: Path) -> None:
    task, key = load_task(with_oracle(tmp_path / "t"))
    write(tmp_path / "t" / "oracle" / "test.sh", "exit 1\n")
    changed, changed_key = load_task(tmp_path / "t")
    assert changed.hash != task.hash
    assert changed_key.oracle_hash != key.oracle_hash
    assert changed_key.grader_hash == key.grader_hash


def test_without_an_oracle_the_key_has_none(tmp_path: Path) -> None:
    _, key = load_task(make_task(tmp_path / "t"))
    assert key.oracle is None
    assert key.under_oracle is None


@pytest.mark.parametrize("name", ["nowhere", "../elsewhere", "/tmp", ".", "environment"])
def test_an_oracle_that_cannot_grade_is_an_error_at_its_line(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError) as raised:
        load_task(with_oracle(tmp_path / "t", f'oracle = "{name}"\n'))
    assert raised.value.line == 1
    assert raised.value.field == "oracle"


def test_an_unknown_freedom_is_an_error_that_names_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="row_order") as raised:
        load_task(with_oracle(tmp_path / "t", 'free = ["row_order", "colour"]\n'))
    assert raised.value.field == "free[1]"

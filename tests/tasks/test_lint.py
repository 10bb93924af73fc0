"""`fairtrial lint` lists every error and lead, and says so by its exit code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.tasks.task_folders import FILES, make_task, write

from fairtrial.cli.main import run
from fairtrial.tasks.lint import lint_task


def problems(path: Path) -> list[tuple[str, str]]:
    return [(problem.severity, problem.what) for problem in lint_task(path).problems]


def test_a_sound_task_is_clean(tmp_path: Path) -> None:
    assert problems(make_task(tmp_path / "t")) == []


def test_every_error_is_listed_not_only_the_first(tmp_path: Path) -> None:
    changed: dict[str, str | None] = {
        "task.toml": "[agent]\ntimeout_sec = 0\n[environment]\ncpus = 0\n",
        "tests/test.sh": None,
        "proof.toml": "x = 1\n",
    }
    assert [severity for severity, _ in problems(make_task(tmp_path / "t", changed))] == ["error"] * 4


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"proof.toml": None}, "declares no candidate"),
        ({"solution/solve.sh": None}, "is missing"),
        ({"proof.toml": FILES["proof.toml"].replace('fails = ["answer"]\n', "")}, "`five` names no check"),
        ({"proof.toml": FILES["proof.toml"].split("\n\n")[0] + "\n"}, "declares no alternative"),
        ({"tests/test.sh~": "old"}, "looks left over"),
        ({"task.toml": "[agent]\ntimeout_secs = 3\n"}, "is not a key that anything reads"),
    ],
)
def test_what_would_be_proven_less_is_a_lead(tmp_path: Path, changed: dict[str, str | None], what: str) -> None:
    assert ("lead", what) in problems(make_task(tmp_path / "t", changed))


def document(path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any]]:
    code = run(["lint", str(path), "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_exit_codes_follow_the_worst_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = make_task(tmp_path / "t")
    assert document(path, capsys)[0] == 0
    write(path / "solution" / "old.sh~", "")
    code, said = document(path, capsys)
    assert (code, said["schema"], said["leads"]) == (1, "fairtrial.lint/1", 1)
    write(path / "task.toml", "[agent")
    code, said = document(path, capsys)
    assert (code, said["errors"], said["tasks"][0]["problems"][0]["line"]) == (2, 1, 1)


def test_a_defect_aimed_at_a_check_that_nobody_grades_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = make_task(tmp_path / "t", {"grading.toml": '[[check]]\nname = "sum"\n'})
    code, said = document(path, capsys)
    assert code == 2
    assert "`answer`" in said["tasks"][0]["problems"][0]["what"]


def test_a_path_without_tasks_is_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lint", str(tmp_path)]) == 2
    assert "holds no task" in capsys.readouterr().err

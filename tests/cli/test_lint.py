"""Attacks `fairtrial lint` on a checks.toml: what cannot run, and what its grading.toml does not know."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairtrial.cli.main import run

CHECK = '[[check]]\nname = "{}"\nuse = "file_text"\npath = "/app/a"\n'
RULE = '[[check]]\nname = "{}"\n'


@pytest.fixture
def task(tmp_path: Path) -> Path:
    for name, text in {
        "task.toml": 'version = "1.0"\n',
        "instruction.md": "Write /app/a.\n",
        "environment/Dockerfile": "FROM debian:12\n",
        "tests/test.sh": "exec python3 /tests/fairtrial.pyz /tests\n",
        "tests/fairtrial.pyz": "",
    }.items():
        (tmp_path / "task" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "task" / name).write_text(text)
    return tmp_path / "task"


def problems(task: Path, capfd: pytest.CaptureFixture[str], checks: str, grading: str) -> list[tuple[str, str]]:
    (task / "tests/checks.toml").write_text(checks)
    (task / "grading.toml").write_text(grading)
    code = run(["lint", str(task), "--json"])
    said: Any = json.loads(capfd.readouterr().out)["tasks"][0]
    found = [(one["severity"], one["what"]) for one in said["problems"]]
    assert code == (2 if any(severity == "error" for severity, _ in found) else 1)
    return [(severity, what) for severity, what in found if "check `" in what]


def test_checks_that_both_files_know_are_left_alone(task: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert problems(task, capfd, CHECK.format("a"), RULE.format("a")) == []


def test_a_check_that_one_file_alone_knows_is_named(task: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert problems(task, capfd, CHECK.format("a") + CHECK.format("b"), RULE.format("a") + RULE.format("c")) == [
        ("error", "grading.toml does not name the check `b`, so nothing is graded"),
        ("lead", "no check `c` stands in checks.toml"),
    ]


def test_a_check_that_there_is_not_is_an_error(task: Path, capfd: pytest.CaptureFixture[str]) -> None:
    checks = CHECK.format("a").replace("file_text", "file_texts")
    ((severity, what),) = problems(task, capfd, checks, RULE.format("a"))
    assert (severity, "no check `file_texts`" in what) == ("error", True)

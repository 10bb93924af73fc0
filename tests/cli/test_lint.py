"""Attacks `fairtrial lint` on a checks.toml: what cannot run, and what its grading.toml does not know."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairtrial.cli.main import run
from fairtrial.ledger import Ledger
from fairtrial.records import Signoff

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


def test_what_experts_refuse_and_what_is_void_are_leads(
    task: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    def linted() -> tuple[dict[str, Any], list[str]]:
        run(["lint", str(task), "--json", "--ledger", str(tmp_path / "ledger")])
        (said,) = json.loads(capfd.readouterr().out)["tasks"]
        return said, [one["what"] for one in said["problems"] if "(author)" in one["what"]]

    book = Ledger.open(tmp_path / "ledger", create=True)
    now = linted()[0]["hash"]
    content: dict[str, Any] = {"suite": "s", "task": "task", "reviewer": "ada", "role": "author"}
    book.append("signoffs", [
        Signoff(**content, task_hash=now, part="world", holds=True),
        Signoff(**content, task_hash=now, part="grader", holds=False, note="too narrow", second_design="in words",
                second_design_passes=False),
        Signoff(**content, task_hash="old", part="reference", holds=True),
    ])  # fmt: skip
    said, whats = linted()
    assert said["signoffs"] == {"instruction": "nobody", "world": "signed", "grader": "refused", "reference": "nobody"}
    assert sorted(whats) == [
        "a design that ada (author) calls correct is refused: in words",
        "ada (author) says that the grader does not hold: too narrow",
        "the sign-off of ada (author) on the reference is void: it is of another content",
    ]
    assert run(["lint", str(task), "--json"]) in (1, 2)
    assert "signoffs" not in json.loads(capfd.readouterr().out)["tasks"][0]

"""The scripted policies act, record what they do, and do the same again under the same seed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SUITES = ("refund-desk", "bug-fix")
"""The suites that the policies know."""
TASKS = {path.parent.name: path.parent for suite in SUITES for path in sorted(EXAMPLES.glob(f"{suite}/*/task.toml"))}
STOPS = {"finished", "turn_limit", "gave_up"}


def act(policy: str, task: str, seed: int, place: Path) -> list[dict[str, Any]]:
    """Run a policy in a copy of a task's workspace and return the rows that it recorded.

    Outside a sandbox: the program is ours, and all it touches lies in its working folder.
    """
    shutil.copytree(TASKS[task] / "environment" / "workspace", place / "app")
    steps = place / "steps.jsonl"
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / "policies" / f"{policy}.py"), "--seed", str(seed), "--task", task],
        cwd=place / "app",
        env={
            "PATH": os.environ["PATH"],
            "PYTHONDONTWRITEBYTECODE": "1",
            "FAIRTRIAL_STEPS": str(steps),
            "FAIRTRIAL_INSTRUCTION": str(TASKS[task] / "instruction.md"),
        },
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return [json.loads(line) for line in steps.read_text().splitlines()]


@pytest.mark.extra
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("policy", ["weak", "strong"])
def test_a_policy_acts_and_says_why_it_stopped(policy: str, task: str, tmp_path: Path) -> None:
    *steps, ending = act(policy, task, 1, tmp_path)
    assert ending["stop"] in STOPS
    assert len(steps) >= 4
    assert all({"message", "command", "output", "exit_code"} == set(step) for step in steps)
    workspace = TASKS[task] / "environment" / "workspace"
    before = {path.relative_to(workspace): path.read_bytes() for path in workspace.rglob("*") if path.is_file()}
    place = tmp_path / "app"
    after = {path.relative_to(place): path.read_bytes() for path in place.rglob("*") if path.is_file()}
    assert before != after or ending["stop"] == "gave_up"


@pytest.mark.extra
def test_the_same_seed_gives_the_same_bytes_and_another_seed_another_attempt(tmp_path: Path) -> None:
    first, again, other = (
        act("weak", "free-slots", seed, tmp_path / name) for name, seed in (("a", 3), ("b", 3), ("c", 4))
    )
    assert first == again
    assert first != other


def test_commands_that_fail_are_recorded_with_their_exit_code(tmp_path: Path) -> None:
    codes = [
        step["exit_code"] for seed in range(4) for step in act("weak", "four-tickets", seed, tmp_path / str(seed))[:-1]
    ]
    assert 0 in codes
    assert set(codes) != {0}, "over four attempts, some fumble is expected"


def test_a_policy_gives_up_on_a_task_it_does_not_know(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / "policies" / "strong.py"), "--seed", "1", "--task", "unheard-of",
         "--steps-out", str(tmp_path / "steps.jsonl")],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    assert json.loads((tmp_path / "steps.jsonl").read_text().splitlines()[-1])["stop"] == "gave_up"


def test_policies_name_no_place_where_a_key_lies() -> None:
    for path in (EXAMPLES / "policies").glob("*.py"):
        text = path.read_text()
        for private in ("/solution", "/logs/verifier", "proof.toml", "grading.toml", "candidates/"):
            assert private not in text, (path.name, private)

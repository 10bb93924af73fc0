"""`fairtrial run` from the outside: killed, interrupted and resumed it ends in the ledger of an undisturbed run."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from fairtrial.ledger import Ledger, connect
from fairtrial.sandbox import default

COMMAND = [str(Path(sys.executable).with_name("fairtrial"))]
ATTEMPTS = 30


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    for name in ("one", "two"):
        task = tmp_path / "suite" / name
        _write(task / "task.toml", 'version = "1.0"\n[verifier]\ntimeout_sec = 30.0\n[agent]\ntimeout_sec = 30.0\n')
        _write(task / "instruction.md", f"Do {name}.\n")
        _write(task / "environment" / "Dockerfile", "FROM debian:12\nWORKDIR /app\nCOPY workspace/ /app/\n")
        _write(task / "environment" / "workspace" / "given.txt", name)
        _write(task / "tests" / "test.sh", "mkdir -p /logs/verifier\necho 0 > /logs/verifier/reward.txt\n")
    return tmp_path / "suite"


def _arguments(suite: Path, ledger: Path) -> list[str]:
    return ["run", str(suite), "--to", str(ledger), "--attempts", str(ATTEMPTS), "--workers", "2", "--json"]


def _run(suite: Path, ledger: Path) -> dict[str, Any]:
    done = subprocess.run([*COMMAND, *_arguments(suite, ledger)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def _content(ledger: Path) -> set[tuple[Any, ...]]:
    query = "select id, task, attempt, outcome, score from outcomes"
    return set(connect(Ledger.open(ledger)).execute(query).fetchall())


def _disturb(suite: Path, ledger: Path, how: signal.Signals) -> int:
    """Start a run, wait until it has kept something, send `how`; return its exit code."""
    process = subprocess.Popen(
        [*COMMAND, *_arguments(suite, ledger)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not list(ledger.glob("rollouts/part-*.parquet")):
        time.sleep(0.02)
    os.kill(process.pid, how)
    _, errors = process.communicate(timeout=60)
    assert b"Traceback" not in errors
    return process.returncode


@pytest.mark.parametrize("how", [signal.SIGKILL, pytest.param(signal.SIGINT, marks=pytest.mark.extra)])
def test_a_disturbed_run_resumed_is_an_undisturbed_one(suite: Path, tmp_path: Path, how: signal.Signals) -> None:
    if not default()[0].capability().isolated:
        pytest.skip("bubblewrap does not work here, and local boxes are too slow for this")
    code = _disturb(suite, tmp_path / "disturbed", how)
    # -SIGINT: the run had ended by itself, and the signal met an interpreter that was closing down.
    assert code in ({130, -how} if how == signal.SIGINT else {-how})
    kept = _content(tmp_path / "disturbed")
    resumed = _run(suite, tmp_path / "disturbed")
    _run(suite, tmp_path / "undisturbed")
    assert 0 < len(kept) <= 2 * ATTEMPTS
    assert resumed["already_there"] == len({row for row in kept if row[3] != "ungraded"})
    assert _content(tmp_path / "disturbed") == _content(tmp_path / "undisturbed")
    assert len(_content(tmp_path / "undisturbed")) == 2 * ATTEMPTS


def test_bad_words_are_refused_by_name(suite: Path, tmp_path: Path) -> None:
    for words, expected in (
        (["--agent", "scripted"], "--policy"),
        (["--agent", "terminal"], "--model"),
        (["--model", "m"], "Add --agent terminal"),
        (["--policy", "weak.py"], "Add --agent scripted"),
        (["--task", "three"], "three"),
        (["--sandbox", "moon"], "moon"),
        (["--agent", "scripted", "--policy", str(tmp_path / "none.py")], "none.py"),
    ):
        done = subprocess.run(
            [*COMMAND, "run", str(suite), "--to", str(tmp_path / "ledger"), *words],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 2, (words, done.stderr)
        assert expected in done.stderr
        assert "Traceback" not in done.stderr


def test_a_model_is_refused_where_nothing_isolates_before_it_is_asked(suite: Path, tmp_path: Path) -> None:
    words = ["--agent", "terminal", "--model", "m", "--base-url", "http://127.0.0.1:9/v1", "--sandbox", "local"]
    command = [*COMMAND, "run", str(suite), "--to", str(tmp_path / "ledger"), *words]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert "--allow-unisolated" in refused.stderr
    asked = subprocess.run([*command, "--allow-unisolated"], capture_output=True, text=True, check=False)
    assert asked.returncode == 3
    assert "cannot be asked" in asked.stderr


def test_a_grader_that_lies_about_its_own_checks_is_told(tmp_path: Path) -> None:
    task = tmp_path / "suite" / "liar"
    ctrf = '{"results": {"tests": [{"name": "a", "status": "passed"}, {"name": "b", "status": "failed"}]}}'
    tests = f"echo '{ctrf}' > /logs/verifier/ctrf.json\necho 1 > /logs/verifier/reward.txt\n"
    _write(task / "task.toml", 'version = "1.0"\n')
    _write(task / "instruction.md", "Do it.\n")
    _write(task / "environment" / "Dockerfile", "FROM debian:12\nWORKDIR /app\n")
    _write(task / "tests" / "test.sh", f"mkdir -p /logs/verifier\n{tests}")
    _write(task / "tests" / "grading.toml", '[[check]]\nname = "a"\n[[check]]\nname = "b"\n')
    document = _run(tmp_path / "suite", tmp_path / "ledger")
    assert (document["passed"], document["failed"], document["rewards_differ"]) == (0, ATTEMPTS, ATTEMPTS)
    scores = connect(Ledger.open(tmp_path / "ledger")).execute("select distinct score from outcomes").fetchall()
    assert scores == [(0.5,)]

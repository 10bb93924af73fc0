"""Attacks the ray engine on two machines: a worker that dies, a machine that is taken away; and the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from run.cluster.jobs import rows

TESTS = Path(__file__).resolve().parent.parent.parent


def _environment(folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    return kept | {"PYTHONPATH": str(TESTS), "FAIRTRIAL_CACHE": str(folder / "cache"), "OMP_NUM_THREADS": "1"}


@pytest.mark.long
@pytest.mark.extra
@pytest.mark.timeout(300)
def test_a_dead_worker_and_a_machine_taken_away_leave_the_same_ledger(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    command = [sys.executable, str(Path(__file__).with_name("two_nodes.py")), str(tmp_path)]
    done = subprocess.run(command, env=_environment(tmp_path), cwd=tmp_path, capture_output=True, text=True,
                          timeout=280, check=False)  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads((tmp_path / "told.json").read_text())
    assert {path.name for path in (tmp_path / "marks").iterdir()} == {"died", "away", "taken"}
    assert told["far"] == told["alone"] == [12, 6, 6, 0]
    assert rows(tmp_path / "far") == rows(tmp_path / "alone")
    assert len(rows(tmp_path / "far")["rollouts"]) == 12
    assert told["died"] == [True]
    assert told["read"] == "Write file 0.\n"
    assert "cannot do its part: no bubblewrap" in told["refused"]
    assert told["scan"] == told["scan_alone"]
    assert told["scan"]["flagged"]
    assert told["variables"] == []

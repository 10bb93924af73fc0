"""The plugins under the frameworks themselves, each in an interpreter of its own that the environment names.

FAIRTRIAL_HARBOR and FAIRTRIAL_INSPECT are commands (`harbor`, `inspect`) of an environment that also holds fairtrial.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.extra

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "refund-desk" / "duplicate-refunds"


def command(name: str) -> str:
    named = os.environ.get(name)
    if not named:
        pytest.skip(f"{name} names no command")
    return named


def ended(words: list[str], folder: Path) -> str:
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, timeout=110)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_harbor_runs_its_oracle_in_our_box(tmp_path: Path) -> None:
    words = [command("FAIRTRIAL_HARBOR"), "run", "-p", str(EXAMPLE), "-a", "oracle", "-q", "-y", "-o", str(tmp_path)]
    ended([*words, "-e", "fairtrial.plugins.harbor:BubblewrapEnvironment"], tmp_path)
    rewards = [path.read_text().strip() for path in tmp_path.rglob("reward.*")]
    assert rewards
    assert all("1" in reward for reward in rewards)


def test_inspect_uses_every_call_of_our_sandbox(tmp_path: Path) -> None:
    shutil.copy(Path(__file__).with_name("acted.py"), tmp_path)
    said = ended(
        [command("FAIRTRIAL_INSPECT"), "eval", "acted.py", "--model", "mockllm/model", "--display", "plain"], tmp_path
    )
    assert "accuracy  1.000" in said

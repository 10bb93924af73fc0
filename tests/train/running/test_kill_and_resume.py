"""A run that is killed anywhere, and taken up again, ends with the weights, log and ledger of one that was not."""

from __future__ import annotations

import random
import signal
from pathlib import Path

import pytest

from fairtrial.ledger import Ledger
from fairtrial.train.recipe.reading import read_recipe
from fairtrial.train.recipe.resolving import resolve
from fairtrial.train.running.chain import standing
from fairtrial.train.running.due import is_done
from fairtrial.train.running.folder import RunFolder
from train import tiny
from train.running.forks import begin, forked, left_by, load, said

RECIPE = """
name = "m"
base = "base"
save_steps = 3
[tasks]
train = "train.jsonl"
held_out = "held_out.jsonl"
[[stages]]
method = "sft"
data = "sft.jsonl"
steps = 8
batch_size = 5
learning_rate = 1e-2
schedule = "linear"
[[stages]]
method = "dpo"
data = "pairs.jsonl"
steps = 4
batch_size = 4
[[stages]]
method = "grpo"
steps = 5
learning_rate = 1e-3
reward = "length"
[stages.sampling]
prompts_per_step = 3
group_size = 4
max_new_tokens = 5
[watch]
pause = false
[evaluation]
steps = [5, 14]
runs = 2
max_new_tokens = 6
base = true
"""


def _is_done(run: RunFolder) -> bool:
    resolved = resolve(read_recipe(run.recipe))
    seed = run.seed(0)
    at = standing(seed, Path(resolved.recipe.base))
    return is_done(run.path, seed, resolved, 0, at, Ledger.open(run.ledger), with_base=True)


@pytest.mark.extra
@pytest.mark.timeout(300)
def test_a_run_killed_at_random_points_ends_as_one_that_was_not(tmp_path: Path) -> None:
    pytest.importorskip("trl")
    load("sft", "dpo", "grpo")
    tiny.write_model(tmp_path / "base")
    for name in ("whole", "killed"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "base").symlink_to(tmp_path / "base")
    whole, killed = begin(tmp_path / "whole", RECIPE), begin(tmp_path / "killed", RECIPE)
    assert forked(whole) == 0, said(whole)
    drawn = random.Random(20261)
    codes = [forked(killed, drawn.uniform(0.3, 3.0)) for _ in range(3)]
    assert -signal.SIGKILL in codes
    assert forked(killed) == 0, said(killed)
    assert left_by(killed) == left_by(whole)
    again = left_by(killed)
    assert _is_done(killed)
    next(iter(Ledger.open(killed.ledger).parts("rollouts"))).unlink()
    assert not _is_done(killed)
    assert forked(killed) == 0, said(killed)
    assert left_by(killed) == again
    assert {table: len(set(again[table])) for table in ("rollouts", "checkpoints")} == {
        "rollouts": 32,
        "checkpoints": 3,
    }
    assert set(Ledger.open(killed.training).ids("checkpoints")) == set(again["checkpoints"])  # whoever copies it knows

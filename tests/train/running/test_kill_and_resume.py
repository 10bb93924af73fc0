"""A run that is killed anywhere, and taken up again, ends with the weights, log and ledger of one that was not."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import random
import signal
from pathlib import Path
from typing import Any

import orjson
import pytest

from fairtrial.ledger import Ledger
from fairtrial.train.running.folder import RunFolder
from train import tiny

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


def begin(folder: Path) -> RunFolder:
    """Write a recipe and settle it."""
    tiny.write_files(folder)
    (folder / "recipe.toml").write_text(RECIPE, encoding="utf-8")
    run = RunFolder(folder / "run")
    run.settle(folder / "recipe.toml")
    return run


def work(run: RunFolder) -> None:
    """Do in this process what the process of a seed does."""
    from fairtrial.train.running.seed import train_seed

    orders = {"ledger": str(run.ledger), "go_on": False, "base": True, "explore": None}
    run.path.mkdir(exist_ok=True)
    with (run.path / "out").open("ab") as said:
        for descriptor in (1, 2):
            os.dup2(said.fileno(), descriptor)
    train_seed(run, 0, orders, lambda _: None)


def forked(run: RunFolder, seconds: float | None) -> int:
    """Work in a fork, which is killed after `seconds`; return its exit code."""
    process = multiprocessing.get_context("fork").Process(target=work, args=(run,))
    process.start()
    process.join(seconds)
    process.kill()
    process.join()
    assert process.exitcode is not None
    return process.exitcode


def left_by(run: RunFolder) -> dict[str, Any]:
    """Return all that must be the same, times apart."""
    seed = run.seed(0)
    files = [*seed.model.iterdir(), *seed.checkpoints.glob("step-*/model.safetensors")]
    found: dict[str, Any] = {
        str(path.relative_to(seed.path)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files
    }
    for name in ("steps.jsonl", "groups.jsonl"):
        lines = [orjson.loads(line) for line in (seed.path / name).read_bytes().splitlines()]
        found[name] = [{key: value for key, value in line.items() if key != "seconds"} for line in lines]
    ledger = Ledger.open(run.ledger)
    for table in ("rollouts", "verdicts", "checkpoints"):
        ids = [row["id"] for part in ledger.parts(table) for row in _rows(part)]
        found[table] = sorted(set(ids))
        assert len(ids) == len(set(ids))
    return found


def _rows(part: Path) -> list[dict[str, Any]]:
    import pyarrow.parquet as pq

    return list(pq.read_table(part, columns=["id"]).to_pylist())


@pytest.mark.extra
def test_a_run_killed_at_random_points_ends_as_one_that_was_not(tmp_path: Path) -> None:
    pytest.importorskip("trl")
    tiny.write_model(tmp_path / "base")
    (tmp_path / "whole").mkdir()
    (tmp_path / "killed").mkdir()
    for name in ("whole", "killed"):
        (tmp_path / name / "base").symlink_to(tmp_path / "base")
    import fairtrial.train.running.seed  # noqa: F401  loaded once, so that forks need not

    whole, killed = begin(tmp_path / "whole"), begin(tmp_path / "killed")
    assert forked(whole, None) == 0, (whole.path / "out").read_text(errors="replace")[-2000:]
    drawn = random.Random(20261)
    codes = [forked(killed, drawn.uniform(0.3, 3.0)) for _ in range(4)]
    assert -signal.SIGKILL in codes
    assert forked(killed, None) == 0, (killed.path / "out").read_text(errors="replace")[-2000:]
    assert left_by(killed) == left_by(whole)

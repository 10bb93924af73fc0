"""Runs of tiny models, each in a fork of the test's process: torch is loaded once, and what a run sets dies with it."""

from __future__ import annotations

import gc
import hashlib
import importlib
import multiprocessing
import os
from pathlib import Path
from typing import Any

import orjson
import pyarrow.parquet as pq

from fairtrial.ledger import Ledger
from fairtrial.train.running.folder import RunFolder
from train import tiny


def load(*methods: str) -> None:
    """Load what trains, once, so that forks need not."""
    for module in ("running.seed", *(f"trainers.{method}" for method in methods)):
        importlib.import_module(f"fairtrial.train.{module}")


def begin(folder: Path, recipe: str) -> RunFolder:
    """Write a recipe beside its files and settle it; the model `base` is there already."""
    tiny.write_files(folder)
    (folder / "recipe.toml").write_text(recipe, encoding="utf-8")
    run = RunFolder(folder / "run")
    run.settle(folder / "recipe.toml")
    return run


def _work(run: RunFolder, orders: dict[str, Any]) -> None:
    """Do what the process of a seed does, its words sent to a file."""
    from fairtrial.train.running.seed import train_seed

    gc.freeze()  # what other tests left, of a browser's driver say, is not for a fork to take apart
    with (run.path / "out").open("ab") as said:
        for descriptor in (1, 2):
            os.dup2(said.fileno(), descriptor)
    train_seed(run, 0, orders, lambda _: None)


def forked(run: RunFolder, seconds: float | None = None, **orders: Any) -> int:
    """Work on seed 0 in a fork, killed after `seconds` where those are given; return its exit code."""
    whole = {"ledger": str(run.ledger), "go_on": False, "base_by": [0], "explore": None} | orders
    process = multiprocessing.get_context("fork").Process(target=_work, args=(run, whole))
    process.start()
    process.join(seconds)
    process.kill()
    process.join()
    assert process.exitcode is not None
    return process.exitcode


def said(run: RunFolder) -> str:
    """Return the end of what the forks said."""
    return (run.path / "out").read_text(errors="replace")[-2000:]


def ids(run: RunFolder, table: str) -> list[str]:
    """Return the ids in a table of the run's ledger, each as often as it was written."""
    parts = Ledger.open(run.ledger).parts(table)
    return sorted(row for part in parts for row in pq.read_table(part, columns=["id"]).column("id").to_pylist())


def left_by(run: RunFolder) -> dict[str, Any]:
    """Return all of a run that must be the same however it came about, times apart."""
    seed = run.seed(0)
    files = [*seed.model.iterdir(), *seed.checkpoints.glob("step-*/model.safetensors")]
    found: dict[str, Any] = {
        str(path.relative_to(seed.path)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files
    }
    for name in ("steps.jsonl", "groups.jsonl"):
        lines = [orjson.loads(line) for line in (seed.path / name).read_bytes().splitlines()]
        found[name] = [{key: value for key, value in line.items() if key != "seconds"} for line in lines]
    return found | {table: ids(run, table) for table in ("rollouts", "verdicts", "checkpoints")}
